import { describe, expect, it } from 'vitest';
import { Kept } from './kept.ts';

describe('what is kept', () => {
  it('is made anew only when something that it is made of is another thing', () => {
    const kept = new Kept<object, number>(10);
    const [row, version] = [{}, {}];
    let made = 0;
    const ask = (of: readonly unknown[]): number => kept.of(row, of, () => ++made);
    expect([ask([version, 'a']), ask([version, 'a'])]).toEqual([1, 1]);
    expect(ask([version, 'b'])).toBe(2);
    expect(ask([{}, 'b'])).toBe(3);
    expect(kept.of({}, [version, 'b'], () => ++made)).toBe(4);
  });

  it('is let go when it was not asked for lately', () => {
    const kept = new Kept<number, string>(2);
    const ask = (key: number, text: string): string => kept.of(key, [], () => text);
    ask(1, 'first');
    for (const key of [2, 3]) ask(key, 'other');
    expect(ask(1, 'again')).toBe('first');
    for (const key of [4, 5, 6, 7]) ask(key, 'other');
    expect(ask(1, 'again')).toBe('again');
  });
});
