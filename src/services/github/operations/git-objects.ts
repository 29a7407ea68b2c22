import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import {
  absentRemovals,
  blobAt,
  blobOfText,
  commitAt,
  entriesAt,
  gitStore,
  isTreePath,
  listTree,
  peelToCommit,
  type TreeChange,
  typeOfMode,
  utcSeconds,
  wrapBase64,
  writeTree,
} from '../git/index.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { shown } from '../output.ts';
import { makeCommit } from '../rules/commits.ts';
import { answerRaw, asksFor, blobFrom } from '../rules/contents.ts';
import { isEmpty, objectsOf, resolve, treeOf } from '../rules/refs.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { requireViewer } from '../rules/viewer.ts';
import type { Repository } from '../schema/repositories.ts';
import { gitCommitView, treeEntryView } from '../views/git.ts';
import { placeOf } from '../views/issues.ts';
import { globalId } from '../views/node-ids.ts';
import { REPOSITORY, writableRepository } from './repositories.ts';

/** The repository of a call that writes objects: the caller may push there, and something was pushed. */
export function objectHome(ctx: Writing, input: { owner: string; repo: string }): Repository {
  const repository = writableRepository(ctx, input);
  requireRole(ctx, repository, 'write');
  if (isEmpty(ctx, repository)) ctx.fail('conflict', { message: 'Git Repository is empty.' });
  return repository;
}

/** Says where the new thing is, as every creation of git objects does. */
export function located(ctx: Writing, view: JsonObject): JsonObject {
  ctx.reply({ facts: { location: view.url ?? null } });
  return view;
}

const createBlob = operation({
  id: 'git/create-blob',
  summary: 'Keeps the content of a file.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/git/blobs', status: 201 },
  input: z.looseObject({ ...REPOSITORY, content: z.string(), encoding: z.string().optional() }),
  output: shown('sha', 'url'),
  example: { owner: 'octo-works', repo: 'lamp', content: 'Light.', encoding: 'utf-8' },
  run(ctx, input) {
    const repository = objectHome(ctx, input);
    const { content, encoding } = input;
    const sha = encoding === 'base64' ? blobFrom(ctx, content) : gitStore(ctx.tx).put(blobOfText(content));
    return located(ctx, { sha, url: `${placeOf(ctx, repository).url}/git/blobs/${sha}` });
  },
});

const getBlob = operation({
  id: 'git/get-blob',
  summary: 'Reads the content of a file by its hash.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/git/blobs/{file_sha}' },
  input: z.looseObject({ ...REPOSITORY, file_sha: z.string() }),
  output: z.union([z.string(), shown('sha', 'content')]),
  example: { owner: 'octo-works', repo: 'lamp', file_sha: 'b767946ca27b357a00829c9038cdc6b5131b78ff' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const sha = input.file_sha;
    const blob = blobAt(objectsOf(ctx), sha) ?? ctx.fail('not_found');
    if (asksFor(ctx, 'raw')) return answerRaw(ctx, sha);
    return {
      sha,
      node_id: globalId('B', [0, repository.id, sha]),
      size: blob.size,
      url: `${placeOf(ctx, repository).url}/git/blobs/${sha}`,
      content: wrapBase64(blob.base64),
      encoding: 'base64',
    };
  },
});

const TREE_ENTRY = z.looseObject({
  path: z.string(),
  mode: z.enum(['100644', '100755', '040000', '160000', '120000']),
  type: z.enum(['blob', 'tree', 'commit']).optional(),
  sha: z.string().nullish(),
  content: z.string().optional(),
});

const createTree = operation({
  id: 'git/create-tree',
  summary: 'Keeps a tree: a new one, or another one with changes.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/git/trees', status: 201 },
  input: z.looseObject({ ...REPOSITORY, tree: z.array(TREE_ENTRY), base_tree: z.string().nullish() }),
  output: shown('sha', 'tree'),
  example: {
    owner: 'octo-works',
    repo: 'lamp',
    tree: [{ path: 'notes.md', mode: '100644', type: 'blob', content: 'Light.' }],
  },
  run(ctx, input) {
    const repository = objectHome(ctx, input);
    const store = gitStore(ctx.tx);
    const base = input.base_tree ? (treeOf(store, input.base_tree) ?? null) : null;
    if (input.base_tree && base === null)
      ctx.fail('unprocessable', { message: 'base_tree is not a valid tree oid' });
    const changes = input.tree.map((entry) => changeOf(ctx, entry));
    if (absentRemovals(store, base, changes).length > 0) {
      ctx.fail('unprocessable', { message: 'GitRPC::BadObjectState' });
    }
    const sha = writeTree(store, base, changes);
    return located(ctx, treeView(ctx, repository, { sha }));
  },
});

