import { isJsonObject, type Json, type JsonObject, type RecordedExchange } from '../../../service/index.ts';
import { accountCalled, seeAccount, seeMember } from './accounts.ts';
import { seeReactionCounts } from './reactions.ts';
import { bodyIn } from './references.ts';
import { repositoryCalled } from './repositories.ts';
import {
  flagIn,
  inputOf,
  type Maker,
  nullableTextIn,
  numberIn,
  objectIn,
  type Seer,
  type Shown,
  type Sight,
  textIn,
} from './sight.ts';

export const UNSEEN_MOMENT = '2015-01-01T00:00:00Z';

/** The repository that an address with `/repos/owner/name` is in, if the recording began with it. */
export function repositoryOf(sight: Sight, address: string | undefined): number | undefined {
  const found = /\/repos\/([^/]+)\/([^/]+)/u.exec(address ?? '');
  if (!found) return undefined;
  const id = sight.names.repositories.get(`${found[1]}/${found[2]}`.toLowerCase());
  if (id !== undefined && sight.isMade('repositories', id)) return undefined;
  const owner = sight.tx.accounts.unique('by_login', [(found[1] ?? '').toLowerCase()]);
  const known = owner && sight.tx.repositories.unique('by_name', [owner.id, (found[2] ?? '').toLowerCase()]);
  return known?.id;
}

const ISSUE_URL = /\/repos\/[^/]+\/[^/]+\/issues\/\d+$/u;
const LABEL_URL = /\/repos\/[^/]+\/[^/]+\/labels\/[^/]+$/u;
const MILESTONE_URL = /\/repos\/[^/]+\/[^/]+\/milestones\/\d+$/u;
const EVENT_URL = /\/repos\/[^/]+\/[^/]+\/issues\/events\/\d+$/u;
const COMMENT_URL = /\/repos\/[^/]+\/[^/]+\/issues\/comments\/\d+$/u;

function hasUrl(object: JsonObject, pattern: RegExp): boolean {
  return pattern.test(textIn(object, 'url') ?? '') && numberIn(object, 'id') !== undefined;
}

export const issueSeers: readonly Seer[] = [
  {
    fits: (object) => hasUrl(object, ISSUE_URL),
    see: (sight, object, { exchange }) => void seeIssue(sight, { object, exchange }),
  },
  {
    fits: (object) => hasUrl(object, LABEL_URL),
    see: (sight, object, { exchange }) => void seeLabel(sight, object, exchange),
  },
  {
    fits: (object) => hasUrl(object, MILESTONE_URL),
    see: (sight, object, { exchange }) => void seeMilestone(sight, object, exchange),
  },
  { fits: (object) => hasUrl(object, COMMENT_URL), see: seeComment },
  { fits: (object) => hasUrl(object, EVENT_URL), see: seeEvent },
];

/** The repository of an object's own address, made known by the request where it is not yet. */
function homeOf(sight: Sight, object: JsonObject, exchange: RecordedExchange): number | undefined {
  const address = textIn(object, 'repository_url') ?? textIn(object, 'url');
  return repositoryOf(sight, address) ?? repositoryCalledFor(sight, exchange, address);
}

function repositoryCalledFor(
  sight: Sight,
  exchange: RecordedExchange,
  address: string | undefined,
): number | undefined {
  const { owner, repo } = inputOf(exchange);
  if (!address?.toLowerCase().includes(`/repos/${String(owner)}/${String(repo)}/`.toLowerCase())) {
    const found = /\/repos\/([^/]+)\/([^/]+)/u.exec(address ?? '');
    if (!found) return undefined;
    const input = { owner: found[1] ?? '', repo: found[2] ?? '' };
    return repositoryCalled(sight, { ...exchange, input });
  }
  return repositoryCalled(sight, exchange);
}

export function seeLabel(sight: Sight, object: JsonObject, exchange: RecordedExchange): number | undefined {
  const repository_id = homeOf(sight, object, exchange);
  const id = numberIn(object, 'id');
  const name = textIn(object, 'name');
  if (repository_id === undefined || id === undefined || name === undefined) return undefined;
  if (sight.isMade('labels', id) || sight.isMade('labels', [repository_id, name.toLowerCase()]))
    return undefined;
  const known = sight.tx.labels.unique('by_name', [repository_id, name.toLowerCase()]);
  const key = known?.id ?? id;
  const flag = flagIn(object, 'default');
  sight.learn('labels', key, {
    blank: {
      id: key,
      repository_id,
      name,
      name_key: name.toLowerCase(),
      color: 'ededed',
      is_default: false,
      description: null,
      updated_at: UNSEEN_MOMENT,
    },
    columns: {
      color: textIn(object, 'color'),
      is_default: flag,
      description: nullableTextIn(object, 'description'),
    },
  });
  return key;
}

