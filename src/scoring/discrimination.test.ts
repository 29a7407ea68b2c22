import { describe, expect, it } from 'vitest';
import { discriminationByClass, type JudgedPair } from './discrimination.ts';

const pair = (instance: string, faultyFlagged: boolean, cleanFlagged: boolean): JudgedPair => ({
  instance,
  sameReply: true,
  silent: true,
  faultyFlagged,
  cleanFlagged,
});

describe('discriminationByClass', () => {
  it('is nothing for a judge that sees the same of both, however much it flags', () => {
    const pairs = Array.from({ length: 9 }, (_, index) => pair(`i${index}`, index < 4, index < 4));
    const { 'reply identical': same } = discriminationByClass(pairs);
    expect([same.faultyFlagged, same.cleanFlagged]).toEqual([4 / 9, 4 / 9]);
    expect(same.difference.value).toBe(0);
  });

  it('is the mean over pairs, with instances as clusters', () => {
    const pairs = [
      pair('a', true, false),
      pair('a', true, false),
      pair('b', false, false),
      pair('c', true, true),
    ];
    const { silent, loud } = discriminationByClass(pairs);
    expect(silent.difference).toMatchObject({ value: 0.5, n: 4, clusters: 3 });
    expect(loud).toEqual({
      pairs: 0,
      faultyFlagged: null,
      cleanFlagged: null,
      difference: { value: null, reason: 'no pair of this class' },
    });
  });
});
