import { describe, expect, it } from 'vitest';
import { checkAnswer, containsFolded, foldAnswer } from './answer.ts';

const contains = (answer: string, needle: string): boolean =>
  containsFolded(foldAnswer(answer), foldAnswer(needle));

describe('foldAnswer', () => {
  it.each([
    ['  Order\n\tDONE ', 'order done'],
    ['1,240.00', '1240'],
    ['1,240,000', '1240000'],
    ['12,40', '12,40'],
    ['1,2400', '1,2400'],
    ['1,240, as agreed', '1240, as agreed'],
    ['1,234,56', '1,234,56'],
    ['0.50', '0.5'],
    ['5.', '5.'],
    ['v1.20.0', 'v1.20.0'],
    ['00120', '00120'],
    ['1, 2 and 3,456', '1, 2 and 3456'],
  ])('%j → %j', (text, folded) => {
    expect(foldAnswer(text)).toBe(folded);
  });
});

describe('containsFolded', () => {
  it.each([
    ['We refunded $1,240.00.', '1240', true],
    ['We refunded $1240', '1,240.00', true],
    ['We refunded $1,240.50', '1240', false],
    ['We refunded $1,240', '240', false],
    ['We refunded 2400', '240', false],
    ['We refunded 240.', '240', true],
    ['240, as agreed', '240', true],
    ['The balance is -240', '240', false],
    ['The balance is -240', '-240', true],
    ['Order ORD-240', '240', true],
    ['5-240', '240', true],
    ['$240.00 refunded', '$240', true],
    ['USD240', '240', true],
    ['order 12', 'order 1', false],
    ['Your REFUND  is due', 'refund is', true],
    ['0.5 kg', '0.50', true],
    ['anything', '', false],
    ['it is 7', '7.0', true],
  ])('%j contains %j: %s', (answer, needle, found) => {
    expect(contains(answer, needle)).toBe(found);
  });
});

describe('checkAnswer', () => {
  it('passes when every part does', () => {
    const check = {
      contains: ['240'],
      excludes: ['sorry'],
      matches: ['order #?\\d+', '\\$240\\.00'],
      anyOf: ['done', 'ok'],
    };
    expect(checkAnswer(check, 'Order #88213 is done: $240.00')).toEqual([]);
  });

  it('names each part that does not', () => {
    const check = { contains: ['240'], excludes: ['sorry'], matches: ['^done'], anyOf: ['done', 'ok'] };
    expect(checkAnswer(check, 'Sorry, 2400').map((witness) => witness.message)).toEqual([
      'the answer lacks "240"',
      'the answer contains "sorry"',
      'the answer does not match /^done/',
      'the answer contains none of the choices',
    ]);
  });

  it('fails an answer that was never given, and throws for a pattern that is none', () => {
    expect(checkAnswer({ matches: ['.*'] }, null)).toHaveLength(1);
    expect(checkAnswer({ excludes: ['x'] }, null)).toEqual([]);
    expect(() => checkAnswer({ matches: ['('] }, 'x')).toThrow(SyntaxError);
  });
});
