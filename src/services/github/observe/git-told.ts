import { isJsonObject, type Json, type JsonObject, type RecordedExchange } from '../../../service/index.ts';
import { base64OfText, type Signature } from '../git/index.ts';
import { seeAccount } from './accounts.ts';
import { type DifferenceFact, type GitFacts, gitFactsOf, type HistoryFact } from './git-facts.ts';
import { repositoryOf } from './issues.ts';
import { askedOf } from './places.ts';
import { numberIn, objectIn, type Sight, textIn } from './sight.ts';

const HEADS = 'refs/heads/';

/** Notes what an answer shows of git objects and refs, wherever they stand in it. */
export function noteGit(sight: Sight, exchange: RecordedExchange): void {
  if (exchange.status < 400) walk(sight, exchange.response, exchange);
}

function walk(sight: Sight, value: Json, exchange: RecordedExchange): void {
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) walk(sight, item, exchange);
    return;
  }
  if (!isJsonObject(value)) return;
  noteObject(sight, value, exchange);
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) walk(sight, member, exchange);
  }
}

function noteObject(sight: Sight, object: JsonObject, exchange: RecordedExchange): void {
  const facts = gitFactsOf(sight);
  const sha = textIn(object, 'sha');
  const url = textIn(object, 'url');
  if (sha !== undefined && objectIn(object, 'commit')) noteCommit(sight, object, filesOf(exchange));
  else if (sha !== undefined && objectIn(object, 'tree') && textIn(object, 'message') !== undefined) {
    noteGitCommit(sight, object);
  } else if (sha !== undefined && Array.isArray(object.tree)) noteTree(sight, object);
  else if (
    sha !== undefined &&
    textIn(object, 'encoding') === 'base64' &&
    url?.includes('/git/blobs/') === true
  ) {
    noteBlob(sight, object);
  } else if (sha !== undefined && textIn(object, 'path') !== undefined && 'git_url' in object) {
    noteContent(sight, object, exchange);
  } else if (textIn(object, 'ref')?.startsWith('refs/') === true && objectIn(object, 'object')) {
    noteRef(sight, {
      url,
      ref: textIn(object, 'ref') ?? '',
      sha: textIn(objectIn(object, 'object') ?? {}, 'sha'),
    });
    noteTagTarget(sight, objectIn(object, 'object') ?? {});
  } else noteNamed(sight, facts, object);
}

/** Branches and tags of lists, and what is deployed. */
function noteNamed(sight: Sight, facts: GitFacts, object: JsonObject): void {
  const name = textIn(object, 'name');
  const commit = objectIn(object, 'commit');
  const sha = commit && textIn(commit, 'sha');
  if (name !== undefined && commit && sha !== undefined) {
    const start = 'zipball_url' in object ? 'refs/tags/' : HEADS;
    if ('protected' in object || 'zipball_url' in object) {
      noteRef(sight, { url: textIn(commit, 'url'), ref: start + name, sha });
    }
    return;
  }
  const deployed = textIn(object, 'sha');
  if (textIn(object, 'statuses_url') !== undefined && deployed !== undefined) {
    noteRef(sight, { url: textIn(object, 'url'), ref: HEADS + (textIn(object, 'ref') ?? ''), sha: deployed });
  }
  const head = objectIn(object, 'head_commit');
  const id = head && textIn(head, 'id');
  if (head && id !== undefined && !sight.isMade('git_objects', id)) {
    facts.commit(id, { tree: textIn(head, 'tree_id'), message: textIn(head, 'message'), ...peopleOf(head) });
  }
}

/** The history of the repository that an address is in; undefined where the recording made it. */
function historyAt(sight: Sight, url: string | undefined): HistoryFact | undefined {
  const found = /\/repos\/([^/]+\/[^/]+)/u.exec(url ?? '')?.[1]?.toLowerCase();
  // What a new fork holds is of where it comes from.
  const from = found === undefined ? undefined : gitFactsOf(sight).forks.get(found);
  const id = repositoryOf(sight, from === undefined ? url : `/repos/${from}`);
  return id === undefined ? undefined : gitFactsOf(sight).history(id);
}

