import { describe, expect, it } from 'vitest';
import { holds } from '../base/predicate.ts';
import { testProblem } from './predicates.ts';

describe('a test of a plan', () => {
  it('is wrong where no value could ever pass it', () => {
    const wrong: [Parameters<typeof testProblem>[0], string, RegExp][] = [
      [{ matches: '(' }, 'matches', /regular expression/iu],
      [{ matches: 5 }, 'matches', /takes a regular expression/u],
      [{ in: 3 }, 'in', /takes a list/u],
      [{ in: [] }, 'in', /takes a list/u],
      [{ exists: 'yes' }, 'exists', /true or false/u],
      [{ gt: 1, lte: null }, 'lte', /a number or a text/u],
      [{ gt: 1, lessThan: 9 }, 'lessThan', /no test named/u],
    ];
    for (const [test, member, message] of wrong) {
      expect(testProblem(test), JSON.stringify(test)).toMatchObject({ member });
      expect(testProblem(test)?.message).toMatch(message);
    }
    expect(testProblem({ gte: 1, match: 'x' })?.hint).toBe('did you mean matches?');
  });

  it('is right where some value passes it', () => {
    const right: [Parameters<typeof testProblem>[0], Parameters<typeof holds>[1]][] = [
      [{ matches: '^a+$' }, 'aa'],
      [{ in: [1, 2] }, 2],
      [{ exists: false }, undefined],
      [{ gt: 1, lte: 3 }, 2],
      [{ gte: 'a' }, 'b'],
      [{ eq: null }, undefined],
      [{ ne: 5 }, 6],
      [{ street: 'Elm' }, { street: 'Elm' }],
      [[1], [1]],
      ['x', 'x'],
    ];
    for (const [test, value] of right) {
      expect(testProblem(test), JSON.stringify(test)).toBeNull();
      expect(holds(test, value), JSON.stringify(test)).toBe(true);
    }
  });
});