export function seeMilestone(
  sight: Sight,
  object: JsonObject,
  exchange: RecordedExchange,
): number | undefined {
  const repository_id = homeOf(sight, object, exchange);
  const id = numberIn(object, 'id');
  const number = numberIn(object, 'number');
  if (
    repository_id === undefined ||
    id === undefined ||
    number === undefined ||
    sight.isMade('milestones', id)
  ) {
    return undefined;
  }
  const creator = objectIn(object, 'creator');
  sight.learn('milestones', id, {
    blank: blankMilestone({ id, repository_id, number }),
    columns: {
      creator_id: creator ? seeAccount(sight, creator) : undefined,
      title: textIn(object, 'title'),
      description: nullableTextIn(object, 'description'),
      state: textIn(object, 'state'),
      due_on: nullableTextIn(object, 'due_on'),
      open_issues: numberIn(object, 'open_issues'),
      closed_issues: numberIn(object, 'closed_issues'),
      created_at: textIn(object, 'created_at'),
      updated_at: textIn(object, 'updated_at'),
      closed_at: nullableTextIn(object, 'closed_at'),
    },
  });
  return id;
}

/** Writes an issue, or a pull as issues show it; gives its number in the world. */
export function seeIssue(
  sight: Sight,
  { object, exchange }: { readonly object: JsonObject; readonly exchange: RecordedExchange },
): number | undefined {
  const repository_id = homeOf(sight, object, exchange);
  const number = numberIn(object, 'number');
  if (repository_id === undefined || number === undefined) return undefined;
  const known = sight.tx.issues.unique('by_number', [repository_id, number]);
  const own = numberIn(object, 'id') ?? 0;
  // A number that was drawn for another issue before this one was shown stays with that one.
  const id = known?.id ?? (sight.tx.issues.has(own) ? sight.freshId('issues') : own);
  if (sight.isMade('issues', id) || sight.isMade('issues', [repository_id, number])) return undefined;
  const person = (member: string): number | null | undefined => {
    const account = objectIn(object, member);
    return account ? seeAccount(sight, account) : object[member] === null ? null : undefined;
  };
  const milestone = objectIn(object, 'milestone');
  sight.learn('issues', id, {
    blank: blankIssue({ id, repository_id, number, user_id: person('user') ?? null }),
    columns: {
      kind: isJsonObject(object.pull_request) ? 'pull' : undefined,
      title: textIn(object, 'title'),
      body: bodyIn(object),
      user_id: person('user'),
      author_association: textIn(object, 'author_association'),
      state: textIn(object, 'state'),
      state_reason: nullableTextIn(object, 'state_reason'),
      locked: flagIn(object, 'locked'),
      active_lock_reason: nullableTextIn(object, 'active_lock_reason'),
      milestone_id: milestone
        ? seeMilestone(sight, milestone, exchange)
        : object.milestone === null
          ? null
          : undefined,
      comments: numberIn(object, 'comments'),
      closed_by_id: person('closed_by'),
      type: object.type,
      created_at: textIn(object, 'created_at'),
      updated_at: textIn(object, 'updated_at'),
      closed_at: nullableTextIn(object, 'closed_at'),
    },
  });
  followNumber(sight, repository_id, number);
  seeLabelsOn(sight, id, { object, exchange });
  seeAssignees(sight, id, object.assignees);
  seeReactionCounts(sight, object, { kind: 'issue', id, repository_id });
  return id;
}

/** An issue of which nothing is known but that it is there. */
export function blankIssue(known: {
  readonly id: number;
  readonly repository_id: number;
  readonly number: number;
  readonly user_id: number | null;
}) {
  return {
    ...known,
    kind: 'issue',
    title: '',
    body: null,
    author_association: 'NONE',
    state: 'open',
    state_reason: null,
    locked: false,
    active_lock_reason: null,
    milestone_id: null,
    comments: 0,
    closed_by_id: null,
    parent_id: null,
    position: 0,
    type: null,
    created_at: UNSEEN_MOMENT,
    updated_at: UNSEEN_MOMENT,
    closed_at: null,
  };
}

/** The next number of a repository lies behind all that are shown. */
export function followNumber(sight: Sight, repository_id: number, number: number): void {
  const repository = sight.tx.repositories.get(repository_id);
  if (repository && repository.next_number <= number) {
    sight.tx.repositories.update(repository_id, { next_number: number + 1 });
  }
}

