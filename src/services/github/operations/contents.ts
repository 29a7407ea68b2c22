import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import { isTreePath, type TreeEntry, textAt } from '../git/index.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { shown } from '../output.ts';
import { commitOnBranch } from '../rules/commits.ts';
import {
  answerHtml,
  answerRaw,
  asksFor,
  blobFrom,
  changedAt,
  entriesIn,
  entryIn,
  licenseIn,
  linkTarget,
  readmeIn,
  type Sight,
  type Snapshot,
  snapshotAt,
} from '../rules/contents.ts';
import { pushRefusal } from '../rules/protection.ts';
import { bareName, findBranch, isEmpty, objectsOf } from '../rules/refs.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { requireViewer } from '../rules/viewer.ts';
import type { Repository } from '../schema/repositories.ts';
import {
  type ContentPlace,
  directoryView,
  entryView,
  fileContentView,
  submoduleView,
  symlinkView,
} from '../views/contents.ts';
import { gitCommitView } from '../views/git.ts';
import { placeOf } from '../views/issues.ts';
import { licenseView } from '../views/licenses.ts';
import { REPOSITORY, writableRepository } from './repositories.ts';

/** A file or directory, or the file itself where its bytes were asked for. */
const CONTENT = z.union([z.array(shown('name', 'path', 'sha')), z.string(), shown('name', 'path', 'sha')]);

type Shown = z.infer<typeof CONTENT>;

/** Shows what stands at a path, in the form that was asked for. */
function showEntry(ctx: Reading, { repository, snapshot }: Sight, entry: TreeEntry): Shown {
  const reader = objectsOf(ctx);
  const where: ContentPlace = { place: placeOf(ctx, repository), ref: snapshot.ref };
  ctx.reply({ facts: { modified: changedAt(ctx, { repository, snapshot }, entry.path) } });
  if (entry.type === 'tree') {
    const entries = entriesIn(reader, entry).map((one) => entryView(reader, where, one));
    return asksFor(ctx, 'object') ? directoryView(where, entry, entries) : entries;
  }
  if (entry.type === 'commit') return submoduleView(where, entry, moduleUrl(ctx, snapshot, entry));
  const target = entry.mode === '120000' ? linkTarget(reader, snapshot, entry) : null;
  if (entry.mode === '120000' && target?.type !== 'blob') return symlinkView(reader, where, entry);
  const shownEntry = target ?? entry;
  if (asksFor(ctx, 'raw')) return answerRaw(ctx, shownEntry.sha);
  if (asksFor(ctx, 'html')) return answerHtml(ctx, shownEntry);
  return fileContentView(reader, where, { entry, shown: shownEntry });
}

/** The address that `.gitmodules` gives for a path. */
function moduleUrl(ctx: Reading, snapshot: Snapshot, { path }: TreeEntry): string | null {
  const reader = objectsOf(ctx);
  const file = entryIn(reader, snapshot, '.gitmodules');
  const text = (file && textAt(reader, file.sha)) ?? '';
  const sections = text.split(/^\s*\[submodule /mu);
  const own = sections.find((section) => section.match(/^\s*path\s*=\s*(.+?)\s*$/mu)?.[1] === path);
  return own?.match(/^\s*url\s*=\s*(.+?)\s*$/mu)?.[1] ?? null;
}

const getContent = operation({
  id: 'repos/get-content',
  summary: 'Reads a file or a directory of a repository.',
  effect: 'read',
  http: {
    method: 'GET',
    path: '/repos/{owner}/{repo}/contents/{path*}',
    aliases: [
      { path: '/repos/{owner}/{repo}/contents', values: { owner: '{owner}', repo: '{repo}', path: '' } },
    ],
  },
  input: z.looseObject({ ...REPOSITORY, path: z.string(), ref: z.string().optional() }),
  output: CONTENT,
  example: { owner: 'octo-works', repo: 'lamp', path: 'README.md' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const snapshot = snapshotAt(ctx, repository, input.ref);
    const entry = entryIn(objectsOf(ctx), snapshot, input.path) ?? ctx.fail('not_found');
    return showEntry(ctx, { repository, snapshot }, entry);
  },
});

const getReadme = operation({
  id: 'repos/get-readme',
  summary: 'Reads the file that introduces a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/readme' },
  input: z.looseObject({ ...REPOSITORY, ref: z.string().optional() }),
  output: CONTENT,
  example: { owner: 'octo-works', repo: 'lamp' },
  run: (ctx, input) => readmeOf(ctx, input, ''),
});

