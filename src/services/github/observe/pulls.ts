import { isJsonObject, type Json, type JsonObject, type RecordedExchange } from '../../../service/index.ts';
import { accountCalled, seeAccount } from './accounts.ts';
import { blankIssue, followNumber, repositoryOf, seeAssociation, seeIssue, UNSEEN_MOMENT } from './issues.ts';
import { factAbout, originOf } from './pull-facts.ts';
import { buildPullWorlds } from './pull-worlds.ts';
import { seeRepository } from './repositories.ts';
import { fillComments } from './reviews.ts';
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

const PULL_URL = /\/repos\/[^/]+\/[^/]+\/pulls\/\d+$/u;

export const pullSeers: readonly Seer[] = [
  {
    fits: (object) =>
      PULL_URL.test(textIn(object, 'url') ?? '') &&
      isJsonObject(object.head) &&
      isJsonObject(object.base) &&
      numberIn(object, 'id') !== undefined,
    see: seePull,
  },
];

/** One end of a pull, as it is shown. */
interface End {
  readonly repository_id: number | null;
  readonly owner_id: number | null;
  readonly ref: string;
  readonly sha: string;
}

function endIn(
  sight: Sight,
  pull: JsonObject,
  { member, change }: { readonly member: 'head' | 'base'; readonly change: number },
): End {
  const end = objectIn(pull, member) ?? {};
  const [repo, user] = [objectIn(end, 'repo'), objectIn(end, 'user')];
  const open = repo && numberIn(repo, 'open_issues');
  const before = open === undefined ? repo : { ...repo, open_issues: open - change };
  const repository_id = before ? seeRepository(sight, before) : null;
  const owner_id = user ? seeAccount(sight, user) : null;
  return { repository_id, owner_id, ref: textIn(end, 'ref') ?? '', sha: textIn(end, 'sha') ?? '' };
}

/** How many more pulls are open after a request than before it. */
function openedBy({ operation, input }: RecordedExchange): number {
  if (operation === 'pulls/create') return isJsonObject(input) && typeof input.issue === 'number' ? 0 : 1;
  const state = operation === 'pulls/update' && isJsonObject(input) ? input.state : undefined;
  return state === 'closed' ? -1 : state === 'open' ? 1 : 0;
}

function seePull(sight: Sight, object: JsonObject, { exchange }: Shown): void {
  const number = numberIn(object, 'number') ?? 0;
  const change = openedBy(exchange);
  const head = endIn(sight, object, { member: 'head', change });
  const base = endIn(sight, object, { member: 'base', change });
  const repository_id = base.repository_id ?? repositoryOf(sight, textIn(object, 'url'));
  const origin = repository_id === undefined ? undefined : originOf(sight, repository_id);
  if (repository_id === undefined || origin === undefined) return;
  worldOnce(sight);
  const ends = { repository_id: origin, base_sha: base.sha, head_sha: head.sha };
  noteCounts(sight, { ends, object, number });
  const isMade = origin !== repository_id || sight.isMade('issues', [repository_id, number]);
  const isOpen = isMade || object.state === 'open' || toldBefore(object, exchange).state === 'open';
  if (isOpen) for (const end of [base, head]) branchAt(sight, end);
  noteChecks(sight, { repository_id, base, head, state: textIn(object, 'mergeable_state') });
  if (!isMade) writePull(sight, { object, exchange, number, repository_id, head, base });
}

/** Histories are built once, when all is known. */
export function worldOnce(sight: Sight): void {
  if (sight.first('worlds of pulls')) sight.later(() => buildPullWorlds(sight));
}

function noteCounts(
  sight: Sight,
  {
    ends,
    object,
    number,
  }: {
    readonly ends: { repository_id: number; base_sha: string; head_sha: string };
    readonly object: JsonObject;
    readonly number: number;
  },
): void {
  const fact = factAbout(sight, ends, number);
  fact.commits ??= numberIn(object, 'commits');
  fact.additions ??= numberIn(object, 'additions');
  fact.deletions ??= numberIn(object, 'deletions');
  fact.changed_files ??= numberIn(object, 'changed_files');
  if (object.mergeable_state === 'behind') fact.isBehind = true;
}

/** A branch stands where it was first seen, unless the recording moved or made it before. */
function branchAt(sight: Sight, { repository_id: seen, ref, sha }: End): void {
  const repository_id = seen === null ? undefined : originOf(sight, seen);
  if (repository_id === undefined) return;
  const key = [repository_id, `refs/heads/${ref}`];
  if (sight.isMade('git_objects', sha) || sight.isMade('git_refs', key)) return;
  sight.learn('git_refs', key, {
    blank: { repository_id, ref: `refs/heads/${ref}`, sha },
    columns: { sha },
  });
}

