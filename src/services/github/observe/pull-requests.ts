import { isJsonObject, type Json, type JsonObject, type RecordedExchange } from '../../../service/index.ts';
import type { Pull } from '../schema/pulls.ts';
import { accountCalled, seeAccount, seeMember } from './accounts.ts';
import { commitsInMails, filesInDiff } from './diffs.ts';
import { gitFactsOf } from './git-facts.ts';
import { UNSEEN_MOMENT } from './issues.ts';
import { notePage } from './lists.ts';
import { factAbout, factOfPull, factsOf, noteFile, noteFork, notesOf } from './pull-facts.ts';
import { pullCalled, seeRequested, shownIn, worldOnce } from './pulls.ts';
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
  const notes = pullNotes(sight, exchange);
  if (!notes || !Array.isArray(exchange.response)) return;
  const files = (exchange.response as readonly Json[]).filter(isJsonObject);
  notes.files.push(...files.map(fileIn));
  notes.changed_files ??= exchange.cut?.find(({ at }) => at === '')?.of ?? files.length;
};

function pullNotes(sight: Sight, exchange: RecordedExchange) {
  const number = Number(inputOf(exchange).pull_number);
  const repository_id = repositoryCalled(sight, exchange);
  const isKnown = repository_id !== undefined && Number.isSafeInteger(number) && exchange.status < 400;
  return isKnown ? notesOf(sight, repository_id, number) : undefined;
}

/** A diff shows the files of a pull, and patches its commits, as far as they were kept. */
const watchText: Watcher = (sight, exchange) => {
  const { response } = exchange;
  const notes = pullNotes(sight, exchange);
  if (typeof response !== 'string' || !notes) return;
  if (response.startsWith('diff --git ')) notes.files.push(...filesInDiff(response));
  const mails = commitsInMails(response);
  for (const { sha, author, message } of mails) {
    if (!sight.isMade('git_objects', sha)) {
      gitFactsOf(sight).commit(sha, { author, committer: author, message });
    }
  }
  const [first] = mails;
  if (!first) return;
  notes.commits ??= first.count;
  if (first.count > mails.length) notes.begins ??= mails.map(({ sha }) => sha);
  else notes.head_sha ??= mails.at(-1)?.sha;
  if (first.count === 1) notes.files.push(...filesInDiff(response));
};

/** Lines that a review comments on are in the patches of the pull. */
const watchReview: Watcher = (sight, exchange) => {
  const notes = pullNotes(sight, exchange);
  if (!notes) return;
  for (const { path, line, position } of shownIn(inputOf(exchange), 'comments')) {
    if (typeof path !== 'string') continue;
    const at = {
      ...(typeof line === 'number' && { line }),
      ...(typeof position === 'number' && { position }),
    };
    notes.files.push({ path, patches: [], ...at });
  }
};

/** A head that was brought up to its base had been left behind. */
const watchUpdate: Watcher = (sight, exchange) => {
  const notes = pullNotes(sight, exchange);
  if (notes) notes.isBehind = true;
};

/** Who is asked to review a pull, where nothing told of it before; all of them may be asked. */
const watchReviewers: Watcher = (sight, exchange) => {
  const { pull_number: number, reviewers } = inputOf(exchange);
  const repository_id = repositoryCalled(sight, exchange);
  if (repository_id === undefined || exchange.status >= 400) return;
  const people = shownIn({ users: usersIn(exchange.response) }, 'users');
  for (const person of people) mayReview(sight, repository_id, seeAccount(sight, person));
  for (const login of Array.isArray(reviewers) ? (reviewers as readonly Json[]) : []) {
    mayReview(sight, repository_id, accountCalled(sight, String(login)));
  }
  const issue = issueNumbered(sight, repository_id, Number(number));
  const isList = exchange.operation === 'pulls/list-requested-reviewers';
  if (!issue || !isList || !isJsonObject(exchange.response)) return;
  const { users = [], teams = [] } = exchange.response;
  const object = { requested_reviewers: users, requested_teams: teams };
  seeRequested(sight, issue.id, { object, exchange });
};

function usersIn(response: Json): Json {
  return isJsonObject(response) ? (response.users ?? response.requested_reviewers ?? []) : [];
}

/** Reviews are asked of those who have a part in a repository: of members, or of collaborators. */
function mayReview(sight: Sight, repository_id: number, user_id: number): void {
  const { tx } = sight;
  const owner_id = tx.repositories.get(repository_id)?.owner_id;
  if (owner_id === undefined || owner_id === user_id || sight.isMade('repositories', repository_id)) return;
  if (tx.collaborators.has([repository_id, user_id]) || tx.org_members.has([owner_id, user_id])) return;
  if (tx.accounts.get(owner_id)?.type === 'Organization') {
    seeMember(sight, owner_id, { user: user_id, role: 'member' });
  } else tx.collaborators.insert({ repository_id, user_id, role: 'write' });
}

/** The commits of a pull tell its ends, and how many lie between. */
const watchCommits: Watcher = (sight, exchange) => {
  const number = Number(inputOf(exchange).pull_number);
  const repository_id = repositoryCalled(sight, exchange);
  const issue = repository_id === undefined ? undefined : issueNumbered(sight, repository_id, number);
  const commits = shownIn({ commits: exchange.response }, 'commits');
  const whole = exchange.cut?.find(({ at }) => at === '')?.of;
  const [first, last] = [commits[0], commits.at(-1)];
  if (!issue || repository_id === undefined || !first || !last) return;
  const base_sha = textIn(shownIn(first, 'parents')[0] ?? {}, 'sha') ?? '';
  const head_sha = textIn(last, 'sha') ?? '';
  if (whole !== undefined) {
    const notes = notesOf(sight, repository_id, number);
    notes.commits ??= whole;
    notes.begins ??= commits.map((commit) => textIn(commit, 'sha') ?? '');
    notes.base_sha ??= base_sha;
    return;
  }
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
    // What the recording made, or brought into the state that is listed, is not to be counted.
    isMade: ({ number, state: shown }) =>
      sight.isMade('issues', [repository_id, number ?? 0]) ||
      sight.tx.issues.unique('by_number', [repository_id, Number(number)])?.state !== shown,
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

/** The pull first, then what else a request tells. */
const both =
  (watcher: Watcher): Watcher =>
  (sight, exchange) => {
    watchPull(sight, exchange);
    watcher(sight, exchange);
  };

export const pullWatchers: Readonly<Record<string, Watcher>> = {
  ...Object.fromEntries(PULL_OPERATIONS.map((name) => [`pulls/${name}`, watchPull])),
  'pulls/get': both(watchText),
  'pulls/update-branch': both(watchUpdate),
  'pulls/create-review': both(watchReview),
  'pulls/list-requested-reviewers': both(watchReviewers),
  'pulls/request-reviewers': both(watchReviewers),
  'pulls/list-commits': both(watchCommits),
  'pulls/list-files': both(watchFiles),
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
