import { describe, expect, it } from 'vitest';
import type { Issue } from '../../schema/issues.ts';
import { type Condition, facets, issueIndex } from './issue-index.ts';
import { firstInOrder } from './order.ts';
import { Places, wordPostings } from './postings.ts';

/** Numbers that look random and are the same each time. */
function drawing(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % below;
  };
}

interface Note {
  readonly id: number;
  readonly of: number;
  readonly text: string;
}

const WORDS = ['cache', 'hangs', 'after', 'restart', 'lamp'];

/** Rows before and after some were changed, taken out and added; the changes as a table tells them. */
function history<R extends { readonly id: number }>(
  draw: (below: number) => number,
  make: (id: number) => R,
) {
  const before = Array.from({ length: 60 }, (_, index) => make(index + 1));
  const changes: { before?: R; after?: R }[] = [];
  const kept = before.flatMap((row) => {
    const what = draw(6);
    if (what > 1) return [row];
    if (what === 0) {
      changes.push({ before: row });
      return [];
    }
    const after = make(row.id);
    changes.push({ before: row, after });
    return [after];
  });
  const added = Array.from({ length: 5 }, (_, index) => make(61 + index));
  changes.push(...added.map((after) => ({ after })));
  return { before, changes, after: [...kept, ...added] };
}

describe('postings', () => {
  const derivation = wordPostings<Note>(
    ({ of }) => of,
    ({ text }) => text,
  );

  it('are the same brought up to date as made anew', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const draw = drawing(seed);
      const make = (id: number): Note => ({
        id,
        of: 1 + draw(12),
        text: `${WORDS[draw(5)]} ${WORDS[draw(5)]} a`,
      });
      const { before, changes, after } = history(draw, make);
      const patched = derivation.patch(derivation.build(before), changes);
      const built = derivation.build(after);
      for (const word of [...WORDS, 'a', 'nothing']) {
        expect(new Set(patched.under(word))).toEqual(new Set(built.under(word)));
        expect(patched.most(word)).toBeGreaterThanOrEqual(new Set(built.under(word)).size);
        for (let of = 1; of <= 12; of += 1) expect(patched.count(word, of)).toBe(built.count(word, of));
      }
    }
  });

  it('give what has all words, whichever place has which', () => {
    const title = derivation.build([{ id: 1, of: 1, text: 'cache' }]);
    const body = derivation.build([
      { id: 1, of: 1, text: 'hangs' },
      { id: 2, of: 2, text: 'cache' },
    ]);
    const places = new Places([title, body]);
    expect([...places.withAll(['cache', 'hangs'])]).toEqual([1]);
    expect([...places.withAll(['cache'])].sort()).toEqual([1, 2]);
    expect([...places.withAll([])]).toEqual([]);
  });
});

describe('the index of issues', () => {
  const rows = (draw: (below: number) => number) => (id: number) =>
    ({
      id,
      number: draw(30),
      created_at: `2024-01-0${1 + draw(5)}T00:00:00Z`,
      state: draw(2) === 0 ? 'open' : 'closed',
      kind: draw(3) === 0 ? 'pull' : 'issue',
      repository_id: draw(3),
      user_id: draw(4),
      locked: draw(5) === 0,
      milestone_id: draw(2) === 0 ? null : draw(3),
    }) as Issue;

  it('finds, the newest first, what a look at each issue finds', () => {
    let found = 0;
    for (let seed = 1; seed <= 40; seed += 1) {
      const { before, changes, after } = history(drawing(seed), rows(drawing(seed + 1_000)));
      const index = issueIndex.patch(issueIndex.build(before), changes);
      const open: Condition = { fits: ({ state }) => state === 'open', among: index.under(['open']) };
      const pulls: Condition = { fits: ({ kind }) => kind === 'pull', among: index.under(['pull']) };
      const old: Condition = { fits: ({ created_at }) => created_at < '2024-01-03' };
      const placed: Condition = {
        fits: ({ repository_id }) => repository_id < 2,
        among: index.under([0, 1].map(facets.repository)),
      };
      for (const conditions of [
        [],
        [open],
        [open, pulls],
        [{ ...pulls, negated: true }, placed],
        [old, open],
      ]) {
        const wanted = after.filter((issue) =>
          conditions.every(({ fits, negated }: Condition) => fits(issue) !== (negated ?? false)),
        );
        const inOrder = wanted.sort(
          (one, other) =>
            other.created_at.localeCompare(one.created_at) || other.number - one.number || other.id - one.id,
        );
        expect(index.withAll(conditions)).toEqual(inOrder);
        found += inOrder.length;
      }
    }
    expect(found).toBeGreaterThan(1_000);
  });
});

describe('the first in an order', () => {
  it('are those of the whole list sorted, those alike as they came', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const draw = drawing(seed);
      const items = Array.from({ length: 200 }, (_, index) => ({ index, value: draw(20) }));
      const count = 1 + draw(40);
      for (const order of ['asc', 'desc'] as const) {
        const sign = order === 'asc' ? 1 : -1;
        const sorted = [...items].sort((one, other) => sign * (one.value - other.value));
        const first = firstInOrder(items, { key: ({ value }) => value, order }, count);
        expect(first).toEqual(sorted.slice(0, count));
      }
    }
  });
});