/** How a pull stands tells of the checks of its head, and of the rules of its base. */
function noteChecks(
  sight: Sight,
  {
    repository_id,
    base,
    head,
    state,
  }: {
    readonly repository_id: number;
    readonly base: End;
    readonly head: End;
    readonly state: string | undefined;
  },
): void {
  if (state === undefined || state === 'unknown' || sight.isMade('repositories', repository_id)) return;
  if (!sight.first(`standing of ${head.sha}`)) return;
  if (state === 'unstable' && !sight.isMade('git_objects', head.sha)) {
    sight.tx.commit_statuses.insert({
      id: sight.freshId('commit_statuses'),
      repository_id,
      sha: head.sha,
      creator_id: null,
      state: 'pending',
      context: 'ci',
      description: null,
      target_url: null,
      created_at: UNSEEN_MOMENT,
      updated_at: UNSEEN_MOMENT,
    });
  }
  const rules = {
    behind: { status_checks: { strict: true, checks: [] }, reviews: null },
    blocked: { status_checks: null, reviews: { required_approving_review_count: 1 } },
  }[state];
  const key = [repository_id, base.ref];
  if (rules && !sight.tx.branch_protections.has(key)) {
    const row = { repository_id, branch: base.ref, restrictions: null, switches: [] };
    sight.tx.branch_protections.insert({ ...row, ...rules });
  }
}

interface PullSeen {
  readonly object: JsonObject;
  readonly exchange: RecordedExchange;
  readonly number: number;
  readonly repository_id: number;
  readonly head: End;
  readonly base: End;
}

function writePull(sight: Sight, seen: PullSeen): void {
  const { exchange, number, repository_id, head, base } = seen;
  const object = toldBefore(seen.object, exchange);
  const issue_id = pullCalled(sight, repository_id, number);
  seeIssue(sight, { object: { ...object, pull_request: {} }, exchange });
  seeAssociation(sight, object);
  const merger = objectIn(object, 'merged_by');
  const isRetargeted = exchange.operation === 'pulls/update' && inputOf(exchange).base !== undefined;
  sight.learn('pulls', issue_id, {
    blank: blankPull({ issue_id, pull_id: 0, repository_id }),
    columns: {
      pull_id: freePullId(sight, issue_id, numberIn(object, 'id')),
      head_repository_id: head.repository_id,
      head_owner_id: head.owner_id,
      head_ref: head.ref,
      head_sha: head.sha,
      base_ref: isRetargeted ? undefined : base.ref,
      base_sha: isRetargeted ? undefined : base.sha,
      draft: flagIn(object, 'draft'),
      maintainer_can_modify: flagIn(object, 'maintainer_can_modify'),
      auto_merge: object.auto_merge,
      merged_at: nullableTextIn(object, 'merged_at'),
      merged_by_id: merger ? seeAccount(sight, merger) : object.merged_by === null ? null : undefined,
      merge_commit_sha: nullableTextIn(object, 'merge_commit_sha'),
      mergeable: mergeableIn(object),
    },
  });
  seeRequested(sight, issue_id, seen);
  const comments = numberIn(object, 'review_comments');
  if (comments !== undefined && sight.first(`review comments of ${issue_id}`)) {
    sight.later(() => sight.later(() => fillComments(sight, issue_id, comments)));
  }
}

/** Open pulls are tried again; what came of it is kept for those that are closed, and where it is told. */
function mergeableIn(object: JsonObject): boolean | undefined {
  if (object.mergeable_state === 'dirty') return false;
  return object.state === 'closed' ? flagIn(object, 'mergeable') : undefined;
}

/** What an answer shows of a pull without what its own request changed. */
function toldBefore(object: JsonObject, { operation, input }: RecordedExchange): JsonObject {
  if (operation !== 'pulls/update' || !isJsonObject(input)) return object;
  const { title, body, state } = input;
  const told = Object.fromEntries(
    Object.entries(object).filter(
      ([name]) => !(name === 'title' && title !== undefined) && !(name === 'body' && body !== undefined),
    ),
  ) as JsonObject;
  if (state === 'closed') return { ...told, state: 'open', closed_at: null };
  return state === 'open' ? { ...told, state: 'closed', closed_at: UNSEEN_MOMENT } : told;
}

/** Who was asked to review before a request asked somebody, or nobody any more. */
export function seeRequested(
  sight: Sight,
  issue_id: number,
  { object, exchange }: Pick<PullSeen, 'object' | 'exchange'>,
): void {
  if (!Array.isArray(object.requested_reviewers) || !sight.first(`reviewers of ${issue_id}`)) return;
  const { operation } = exchange;
  const asked = operation === 'pulls/request-reviewers' ? inputOf(exchange) : {};
  const left = operation === 'pulls/remove-requested-reviewers' ? inputOf(exchange) : {};
  const people = shownIn(object, 'requested_reviewers')
    .filter(({ login }) => !namedIn(asked, 'reviewers').has(String(login).toLowerCase()))
    .map((person) => seeAccount(sight, person));
  const teams = shownIn(object, 'requested_teams')
    .filter(({ slug }) => !namedIn(asked, 'team_reviewers').has(String(slug).toLowerCase()))
    .map(({ id }) => Number(id));
  for (const login of namedIn(left, 'reviewers')) people.push(accountCalled(sight, login));
  for (const [index, subject_id] of people.entries()) {
    request(sight, issue_id, { kind: 'user', subject_id, position: index + 1 });
  }
  for (const [index, subject_id] of teams.entries()) {
    request(sight, issue_id, { kind: 'team', subject_id, position: index + 1 });
  }
}

