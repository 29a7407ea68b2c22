import { isJsonObject, type Json, type JsonObject } from '../../../service/index.ts';
import type { Pull } from '../schema/pulls.ts';
import { UNSEEN_MOMENT } from './issues.ts';
import { notePage } from './lists.ts';
import { factAbout, factOfPull, factsOf, noteFile, noteFork } from './pull-facts.ts';
import { pullCalled, shownIn, worldOnce } from './pulls.ts';
import { repositoryCalled, seeRepository } from './repositories.ts';
import { inputOf, numberIn, objectIn, type Sight, textIn, type Watcher } from './sight.ts';

/** The pull that a request's path names was there. */
const watchPull: Watcher = (sight, exchange) => {
  const number = Number(inputOf(exchange).pull_number);
  const repository_id = repositoryCalled(sight, exchange);
  const isThere =
    exchange.status < 400 || exchange.status === 422 || exchange.operation === 'pulls/check-if-merged';
  if (repository_id === undefined || !Number.isSafeInteger(number) || !isThere) return;
  if (sight.isMade('repositories', repository_id) || sight.isMade('issues', [repository_id, number])) return;
  const issue_id = pullCalled(sight, repository_id, number);
  worldOnce(sight);
  if (exchange.operation === 'pulls/check-if-merged' && exchange.status === 204) {
    sight.learn('pulls', issue_id, { blank: {}, columns: { merged_at: UNSEEN_MOMENT } });
    sight.learn('issues', issue_id, {
      blank: {},
      columns: { state: 'closed', closed_at: UNSEEN_MOMENT },
    });
  }
};

/** What a request made in git is not there before: commits, and the branches that it made. */
const madeCommit =
  (shaIn: (response: JsonObject) => Json | undefined): Watcher =>
  (sight, { status, response }) => {
    const sha = isJsonObject(response) && status < 300 ? shaIn(response) : undefined;
    if (typeof sha === 'string') sight.making('git_objects', sha);
  };

const madeRef: Watcher = (sight, exchange) => {
  const repository_id = repositoryCalled(sight, exchange);
  const ref = inputOf(exchange).ref;
  if (exchange.status !== 201 || repository_id === undefined || typeof ref !== 'string') return;
  sight.making('git_refs', [repository_id, ref]);
};

/** The merge of both ends of a pull shows what the pull changes. */
const watchMerge: Watcher = (sight, { response }) => {
  if (!isJsonObject(response)) return;
  const [base, head] = shownIn(response, 'parents').map(({ sha }) => sha);
  for (const fact of factsOf(sight)) {
    if (fact.base_sha !== base || fact.head_sha !== head) continue;
    for (const file of shownIn(response, 'files')) noteFile(fact, fileIn(file));
  }
};

function fileIn(file: JsonObject) {
  const patch = textIn(file, 'patch');
  return {
    path: textIn(file, 'filename') ?? '',
    previousPath: textIn(file, 'previous_filename'),
    status: textIn(file, 'status'),
    additions: numberIn(file, 'additions'),
    deletions: numberIn(file, 'deletions'),
    patches: patch === undefined ? [] : [patch],
  };
}

/** Pulls that are listed for a commit hold it, unless it is the one that merged them. */
const watchHeld: Watcher = (sight, exchange) => {
  const sha = String(inputOf(exchange).commit_sha);
  const repository_id = repositoryCalled(sight, exchange);
  if (repository_id === undefined || !/^[0-9a-f]{40}$/u.test(sha)) return;
  for (const pull of shownIn({ pulls: exchange.response }, 'pulls')) {
    const fact = factOfPull(sight, repository_id, numberIn(pull, 'number') ?? 0);
    if (fact && fact.head_sha !== sha && pull.merge_commit_sha !== sha) fact.holds.add(sha);
  }
};

/** A fork holds what was in the repository that it was made of. */
const watchFork: Watcher = (sight, { response }) => {
  const parent = isJsonObject(response) ? objectIn(response, 'parent') : undefined;
  if (!isJsonObject(response) || !parent) return;
  noteFork(sight, numberIn(response, 'id') ?? 0, seeRepository(sight, parent));
};

/** The files of a pull, as far as they were kept. */
const watchFiles: Watcher = (sight, exchange) => {
  const number = Number(inputOf(exchange).pull_number);
  const repository_id = repositoryCalled(sight, exchange);
  const fact = repository_id === undefined ? undefined : factOfPull(sight, repository_id, number);
  if (!fact || !Array.isArray(exchange.response)) return;
  const files = (exchange.response as readonly Json[]).filter(isJsonObject);
  for (const file of files) noteFile(fact, fileIn(file));
  const whole = exchange.cut?.find(({ at }) => at === '')?.of ?? files.length;
  fact.changed_files ??= whole;
};

