import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkContract } from './contract.ts';
import type { NetChange } from './net-diff.ts';
import type { WorldShape } from './types.ts';

/** A row as plain numbers: its content, and the row it refers to (itself allowed), or null. */
interface Row {
  readonly content: number;
  readonly parent: number | null;
}

const SHAPE: WorldShape = {
  's.nodes': {
    primaryKey: ['id'],
    foreignKeys: { parent_id: 's.nodes' },
    volatile: ['id'],
    unhashed: [],
    ambient: false,
  },
};

function inserts(rows: readonly Row[], prefix: string): NetChange[] {
  return rows.map(({ content, parent }, index) => {
    const key = `${prefix}-${index}`;
    const parentId = parent === null ? null : `${prefix}-${parent}`;
    const row = { id: key, content, parent_id: parentId };
    return { change: { op: 'insert', table: 's.nodes', key, row }, steps: [index] };
  });
}

function passes(expected: readonly Row[], got: readonly Row[], allowed = false): boolean {
  const expect_ = inserts(expected, 'E').map(({ change }) => change);
  const allow = allowed ? [{ table: 's.nodes', where: { content: 9 } }] : [];
  return (
    checkContract({ expect: expect_, allow, mask: [] }, inserts(got, 'G'), { shape: SHAPE }).length === 0
  );
}

/** Whether some renaming makes the lists equal, by trying all. */
function sameUpToRenaming(
  expected: readonly Row[],
  got: readonly Row[],
  pairs: readonly number[] = [],
): boolean {
  if (expected.length !== got.length) return false;
  if (pairs.length === expected.length) {
    return expected.every(({ content, parent }, index) => {
      const other = got[pairs[index] ?? -1];
      const wanted = parent === null ? null : pairs[parent];
      return other?.content === content && other.parent === wanted;
    });
  }
  return got.some(
    (_, choice) => !pairs.includes(choice) && sameUpToRenaming(expected, got, [...pairs, choice]),
  );
}

const rowsOf = (size: number): fc.Arbitrary<Row[]> =>
  fc.array(
    fc.record({
      content: fc.integer({ min: 0, max: 1 }),
      parent: fc.option(fc.integer({ min: 0, max: size - 1 })),
    }),
    { minLength: size, maxLength: size },
  );

describe('pairing of inserted rows', () => {
  it('holds exactly when some renaming makes both sides equal', () => {
    const two = fc.integer({ min: 1, max: 5 }).chain((size) => fc.tuple(rowsOf(size), rowsOf(size)));
    fc.assert(
      fc.property(two, ([expected, got]) => {
        expect(passes(expected, got)).toBe(sameUpToRenaming(expected, got));
      }),
      { numRuns: 1000 },
    );
  });

  it('holds for every renaming and order, with allowed rows among them that refer to the others', () => {
    const one = fc
      .integer({ min: 1, max: 7 })
      .chain((size) =>
        fc.tuple(rowsOf(size), fc.shuffledSubarray([...Array(size).keys()], { minLength: size })),
      );
    fc.assert(
      fc.property(one, fc.nat({ max: 3 }), ([expected, order], extras) => {
        const place = new Map(order.map((from, to) => [from, to]));
        const renamed = order.map((from): Row => {
          const { content = 0, parent = null } = expected[from] ?? {};
          return { content, parent: parent === null ? null : (place.get(parent) ?? null) };
        });
        const surplus = Array.from({ length: extras }, (): Row => ({ content: 9, parent: 0 }));
        expect(passes(expected, [...renamed, ...surplus], true)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
