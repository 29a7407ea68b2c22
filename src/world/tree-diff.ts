import { rowChange } from './changes.ts';
import type { CompiledTable } from './compile.ts';
import { Cursor } from './cursor.ts';
import { AFTER_PREFIX } from './keys.ts';
import type { TableState } from './table.ts';
import { type Entry, isNode, opened, outranks, rowOf, split, type Tree } from './tree.ts';
import type { RowChange } from './types.ts';

/** The changes from some tables to others of the same names, ordered by table and key. */
export function diffTables(
  before: readonly TableState[],
  after: readonly TableState[],
): readonly RowChange[] {
  const changes: RowChange[] = [];
  for (let position = 0; position < before.length; position += 1) {
    const left = before[position] as TableState;
    const right = after[position] as TableState;
    if (left !== right) diffTrees(left.table, { before: left.root, after: right.root }, changes);
  }
  return changes;
}

/**
 * Walks two trees together and skips what they share: by identity, or by Merkle digest where both know it, as
 * two readings of one packed file do. As the shape depends on the keys alone, trees that differ by few rows
 * share all but a few paths.
 */
function diffTrees(table: CompiledTable, trees: { before: Tree; after: Tree }, changes: RowChange[]): void {
  if (trees.before === trees.after) return;
  if (trees.before === null || trees.after === null) {
    walk(table, trees, changes);
    return;
  }
  if (sameMerkle(table, trees.before, trees.after)) return;
  const before = opened(trees.before);
  const after = opened(trees.after);
  if (before.entry.key === after.entry.key) {
    diffTrees(table, { before: before.left, after: after.left }, changes);
    if (before.entry !== after.entry) note(table, { before: before.entry, after: after.entry }, changes);
    diffTrees(table, { before: before.right, after: after.right }, changes);
  } else if (outranks(before, after.entry)) {
    const { less, equal, more } = split(trees.after, before.entry.key);
    diffTrees(table, { before: before.left, after: less }, changes);
    note(table, { before: before.entry, after: equal }, changes);
    diffTrees(table, { before: before.right, after: more }, changes);
  } else {
    const { less, equal, more } = split(trees.before, after.entry.key);
    diffTrees(table, { before: less, after: after.left }, changes);
    note(table, { before: equal, after: after.entry }, changes);
    diffTrees(table, { before: more, after: after.right }, changes);
  }
}

/** Equal digests mean equal rows only where no column is left out of them. */
function sameMerkle(table: CompiledTable, before: Tree, after: Tree): boolean {
  if (!isNode(before) || !isNode(after) || before.merkle === undefined) return false;
  return before.merkle === after.merkle && table.hashed.length === table.columns.size;
}

interface EntryPair {
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

function note(table: CompiledTable, { before, after }: EntryPair, changes: RowChange[]): void {
  const change = rowChange(table, before && rowOf(before), after && rowOf(after));
  if (change !== undefined) changes.push(change);
}

/** Notes all rows of the one tree that is not empty. */
function walk(table: CompiledTable, trees: { before: Tree; after: Tree }, changes: RowChange[]): void {
  const gone = trees.before !== null;
  const cursor = new Cursor(trees.before ?? trees.after, { from: '', until: AFTER_PREFIX, reverse: false });
  for (let entry = cursor.next(); entry !== undefined; entry = cursor.next()) {
    if (gone) note(table, { before: entry, after: undefined }, changes);
    else note(table, { before: undefined, after: entry }, changes);
  }
}
