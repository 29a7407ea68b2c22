import { bytesOfText } from './bytes.ts';
import { entriesAt, type GitReader, type TreeEntry } from './store.ts';
import { listTree } from './trees.ts';

/** One side of a changed path: what stands there. */
export interface Leaf {
  readonly path: string;
  readonly mode: string;
  readonly sha: string;
}

/** A path that two trees hold differently; either side is null where it is missing. */
export interface PathChange {
  readonly path: string;
  readonly before: Leaf | null;
  readonly after: Leaf | null;
}

/**
 * The files that two trees hold differently, by path in git's order; null stands for the empty tree. Only
 * subtrees with different hashes are read.
 */
export function comparePaths(reader: GitReader, before: string | null, after: string | null): PathChange[] {
  const changes: PathChange[] = [];
  compareInto(reader, changes, { before, after, under: '' });
  return inPathOrder(changes);
}

interface Compared {
  readonly before: string | null;
  readonly after: string | null;
  readonly under: string;
}

function compareInto(reader: GitReader, changes: PathChange[], { before, after, under }: Compared): void {
  if (before === after) return;
  const rest = new Map<string, TreeEntry>();
  for (const entry of before === null ? [] : entriesAt(reader, before)) rest.set(entry.path, entry);
  for (const entry of after === null ? [] : entriesAt(reader, after)) {
    const old = rest.get(entry.path);
    rest.delete(entry.path);
    if (old && old.sha === entry.sha && old.mode === entry.mode) continue;
    const path = under + entry.path;
    if (old?.type === 'tree' && entry.type === 'tree') {
      compareInto(reader, changes, { before: old.sha, after: entry.sha, under: `${path}/` });
    } else if (old && old.type !== 'tree' && entry.type !== 'tree') {
      changes.push({ path, before: { ...leaf(old), path }, after: { ...leaf(entry), path } });
    } else {
      if (old)
        for (const one of leavesOf(reader, old, path)) changes.push({ path: one.path, ...removed(one) });
      for (const one of leavesOf(reader, entry, path)) changes.push({ path: one.path, ...added(one) });
    }
  }
  for (const old of rest.values()) {
    for (const one of leavesOf(reader, old, under + old.path))
      changes.push({ path: one.path, ...removed(one) });
  }
}

function leaf({ path, mode, sha }: TreeEntry): Leaf {
  return { path, mode, sha };
}

function removed(before: Leaf): { readonly before: Leaf; readonly after: null } {
  return { before, after: null };
}

function added(after: Leaf): { readonly before: null; readonly after: Leaf } {
  return { before: null, after };
}

function leavesOf(reader: GitReader, entry: TreeEntry, path: string): Leaf[] {
  if (entry.type !== 'tree') return [{ ...leaf(entry), path }];
  return [...listTree(reader, entry.sha, { under: path })].map(leaf);
}

/** Sorts by the bytes of the path. */
export function inPathOrder<Item extends { readonly path: string }>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, key: bytesOfText(item.path) }))
    .sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0))
    .map(({ item }) => item);
}
