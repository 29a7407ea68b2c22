import { blobOfBytes, bytesOfBlob, isBinary, splitLines } from './blobs.ts';
import type { Bytes } from './bytes.ts';
import { mergeBases } from './history.ts';
import { diffLines, type LineChange } from './line-diff.ts';
import { findRenames } from './renames.ts';
import { commitAt, contentAt, type GitReader, type GitWriter, memoryStore } from './store.ts';
import { comparePaths, type Leaf, type PathChange } from './tree-diff.ts';
import { entryAtPath, type TreeChange, writeTree } from './trees.ts';

/** What a merge of trees came to. */
export type TreeMerge =
  | { readonly ok: true; readonly tree: string }
  | { readonly ok: false; readonly conflicts: readonly string[] };

/** The trees to merge: what both sides come from, and the two sides. */
export interface ThreeTrees {
  /** Null when the sides have nothing in common. */
  readonly base: string | null;
  readonly ours: string;
  readonly theirs: string;
}

/**
 * Merges two trees that come from a third, by files and by lines, following files that one side renamed.
 * Where one of the trees is not stored there is nothing to compare, and theirs stands.
 */
export function mergeTrees(writer: GitWriter, { base, ours, theirs }: ThreeTrees): TreeMerge {
  if (ours === theirs || theirs === base) return { ok: true, tree: ours };
  if (ours === base) return { ok: true, tree: theirs };
  const unknown = [base, ours, theirs].some((tree) => tree !== null && writer.get(tree)?.kind !== 'tree');
  if (unknown) return { ok: true, tree: theirs };
  const merge = new Merge(writer, {
    ours: comparePaths(writer, base, ours),
    theirs: comparePaths(writer, base, theirs),
  });
  const changes = merge.run();
  const conflicts = [...merge.conflicts, ...blockedPaths(writer, ours, changes)];
  if (conflicts.length > 0) return { ok: false, conflicts: [...new Set(conflicts)].sort() };
  return { ok: true, tree: writeTree(writer, ours, changes) };
}

interface Sides {
  readonly ours: readonly PathChange[];
  readonly theirs: readonly PathChange[];
}

class Merge {
  readonly conflicts: string[] = [];
  readonly #writer: GitWriter;
  readonly #ours: Map<string, PathChange>;
  readonly #theirs: Map<string, PathChange>;
  readonly #changes: TreeChange[] = [];

  constructor(writer: GitWriter, { ours, theirs }: Sides) {
    this.#writer = writer;
    this.#ours = new Map(ours.map((change) => [change.path, change]));
    this.#theirs = new Map(theirs.map((change) => [change.path, change]));
  }

  /** What must change in our tree. */
  run(): readonly TreeChange[] {
    this.#followRenames();
    for (const [path, { before, after }] of this.#theirs) {
      const mine = this.#ours.get(path);
      if (!mine) this.#take(path, after);
      else this.#settle(path, { before, ours: mine.after, theirs: after });
    }
    return this.#changes;
  }

  /**
   * A file that one side renamed and the other changed is merged at its new path. Only such files are looked
   * for: in all other cases a rename is as good as a removal and an addition.
   */
  #followRenames(): void {
    const ours = this.#renamesOf(this.#ours, this.#theirs);
    const theirs = this.#renamesOf(this.#theirs, this.#ours);
    for (const [from, mine] of ours) this.#followOne(from, mine, theirs.get(from));
    for (const [from, { before, after }] of theirs) {
      const mine = this.#ours.get(from);
      if (ours.has(from) || !mine) continue;
      this.#forget(from, after.path);
      if (!mine.after || mine.after.path !== from || this.#stands(after.path)) this.conflicts.push(from);
      else {
        this.#changes.push({ path: from, sha: null });
        this.#settle(after.path, { before, ours: mine.after, theirs: after, moved: true });
      }
    }
  }

  #followOne(from: string, mine: Moved, other: Moved | undefined): void {
    const { before, after } = mine;
    const theirs = other?.after ?? this.#theirs.get(from)?.after ?? null;
    const arrives = other ? other.after.path : from;
    if (!theirs || (other && arrives !== after.path)) this.conflicts.push(from);
    else if (!other && this.#theirs.get(after.path)?.after) this.conflicts.push(after.path);
    else this.#settle(after.path, { before, ours: after, theirs });
    this.#forget(from, after.path);
    this.#theirs.delete(arrives);
  }

