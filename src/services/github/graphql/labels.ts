import type { Issue, Label, Milestone } from '../schema/issues.ts';
import type { Repository } from '../schema/repositories.ts';
import { placeOf } from '../views/issues.ts';
import { globalId } from '../views/node-ids.ts';
import { WEB } from '../views/urls.ts';
import { accountNodeOrNull } from './accounts.ts';
import { connection, type Order, ordered, type PageArguments } from './connections.ts';
import type { Graph, GraphValue } from './graph.ts';
import { issuesAmong } from './issues.ts';
import { repositoryNode } from './repositories.ts';

export function labelNode(graph: Graph, repository: Repository, label: Label): GraphValue {
  const { ctx } = graph;
  const url = `${placeOf(ctx, repository).web}/labels/${encodeURIComponent(label.name.toWellFormed())}`;
  const labelled = (): Issue[] =>
    [...ctx.tx.issue_labels.by('by_label', [label.id])].flatMap(
      ({ issue_id }) => ctx.tx.issues.get(issue_id) ?? [],
    );
  return {
    __typename: 'Label',
    color: label.color,
    createdAt: label.updated_at,
    description: label.description,
    id: globalId('LA', [0, repository.id, label.id]),
    isDefault: label.is_default,
    issues: (args: PageArguments) => issuesAmong(graph, args, labelled),
    name: label.name,
    repository: () => repositoryNode(graph, repository),
    resourcePath: url.slice(WEB.length),
    updatedAt: label.updated_at,
    url,
  };
}

interface LabelArguments extends PageArguments {
  readonly orderBy?: Order | null;
  readonly query?: string | null;
}

/** The labels of a repository. */
export function labelsIn(graph: Graph, args: LabelArguments, repository: Repository): GraphValue {
  const { tx } = graph.ctx;
  return labels(graph, args, { repository, all: () => [...tx.labels.by('by_repository', [repository.id])] });
}

/** Some labels of a repository, filtered and sorted as asked. */
export function labels(
  graph: Graph,
  args: LabelArguments,
  { repository, all }: { readonly repository: Repository; readonly all: () => readonly Label[] },
): GraphValue {
  return connection(args, {
    name: 'labels',
    items: () => {
      const words = (args.query ?? '').toLowerCase();
      const found = all().filter(({ name, description }) =>
        `${name} ${description ?? ''}`.toLowerCase().includes(words),
      );
      const { orderBy } = args;
      if (!orderBy) return found;
      const isByName = orderBy.field === 'NAME';
      return ordered(found, ({ name_key, id }) => (isByName ? name_key : id), orderBy.direction);
    },
    key: ({ id }) => id,
    show: (label) => labelNode(graph, repository, label),
  });
}

export function milestoneNode(graph: Graph, repository: Repository, milestone: Milestone): GraphValue {
  const url = `${placeOf(graph.ctx, repository).web}/milestone/${milestone.number}`;
  const total = milestone.open_issues + milestone.closed_issues;
  return {
    __typename: 'Milestone',
    closed: milestone.state === 'closed',
    closedAt: milestone.closed_at,
    createdAt: milestone.created_at,
    creator: () => accountNodeOrNull(graph, milestone.creator_id),
    description: milestone.description,
    dueOn: milestone.due_on,
    id: globalId('MI', [0, repository.id, milestone.id]),
    issues: (args: PageArguments) =>
      issuesAmong(graph, args, () => [...graph.ctx.tx.issues.by('by_milestone', [milestone.id])]),
    number: milestone.number,
    progressPercentage: total === 0 ? 0 : (milestone.closed_issues * 100) / total,
    repository: () => repositoryNode(graph, repository),
    resourcePath: url.slice(WEB.length),
    state: milestone.state.toUpperCase(),
    title: milestone.title,
    updatedAt: milestone.updated_at,
    url,
  };
}

interface MilestoneArguments extends PageArguments {
  readonly orderBy?: Order | null;
  readonly query?: string | null;
  readonly states?: readonly string[] | null;
}

/** The milestones of a repository. */
export function milestonesIn(graph: Graph, args: MilestoneArguments, repository: Repository): GraphValue {
  const { states, query, orderBy } = args;
  return connection(args, {
    name: 'milestones',
    items: () => {
      const found = [...graph.ctx.tx.milestones.scan()].filter(
        ({ repository_id, state, title }) =>
          repository_id === repository.id &&
          (!states || states.includes(state.toUpperCase())) &&
          title.toLowerCase().includes((query ?? '').toLowerCase()),
      );
      const keys: Readonly<Record<string, (milestone: Milestone) => string | number>> = {
        CREATED_AT: ({ created_at }) => created_at,
        DUE_DATE: ({ due_on }) => due_on ?? '9',
        UPDATED_AT: ({ updated_at }) => updated_at,
      };
      const key = keys[orderBy?.field ?? ''] ?? (({ number }) => number);
      return ordered(found, key, orderBy?.direction ?? 'ASC');
    },
    key: ({ id }) => id,
    show: (milestone) => milestoneNode(graph, repository, milestone),
  });
}
