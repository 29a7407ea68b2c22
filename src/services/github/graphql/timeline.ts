import { isJsonObject, type JsonObject } from '../../../service/index.ts';
import { labelNamed } from '../rules/labels.ts';
import type { Issue, IssueComment, IssueEvent } from '../schema/issues.ts';
import type { Repository } from '../schema/repositories.ts';
import { globalId } from '../views/node-ids.ts';
import { accountNodeOrNull } from './accounts.ts';
import { commentNode } from './comments.ts';
import { connection, ordered, type PageArguments } from './connections.ts';
import type { Graph, GraphValue } from './graph.ts';
import { labelNode } from './labels.ts';

/** How the graph calls an event, and the prefix of its global id. */
const KINDS: Readonly<Record<string, readonly [type: string, prefix: string]>> = {
  assigned: ['AssignedEvent', 'AE'],
  closed: ['ClosedEvent', 'CE'],
  demilestoned: ['DemilestonedEvent', 'DEMIE'],
  labeled: ['LabeledEvent', 'LE'],
  locked: ['LockedEvent', 'LOE'],
  milestoned: ['MilestonedEvent', 'MIE'],
  renamed: ['RenamedTitleEvent', 'RTE'],
  reopened: ['ReopenedEvent', 'REE'],
  unassigned: ['UnassignedEvent', 'UNASE'],
  unlabeled: ['UnlabeledEvent', 'UNLE'],
  unlocked: ['UnlockedEvent', 'UNLOE'],
};

interface TimelineArguments extends PageArguments {
  readonly itemTypes?: readonly string[] | null;
  readonly since?: string | null;
}

type Item = { readonly event: IssueEvent } | { readonly comment: IssueComment };

/** What happened to an issue: its events and comments, the oldest first. */
export function timelineOf(graph: Graph, args: TimelineArguments, issue: Issue): GraphValue {
  const { tx } = graph.ctx;
  const repository = tx.repositories.get(issue.repository_id);
  const { itemTypes, since } = args;
  const isAsked = (item: Item): boolean => {
    const { type, moment } = factsOf(item);
    return (!itemTypes || itemTypes.includes(type)) && (!since || moment >= since);
  };
  const items = (): Item[] => {
    const events = [...tx.issue_events.by('by_issue', [issue.id])]
      .filter(({ event }) => KINDS[event] !== undefined)
      .map((event): Item => ({ event }));
    const comments = [...tx.issue_comments.by('by_issue', [issue.id])].map((comment): Item => ({ comment }));
    return ordered([...events, ...comments].filter(isAsked), (item) => factsOf(item).moment, 'ASC');
  };
  return connection(args, {
    name: 'timelineItems',
    items,
    key: (item) => ('event' in item ? `e${item.event.id}` : `c${item.comment.id}`),
    show: (item) =>
      'comment' in item ? commentNode(graph, item.comment) : eventNode(graph, repository, item.event),
    extra: { filteredCount: () => items().length },
  });
}

function factsOf(item: Item): { readonly type: string; readonly moment: string } {
  if ('comment' in item) return { type: 'ISSUE_COMMENT', moment: item.comment.created_at };
  const name = item.event.event === 'renamed' ? 'RENAMED_TITLE' : item.event.event.toUpperCase();
  return { type: `${name}_EVENT`, moment: item.event.created_at };
}

function eventNode(graph: Graph, repository: Repository | undefined, event: IssueEvent): GraphValue {
  const [type = '', prefix = ''] = KINDS[event.event] ?? [];
  const details = (event.details ?? {}) as JsonObject;
  const member = (name: string): JsonObject => (isJsonObject(details[name]) ? details[name] : {});
  const labelName = String(member('label').name ?? '');
  return {
    __typename: type,
    actor: () => accountNodeOrNull(graph, event.actor_id),
    assignee: () => accountNodeOrNull(graph, Number(details.assignee_id ?? 0)),
    createdAt: event.created_at,
    currentTitle: member('rename').to,
    id: globalId(prefix, [0, event.repository_id, event.id]),
    label: () => {
      const label = repository && labelNamed(graph.ctx, repository, labelName);
      if (label) return labelNode(graph, repository, label);
      const id = globalId('LA', [0, event.repository_id, 0]);
      return {
        __typename: 'Label',
        id,
        name: labelName,
        color: member('label').color ?? '',
        isDefault: false,
      };
    },
    lockReason: null,
    milestoneTitle: member('milestone').title,
    previousTitle: member('rename').from,
    stateReason: typeof details.state_reason === 'string' ? details.state_reason.toUpperCase() : null,
  };
}