/** Notes where a ref stood; one that was written since says nothing of before. */
export function noteRef(
  sight: Sight,
  {
    url,
    ref,
    sha,
  }: { readonly url: string | undefined; readonly ref: string; readonly sha: string | undefined },
): void {
  const history = historyAt(sight, url);
  if (!history || history.written.has(ref)) return;
  if (sha !== undefined && sight.isMade('git_objects', sha)) return;
  if (history.refs.get(ref) === undefined) history.refs.set(ref, sha);
  if (sha !== undefined && ref.startsWith(HEADS)) gitFactsOf(sight).commit(sha);
}

/** A ref may name an annotated tag of which nothing else is told. */
function noteTagTarget(sight: Sight, { type, sha }: JsonObject): void {
  const facts = gitFactsOf(sight);
  if (typeof sha !== 'string' || sight.isMade('git_objects', sha)) return;
  if (type === 'commit') facts.commit(sha);
  if (type !== 'tag' || facts.tags.has(sha)) return;
  facts.tags.set(sha, { kind: 'tag', object: sha, type: 'commit', tag: '', tagger: null, message: '' });
}

function signatureIn(object: JsonObject | undefined, moment: string): Signature | undefined {
  const name = object && textIn(object, 'name');
  const email = object && textIn(object, 'email');
  if (name === undefined || email === undefined) return undefined;
  return { name, email, date: (object && textIn(object, 'date')) ?? moment };
}

function peopleOf(commit: JsonObject): { author?: Signature; committer?: Signature } {
  // Commits of runs tell one moment, their people none.
  const moment = textIn(commit, 'timestamp') ?? '2015-01-01T00:00:00Z';
  const author = signatureIn(objectIn(commit, 'author'), moment);
  const committer = signatureIn(objectIn(commit, 'committer'), moment);
  return { ...(author && { author }), ...(committer && { committer }) };
}

function parentsIn(object: JsonObject): string[] | undefined {
  const { parents } = object;
  if (!Array.isArray(parents)) return undefined;
  return (parents as readonly Json[]).flatMap((parent) =>
    isJsonObject(parent) && typeof parent.sha === 'string' ? [parent.sha] : [],
  );
}

const FILES = 300;

/** Where in the list of a commit's files an answer begins, and how long that list is at least. */
function filesOf(exchange: RecordedExchange): { readonly start: number; readonly count: number } {
  const { cut, headers } = exchange;
  const start = (Number(askedOf(exchange).page ?? 1) - 1) * FILES;
  const last = /[?&]page=(\d+)[^>]*>; rel="last"/u.exec(headers?.link ?? '')?.[1];
  const of = cut?.find(({ at }) => at === '/files')?.of ?? 0;
  return { start, count: last === undefined ? start + of : FILES * (Number(last) - 1) + 1 };
}

/** A commit as repositories show it, with the accounts of who made it, and its files. */
function noteCommit(sight: Sight, object: JsonObject, where: ReturnType<typeof filesOf>): void {
  const sha = textIn(object, 'sha') ?? '';
  const commit = objectIn(object, 'commit') ?? {};
  if (sight.isMade('git_objects', sha) || !historyAt(sight, textIn(object, 'url'))) return;
  const facts = gitFactsOf(sight);
  facts.commit(sha, {
    message: textIn(commit, 'message'),
    tree: textIn(objectIn(commit, 'tree') ?? {}, 'sha'),
    parents: parentsIn(object),
    ...peopleOf(commit),
    ...verifiedIn(commit),
  });
  for (const role of ['author', 'committer'] as const) {
    const account = objectIn(object, role);
    const email = textIn(objectIn(commit, role) ?? {}, 'email');
    if (account && email !== undefined && numberIn(account, 'id') !== undefined)
      noteAuthor(sight, email, account);
  }
  const [parent = ''] = parentsIn(object) ?? [];
  if (Array.isArray(object.files)) noteFiles(sight, object, { ends: [parent, sha], ...where });
}

