import {
  blobAt,
  blobOfBase64,
  commitAt,
  entriesAt,
  entryAtPath,
  type GitReader,
  gitStore,
  log,
  type TreeEntry,
  textAt,
} from '../git/index.ts';
import type { Reading, Writing } from '../operation.ts';
import { mediaTypeOf } from '../protocol/media.ts';
import type { Repository } from '../schema/repositories.ts';
import { findCommit, isEmpty, objectsOf } from './refs.ts';

/** A commit in which files are looked up, and the ref by which it was asked for. */
export interface Snapshot {
  readonly commit: string;
  readonly tree: string;
  readonly ref: string;
}

/** The state of a repository that a ref names; 404 where it names none, or nothing was pushed yet. */
export function snapshotAt(ctx: Reading, repository: Repository, ref: string | undefined): Snapshot {
  const word = ref === undefined || ref === '' ? repository.default_branch : ref;
  const commit = findCommit(ctx, repository, word);
  const tree = commit === undefined ? undefined : commitAt(objectsOf(ctx), commit)?.tree;
  if (commit !== undefined && tree !== undefined)
    return { commit, tree, ref: word.replace(/^refs\/heads\//u, '') };
  if (isEmpty(ctx, repository)) return ctx.fail('absent', { message: 'This repository is empty.' });
  return ctx.fail('absent', { message: `No commit found for the ref ${word}` });
}

/** The directory that a path names, as an entry; the root has no name. */
const ROOT = { path: '', mode: '040000', type: 'tree' } as const;

/** What stands at a path; null for nothing. */
export function entryIn(reader: GitReader, { tree }: Snapshot, path: string): TreeEntry | null {
  const names = path.split('/').filter((name) => name !== '');
  return names.length === 0 ? { ...ROOT, sha: tree } : entryAtPath(reader, tree, names.join('/'));
}

/** The entries of a directory with full paths, by name as the API sorts them. */
export function entriesIn(reader: GitReader, directory: TreeEntry): TreeEntry[] {
  const prefix = directory.path === '' ? '' : `${directory.path}/`;
  return entriesAt(reader, directory.sha)
    .map((entry) => ({ ...entry, path: prefix + entry.path }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** What a symbolic link leads to within its repository; null when it leads elsewhere or nowhere. */
export function linkTarget(reader: GitReader, snapshot: Snapshot, link: TreeEntry): TreeEntry | null {
  const target = textAt(reader, link.sha);
  if (target === null || target.startsWith('/')) return null;
  const names = link.path.split('/').slice(0, -1);
  for (const name of target.split('/')) {
    if (name === '..') {
      if (names.pop() === undefined) return null;
    } else if (name !== '' && name !== '.') names.push(name);
  }
  return entryIn(reader, snapshot, names.join('/'));
}

/** A repository in one of its states. */
export interface Sight {
  readonly repository: Repository;
  readonly snapshot: Snapshot;
}

/** When what stands at a path was last changed, as far as the history is known. */
export function changedAt(ctx: Reading, { repository, snapshot: { commit } }: Sight, path: string): string {
  for (const { commit: change } of log(objectsOf(ctx), [commit], { path })) return change.committer.date;
  return repository.pushed_at ?? repository.created_at;
}

/** The blob of a request's base64: kept, and its hash given. 422 for what is no base64. */
export function blobFrom(ctx: Writing, content: string): string {
  const blob = blobOfBase64(content);
  if (!blob) return ctx.fail('unprocessable', { message: 'content is not valid Base64' });
  return gitStore(ctx.tx).put(blob);
}

/** Answers with the bytes of a file, under the type that was asked for. */
export function answerRaw(ctx: Reading, sha: string): string {
  const { custom } = mediaTypeOf(ctx.headers.accept, ctx.nowMs);
  ctx.reply({ form: 'base64', headers: { 'content-type': `${custom}; charset=utf-8` } });
  return blobAt(objectsOf(ctx), sha)?.base64 ?? '';
}

/** Whether the request asks for this form, such as `raw`, of what it reads. */
export function asksFor(ctx: Reading, form: string): boolean {
  return mediaTypeOf(ctx.headers.accept, ctx.nowMs).forms.includes(form);
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Answers with a file as a page: its text, escaped, in GitHub's frame. */
export function answerHtml(ctx: Reading, entry: TreeEntry): string {
  const { custom } = mediaTypeOf(ctx.headers.accept, ctx.nowMs);
  ctx.reply({ form: 'text', headers: { 'content-type': `${custom}; charset=utf-8` } });
  const text = (textAt(objectsOf(ctx), entry.sha) ?? '').replace(
    /[&<>"]/gu,
    (letter) => ESCAPES[letter] ?? letter,
  );
  const attributes = `id="file" class="${/\.(?:md|markdown)$/iu.test(entry.path) ? 'md' : 'plain'}"`;
  return `<div ${attributes} data-path="${entry.path}"><pre>${text}</pre></div>`;
}

const README = /^readme(?:\.(?:md|markdown|mdown|rst|txt|org|adoc|asciidoc|textile|rdoc))?$/iu;

/** The file that introduces a directory; null when it has none. */
export function readmeIn(reader: GitReader, directory: TreeEntry): TreeEntry | null {
  const files = entriesIn(reader, directory).filter(
    ({ type, path }) => type === 'blob' && README.test(nameOf(path)),
  );
  return files.find(({ path }) => /\.(?:md|markdown)$/iu.test(path)) ?? files[0] ?? null;
}

const LICENSE = /^(?:licen[cs]e|copying|unlicense)(?:[.-][\w.-]+)?$/iu;

/** The file that states a repository's licence; null when there is none. */
export function licenseIn(reader: GitReader, root: TreeEntry): TreeEntry | null {
  const files = entriesIn(reader, root);
  return files.find(({ type, path }) => type === 'blob' && LICENSE.test(path)) ?? null;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
