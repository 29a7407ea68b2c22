import { z } from 'zod';
import {
  type Json,
  type JsonObject,
  OperationFailed,
  type Tool,
  ToolFailed,
} from '../../../service/index.ts';
import { base64OfText, bytesOfBase64, strictTextOfBytes } from '../git/index.ts';
import { entryOf } from '../rules/entries.ts';
import { fail, fieldsOf, githubTool, type Hands, itemsOf, membersOf, PLACE, withFields } from './making.ts';
import { withoutNulls } from './shapes.ts';

interface Place {
  readonly owner: string;
  readonly repo: string;
}

/** Which commit a tool looks at: its hash, the ref that named it, and whether another one was meant. */
interface Resolved {
  readonly ref: string;
  readonly sha: string;
  readonly isFallback: boolean;
}

function refOf(hands: Hands, place: Place, ref: string): string | null {
  const found = hands.look('git/get-ref', { ...place, ref }, `failed to get reference for '${ref}'`);
  return found === null ? null : String(membersOf(membersOf(found).object).sha);
}

function defaultBranch(hands: Hands, place: Place): Omit<Resolved, 'isFallback'> {
  const words = 'failed to resolve git reference: failed to get repository info';
  const { default_branch } = membersOf(hands.call('repos/get', { ...place }, words));
  const ref = `heads/${default_branch}`;
  const sha = refOf(hands, place, ref);
  return sha === null
    ? fail(`failed to resolve git reference: failed to get reference for default branch`)
    : { ref: `refs/${ref}`, sha };
}