  #forget(from: string, to: string): void {
    this.#theirs.delete(from);
    this.#theirs.delete(to);
  }

  /** Whether our side has put something of its own at a path. */
  #stands(path: string): boolean {
    return this.#ours.get(path)?.after !== undefined && this.#ours.get(path)?.after !== null;
  }

  #renamesOf(
    side: ReadonlyMap<string, PathChange>,
    other: ReadonlyMap<string, PathChange>,
  ): Map<string, Moved> {
    const contested = [...side.values()].some(
      ({ path, before, after }) => before && !after && other.has(path),
    );
    if (!contested) return new Map();
    const renames = findRenames(this.#writer, [...side.values()]);
    return new Map(
      renames.filter(({ before }) => other.has(before.path)).map((rename) => [rename.before.path, rename]),
    );
  }

  #take(path: string, leaf: Leaf | null): void {
    this.#changes.push(leaf ? { path, sha: leaf.sha, mode: leaf.mode } : { path, sha: null });
  }

  #settle(path: string, { before, ours, theirs, moved = false }: Contest): void {
    if (!moved && sameLeaf(ours, theirs)) return;
    if (!ours || !theirs) {
      this.conflicts.push(path);
      return;
    }
    const sha = this.#mergeContent({ before, ours, theirs });
    const mode = pick(before?.mode, ours.mode, theirs.mode);
    if (sha === null || mode === null) this.conflicts.push(path);
    else this.#changes.push({ path, sha, mode });
  }

  #mergeContent({ before, ours, theirs }: Contest): string | null {
    if (!ours || !theirs) return null;
    const picked = pick(before?.sha, ours.sha, theirs.sha);
    if (picked !== null) return picked;
    if (!before || ![before, ours, theirs].every(({ mode }) => mode.startsWith('100'))) return null;
    const blobs = [before, ours, theirs].map(({ sha }) => contentAt(this.#writer, sha));
    const [old, mine, other] = blobs;
    if (!old || !mine || !other || [old, mine, other].some(isBinary)) return null;
    const merged = mergeBytes({
      base: bytesOfBlob(old),
      ours: bytesOfBlob(mine),
      theirs: bytesOfBlob(other),
    });
    return merged === null ? null : this.#writer.put(blobOfBytes(merged));
  }
}

interface Moved {
  readonly before: Leaf;
  readonly after: Leaf;
}

interface Contest {
  readonly before: Leaf | null;
  readonly ours: Leaf | null;
  readonly theirs: Leaf | null;
  /** Whether our side has it elsewhere, so that it must be written in any case. */
  readonly moved?: boolean;
}

function sameLeaf(one: Leaf | null, other: Leaf | null): boolean {
  return one?.sha === other?.sha && one?.mode === other?.mode;
}

/** The side that changed; null when both did, and differently. */
function pick(before: string | undefined, ours: string, theirs: string): string | null {
  if (ours === theirs || theirs === before) return ours;
  return ours === before ? theirs : null;
}

/** Paths that our tree has no room for, as one is a file where the other is a directory. */
function blockedPaths(reader: GitReader, ours: string, changes: readonly TreeChange[]): string[] {
  const removed = new Set(changes.filter(({ sha }) => sha === null).map(({ path }) => path));
  const blocked = (path: string): boolean => {
    const standing = entryAtPath(reader, ours, path);
    if (standing?.type === 'tree') return !removedBelow(reader, { tree: ours, path, removed });
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const above = path.slice(0, slash);
      const entry = entryAtPath(reader, ours, above);
      if (entry && entry.type !== 'tree' && !removed.has(above)) return true;
    }
    return false;
  };
  return changes.filter(({ path, sha }) => sha !== null && blocked(path)).map(({ path }) => path);
}