/** Labels shown on an issue for the first time were on it before. */
function seeLabelsOn(
  sight: Sight,
  issue_id: number,
  { object, exchange }: { readonly object: JsonObject; readonly exchange: RecordedExchange },
): void {
  const { labels } = object;
  if (!Array.isArray(labels) || !sight.first(`labels of ${issue_id}`)) return;
  for (const label of (labels as readonly Json[]).filter(isJsonObject)) {
    const label_id = seeLabel(sight, label, exchange);
    if (label_id !== undefined && !sight.tx.issue_labels.has([issue_id, label_id])) {
      sight.tx.issue_labels.insert({ issue_id, label_id });
    }
  }
}

function seeAssignees(sight: Sight, issue_id: number, assignees: Json | undefined): void {
  if (!Array.isArray(assignees) || !sight.first(`assignees of ${issue_id}`)) return;
  for (const [position, assignee] of (assignees as readonly Json[]).filter(isJsonObject).entries()) {
    const user_id = seeAccount(sight, assignee);
    if (!sight.tx.issue_assignees.has([issue_id, user_id])) {
      sight.tx.issue_assignees.insert({ issue_id, user_id, position });
    }
  }
}

function seeComment(sight: Sight, object: JsonObject, { exchange }: Shown): void {
  const id = numberIn(object, 'id') ?? 0;
  const number = Number(/\/issues\/(\d+)$/u.exec(textIn(object, 'issue_url') ?? '')?.[1]);
  const repository_id = homeOf(sight, object, exchange);
  if (repository_id === undefined || sight.isMade('issue_comments', id)) return;
  const issue = sight.tx.issues.unique('by_number', [repository_id, number]);
  const user = objectIn(object, 'user');
  const user_id = user ? seeAccount(sight, user) : null;
  if (!issue) return;
  sight.learn('issue_comments', id, {
    blank: {
      id,
      issue_id: issue.id,
      repository_id,
      user_id,
      author_association: 'NONE',
      body: '',
      created_at: UNSEEN_MOMENT,
      updated_at: UNSEEN_MOMENT,
    },
    columns: {
      author_association: textIn(object, 'author_association'),
      body: textIn(object, 'body'),
      created_at: textIn(object, 'created_at'),
      updated_at: textIn(object, 'updated_at'),
    },
  });
  seeReactionCounts(sight, object, { kind: 'issue-comment', id, repository_id });
}

/** Members of an event that every event has. */
const COMMON = ['id', 'node_id', 'url', 'actor', 'event', 'commit_id', 'commit_url', 'created_at', 'issue'];

/** Events that the recording's own requests caused are not written: they came after the issue's last change. */
function seeEvent(sight: Sight, object: JsonObject, { exchange }: Shown): void {
  const issue = objectIn(object, 'issue');
  const issue_id = issue ? seeIssue(sight, { object: issue, exchange }) : issueCalled(sight, exchange);
  const actor = objectIn(object, 'actor');
  const row = issue_id === undefined ? undefined : sight.tx.issues.get(issue_id);
  const id = numberIn(object, 'id') ?? 0;
  if (!row || sight.tx.issue_events.has(id)) return;
  const assignee = objectIn(object, 'assignee');
  const others = Object.entries(object).filter(
    ([name]) => !COMMON.includes(name) && name !== 'assignee' && name !== 'assigner',
  );
  sight.tx.issue_events.insert({
    id,
    issue_id: row.id,
    repository_id: row.repository_id,
    event: textIn(object, 'event') ?? '',
    actor_id: actor ? seeAccount(sight, actor) : null,
    commit_id: textIn(object, 'commit_id') ?? null,
    details: { ...Object.fromEntries(others), ...(assignee && { assignee_id: seeAccount(sight, assignee) }) },
    created_at: textIn(object, 'created_at') ?? UNSEEN_MOMENT,
  });
}

/** The issue that a request's path names: there, and open, as far as nothing else tells. */
export function issueCalled(sight: Sight, exchange: RecordedExchange): number | undefined {
  const number = Number(inputOf(exchange).issue_number ?? inputOf(exchange).pull_number);
  const repository_id = repositoryCalled(sight, exchange);
  if (repository_id === undefined || !Number.isSafeInteger(number) || exchange.status >= 400)
    return undefined;
  if (sight.isMade('repositories', repository_id) || sight.isMade('issues', [repository_id, number]))
    return undefined;
  const known = sight.tx.issues.unique('by_number', [repository_id, number]);
  if (known) return known.id;
  const id = sight.freshId('issues');
  sight.learn('issues', id, {
    blank: blankIssue({ id, repository_id, number, user_id: sight.viewerId }),
    columns: {},
  });
  followNumber(sight, repository_id, number);
  return id;
}