/** An entry as it was sent; 422 for an object that is not there, or is of another kind. */
function changeOf(ctx: Writing, entry: z.infer<typeof TREE_ENTRY>): TreeChange {
  const { path, mode, sha, content } = entry;
  if (!isTreePath(path)) {
    ctx.fail('unprocessable', { message: 'tree.path contains a malformed path component' });
  }
  if (content !== undefined && !sha) return { path, mode, content };
  if (sha === undefined) {
    ctx.fail('unprocessable', { message: 'Must supply either tree.sha or tree.content' });
  }
  const kind = typeOfMode(mode);
  if (sha !== null && kind !== 'commit' && objectsOf(ctx).get(sha)?.kind !== kind) {
    ctx.fail('unprocessable', { message: `tree.sha ${sha} is not a valid ${kind}` });
  }
  return { path, mode, sha };
}

/** A tree under the hash that it was asked by: its own, or that of a commit. */
function treeView(
  ctx: Reading,
  repository: Repository,
  { sha, tree = sha, recursive = false }: { sha: string; tree?: string; recursive?: boolean },
): JsonObject {
  const reader = objectsOf(ctx);
  const { url } = placeOf(ctx, repository);
  const entries = recursive ? [...listTree(reader, tree, { trees: true })] : entriesAt(reader, tree);
  return {
    sha,
    url: `${url}/git/trees/${sha}`,
    tree: entries.map((entry) => treeEntryView(reader, url, entry)),
    truncated: false,
  };
}

const getTree = operation({
  id: 'git/get-tree',
  summary: 'Lists a tree, on demand with everything below.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/git/trees/{tree_sha}' },
  input: z.looseObject({
    ...REPOSITORY,
    tree_sha: z.string(),
    recursive: z.union([z.string(), z.int(), z.boolean()]).optional(),
  }),
  output: shown('sha', 'tree'),
  example: { owner: 'octo-works', repo: 'lamp', tree_sha: 'main' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    if (isEmpty(ctx, repository)) ctx.fail('conflict', { message: 'Git Repository is empty.' });
    const reader = objectsOf(ctx);
    const sha = resolve(ctx, repository, input.tree_sha);
    const tree = sha === undefined ? undefined : treeOf(reader, sha);
    if (sha === undefined || tree === undefined) return ctx.fail('not_found');
    ctx.reply({ facts: { modified: repository.pushed_at } });
    const recursive = input.recursive !== undefined && input.recursive !== '';
    return treeView(ctx, repository, { sha: peelToCommit(reader, sha) ?? tree, tree, recursive });
  },
});

export const person = z
  .looseObject({ name: z.string(), email: z.string(), date: z.string().optional() })
  .optional();

const createCommit = operation({
  id: 'git/create-commit',
  summary: 'Keeps a commit; no branch holds it yet.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/git/commits', status: 201 },
  input: z.looseObject({
    ...REPOSITORY,
    message: z.string(),
    tree: z.string(),
    parents: z.array(z.string()).optional(),
    author: person,
    committer: person,
    signature: z.string().nullish(),
  }),
  output: shown('sha', 'tree'),
  example: {
    owner: 'octo-works',
    repo: 'lamp',
    message: 'Nothing at all',
    tree: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  },
  run(ctx, input) {
    const repository = objectHome(ctx, input);
    const store = gitStore(ctx.tx);
    const { tree, parents = [], message } = input;
    if (store.get(tree)?.kind !== 'tree' && !isEmptyTree(tree)) {
      ctx.fail('unprocessable', { message: 'Tree SHA does not exist' });
    }
    if (isEmptyTree(tree)) store.put({ kind: 'tree', entries: [] });
    if (parents.some((parent) => !commitAt(store, parent))) {
      ctx.fail('unprocessable', { message: 'Parent SHA does not exist or is not a commit object' });
    }
    const sha = makeCommit(ctx, {
      account: requireViewer(ctx),
      tree,
      parents,
      message,
      author: cleaned(input.author ?? input.committer),
      committer: cleaned(input.committer ?? input.author),
      signature: input.signature,
    });
    return located(ctx, gitCommitView(ctx, placeOf(ctx, repository), sha));
  },
});

/** A tree that git knows without anybody having kept it. */
function isEmptyTree(sha: string): boolean {
  return sha === '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
}

export function cleaned(sent: z.infer<typeof person>): Record<string, string> | undefined {
  if (!sent) return undefined;
  const { name, email, date } = sent;
  return { name, email, ...(date !== undefined && { date }) };
}

const getCommit = operation({
  id: 'git/get-commit',
  summary: 'Reads a commit of the git database.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/git/commits/{commit_sha}' },
  input: z.looseObject({ ...REPOSITORY, commit_sha: z.string() }),
  output: shown('sha', 'tree'),
  example: { owner: 'octo-works', repo: 'lamp', commit_sha: '510fb7830815143bd825087477f14c8f53997460' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const commit = commitAt(objectsOf(ctx), input.commit_sha) ?? ctx.fail('not_found');
    ctx.reply({ facts: { modified: utcSeconds(commit.committer.date) } });
    return gitCommitView(ctx, placeOf(ctx, repository), input.commit_sha);
  },
});

export const gitObjectOperations = [createBlob, getBlob, createTree, getTree, createCommit, getCommit];