/** Whose account an address belongs to. */
function noteAuthor(sight: Sight, email: string, account: JsonObject): void {
  const account_id = seeAccount(sight, account);
  const row = { email: email.toLowerCase(), account_id };
  if (!sight.tx.commit_authors.has(row.email)) sight.tx.commit_authors.insert(row);
}

function verifiedIn(commit: JsonObject): {
  signature?: string;
  verified?: { verified: boolean; reason: string };
} {
  const found = objectIn(commit, 'verification');
  const signature = found && textIn(found, 'signature');
  if (!found || signature === undefined) return {};
  return {
    signature,
    verified: { verified: found.verified === true, reason: textIn(found, 'reason') ?? 'valid' },
  };
}

function noteGitCommit(sight: Sight, object: JsonObject): void {
  const sha = textIn(object, 'sha') ?? '';
  if (sight.isMade('git_objects', sha) || !historyAt(sight, textIn(object, 'url'))) return;
  gitFactsOf(sight).commit(sha, {
    message: textIn(object, 'message'),
    tree: textIn(objectIn(object, 'tree') ?? {}, 'sha'),
    parents: parentsIn(object),
    ...peopleOf(object),
    ...verifiedIn(object),
  });
}

/**
 * Notes the files that were shown to differ between two commits, from a place in their list on; `count` is
 * how many there are, as far as known.
 */
export function noteFiles(
  sight: Sight,
  object: JsonObject,
  {
    ends,
    count = 0,
    start = 0,
  }: { readonly ends: readonly [string, string]; readonly count?: number; readonly start?: number },
): void {
  const { files } = object;
  if (!Array.isArray(files)) return;
  const facts = gitFactsOf(sight);
  const key = ends.join(' ');
  const known = facts.differences.get(key) ?? { files: [], additions: undefined, deletions: undefined };
  facts.differences.set(key, known);
  const shown = (files as readonly Json[]).filter(isJsonObject).map(differenceIn);
  while (known.files.length < Math.max(count, start + shown.length)) known.files.push(null);
  for (const [index, file] of shown.entries()) known.files[start + index] ??= file;
  const stats = objectIn(object, 'stats');
  known.additions ??= stats && numberIn(stats, 'additions');
  known.deletions ??= stats && numberIn(stats, 'deletions');
}

function differenceIn(file: JsonObject): DifferenceFact {
  return {
    path: textIn(file, 'filename') ?? '',
    previousPath: textIn(file, 'previous_filename'),
    status: textIn(file, 'status') ?? 'modified',
    sha: textIn(file, 'sha') ?? '',
    additions: numberIn(file, 'additions') ?? 0,
    deletions: numberIn(file, 'deletions') ?? 0,
    patch: textIn(file, 'patch'),
  };
}

/** A tree as it was listed, on demand with everything below. */
function noteTree(sight: Sight, object: JsonObject): void {
  const sha = textIn(object, 'sha') ?? '';
  const history = historyAt(sight, textIn(object, 'url'));
  const facts = gitFactsOf(sight);
  const branch = history?.madeRoots.get(sha);
  if (history && branch !== undefined) {
    // What the recording's own requests did not write stood there before.
    const before = facts.filesOf(history, branch);
    for (const entry of object.tree as readonly Json[]) {
      if (!isJsonObject(entry)) continue;
      const key = `${branch} ${String(entry.path)}`;
      if (!history.paths.has(key) && !leadsToWritten(history, branch, String(entry.path))) {
        plantEntry(sight, before, entry);
      }
    }
  }
  if (sight.isMade('git_objects', sha) || !history) return;
  const tree = facts.tree(sha);
  for (const entry of object.tree as readonly Json[]) if (isJsonObject(entry)) plantEntry(sight, tree, entry);
}