/** The first thing that a recording makes has the number after all that were there before. */
function countBefore(
  sight: Sight,
  table: 'issues' | 'milestones',
  {
    repository_id,
    number,
  }: { readonly repository_id: number | undefined; readonly number: number | undefined },
): void {
  if (repository_id === undefined || number === undefined || number < 2) return;
  if (!sight.first(`numbers of ${table} in ${repository_id}`)) return;
  if (table === 'issues') followNumber(sight, repository_id, number - 1);
  else if (!sight.tx.milestones.unique('by_number', [repository_id, number - 1])) {
    const id = sight.freshId('milestones');
    const columns = { state: 'closed', closed_at: UNSEEN_MOMENT };
    sight.learn('milestones', id, {
      blank: blankMilestone({ id, repository_id, number: number - 1 }),
      columns,
    });
  }
}

/** A milestone of which nothing is known but that it is there. */
export function blankMilestone(known: {
  readonly id: number;
  readonly repository_id: number;
  readonly number: number;
}) {
  return {
    ...known,
    title: '',
    description: null,
    state: 'open',
    creator_id: null,
    due_on: null,
    open_issues: 0,
    closed_issues: 0,
    created_at: UNSEEN_MOMENT,
    updated_at: UNSEEN_MOMENT,
    closed_at: null,
  };
}

/** A thing made in a repository: by its number in the world and, for those that have one, its own. */
const numbered =
  (table: 'issues' | 'milestones'): Maker =>
  (body, _exchange, sight) => {
    const repository_id = repositoryOf(sight, textIn(body, 'url'));
    countBefore(sight, table, { repository_id, number: numberIn(body, 'number') });
    if (table === 'issues') seeAssociation(sight, body);
    return [
      [table, body.id ?? 0],
      [table, [repository_id ?? 0, body.number ?? 0]],
    ];
  };

/**
 * What an author is to a repository was so before: a member of its organisation, a collaborator, or somebody
 * with commits in it.
 */
export function seeAssociation(sight: Sight, object: JsonObject): void {
  const user = objectIn(object, 'user');
  const address = textIn(object, 'url');
  const owner = accountIn(sight, address);
  if (!user || owner === undefined) return;
  const user_id = seeAccount(sight, user);
  const association = textIn(object, 'author_association');
  if (association === 'MEMBER') seeMember(sight, owner, { user: user_id, role: 'member', open: true });
  const repository_id = repositoryOf(sight, address);
  if (repository_id === undefined) return;
  const key = { repository_id, user_id };
  if (association === 'COLLABORATOR' && !sight.tx.collaborators.has([repository_id, user_id])) {
    sight.tx.collaborators.insert({ ...key, role: 'write' });
  }
  if (association === 'CONTRIBUTOR' && !sight.tx.contributions.has([repository_id, user_id])) {
    sight.tx.contributions.insert({ ...key, contributions: 1 });
  }
  if (user_id === sight.viewerId && (association === 'NONE' || association === 'CONTRIBUTOR')) {
    sight.strangers.add(repository_id);
  }
}

/** The owner of the repository that an address is in. */
function accountIn(sight: Sight, address: string | undefined): number | undefined {
  const login = /\/repos\/([^/]+)\//u.exec(address ?? '')?.[1];
  return login === undefined ? undefined : accountCalled(sight, login);
}

/** The page of a comment tells whether it is on an issue or a pull. */
function seeKind(sight: Sight, comment: JsonObject, exchange: RecordedExchange): void {
  const issue_id = issueCalled(sight, exchange);
  const isPull = /\/pull\/\d+#/u.test(textIn(comment, 'html_url') ?? '');
  if (issue_id !== undefined && isPull) sight.tx.issues.update(issue_id, { kind: 'pull' });
}

export const issueMakers: Readonly<Record<string, Maker>> = {
  'issues/create': numbered('issues'),
  'issues/create-milestone': numbered('milestones'),
  'issues/create-comment': (body, exchange, sight) => {
    seeAssociation(sight, body);
    seeKind(sight, body, exchange);
    return [['issue_comments', body.id ?? 0]];
  },
  'issues/create-label': (body, _exchange, sight) => [
    ['labels', body.id ?? 0],
    ['labels', [repositoryOf(sight, textIn(body, 'url')) ?? 0, String(body.name).toLowerCase()]],
  ],
};