const getReadmeInDirectory = operation({
  id: 'repos/get-readme-in-directory',
  summary: 'Reads the file that introduces a directory.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/readme/{dir}' },
  input: z.looseObject({ ...REPOSITORY, dir: z.string(), ref: z.string().optional() }),
  output: CONTENT,
  example: { owner: 'octo-works', repo: 'lamp', dir: 'docs' },
  run: (ctx, input) => readmeOf(ctx, input, input.dir),
});

function readmeOf(
  ctx: Reading,
  input: { owner: string; repo: string; ref?: string | undefined },
  path: string,
): Shown {
  const repository = repositoryAt(ctx, input);
  const snapshot = snapshotAt(ctx, repository, input.ref);
  const reader = objectsOf(ctx);
  const directory = entryIn(reader, snapshot, path);
  const entry = directory && readmeIn(reader, directory);
  return entry ? showEntry(ctx, { repository, snapshot }, entry) : ctx.fail('not_found');
}

const getLicense = operation({
  id: 'licenses/get-for-repo',
  summary: 'Reads the licence of a repository, with the file that states it.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/license' },
  input: z.looseObject({ ...REPOSITORY, ref: z.string().optional() }),
  output: CONTENT,
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const snapshot = snapshotAt(ctx, repository, input.ref);
    const root = entryIn(objectsOf(ctx), snapshot, '');
    const entry = (root && licenseIn(objectsOf(ctx), root)) ?? ctx.fail('not_found');
    const view = showEntry(ctx, { repository, snapshot }, entry);
    if (typeof view === 'string' || Array.isArray(view)) return view;
    return { ...view, license: licenseView(repository.license_key ?? 'other') };
  },
});

const person = z
  .looseObject({ name: z.string().optional(), email: z.string().optional(), date: z.string().optional() })
  .nullish();

const CHANGE = {
  ...REPOSITORY,
  path: z.string(),
  message: z.string(),
  branch: z.string().optional(),
  committer: person,
  author: person,
};

/** The branch that a change goes to, and what stands at the path there now. */
function targetOf(
  ctx: Writing,
  repository: Repository,
  { branch, path, verb }: { branch: string | undefined; path: string; verb: string },
): { branch: string; entry: TreeEntry | null } {
  const name = bareName(branch ?? repository.default_branch);
  const head = findBranch(ctx, repository, name);
  if (!head && !(isEmpty(ctx, repository) && verb === 'create')) {
    ctx.fail('absent', { message: `Branch ${name} not found` });
  }
  const refusal = pushRefusal(ctx, repository, name);
  if (refusal !== null) {
    ctx.fail('conflict', { message: `Repository rule violations found\n\n${refusal}\n\n` });
  }
  if (!head) return { branch: name, entry: null };
  const snapshot = snapshotAt(ctx, repository, `refs/heads/${name}`);
  return { branch: name, entry: entryIn(objectsOf(ctx), snapshot, path) };
}

/** Who changes must name what they change: another hash than what stands there is a conflict. */
function checkSha(ctx: Writing, entry: TreeEntry, sha: string | undefined | null): void {
  if (sha === undefined || sha === null || sha === '') {
    ctx.fail('invalid_request', { problem: '"sha" wasn\'t supplied.' });
  }
  if (sha !== entry.sha) ctx.fail('conflict', { message: `${entry.path} does not match ${sha}` });
}

