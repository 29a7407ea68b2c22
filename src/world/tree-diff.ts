import { rowChange } from './changes.ts';
import type { CompiledTable } from './compile.ts';
import type { TableState } from './table.ts';
import { type Node, outranks, ready, rowOf, split, type Tree } from './tree.ts';
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
  const { before, after } = trees;
  if (before === after) return;
  if (before === null || after === null) {
    walk(table, before ?? after, before !== null, changes);
    return;
  }
  if (
    before.merkle !== undefined &&
    before.merkle === after.merkle &&
    table.hashed.length === table.columns.size
  ) {
    return;
  }
  ready(before);
  ready(after);
  if (before.entry.key === after.entry.key) {
    diffTrees(table, { before: before.left, after: after.left }, changes);
    if (before.entry !== after.entry) {
      const change = rowChange(table, rowOf(before.entry), rowOf(after.entry));
      if (change !== undefined) changes.push(change);
    }
    diffTrees(table, { before: before.right, after: after.right }, changes);
    return;
  }
  const beforeOnTop = outranks(before, after.entry);
  const top: Node = beforeOnTop ? before : after;
  const { less, equal, more } = split(beforeOnTop ? after : before, top.entry.key);
  diffTrees(
    table,
    beforeOnTop ? { before: top.left, after: less } : { before: less, after: top.left },
    changes,
  );
  const there = rowOf(top.entry);
  const other = equal && rowOf(equal.entry);
  const change = beforeOnTop ? rowChange(table, there, other) : rowChange(table, other, there);
  if (change !== undefined) changes.push(change);
  diffTrees(
    table,
    beforeOnTop ? { before: top.right, after: more } : { before: more, after: top.right },
    changes,
  );
}

function walk(table: CompiledTable, tree: Tree, gone: boolean, changes: RowChange[]): void {
  if (tree === null) return;
  ready(tree);
  walk(table, tree.left, gone, changes);
  const row = rowOf(tree.entry);
  const change = gone ? rowChange(table, row, undefined) : rowChange(table, undefined, row);
  if (change !== undefined) changes.push(change);
  walk(table, tree.right, gone, changes);
}