/** Whether all that stands below a path is removed. */
function removedBelow(
  reader: GitReader,
  { tree, path, removed }: { readonly tree: string; readonly path: string; readonly removed: Set<string> },
): boolean {
  const entry = entryAtPath(reader, tree, path);
  if (entry?.type !== 'tree') return removed.has(path);
  return comparePaths(reader, entry.sha, null).every((leaf) => removed.has(`${path}/${leaf.path}`));
}

/** Merges what two sides made of a content; null when both changed the same place differently. */
export function mergeBytes({ base, ours, theirs }: Record<'base' | 'ours' | 'theirs', Bytes>): Bytes | null {
  const [old, mine, other] = [splitLines(base), splitLines(ours), splitLines(theirs)];
  const changes = [
    ...diffLines(old, mine, { byIndent: false }).map((change) => ({ change, lines: mine, side: 0 })),
    ...diffLines(old, other, { byIndent: false }).map((change) => ({ change, lines: other, side: 1 })),
  ].sort((left, right) => left.change.oldStart - right.change.oldStart || left.side - right.side);
  const merged: string[] = [];
  let at = 0;
  for (let next = 0; next < changes.length; ) {
    const group = touching(changes, next);
    next += group.length;
    const from = group[0]?.change.oldStart ?? at;
    const to = Math.max(...group.map(({ change }) => change.oldStart + change.oldCount));
    merged.push(...old.slice(at, from));
    const [first, second] = [0, 1].map((side) =>
      rewrite(
        old,
        group.filter((one) => one.side === side),
        { from, to },
      ),
    );
    if (first !== undefined && second !== undefined && first !== second) return null;
    merged.push(first ?? second ?? '');
    at = to;
  }
  return merged.concat(old.slice(at)).join('');
}

interface SidedChange {
  readonly change: LineChange;
  readonly lines: readonly string[];
  readonly side: number;
}

/** Changes from one on that overlap or touch. */
function touching(changes: readonly SidedChange[], from: number): SidedChange[] {
  const group: SidedChange[] = [];
  let end = -1;
  for (const one of changes.slice(from)) {
    if (group.length > 0 && one.change.oldStart > end) break;
    group.push(one);
    end = Math.max(end, one.change.oldStart + one.change.oldCount);
  }
  return group;
}

/** What one side's changes make of a stretch of the old lines; undefined when it has none. */
function rewrite(
  old: readonly string[],
  changes: readonly SidedChange[],
  { from, to }: { readonly from: number; readonly to: number },
): string | undefined {
  if (changes.length === 0) return undefined;
  const written: string[] = [];
  let at = from;
  for (const { change, lines } of changes) {
    written.push(...old.slice(at, change.oldStart));
    written.push(...lines.slice(change.newStart, change.newStart + change.newCount));
    at = change.oldStart + change.oldCount;
  }
  return written.concat(old.slice(at, to)).join('');
}

/** Merges the tree of one commit into that of another, from their best common ancestor. */
export function mergeCommits(writer: GitWriter, ours: string, theirs: string): TreeMerge {
  const [mine, other] = [commitAt(writer, ours), commitAt(writer, theirs)];
  if (!mine || !other) return { ok: true, tree: (other ?? mine)?.tree ?? '' };
  const base = commonTree(writer, mergeBases(writer, ours, theirs));
  return mergeTrees(writer, { base, ours: mine.tree, theirs: other.tree });
}

/** The tree that two sides come from. Several best ancestors are merged with each other, if they can be. */
function commonTree(writer: GitWriter, bases: readonly string[]): string | null {
  let tree: string | null = null;
  let last: string | null = null;
  for (const base of [...bases].reverse()) {
    const next = commitAt(writer, base)?.tree ?? null;
    if (tree === null || last === null || next === null) {
      tree = next;
    } else {
      const under = commitAt(writer, mergeBases(writer, last, base)[0] ?? '')?.tree ?? null;
      const merged = mergeTrees(writer, { base: under, ours: tree, theirs: next });
      if (merged.ok) tree = merged.tree;
    }
    last = base;
  }
  return tree;
}

/** The paths that stand against merging a head into a base; none when it can be merged. Keeps nothing. */
export function mergeConflicts(reader: GitReader, base: string, head: string): readonly string[] {
  const merge = mergeCommits(memoryStore(reader), base, head);
  return merge.ok ? [] : merge.conflicts;
}