function resolved(
  hands: Hands,
  place: Place,
  { ref = '', sha = '' }: { ref?: string; sha?: string },
): Resolved {
  const hash = sha !== '' ? sha : /^[0-9a-f]{40}$/iu.test(ref) ? ref : null;
  if (hash !== null) return { ref: '', sha: hash, isFallback: false };
  if (ref === '') return { ...defaultBranch(hands, place), isFallback: false };
  const bare = ref.replace(/^refs\//u, '');
  const candidates =
    /^(?:heads|tags)\//u.test(bare) || ref.startsWith('refs/') ? [bare] : [`heads/${ref}`, `tags/${ref}`];
  for (const name of candidates) {
    const found = refOf(hands, place, name);
    if (found !== null) return { ref: `refs/${name}`, sha: found, isFallback: false };
  }
  if (bare === 'main' || bare === 'heads/main') return { ...defaultBranch(hands, place), isFallback: true };
  return fail(`failed to resolve git reference: could not resolve ref "${ref}" as a branch or a tag`);
}

const TREE_MATCHES_MOST = 3;

/** Where a path is nothing, files of that name elsewhere are told. */
function matchesOf(hands: Hands, place: Place, { path, at }: { path: string; at: Resolved }): JsonObject {
  const tree = hands.call(
    'git/get-tree',
    { ...place, tree_sha: at.sha, recursive: '1' },
    'failed to get git tree',
  );
  const isFolder = path.endsWith('/');
  const name = path.replaceAll(/^\/+|\/+$/gu, '');
  const found = itemsOf(membersOf(tree).tree)
    .filter(({ path: of, type }) => (isFolder ? type === 'tree' : true) && String(of).endsWith(name))
    .map(({ path: of, type }) => (type === 'tree' ? `${of}/` : String(of)))
    .slice(0, TREE_MATCHES_MOST);
  if (found.length === 0) {
    return fail(
      'Failed to get file contents. The path does not point to a file or directory, or the file does not ' +
        'exist in the repository.',
    );
  }
  const refs = JSON.stringify({ ref: at.ref, sha: at.sha });
  const listed = JSON.stringify(found);
  return told(
    `Resolved potential matches in the repository tree (resolved refs: ${refs}, matching files: ${listed}).`,
  );
}

function told(text: string): JsonObject {
  return { content: [{ type: 'text', text }] };
}

const TYPES: Readonly<Record<string, string>> = {
  gif: 'image/gif',
  html: 'text/html; charset=utf-8',
  jpg: 'image/jpeg',
  pdf: 'application/pdf',
  png: 'image/png',
  xml: 'text/xml; charset=utf-8',
  zip: 'application/zip',
};

const LARGEST_SHOWN_BYTES = 1_024 * 1_024;

function fileParts(file: JsonObject, uri: string, note: string): JsonObject {
  const { sha = '', size = 0, path = '', download_url, content } = file;
  if (size === 0) {
    return parts(`successfully downloaded empty file (SHA: ${sha})${note}`, {
      uri,
      mimeType: 'text/plain',
      text: '',
    });
  }
  if (Number(size) >= LARGEST_SHOWN_BYTES) {
    const text =
      `File ${path} is too large to display (${size} bytes). ` +
      `Use the download URL to fetch the content: ${download_url} (SHA: ${sha})${note}`;
    const link = { type: 'resource_link', uri, name: file.name ?? '', title: `File: ${path}`, size };
    return { content: [{ type: 'text', text }, link] };
  }
  const bytes = bytesOfBase64(String(content ?? '').replaceAll('\n', '')) ?? '';
  const text = strictTextOfBytes(bytes);
  const ending = String(path).split('.').at(-1)?.toLowerCase() ?? '';
  if (text === null || text.includes('\u0000')) {
    const mimeType = entryOf(TYPES, ending) ?? 'application/octet-stream';
    const blob = String(content ?? '').replaceAll('\n', '');
    return parts(`successfully downloaded binary file (SHA: ${sha})${note}`, { uri, mimeType, blob });
  }
  const mimeType =
    ending === 'html' || ending === 'xml' ? (entryOf(TYPES, ending) ?? '') : 'text/plain; charset=utf-8';
  return parts(`successfully downloaded text file (SHA: ${sha})${note}`, { uri, mimeType, text });
}

function parts(text: string, resource: JsonObject): JsonObject {
  return {
    content: [
      { type: 'text', text },
      { type: 'resource', resource },
    ],
  };
}

/** `repo://owner/repo/sha/…/contents/path`, as resources are addressed. */
function uriOf({ owner, repo }: Place, path: string, { at, sha }: { at: Resolved; sha: string }): string {
  const start = `repo://${owner}/${repo}`;
  const branch = at.ref.replace(/^refs\/heads\//u, '');
  if (sha !== '') return `${start}/sha/${sha}/contents/${path}`;
  if (at.ref.startsWith('refs/tags/')) return `${start}/refs/tags/${at.ref.slice(10)}/contents/${path}`;
  return at.ref === '' ? `${start}/contents/${path}` : `${start}/refs/heads/${branch}/contents/${path}`;
}

export const getFileContents = githubTool({
  name: 'get_file_contents',
  description: 'Reads a file, or lists a directory, of a repository.',
  input: z.object({
    ...PLACE,
    path: z.string().default('/'),
    ref: z.string().optional(),
    sha: z.string().optional(),
    fields: fieldsOf(
      ...['type', 'name', 'path', 'size', 'sha', 'url', 'git_url', 'html_url', 'download_url'],
    ),
  }),
  operations: ['git/get-ref', 'repos/get', 'repos/get-content', 'git/get-tree'],
  answers: 'content',
  run(hands, { owner, repo, path: asked, ref = '', sha = '', fields }): Json {
    const place = { owner, repo };
    const path = asked.replace(/^\//u, '');
    const at = resolved(hands, place, { ref, sha });
    const found = hands.look(
      'repos/get-content',
      { ...place, path, ref: at.sha },
      'failed to get file contents',
    );
    if (found === null) return matchesOf(hands, place, { path, at });
    if (Array.isArray(found)) {
      return told(JSON.stringify(withFields(itemsOf(withoutNulls(found)), fields)));
    }
    const note = at.isFallback
      ? ` Note: the provided ref '${ref}' does not exist, default branch '${at.ref}' was used instead.`
      : '';
    return fileParts(membersOf(found), uriOf(place, path, { at, sha: at.sha }), note);
  },
});

function writtenShape(answer: Json): JsonObject {
  const { content, commit } = membersOf(answer);
  const { name = '', path = '', sha = '', size = 0, html_url = '' } = membersOf(content);
  const made = membersOf(commit);
  const author = membersOf(made.author);
  return {
    content: { name, path, sha, ...(size !== 0 && { size }), html_url },
    commit: {
      sha: made.sha ?? '',
      message: made.message ?? '',
      html_url: made.html_url ?? '',
      ...(author.name !== undefined && {
        author: { name: author.name, email: author.email ?? '', date: author.date ?? '' },
      }),
    },
  };
}

export const createOrUpdateFile = githubTool({
  name: 'create_or_update_file',
  description: 'Writes one file in a commit of its own; the hash of what is there is needed to change it.',
  input: z.object({
    ...PLACE,
    path: z.string(),
    content: z.string(),
    message: z.string(),
    branch: z.string(),
    sha: z.string().optional(),
  }),
  operations: ['repos/get-content', 'repos/create-or-update-file-contents'],
  run(hands, { owner, repo, path: asked, content, message, branch, sha = '' }): Json {
    for (const [name, value] of Object.entries({ owner, repo, path: asked, content, message, branch })) {
      if (value === '') return fail(`missing required parameter: ${name}`);
    }
    const path = asked.replace(/^\//u, '');
    const at = { owner, repo, path };
    const words = sha === '' ? 'failed to check if file exists' : 'failed to verify file SHA';
    const there = hands.look('repos/get-content', { ...at, ref: branch }, words);
    if (Array.isArray(there)) {
      return fail(`Path ${path} is a directory, not a file. This tool only works with files.`);
    }
    const current = there === null ? null : String(membersOf(there).sha);
    if (current !== null && sha === '') {
      return fail(
        `File already exists at ${path}. You must provide the current file's SHA when updating. ` +
          `Use git rev-parse ${branch}:${path} to get the blob SHA, then retry with the sha parameter.`,
      );
    }
    if (current !== null && current !== sha) {
      return fail(
        `SHA mismatch: provided SHA ${sha} is stale. Current file SHA is ${current}. ` +
          `Pull the latest changes and use git rev-parse ${branch}:${path} to get the current SHA.`,
      );
    }
    const wish = { ...at, message, branch, content: base64OfText(content), ...(sha !== '' && { sha }) };
    return writtenShape(
      hands.call('repos/create-or-update-file-contents', wish, 'failed to create/update file'),
    );
  },
});

/** A commit on top of a branch, made of git objects. */
function commitOnto(
  hands: Hands,
  place: Place,
  wish: {
    readonly head: string;
    readonly message: string;
    readonly ref: string;
    readonly tree: JsonObject[];
  },
): { readonly commit: Json; readonly ref: Json } {
  const base = hands.call('git/get-commit', { ...place, commit_sha: wish.head }, 'failed to get base commit');
  const base_tree = String(membersOf(membersOf(base).tree).sha);
  const tree = hands.call(
    'git/create-tree',
    { ...place, base_tree, tree: wish.tree },
    'failed to create tree',
  );
  const commit = hands.call(
    'git/create-commit',
    {
      ...place,
      message: wish.message,
      tree: String(membersOf(tree).sha),
      parents: [wish.head],
    },
    'failed to create commit',
  );
  const sha = String(membersOf(commit).sha);
  const ref = hands.call(
    'git/update-ref',
    { ...place, ref: wish.ref, sha, force: false },
    'failed to update reference',
  );
  return { commit, ref };
}

export const deleteFile = githubTool({
  name: 'delete_file',
  description: 'Deletes a file in a commit of its own.',
  input: z.object({ ...PLACE, path: z.string(), message: z.string(), branch: z.string() }),
  operations: ['git/get-ref', 'git/get-commit', 'git/create-tree', 'git/create-commit', 'git/update-ref'],
  run(hands, { owner, repo, path, message, branch }): Json {
    const place = { owner, repo };
    const ref = `heads/${branch}`;
    const found = hands.call('git/get-ref', { ...place, ref }, 'failed to get branch reference');
    const head = String(membersOf(membersOf(found).object).sha);
    const tree = [{ path, mode: '100644', type: 'blob', sha: null }];
    const { commit } = commitOnto(hands, place, { head, message, ref, tree });
    return { commit: withoutNulls(commit), content: null };
  },
});

/** The head of a branch; it is made of the default branch where it is not there yet. */
function headOf(hands: Hands, place: Place, branch: string): string {
  try {
    const sha = refOf(hands, place, `heads/${branch}`);
    return sha ?? branchOff(hands, place, branch);
  } catch (failure) {
    const cause = failure instanceof ToolFailed ? failure.cause : undefined;
    if (!(cause instanceof OperationFailed) || cause.status !== 409) throw failure;
  }
  const { default_branch } = membersOf(
    hands.call('repos/get', { ...place }, 'failed to initialize repository: failed to get repository'),
  );
  const first = { ...place, path: 'README.md', message: 'Initial commit', content: '' };
  hands.call(
    'repos/create-or-update-file-contents',
    { ...first, branch: default_branch ?? 'main' },
    'failed to initialize repository: failed to create initial file',
  );
  const sha = refOf(hands, place, `heads/${branch}`);
  return sha ?? branchOff(hands, place, branch);
}

function branchOff(hands: Hands, place: Place, branch: string): string {
  const words = 'failed to create branch from default';
  const { default_branch } = membersOf(hands.call('repos/get', { ...place }, words));
  const found = hands.call('git/get-ref', { ...place, ref: `heads/${default_branch}` }, words);
  const sha = String(membersOf(membersOf(found).object).sha);
  hands.call('git/create-ref', { ...place, ref: `refs/heads/${branch}`, sha }, words);
  return sha;
}

export const pushFiles = githubTool({
  name: 'push_files',
  description: 'Writes several files in one commit.',
  input: z.object({
    ...PLACE,
    branch: z.string(),
    files: z.array(z.strictObject({ path: z.string(), content: z.string() })),
    message: z.string(),
  }),
  operations: [
    ...['git/get-ref', 'git/create-ref', 'repos/get', 'repos/create-or-update-file-contents'],
    ...['git/get-commit', 'git/create-tree', 'git/create-commit', 'git/update-ref'],
  ],
  run(hands, { owner, repo, branch, files, message }): Json {
    const place = { owner, repo };
    if (files.some(({ path }) => path === '')) return fail('each file must have a path');
    const head = headOf(hands, place, branch);
    const tree = files.map(({ path, content }) => ({ path, mode: '100644', type: 'blob', content }));
    const { ref } = commitOnto(hands, place, { head, message, ref: `heads/${branch}`, tree });
    return withoutNulls(ref);
  },
});

/** Tools for files, by name. */
export const fileTools: Readonly<Record<string, Tool>> = {
  create_or_update_file: createOrUpdateFile,
  delete_file: deleteFile,
  get_file_contents: getFileContents,
  push_files: pushFiles,
};
