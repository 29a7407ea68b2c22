import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonObject, jsonEqual } from '../base/json.ts';
import type { ChangeRecord } from '../trajectory/types.ts';
import { NetDiff } from './net-diff.ts';

const at = { table: 's.t', key: 'k' } as const;
const insert = (row: JsonObject): ChangeRecord => ({ op: 'insert', ...at, row });
const remove = (row: JsonObject): ChangeRecord => ({ op: 'delete', ...at, row });
const update = (cells: Extract<ChangeRecord, { op: 'update' }>['cells']): ChangeRecord => ({
  op: 'update',
  ...at,
  cells,
});

function compose(changes: readonly ChangeRecord[]): ChangeRecord[] {
  const net = new NetDiff();
  for (const [step, change] of changes.entries()) net.add(change, step);
  return net.changes().map(({ change }) => change);
}

describe('NetDiff', () => {
  it.each<[string, ChangeRecord[], ChangeRecord[]]>([
    [
      'insert, update',
      [insert({ a: 1 }), update({ a: { from: 1, to: 2 }, b: { to: 3 } })],
      [insert({ a: 2, b: 3 })],
    ],
    [
      'insert, update that drops a column',
      [insert({ a: 1, b: 2 }), update({ b: { from: 2 } })],
      [insert({ a: 1 })],
    ],
    ['insert, delete', [insert({ a: 1 }), remove({ a: 1 })], []],
    ['insert, delete, insert', [insert({ a: 1 }), remove({ a: 1 }), insert({ a: 2 })], [insert({ a: 2 })]],
    [
      'update, update',
      [update({ a: { from: 1, to: 2 } }), update({ a: { from: 2, to: 3 } })],
      [update({ a: { from: 1, to: 3 } })],
    ],
    ['update back', [update({ a: { from: 1, to: 2 } }), update({ a: { from: 2, to: 1 } })], []],
    ['a column that came and went', [update({ a: { to: 2 } }), update({ a: { from: 2 } })], []],
    ['update, delete', [update({ a: { from: 1, to: 2 } }), remove({ a: 2, b: 0 })], [remove({ a: 1, b: 0 })]],
    ['delete, insert of the same', [remove({ a: 1 }), insert({ a: 1 })], []],
    [
      'delete, insert of another',
      [remove({ a: 1, b: 1 }), insert({ a: 2 })],
      [update({ a: { from: 1, to: 2 }, b: { from: 1 } })],
    ],
    ['an update that changes nothing', [update({ a: { from: 1, to: 1 } })], []],
  ])('%s', (_, changes, wanted) => {
    expect(compose(changes)).toEqual(wanted);
  });

  it('names the steps that touched a row, and keeps tables and keys apart', () => {
    const net = new NetDiff();
    net.add(insert({ a: 1 }), 3);
    net.add({ op: 'insert', table: 's.u', key: 'k', row: {} }, 3);
    net.add({ op: 'insert', table: 's.t', key: ['k'], row: {} }, 4);
    net.add(update({ a: { from: 1, to: 2 } }), 7);
    net.add(update({ a: { from: 2, to: 5 } }), 7);
    expect(net.changes().map(({ change, steps }) => [change.table, change.key, steps])).toEqual([
      ['s.t', 'k', [3, 7]],
      ['s.u', 'k', [3]],
      ['s.t', ['k'], [4]],
    ]);
  });

  it('names the steps that wrote a column, since the row last was as at the start', () => {
    const net = new NetDiff();
    net.add(update({ a: { from: 1, to: 2 } }), 0);
    net.add(update({ a: { from: 2, to: 1 } }), 1);
    net.add(update({ a: { from: 1, to: 3 }, b: { to: 0 } }), 2);
    net.add(update({ b: { from: 0, to: 4 } }), 3);
    const [row] = net.changes();
    expect(row?.steps).toEqual([2, 3]);
    expect(['a', 'b', 'c'].map((column) => row?.writers?.(column))).toEqual([[2], [2, 3], []]);
  });

  it('equals the difference of the worlds at both ends, whatever happened between', () => {
    const row = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 2 }), { maxKeys: 3 });
    fc.assert(
      fc.property(fc.option(row), fc.array(fc.option(row), { maxLength: 8 }), (start, states) => {
        const net = new NetDiff();
        let before = start;
        for (const [step, after] of states.entries()) {
          const change = difference(before, after);
          if (change) net.add(change, step);
          before = after;
        }
        const wanted = difference(start, before);
        expect(net.changes().map(({ change }) => change)).toEqual(wanted === null ? [] : [wanted]);
      }),
      { numRuns: 500 },
    );
  });
});

function difference(before: JsonObject | null, after: JsonObject | null): ChangeRecord | null {
  if (before === null) return after === null ? null : insert(after);
  if (after === null) return remove(before);
  const cells: Record<string, object> = {};
  for (const column of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (jsonEqual(before[column], after[column])) continue;
    cells[column] = {
      ...(column in before ? { from: before[column] } : {}),
      ...(column in after ? { to: after[column] } : {}),
    };
  }
  return Object.keys(cells).length === 0 ? null : update(cells);
}
