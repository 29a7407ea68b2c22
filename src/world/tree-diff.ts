import { rowChange } from './changes.ts';
import type { CompiledTable } from './compile.ts';
import { Cursor } from './cursor.ts';
import { AFTER_PREFIX } from './keys.ts';
import type { Slots } from './slots.ts';
import type { TableState } from './table.ts';
import { type Entry, isNode, opened, outranks, rowOf, split, type Tree } from './tree.ts';
import type { RowChange } from './types.ts';

/** The changes from some tables to others of the same names, ordered by table and key. */
export function diffTables(before: Slots<TableState>, after: Slots<TableState>): readonly RowChange[] {
  const changes: RowChange[] = [];
  for (let position = 0; position < before.length; position += 1) {
    const left = before.at(position);
    const right = after.at(position);
    if (left === right) continue;
    visitChanges(left.table, { before: left.root, after: right.root }, (from, to) => {
      const change = rowChange(left.table, from && rowOf(from), to && rowOf(to));
      if (change !== undefined) changes.push(change);
    });
  }
  return changes;
}

/** Is told of every row that differs: its entry before, its entry after, undefined where there is none. */
export type ChangeVisitor = (before: Entry | undefined, after: Entry | undefined) => void;

/**
 * Walks two trees together and skips what they share: by identity, or by Merkle digest where both know it, as
 * two readings of one packed file do. As the shape depends on the keys alone, trees that differ by few rows
 * share all but a few paths.
 */
export function visitChanges(
  table: CompiledTable,
  trees: { readonly before: Tree; readonly after: Tree },
  visit: ChangeVisitor,
): void {
  if (trees.before === trees.after) return;
  if (trees.before === null || trees.after === null) {
    walk(trees, visit);
    return;
  }
  if (sameMerkle(table, trees.before, trees.after)) return;
  const before = opened(trees.before);
  const after = opened(trees.after);
  if (before.entry.key === after.entry.key) {
    visitChanges(table, { before: before.left, after: after.left }, visit);
    if (before.entry !== after.entry) visit(before.entry, after.entry);
    visitChanges(table, { before: before.right, after: after.right }, visit);
  } else if (outranks(before, after.entry)) {
    const { less, equal, more } = split(trees.after, before.entry.key);
    visitChanges(table, { before: before.left, after: less }, visit);
    visit(before.entry, equal);
    visitChanges(table, { before: before.right, after: more }, visit);
  } else {
    const { less, equal, more } = split(trees.before, after.entry.key);
    visitChanges(table, { before: less, after: after.left }, visit);
    visit(equal, after.entry);
    visitChanges(table, { before: more, after: after.right }, visit);
  }
}

/** Equal digests mean equal rows only where no column is left out of them. */
function sameMerkle(table: CompiledTable, before: Tree, after: Tree): boolean {
  if (!isNode(before) || !isNode(after) || before.merkle === undefined) return false;
  return before.merkle === after.merkle && table.hashed.length === table.columns.size;
}

/** Tells of all rows of the one tree that is not empty. */
function walk(trees: { readonly before: Tree; readonly after: Tree }, visit: ChangeVisitor): void {
  const gone = trees.before !== null;
  const cursor = new Cursor(trees.before ?? trees.after, { from: '', until: AFTER_PREFIX, reverse: false });
  for (let entry = cursor.next(); entry !== undefined; entry = cursor.next()) {
    if (gone) visit(entry, undefined);
    else visit(undefined, entry);
  }
}
