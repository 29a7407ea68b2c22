import { isJsonObject, type Json, type JsonObject, type RecordedExchange } from '../../../service/index.ts';
import { blobOfText, shaOf } from '../git/index.ts';
import { blankRepository } from '../rules/new-repository.ts';
import { accountCalled } from './accounts.ts';
import { gitFactsOf, type HistoryFact } from './git-facts.ts';
import { noteFiles, noteGit, plantEntry, wordOf } from './git-told.ts';
import { askedOf, repositoryOf } from './places.ts';
import { type Sight, textIn } from './sight.ts';

const HEADS = 'refs/heads/';

/** One exchange about a repository that the recording did not make. */
interface Call {
  readonly sight: Sight;
  readonly id: number;
  readonly history: HistoryFact;
  readonly asked: JsonObject;
  readonly body: JsonObject;
  readonly exchange: RecordedExchange;
}

/** Notes what an exchange tells of git: by its request, and by the objects in its answer. */
export function gitCalled(sight: Sight, exchange: RecordedExchange): void {
  const { operation, status, response } = exchange;
  if (operation === null || isSilent(exchange)) return;
  const asked = askedOf(exchange);
  const id = repositoryOf(sight, asked.template_repo === undefined ? asked : templateOf(asked));
  if (id !== undefined && isAboutGit(operation, exchange)) {
    const history = gitFactsOf(sight).history(id);
    const body = isJsonObject(response) ? response : {};
    if (isJsonObject(response) && response.message === 'Git Repository is empty.') history.isEmpty = true;
    if (status < 400) REQUESTS[operation]?.({ sight, id, history, asked, body, exchange });
  }
  noteGit(sight, exchange);
}

/** An answer that says nothing of what is there: a failure, or that it has another name now. */
function isSilent({ status, response }: RecordedExchange): boolean {
  if (status < 400) return status === 301 || status === 307;
  return status === 401 || !isJsonObject(response) || response.message === 'Not Found';
}

function templateOf({ template_owner, template_repo }: JsonObject): JsonObject {
  return { owner: template_owner ?? null, repo: template_repo ?? null };
}

const PARTS_OF_GIT = [
  'contents',
  'git',
  'branches',
  'commits',
  'compare',
  'merges',
  'merge-upstream',
  'releases',
  'deployments',
  'check-runs',
  'check-suites',
  'statuses',
  'forks',
  'generate',
  'pulls',
  'tags',
  'readme',
  'license',
  'tarball',
  'zipball',
  'stats',
  'pages',
  'actions/workflows',
  'community',
];
const ABOUT_GIT = new RegExp(`/(?:${PARTS_OF_GIT.join('|')})\\b`, 'u');

function isAboutGit(operation: string, { request }: RecordedExchange): boolean {
  return operation.startsWith('git/') || ABOUT_GIT.test(request?.path ?? '');
}

/** A request made this object: later answers that show it say nothing of before. */
function made({ sight }: Call, ...shas: (string | undefined)[]): void {
  for (const sha of shas) if (sha !== undefined) sight.making('git_objects', sha);
}

function shaIn(object: Json | undefined): string | undefined {
  return isJsonObject(object ?? null) ? textIn(object as JsonObject, 'sha') : undefined;
}

function parentsOf(commit: Json | undefined): string[] {
  const parents = isJsonObject(commit ?? null) ? (commit as JsonObject).parents : undefined;
  return Array.isArray(parents) ? (parents as readonly Json[]).flatMap((parent) => shaIn(parent) ?? []) : [];
}

/** A branch stood at this commit before the recording's own requests moved it. */
function stoodAt(call: Call, ref: string, sha: string | undefined): void {
  const { sight, id, history } = call;
  if (!history.written.has(ref) && !sight.isMade('git_refs', [id, ref])) {
    const isKnown = history.refs.get(ref) !== undefined;
    const isOld = sha !== undefined && !sight.isMade('git_objects', sha);
    if (!isKnown) history.refs.set(ref, isOld ? sha : undefined);
    if (isOld) gitFactsOf(sight).commit(sha);
  }
  history.written.add(ref);
}