/** The objects of a list. */
export function shownIn(object: JsonObject, name: string): JsonObject[] {
  const list = object[name];
  return Array.isArray(list) ? (list as readonly Json[]).filter(isJsonObject) : [];
}

function namedIn(input: JsonObject, name: string): Set<string> {
  const list = input[name];
  return new Set(
    Array.isArray(list) ? (list as readonly Json[]).map((one) => String(one).toLowerCase()) : [],
  );
}

function request(
  sight: Sight,
  issue_id: number,
  row: { readonly kind: 'user' | 'team'; readonly subject_id: number; readonly position: number },
): void {
  if (sight.tx.review_requests.has([issue_id, row.kind, row.subject_id])) return;
  sight.tx.review_requests.insert({ issue_id, ...row });
}

/** A pull of which nothing is known but that it is there: its row among the issues, and its own. */
export function pullCalled(sight: Sight, repository_id: number, number: number): number {
  const known = sight.tx.issues.unique('by_number', [repository_id, number]);
  const id = known?.id ?? sight.freshId('issues');
  sight.learn('issues', id, {
    blank: blankIssue({ id, repository_id, number, user_id: sight.viewerId }),
    columns: { kind: 'pull' },
  });
  followNumber(sight, repository_id, number);
  if (!sight.tx.pulls.has(id)) {
    sight.learn('pulls', id, { blank: blankPull({ issue_id: id, pull_id: 0, repository_id }), columns: {} });
    sight.tx.pulls.update(id, { pull_id: freshPullId(sight) });
  }
  return id;
}

/** A pull's own number, unless another pull was given it before it was shown. */
function freePullId(sight: Sight, issue_id: number, id: number | undefined): number | undefined {
  const holder = id === undefined ? undefined : sight.tx.pulls.unique('by_pull_id', [id]);
  return holder === undefined || holder.issue_id === issue_id ? id : undefined;
}

function freshPullId(sight: Sight): number {
  for (;;) {
    const id = Number(sight.seeding.nextId('pulls'));
    if (!sight.tx.pulls.unique('by_pull_id', [id])) return id;
  }
}

/** A pull's columns while nothing is known: from some branch into the usual one. */
function blankPull(ids: {
  readonly issue_id: number;
  readonly pull_id: number;
  readonly repository_id: number;
}) {
  return {
    ...ids,
    head_repository_id: ids.repository_id,
    head_owner_id: null,
    head_ref: 'patch-1',
    head_sha: '',
    base_ref: 'main',
    base_sha: '',
    draft: false,
    maintainer_can_modify: false,
    auto_merge: null,
    merged_at: null,
    merged_by_id: null,
    merge_commit_sha: null,
    mergeable: null,
    tried_ms: 0,
  };
}

/** A new pull has the number after all that were there. */
const made: Maker = (body, exchange, sight) => {
  const number = numberIn(body, 'number') ?? 0;
  const repository_id = repositoryOf(sight, textIn(body, 'url'));
  seeAssociation(sight, body);
  if (repository_id === undefined) return [['pulls', body.id ?? 0]];
  const { issue } = inputOf(exchange);
  if (typeof issue !== 'number' && sight.first(`numbers of issues in ${repository_id}`)) {
    followNumber(sight, repository_id, number - 1);
  }
  return [
    ['pulls', body.id ?? 0],
    ['issues', [repository_id, number]],
  ];
};

export const pullMakers: Readonly<Record<string, Maker>> = {
  'pulls/create': made,
  'pulls/merge': (body) => [['git_objects', body.sha ?? '']],
};

/** The repository of a pull's own address, for what is on it. */
export function placeOfPull(
  sight: Sight,
  address: string | undefined,
): { readonly repository_id: number; readonly number: number } | undefined {
  const number = Number(/\/pulls\/(\d+)$/u.exec(address ?? '')?.[1]);
  const found = /\/repos\/([^/]+)\/([^/]+)\//u.exec(address ?? '');
  if (!found || !Number.isSafeInteger(number)) return undefined;
  accountCalled(sight, found[1] ?? '');
  const repository_id = repositoryOf(sight, address);
  return repository_id === undefined ? undefined : { repository_id, number };
}
