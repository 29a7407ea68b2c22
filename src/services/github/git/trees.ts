import { blobOfText } from './blobs.ts';
import { sortEntries } from './hash.ts';
import { entriesAt, type GitReader, type GitWriter, type TreeEntry, type TreeEntryType } from './store.ts';

const TREE_MODE = '040000';

/** The kind of object that a mode names. */
export function typeOfMode(mode: string): TreeEntryType {
  if (mode === TREE_MODE || mode === '40000') return 'tree';
  return mode === '160000' ? 'commit' : 'blob';
}

/** Whether git lets a path into a tree: no name is empty, leads elsewhere or is the repository's own. */
export function isTreePath(path: string): boolean {
  return path.split('/').every((name) => !/^(?:\.{0,2}|\.git)$/iu.test(name) && !name.includes('\0'));
}

/** The entry at a path below a tree, its `path` being the full one; null when there is none. */
export function entryAtPath(reader: GitReader, tree: string, path: string): TreeEntry | null {
  const names = namesOf(path);
  let entry: TreeEntry | null = null;
  let at = tree;
  for (const name of names) {
    if (entry && entry.type !== 'tree') return null;
    entry = entriesAt(reader, at).find(({ path: candidate }) => candidate === name) ?? null;
    if (entry === null) return null;
    at = entry.sha;
  }
  return entry && { ...entry, path: names.join('/') };
}

/** The hash of what stands at a path below a tree; the tree's own for the empty path. */
export function shaAtPath(reader: GitReader, tree: string, path: string): string | null {
  return namesOf(path).length === 0 ? tree : (entryAtPath(reader, tree, path)?.sha ?? null);
}

/** Whether two trees hold the same at a path, mode and all. Reads no further than they differ. */
export function samePath(reader: GitReader, { one, other, path }: ComparedPath): boolean {
  let [left, right]: (Standing | undefined)[] = [
    { sha: one, mode: '' },
    { sha: other, mode: '' },
  ];
  for (const name of namesOf(path)) {
    if (left?.sha === right?.sha && left?.mode === right?.mode) return true;
    left = left && entryBelow(reader, left.sha, name);
    right = right && entryBelow(reader, right.sha, name);
  }
  return left?.sha === right?.sha && left?.mode === right?.mode;
}

interface ComparedPath {
  readonly one: string;
  readonly other: string;
  readonly path: string;
}

type Standing = Pick<TreeEntry, 'sha' | 'mode'>;

function entryBelow(reader: GitReader, tree: string, name: string): TreeEntry | undefined {
  return entriesAt(reader, tree).find(({ path }) => path === name);
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '');
}

/** How to list a tree. */
export interface ListOptions {
  /** Prepended to every path. */
  readonly under?: string;
  /** Whether trees are listed too, each before what is in it, as the API's recursive listing does. */
  readonly trees?: boolean;
}

/** Everything below a tree, with full paths, in git's order. */
export function* listTree(
  reader: GitReader,
  tree: string,
  { under = '', trees = false }: ListOptions = {},
): Generator<TreeEntry> {
  for (const entry of entriesAt(reader, tree)) {
    const path = under === '' ? entry.path : `${under}/${entry.path}`;
    if (entry.type !== 'tree' || trees) yield { ...entry, path };
    if (entry.type === 'tree') yield* listTree(reader, entry.sha, { under: path, trees });
  }
}

/** A change to a tree: what stands at a path from now on. Names that are missing on the way are made. */
export interface TreeChange {
  /** Names joined by slashes. */
  readonly path: string;
  /** The hash of the object; null removes the path; absent with `content`. */
  readonly sha?: string | null;
  /** The text of a new blob. */
  readonly content?: string;
  /** The mode that stands there, or that of a plain file, when it is absent. */
  readonly mode?: string;
}

interface Branch {
  readonly leaves: Map<string, TreeChange>;
  readonly branches: Map<string, Branch>;
}

/**
 * The tree that results from changes to a base tree (null: to the empty tree), stored with all its subtrees.
 * Subtrees that no change touches are kept as they are, those left empty are dropped.
 */
export function writeTree(writer: GitWriter, base: string | null, changes: readonly TreeChange[]): string {
  const root: Branch = { leaves: new Map(), branches: new Map() };
  for (const change of changes) plant(root, change);
  const entries = rebuild(writer, base, root);
  return writer.put({ kind: 'tree', entries });
}

function plant(root: Branch, change: TreeChange): void {
  const names = namesOf(change.path);
  const last = names.pop();
  if (last === undefined) return;
  let branch = root;
  for (const name of names) {
    let next = branch.branches.get(name);
    if (!next) {
      next = { leaves: new Map(), branches: new Map() };
      branch.branches.set(name, next);
    }
    branch = next;
  }
  branch.leaves.set(last, change);
}

function rebuild(writer: GitWriter, base: string | null, branch: Branch): TreeEntry[] {
  const entries = new Map<string, TreeEntry>();
  for (const entry of base === null ? [] : entriesAt(writer, base)) entries.set(entry.path, entry);
  for (const [name, change] of branch.leaves) {
    const entry = entryOfChange(writer, { name, change, before: entries.get(name) });
    if (entry) entries.set(name, entry);
    else entries.delete(name);
  }
  for (const [name, below] of branch.branches) {
    const before = entries.get(name);
    const inside = rebuild(writer, before?.type === 'tree' ? before.sha : null, below);
    if (inside.length > 0) {
      const sha = writer.put({ kind: 'tree', entries: inside });
      entries.set(name, { path: name, mode: TREE_MODE, type: 'tree', sha });
    } else if (before?.type === 'tree') {
      entries.delete(name);
    }
  }
  return sortEntries([...entries.values()]);
}

function entryOfChange(
  writer: GitWriter,
  { name, change, before }: { name: string; change: TreeChange; before: TreeEntry | undefined },
): TreeEntry | null {
  const sha = change.content === undefined ? change.sha : writer.put(blobOfText(change.content));
  if (sha === null || sha === undefined) return null;
  const standing = before && before.type !== 'tree' ? before.mode : '100644';
  const mode = change.mode === '40000' ? TREE_MODE : (change.mode ?? standing);
  return { path: name, mode, type: typeOfMode(mode), sha };
}

/** The changes among these that remove a path that is not in the tree: the API refuses them. */
export function absentRemovals(
  reader: GitReader,
  tree: string | null,
  changes: readonly TreeChange[],
): readonly TreeChange[] {
  return changes.filter(
    ({ path, sha, content }) =>
      sha === null && content === undefined && (tree === null || entryAtPath(reader, tree, path) === null),
  );
}