/** A file was written with a commit on a branch. */
function fileWritten(call: Call): void {
  const { sight, id, history, asked, body, exchange } = call;
  const branch = wordOf(sight, id, asked.branch);
  const path = String(asked.path);
  const commit = body.commit;
  const [parent] = parentsOf(commit);
  const ref = HEADS + branch;
  const known = history.paths.has(`${branch} ${path}`);
  if (
    typeof asked.sha === 'string' &&
    !known &&
    exchange.status === 200 &&
    !sight.isMade('git_objects', asked.sha)
  ) {
    const facts = gitFactsOf(sight);
    facts.plant(facts.filesOf(history, branch), path, { mode: '100644', sha: asked.sha });
    if (!facts.blobs.has(asked.sha)) facts.blobs.set(asked.sha, { base64: '', size: 0 });
  }
  if (parent === undefined && !history.written.has(ref)) history.isEmpty = true;
  else stoodAt(call, ref, parent);
  history.written.add(ref);
  history.paths.add(`${branch} ${path}`);
  const tree = isJsonObject(commit ?? null) ? (commit as JsonObject).tree : undefined;
  const root = shaIn(tree);
  if (root !== undefined) history.madeRoots.set(root, branch);
  made(call, shaIn(commit), root, shaIn(body.content));
}

/** A tree was made of another one: what the request did not name stood there before. */
function treeMade(call: Call): void {
  const { sight, asked, body } = call;
  const base = asked.base_tree;
  const sent = new Set(
    (Array.isArray(asked.tree) ? (asked.tree as readonly Json[]) : []).flatMap((entry) =>
      isJsonObject(entry) ? [String(entry.path).split('/')[0] ?? ''] : [],
    ),
  );
  if (typeof base === 'string' && !sight.isMade('git_objects', base)) {
    const tree = gitFactsOf(sight).tree(base);
    for (const entry of Array.isArray(body.tree) ? (body.tree as readonly Json[]) : []) {
      if (isJsonObject(entry) && !sent.has(String(entry.path))) plantEntry(sight, tree, entry);
    }
  }
  made(call, shaIn(body));
}

function commitMade(call: Call): void {
  const { sight, asked, body } = call;
  const facts = gitFactsOf(sight);
  for (const parent of parentsOf(body)) if (!sight.isMade('git_objects', parent)) facts.commit(parent);
  if (typeof asked.tree === 'string' && !sight.isMade('git_objects', asked.tree)) facts.tree(asked.tree);
  made(call, shaIn(body));
  PARENTS.set(shaIn(body) ?? '', parentsOf(body));
}

/** Parents of commits that requests made, of the recording at hand. */
const PARENTS = new Map<string, readonly string[]>();

function refMade({ sight, id, history, asked }: Call): void {
  const ref = String(asked.ref);
  history.written.add(ref);
  sight.making('git_refs', [id, ref]);
  if (typeof asked.sha === 'string' && !sight.isMade('git_objects', asked.sha))
    gitFactsOf(sight).commit(asked.sha);
}

function fullRef(ref: Json | undefined): string {
  const word = String(ref);
  return word.startsWith('refs/') ? word : `refs/${word}`;
}

/** A ref that moves stood somewhere; without force, at the parent of the commit that it moves to. */
function refMoved(call: Call): void {
  const { sight, asked } = call;
  const sha = String(asked.sha);
  const [parent] = PARENTS.get(sha) ?? [];
  stoodAt(call, fullRef(asked.ref), asked.force === true ? undefined : parent);
  if (!sight.isMade('git_objects', sha)) gitFactsOf(sight).commit(sha);
}

/** The branch that a request names is there. */
function branchThere({ sight, id, history, asked }: Call): void {
  const ref = HEADS + String(asked.branch);
  if (!history.refs.has(ref) && !sight.isMade('git_refs', [id, ref])) history.refs.set(ref, undefined);
}