function requirePath(ctx: Writing, path: string): string {
  if (!isTreePath(path)) {
    ctx.fail('unprocessable', { message: 'path contains a malformed path component' });
  }
  return path;
}

const putFile = operation({
  id: 'repos/create-or-update-file-contents',
  summary: 'Makes a file or changes it, with a commit on a branch.',
  effect: 'write',
  http: { method: 'PUT', path: '/repos/{owner}/{repo}/contents/{path*}', status: 201 },
  input: z.looseObject({ ...CHANGE, content: z.string(), sha: z.string().nullish() }),
  output: shown('content', 'commit'),
  example: { owner: 'octo-works', repo: 'lamp', path: 'notes.md', message: 'Take notes', content: 'SGkK' },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    requireRole(ctx, repository, 'write');
    const path = requirePath(ctx, input.path);
    const { branch, entry } = targetOf(ctx, repository, { branch: input.branch, path, verb: 'create' });
    if (entry?.type === 'tree') ctx.fail('unprocessable', { message: `${path} is a directory` });
    const sha = blobFrom(ctx, input.content);
    if (entry) checkSha(ctx, entry, input.sha);
    const commit = commitOnBranch(ctx, repository, {
      ...wishOf(ctx, input),
      branch,
      changes: [{ path, sha, mode: entry?.mode ?? '100644' }],
    });
    ctx.reply({ status: entry ? 200 : 201 });
    return changeView(ctx, repository, { branch, path, commit, ref: input.branch ?? branch });
  },
});

type Change = z.infer<z.ZodObject<typeof CHANGE>>;

function wishOf(
  ctx: Writing,
  { message, author, committer }: Pick<Change, 'message' | 'author' | 'committer'>,
) {
  return {
    account: requireViewer(ctx),
    message,
    author: signatureIn(author ?? committer),
    committer: signatureIn(committer ?? author),
  };
}

function signatureIn(sent: z.infer<typeof person>): Record<string, string> | undefined {
  if (!sent) return undefined;
  const { name, email, date } = sent;
  return { ...(name && { name }), ...(email && { email }), ...(date && { date }) };
}

function changeView(
  ctx: Writing,
  repository: Repository,
  { branch, path, commit, ref }: { branch: string; path: string; commit: string; ref: string },
): JsonObject {
  const place = placeOf(ctx, repository);
  const reader = objectsOf(ctx);
  const snapshot = snapshotAt(ctx, repository, `refs/heads/${branch}`);
  const entry = entryIn(reader, snapshot, path);
  return {
    content: entry && { ...entryView(reader, { place, ref }, entry) },
    commit: gitCommitView(ctx, place, commit),
  };
}

const deleteFile = operation({
  id: 'repos/delete-file',
  summary: 'Deletes a file, with a commit on a branch.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/contents/{path*}' },
  input: z.looseObject({ ...CHANGE, sha: z.string() }),
  output: shown('content', 'commit'),
  example: {
    owner: 'octo-works',
    repo: 'lamp',
    path: 'docs/README.md',
    message: 'Say less',
    sha: 'e2f044f2c437b1c6e2c44f5e35fecba05bee0e2c',
  },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    requireRole(ctx, repository, 'write');
    const { path } = input;
    const { branch, entry } = targetOf(ctx, repository, { branch: input.branch, path, verb: 'delete' });
    if (!entry || entry.type === 'tree') return ctx.fail('not_found');
    checkSha(ctx, entry, input.sha);
    const changes = [{ path, sha: null }];
    const commit = commitOnBranch(ctx, repository, { ...wishOf(ctx, input), branch, changes });
    return { content: null, commit: gitCommitView(ctx, placeOf(ctx, repository), commit) };
  },
});

export const contentOperations = [
  getContent,
  putFile,
  deleteFile,
  getReadme,
  getReadmeInDirectory,
  getLicense,
];