export function plantEntry(sight: Sight, tree: ReturnType<GitFacts['tree']>, entry: JsonObject): void {
  const facts = gitFactsOf(sight);
  const { path, mode, sha, size } = entry;
  if (typeof path !== 'string' || typeof mode !== 'string' || typeof sha !== 'string') return;
  if (mode === '040000' && sight.isMade('git_objects', sha)) return;
  facts.plant(tree, path, { mode, sha });
  if (typeof size === 'number' && !facts.blobs.has(sha)) facts.blobs.set(sha, { base64: '', size });
}

function noteBlob(sight: Sight, object: JsonObject): void {
  const sha = textIn(object, 'sha') ?? '';
  if (sight.isMade('git_objects', sha)) return;
  const base64 = (textIn(object, 'content') ?? '').replaceAll('\n', '');
  gitFactsOf(sight).blobs.set(sha, { base64, size: numberIn(object, 'size') ?? 0 });
}

const MODES: Readonly<Record<string, string>> = { dir: '040000', symlink: '120000', submodule: '160000' };

/** A file or directory as the contents of a branch show it. */
function noteContent(sight: Sight, object: JsonObject, exchange: RecordedExchange): void {
  const url = textIn(object, 'url');
  const history = historyAt(sight, url);
  const path = textIn(object, 'path') ?? '';
  const sha = textIn(object, 'sha') ?? '';
  const id = repositoryOf(sight, url);
  if (!history || id === undefined) return;
  const { ref, branch } = askedOf(exchange);
  if (ref === undefined && branch === undefined) noteDefaultBranch(sight, id, url ?? '');
  noteShade(sight, id, textIn(object, 'download_url') ?? '');
  if (sight.isMade('git_objects', sha)) return;
  const word = wordOf(sight, id, ref);
  if (history.paths.has(`${word} ${path}`) || leadsToWritten(history, word, path)) return;
  const facts = gitFactsOf(sight);
  const type = textIn(object, 'type') ?? 'file';
  facts.plant(facts.filesOf(history, word), path, { mode: MODES[type] ?? '100644', sha });
  const size = numberIn(object, 'size') ?? 0;
  const content = textIn(object, 'content')?.replaceAll('\n', '');
  const target = textIn(object, 'target');
  const base64 = content ?? (target === undefined ? '' : base64OfText(target));
  if (type !== 'dir' && (content !== undefined || !facts.blobs.has(sha)))
    facts.blobs.set(sha, { base64, size });
}

/** Files of hidden repositories are had with a token in their address. */
function noteShade(sight: Sight, id: number, address: string): void {
  const repository = sight.tx.repositories.get(id);
  if (!repository || !address.includes('?token=') || sight.isMade('repositories', id)) return;
  sight.learn('repositories', id, { blank: repository, columns: { visibility: 'private' } });
}

/** Where no ref was asked for, addresses name the default branch. */
function noteDefaultBranch(sight: Sight, id: number, url: string): void {
  const found = /[?&]ref=([^&]+)/u.exec(url)?.[1];
  const repository = sight.tx.repositories.get(id);
  if (found === undefined || !repository || sight.isMade('repositories', id)) return;
  sight.learn('repositories', id, {
    blank: repository,
    columns: { default_branch: decodeURIComponent(found) },
  });
}

function leadsToWritten({ paths }: HistoryFact, word: string, path: string): boolean {
  return [...paths].some((written) => written.startsWith(`${word} ${path}/`));
}

/** The branch, tag or hash that a request reads, without `refs/heads/`; the default branch for none. */
export function wordOf(sight: Sight, repository: number, ref: Json | undefined): string {
  if (typeof ref === 'string' && ref !== '') return ref.replace(/^refs\/(?:heads|tags)\//u, '');
  return sight.tx.repositories.get(repository)?.default_branch ?? 'main';
}