/** The commit, branch or tag that a request names is there. */
function commitThere({ sight, history, asked, body }: Call): void {
  const word = String(asked.commit_sha ?? asked.ref ?? asked.head_sha ?? asked.sha ?? '');
  const told = shaIn(body);
  if (/^[0-9a-f]{40}$/u.test(word)) {
    if (!sight.isMade('git_objects', word)) gitFactsOf(sight).commit(word);
  } else if (word !== '') {
    const ref = HEADS + word.replace(/^refs\/heads\/|^heads\//u, '');
    if (history.refs.get(ref) === undefined && !history.written.has(ref)) history.refs.set(ref, told);
  }
}

/** A tree that is read by the name of a branch is shown under the hash of the branch's last commit. */
function treeRead(call: Call): void {
  const { sight, id, asked, body, exchange } = call;
  const word = wordOf(sight, id, asked.tree_sha);
  const sha = shaIn(body);
  if (sha === undefined || sight.isMade('git_objects', sha)) return;
  const facts = gitFactsOf(sight);
  if (word !== sha) {
    stoodFirst(call, HEADS + word, sha);
    facts.commit(sha);
  }
  const cut = exchange.cut?.find(({ at }) => at === '/tree')?.of ?? 0;
  const shown = Array.isArray(body.tree) ? body.tree.length : 0;
  if (cut > shown) facts.tree(sha).total = totalOf(call, cut);
}

/** How many names stand in the root of a tree: of one that is listed with everything below, most do. */
function totalOf({ asked, body }: Call, cut: number): number {
  if (asked.recursive === undefined) return cut;
  const entries = Array.isArray(body.tree) ? (body.tree as readonly Json[]) : [];
  const below = entries.filter((entry) => isJsonObject(entry) && String(entry.path).includes('/'));
  return cut - below.length;
}

/** A ref stood there, unless something else is known of it. */
function stoodFirst({ sight, id, history }: Call, ref: string, sha: string | undefined): void {
  if (history.written.has(ref) || sight.isMade('git_refs', [id, ref])) return;
  if (history.refs.get(ref) === undefined) history.refs.set(ref, sha);
}

/** A directory was listed, in part. */
function contentsRead({ sight, id, history, asked, exchange }: Call): void {
  noteGit(sight, exchange);
  const cut = exchange.cut?.find(({ at }) => at === '')?.of;
  const { response } = exchange;
  if (cut === undefined || !Array.isArray(response)) return;
  const facts = gitFactsOf(sight);
  const root = facts.filesOf(history, wordOf(sight, id, asked.ref));
  facts.directory(root, String(asked.path ?? '')).total = cut;
}

/** Two commits were compared: how far they are apart, and what differs. */
function compared(call: Call): void {
  const { sight, asked, body, exchange } = call;
  const [base = '', head = ''] = String(asked.basehead).split('...');
  const facts = gitFactsOf(sight);
  const fork = shaIn(body.merge_base_commit);
  const total = typeof body.total_commits === 'number' ? body.total_commits : 0;
  if (fork === undefined) return;
  const key = `${fork} ${String(asked.basehead)}`;
  const slots = [...(facts.chains.get(key) ?? Array.from({ length: total }, () => null))];
  const shown = Array.isArray(body.commits) ? (body.commits as readonly Json[]) : [];
  const size = Number(asked.per_page ?? shown.length);
  const start = asked.page === undefined ? 0 : (Number(asked.page) - 1) * size;
  // The oldest is listed first: chains begin with the youngest.
  for (const [index, commit] of shown.entries()) slots[total - 1 - start - index] = shaIn(commit) ?? null;
  const told = HASH.test(head) ? head : (slots[0] ?? null);
  if (total > 0) slots[0] = told;
  facts.chains.set(key, [...slots.slice(0, total), fork]);
  const baseSha = shaIn(body.base_commit);
  const behind = typeof body.behind_by === 'number' ? body.behind_by : 0;
  if (baseSha !== undefined && behind > 0) {
    const hidden = Array.from({ length: behind - 1 }, () => null);
    facts.chains.set(`${baseSha} behind`, [baseSha, ...hidden, fork]);
  }
  stoodByName(call, base, baseSha);
  const headSha = told ?? unseenHead(key);
  if (told === null && total > 0) facts.chains.set(key, [headSha, ...slots.slice(1, total), fork]);
  stoodByName(call, head, total > 0 ? headSha : fork);
  const count = exchange.cut?.find(({ at }) => at === '/files')?.of ?? 0;
  if (start === 0 && total > 0) noteFiles(sight, body, { ends: [fork, headSha], count });
}

function unseenHead(key: string): string {
  return shaOf(blobOfText(`head of ${key}`));
}

const HASH = /^[0-9a-f]{40}$/u;

function stoodByName(call: Call, word: string, sha: string | undefined): void {
  if (!HASH.test(word) && !word.includes(':')) stoodFirst(call, HEADS + word, sha);
}

/** Commits were listed, a page at a time. */
function commitsListed({ sight, id, history, asked, exchange }: Call): void {
  const { response, cut, headers } = exchange;
  if (!Array.isArray(response)) return;
  const word = wordOf(sight, id, asked.sha);
  const path = typeof asked.path === 'string' && asked.path !== '' ? asked.path : undefined;
  const { author = '', since = '', until = '' } = asked;
  const key = JSON.stringify([id, word, path ?? '', author, since, until]);
  const shas = (response as readonly Json[]).flatMap((item) => shaIn(item) ?? []);
  if (shas.some((sha) => sight.isMade('git_objects', sha))) return;
  const length = cut?.find(({ at }) => at === '')?.of ?? shas.length;
  const size = Math.min(100, Number(asked.per_page ?? 30));
  const page = Number(asked.page ?? 1);
  const last = /[?&]page=(\d+)[^>]*>; rel="last"/u.exec(headers?.link ?? '')?.[1];
  const start = (page - 1) * size;
  const least = last === undefined ? start + length : (Number(last) - 1) * size + 1;
  const known = history.lists.get(key) ?? { word, path, pages: new Map(), total: 0 };
  known.pages.set(page, { start, shas, length });
  known.total = Math.max(known.total, least);
  if (!history.written.has(HEADS + word)) history.lists.set(key, known);
}

/** Tags were listed, a page at a time: those that nobody showed stand behind the last of their page. */
function tagsListed({ sight, history, asked, exchange }: Call): void {
  const { response, cut, headers } = exchange;
  if (!Array.isArray(response)) return;
  const names = (response as readonly Json[]).flatMap((item) =>
    isJsonObject(item) ? (textIn(item, 'name') ?? []) : [],
  );
  const { tagPages } = history;
  const size = Math.min(100, Number(asked.per_page ?? 30));
  const page = Number(asked.page ?? 1);
  const last = Number(/[?&]page=(\d+)[^>]*>; rel="last"/u.exec(headers?.link ?? '')?.[1] ?? page);
  if (tagPages.size === 0) sight.atEnd(() => fillTags(history));
  const length = cut?.find(({ at }) => at === '')?.of ?? names.length;
  if ((tagPages.get(page)?.names.length ?? 0) === 0) tagPages.set(page, { names, length });
  // Of the last page, nothing is known but that it is there.
  for (let other = 1; other <= last; other += 1) {
    if (!tagPages.has(other)) tagPages.set(other, { names: [], length: other === last ? 1 : size });
  }
}

function fillTags({ refs, tagPages }: HistoryFact): void {
  let before = 'v1';
  for (const [, { names, length }] of [...tagPages].sort(([one], [other]) => one - other)) {
    before = names.at(-1) ?? before;
    const [, start = before, number = '1'] = /^(.*?)(\d+)$/u.exec(before) ?? [];
    for (let index = names.length; index < length; index += 1) {
      before = `${start}${Math.max(0, Number(number) - 1)}.${99_999 - index}`;
      if (!refs.has(`refs/tags/${before}`)) refs.set(`refs/tags/${before}`, undefined);
    }
  }
}

/** A release is of a tag, or makes one of a branch that is there. */
function released({ sight, id, history, asked, body }: Call): void {
  const target = asked.target_commitish;
  const repository = sight.tx.repositories.get(id);
  const shown = textIn(body, 'target_commitish');
  const learn = (columns: JsonObject): void => {
    if (repository) sight.learn('repositories', id, { blank: repository, columns });
  };
  if (typeof asked.discussion_category_name === 'string') learn({ has_discussions: true });
  if (target === undefined && shown !== undefined) learn({ default_branch: shown });
  if (typeof target !== 'string' || target === '') return;
  if (/^[0-9a-f]{40}$/u.test(target)) {
    if (!sight.isMade('git_objects', target)) gitFactsOf(sight).commit(target);
  } else if (!history.refs.has(HEADS + target)) history.refs.set(HEADS + target, undefined);
}

/** A branch of a fork was brought up to where it came from. */
function merged(call: Call): void {
  const { asked, body } = call;
  branchThere({ ...call, asked: { branch: asked.base ?? asked.branch ?? null } });
  const [parent] = parentsOf(body);
  stoodAt(call, HEADS + String(asked.base), parent);
  made(call, shaIn(body));
}

/** A branch of a fork was brought up to where it came from, which stood one commit further. */
function broughtUp(call: Call): void {
  const { sight, id, asked, body } = call;
  branchThere(call);
  const [login, branch] = String(body.base_branch ?? '').split(':');
  const { tx } = sight;
  const fork = tx.repositories.get(id);
  if (!fork || fork.parent_id !== null || !login || !branch) return;
  const facts = gitFactsOf(sight);
  const known = tx.repositories.unique('by_name', [accountCalled(sight, login), fork.name_key]);
  const parent_id = known?.id ?? sight.freshId('repositories');
  if (!known) {
    const ids = { id: parent_id, owner_id: accountCalled(sight, login) };
    tx.repositories.insert(blankRepository(ids, fork.name, '2015-01-01T00:00:00Z'));
  }
  sight.learn('repositories', id, { blank: fork, columns: { fork: true, parent_id, source_id: parent_id } });
  const ref = HEADS + String(asked.branch);
  const own = call.history.refs.get(ref) ?? unseenHead(`${id} ${ref}`);
  call.history.refs.set(ref, own);
  facts.commit(own);
  if (body.merge_type === 'none') facts.history(parent_id).refs.set(HEADS + branch, own);
  else {
    const next = unseenHead(`${parent_id} ${branch}`);
    facts.commit(next, { parents: [own] });
    facts.history(parent_id).refs.set(HEADS + branch, next);
  }
}

/** A fork was made, with all branches or the first alone. */
function forked({ sight, asked, body }: Call): void {
  const { owner, repo, default_branch_only: only } = asked;
  const name = textIn(body, 'full_name')?.toLowerCase();
  if (name !== undefined && only !== true)
    gitFactsOf(sight).forks.set(name, `${String(owner)}/${String(repo)}`);
}

const REQUESTS: Readonly<Record<string, (call: Call) => void>> = {
  'repos/create-fork': forked,
  'repos/create-or-update-file-contents': fileWritten,
  'repos/delete-file': fileWritten,
  'git/create-blob': (call) => made(call, shaIn(call.body)),
  'git/create-tag': (call) => {
    const { object } = call.asked;
    if (typeof object === 'string' && call.asked.type === 'commit')
      commitThere({ ...call, asked: { sha: object } });
    made(call, shaIn(call.body));
  },
  'git/create-tree': treeMade,
  'git/create-commit': commitMade,
  'git/create-ref': refMade,
  'git/update-ref': refMoved,
  'git/delete-ref': (call) => stoodAt(call, fullRef(call.asked.ref), undefined),
  'git/get-tree': treeRead,
  'repos/get-content': contentsRead,
  'repos/merge': merged,
  'pulls/merge': (call) => made(call, shaIn(call.body)),
  'repos/merge-upstream': broughtUp,
  'repos/get-branch-protection': branchThere,
  'repos/update-branch-protection': branchThere,
  'repos/delete-branch-protection': branchThere,
  'repos/get-commit-signature-protection': branchThere,
  'repos/rename-branch': (call) => {
    const { body, asked } = call;
    stoodAt(call, HEADS + String(asked.branch), shaIn(body.commit));
  },
  'repos/list-commits': commitsListed,
  'repos/list-tags': tagsListed,
  'repos/get-commit': commitThere,
  'repos/list-branches-for-head-commit': commitThere,
  'repos/list-pull-requests-associated-with-commit': commitThere,
  'repos/create-commit-comment': commitThere,
  'repos/list-comments-for-commit': commitThere,
  'repos/create-commit-status': commitThere,
  'repos/list-commit-statuses-for-ref': commitThere,
  'repos/get-combined-status-for-ref': commitThere,
  'checks/list-for-ref': commitThere,
  'checks/list-suites-for-ref': commitThere,
  'checks/create': commitThere,
  'checks/create-suite': commitThere,
  'repos/download-tarball-archive': commitThere,
  'repos/download-zipball-archive': commitThere,
  'repos/compare-commits-with-basehead': compared,
  'repos/create-release': released,
  'repos/create-deployment': ({ asked, ...call }) =>
    commitThere({ ...call, asked: { ref: asked.ref ?? null } }),
};
