import { blobOfText, bytesOfBlob, isBinary } from './blobs.ts';
import { mergeBase } from './history.ts';
import { diffBytes, type TextDiff } from './patch.ts';
import { findRenames, type Rename, WHOLE } from './renames.ts';
import { commitAt, contentAt, type GitBlob, type GitReader } from './store.ts';
import { comparePaths, inPathOrder, type Leaf, type PathChange } from './tree-diff.ts';

/** What became of a file, in the API's words: `changed` is a change of its kind. */
export type FileStatus = 'added' | 'removed' | 'modified' | 'renamed' | 'changed';

/** A changed file, its content not yet compared. */
export interface ChangedPath {
  /** The new path; the old one of a removed file. */
  readonly path: string;
  /** The old path of a renamed file. */
  readonly previousPath: string | null;
  readonly status: FileStatus;
  readonly before: Leaf | null;
  readonly after: Leaf | null;
  /** How much of a renamed file stayed, in per cent. */
  readonly similarity: number | null;
}

/** A changed file as commits, pulls and comparisons list it. */
export interface FileDiff extends ChangedPath {
  /** Of the new content; of the old one where the file was removed. */
  readonly sha: string;
  readonly additions: number;
  readonly deletions: number;
  readonly changes: number;
  /** Hunks in unified form; null for binary files, and where no line differs. */
  readonly patch: string | null;
  readonly binary: boolean;
}

/** The paths that differ between two trees, with renames found; null stands for the empty tree. */
export function changedPaths(reader: GitReader, before: string | null, after: string | null): ChangedPath[] {
  const changes = comparePaths(reader, before, after);
  const renames = findRenames(reader, changes);
  const moved = new Set<Leaf | null>(renames.flatMap((rename) => [rename.before, rename.after]));
  const rest = changes.filter((change) => !moved.has(change.before ?? change.after)).map(plainChange);
  return renames.length === 0 ? rest : inPathOrder([...rest, ...renames.map(renamedPath)]);
}

function plainChange({ path, before, after }: PathChange): ChangedPath {
  return { path, previousPath: null, status: statusOf(before, after), before, after, similarity: null };
}

function renamedPath({ before, after, score }: Rename): ChangedPath {
  const similarity = Math.floor((score * 100) / WHOLE);
  return { path: after.path, previousPath: before.path, status: 'renamed', before, after, similarity };
}

function statusOf(before: Leaf | null, after: Leaf | null): FileStatus {
  if (!before) return 'added';
  if (!after) return 'removed';
  return kindOf(before) === kindOf(after) ? 'modified' : 'changed';
}

function kindOf({ mode }: Leaf): string {
  return mode.slice(0, 3);
}

/** The files that differ between two trees, compared by lines. */
export function diffTrees(reader: GitReader, before: string | null, after: string | null): FileDiff[] {
  return changedPaths(reader, before, after).map((change) => fileDiff(reader, change));
}

/** The files that a commit changed against its first parent; against nothing where it has none. */
export function diffCommit(reader: GitReader, sha: string): FileDiff[] {
  const commit = commitAt(reader, sha);
  if (!commit) return [];
  const parent = commit.parents[0];
  if (parent === undefined) return diffTrees(reader, null, commit.tree);
  const before = commitAt(reader, parent);
  return before ? diffTrees(reader, before.tree, commit.tree) : [];
}

/** The files that a head changed since it left a base: what pulls and comparisons list. */
export function diffSinceBase(reader: GitReader, base: string, head: string): FileDiff[] {
  const commit = commitAt(reader, head);
  if (!commit) return [];
  const common = mergeBase(reader, base, head);
  return diffTrees(reader, common === null ? null : (commitAt(reader, common)?.tree ?? null), commit.tree);
}

/** Compares the content of a changed file. */
export function fileDiff(reader: GitReader, change: ChangedPath): FileDiff {
  const { before, after } = change;
  const sha = after?.sha ?? before?.sha ?? '';
  const old = contentOf(reader, before);
  const fresh = contentOf(reader, after);
  const binary = isBinaryPair(old, fresh);
  const same = before !== null && before.sha === after?.sha;
  if (binary || same || !old || !fresh) {
    return { ...change, sha, additions: 0, deletions: 0, changes: 0, patch: null, binary };
  }
  const { additions, deletions, patch } = diffBlobs(old, fresh, before?.path ?? change.path);
  const changes = additions + deletions;
  return { ...change, sha, additions, deletions, changes, patch: patch === '' ? null : patch, binary };
}

function isBinaryPair(old: GitBlob | undefined, fresh: GitBlob | undefined): boolean {
  return (old !== undefined && isBinary(old)) || (fresh !== undefined && isBinary(fresh));
}

const NOTHING = blobOfText('');

/** What stands at a leaf as a file: of a submodule the line that git shows for it. */
function contentOf(reader: GitReader, leaf: Leaf | null): GitBlob | undefined {
  if (!leaf) return NOTHING;
  return leaf.mode === '160000' ? blobOfText(`Subproject commit ${leaf.sha}\n`) : contentAt(reader, leaf.sha);
}

const compared = new WeakMap<GitBlob, WeakMap<GitBlob, TextDiff & { readonly path: string }>>();

/** The differences between two blobs, kept as long as both are. */
function diffBlobs(old: GitBlob, fresh: GitBlob, path: string): TextDiff {
  const known = compared.get(old)?.get(fresh);
  if (known?.path === path) return known;
  const diff = diffBytes(bytesOfBlob(old), bytesOfBlob(fresh), path);
  const byNew = compared.get(old) ?? new WeakMap<GitBlob, TextDiff & { readonly path: string }>();
  compared.set(old, byNew.set(fresh, { ...diff, path }));
  return diff;
}

/** How many lines and files a diff changes. */
export interface DiffTotals {
  readonly additions: number;
  readonly deletions: number;
  readonly total: number;
  readonly files: number;
}

/** Adds up a diff. */
export function totalsOf(files: readonly FileDiff[]): DiffTotals {
  let additions = 0;
  let deletions = 0;
  for (const file of files) {
    additions += file.additions;
    deletions += file.deletions;
  }
  return { additions, deletions, total: additions + deletions, files: files.length };
}