/** The commits of a pull tell its ends, and how many lie between. */
const watchCommits: Watcher = (sight, exchange) => {
  const number = Number(inputOf(exchange).pull_number);
  const repository_id = repositoryCalled(sight, exchange);
  const issue = repository_id === undefined ? undefined : issueNumbered(sight, repository_id, number);
  const commits = shownIn({ commits: exchange.response }, 'commits');
  const isWhole = exchange.cut?.every(({ at }) => at !== '') ?? true;
  const [first, last] = [commits[0], commits.at(-1)];
  if (!issue || repository_id === undefined || !first || !last || !isWhole) return;
  const base_sha = textIn(shownIn(first, 'parents')[0] ?? {}, 'sha') ?? '';
  const head_sha = textIn(last, 'sha') ?? '';
  sight.learn('pulls', issue.id, { blank: {}, columns: { base_sha, head_sha } });
  const known = factOfPull(sight, repository_id, number);
  const fact = known ?? factAbout(sight, { repository_id, base_sha, head_sha }, number);
  fact.commits ??= commits.length;
  worldOnce(sight);
};

function issueNumbered(sight: Sight, repository_id: number, number: number) {
  if (!Number.isSafeInteger(number) || sight.isMade('issues', [repository_id, number])) return undefined;
  return sight.tx.issues.unique('by_number', [repository_id, number]);
}

/** A list of pulls is as long as it was. */
const watchList: Watcher = (sight, exchange) => {
  const repository_id = repositoryCalled(sight, exchange);
  if (repository_id === undefined || sight.isMade('repositories', repository_id)) return;
  const { state = 'open', base = '', head = '' } = inputOf(exchange);
  const isListed = ({ issue_id, base_ref }: Pull): boolean => {
    const isOpen = sight.tx.issues.get(issue_id)?.state === 'open';
    return (state === 'all' || isOpen === (state === 'open')) && (base === '' || base_ref === base);
  };
  notePage(sight, exchange, {
    key: `pulls of ${repository_id} ${String(state)} ${String(base)} ${String(head)}`,
    isMade: ({ number }) => sight.isMade('issues', [repository_id, number ?? 0]),
    known: () => [...sight.tx.pulls.by('by_base', [repository_id])].filter(isListed).length,
    fill: (after) => fillPullAfter(sight, repository_id, after ?? {}),
  });
};

/** A pull that nothing is known of but that it was listed after another. */
function fillPullAfter(sight: Sight, repository_id: number, after: JsonObject): void {
  let number = numberIn(after, 'number') ?? 1;
  while (number > 1 && sight.tx.issues.unique('by_number', [repository_id, number])) number -= 1;
  while (sight.tx.issues.unique('by_number', [repository_id, number])) number += 1;
  const issue_id = pullCalled(sight, repository_id, number);
  const like = sight.tx.issues.unique('by_number', [repository_id, numberIn(after, 'number') ?? 0]);
  const ends = like && sight.tx.pulls.get(like.id);
  const { state = 'open', created_at = UNSEEN_MOMENT, updated_at = UNSEEN_MOMENT } = like ?? {};
  sight.tx.issues.update(issue_id, { state, created_at, updated_at, closed_at: like?.closed_at ?? null });
  if (!ends) return;
  const { head_sha, base_sha, base_ref, head_owner_id } = ends;
  sight.tx.pulls.update(issue_id, { head_sha, base_sha, base_ref, head_owner_id });
}

const PULL_OPERATIONS = [
  'get',
  'update',
  'list-files',
  'list-commits',
  'check-if-merged',
  'merge',
  'update-branch',
  'list-requested-reviewers',
  'request-reviewers',
  'remove-requested-reviewers',
  'list-reviews',
  'create-review',
  'get-review',
  'update-review',
  'delete-pending-review',
  'submit-review',
  'dismiss-review',
  'list-comments-for-review',
  'list-review-comments',
  'create-review-comment',
  'create-reply-for-review-comment',
] as const;

export const pullWatchers: Readonly<Record<string, Watcher>> = {
  ...Object.fromEntries(PULL_OPERATIONS.map((name) => [`pulls/${name}`, watchPull])),
  'pulls/list-commits': (sight, exchange) => {
    watchPull(sight, exchange);
    watchCommits(sight, exchange);
  },
  'pulls/list-files': (sight, exchange) => {
    watchPull(sight, exchange);
    watchFiles(sight, exchange);
  },
  'repos/create-or-update-file-contents': madeCommit(({ commit }) =>
    isJsonObject(commit) ? commit.sha : undefined,
  ),
  'repos/delete-file': madeCommit(({ commit }) => (isJsonObject(commit) ? commit.sha : undefined)),
  'git/create-commit': madeCommit(({ sha }) => sha),
  'repos/merge': madeCommit(({ sha }) => sha),
  'git/create-ref': madeRef,
  'repos/get-commit': watchMerge,
  'repos/create-fork': watchFork,
  'repos/list-pull-requests-associated-with-commit': watchHeld,
  'pulls/list': watchList,
};
