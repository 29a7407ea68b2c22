import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../base/json.ts';
import { callKey, matchCalls } from './calls.ts';
import type { ComparedCall } from './types.ts';

const call = (tool: string, input: ComparedCall['input'] = {}): ComparedCall => ({ tool, input });

const anyCall = fc.record({
  tool: fc.constantFrom('read', 'write'),
  input: fc.oneof(
    fc.record({ id: fc.integer({ min: 0, max: 2 }) }),
    fc.record({ malformed: fc.constantFrom('{', 'x') }),
    fc.jsonValue() as fc.Arbitrary<Json>,
  ),
}) as fc.Arbitrary<ComparedCall>;
const anyCalls = fc.array(anyCall, { maxLength: 8 });

describe('matchCalls: properties', () => {
  it('lies in [0, 1] both ways and pairs each call once', () => {
    fc.assert(
      fc.property(anyCalls, anyCalls, (calls, reference) => {
        const { matched, pairs } = matchCalls(calls, reference);
        expect(matched).toBeLessThanOrEqual(Math.min(calls.length, reference.length));
        expect(new Set(pairs.map((pair) => pair.call)).size).toBe(matched);
        expect(new Set(pairs.map((pair) => pair.reference)).size).toBe(matched);
        for (const { call: one, reference: other } of pairs) {
          expect(callKey(calls[one] as ComparedCall)).toBe(callKey(reference[other] as ComparedCall));
        }
      }),
    );
  });

  it('does not depend on the order of the calls', () => {
    fc.assert(
      fc.property(anyCalls, anyCalls, fc.nat(), (calls, reference, turn) => {
        const shift = calls.length === 0 ? 0 : turn % calls.length;
        const turned = [...calls.slice(shift), ...calls.slice(0, shift)].reverse();
        expect(matchCalls(turned, reference).matched).toBe(matchCalls(calls, reference).matched);
      }),
    );
  });

  it('a call that no reference call is free for never raises precision', () => {
    fc.assert(
      fc.property(anyCalls, anyCalls, (calls, reference) => {
        const before = matchCalls(calls, reference);
        const after = matchCalls([...calls, call('never in a reference')], reference);
        expect(after.matched / (calls.length + 1)).toBeLessThanOrEqual(
          before.matched / Math.max(1, calls.length),
        );
        const again = matchCalls([...calls, ...calls.slice(0, 1)], reference);
        expect(again.matched).toBeLessThanOrEqual(before.matched + 1);
      }),
    );
  });

  it('a run equal to its reference matches whole', () => {
    fc.assert(
      fc.property(anyCalls, (calls) => {
        expect(matchCalls(calls, calls)).toEqual({
          matched: calls.length,
          pairs: expect.any(Array),
          witnesses: [],
        });
      }),
    );
  });
});

describe('matchCalls', () => {
  it.each<[string, ComparedCall, ComparedCall, boolean]>([
    ['member order', call('t', { a: 1, b: 2 }), call('t', { b: 2, a: 1 }), true],
    ['a number and its text', call('t', { a: 1 }), call('t', { a: '1' }), false],
    ['1 and 1.0', call('t', { a: 1 }), call('t', { a: 1.0 }), true],
    ['null and absent', call('t', { a: null }), call('t', {}), false],
    ['lists in another order', call('t', { a: [1, 2] }), call('t', { a: [2, 1] }), false],
    ['nested objects', call('t', { a: { b: [{ c: 1 }] } }), call('t', { a: { b: [{ c: 1 }] } }), true],
    ['tools', call('t'), call('u'), false],
    ['equal malformed texts', call('t', { malformed: '{' }), call('t', { malformed: '{' }), true],
    [
      'a tool named like a prototype member',
      call('constructor', { a: 1 }),
      call('constructor', { a: 1 }),
      true,
    ],
  ])('%s', (_, one, other, same) => {
    expect(matchCalls([one], [other]).matched).toBe(same ? 1 : 0);
  });

  it('compares arguments by their comparators', () => {
    const comparators = {
      mail: { body: 'free-text', subject: 'folded-text', to: 'unordered', weight: { within: 0.5 } },
    } as const;
    const reference = [call('mail', { subject: 'Your  Refund', to: ['a', 'b'], weight: 1, body: 'x' })];
    const run = call('mail', { subject: 'your refund ', to: ['b', 'a'], weight: 1.4 });
    expect(matchCalls([run], reference, { comparators }).matched).toBe(1);
    const heavy = call('mail', { subject: 'your refund', to: ['b', 'a'], weight: 1.6 });
    expect(matchCalls([heavy], reference, { comparators })).toMatchObject({
      matched: 0,
      witnesses: [{ steps: [0], expected: 1, got: 1.6 }, { expected: { tool: 'mail' } }],
    });
    expect(matchCalls([call('mail', { body: 'y' })], [call('mail')], { comparators }).matched).toBe(1);
    expect(matchCalls([call('other', { body: 'y' })], [call('other')], { comparators }).matched).toBe(0);
  });

  it('pairs by tolerance where serving in order would lose a pair', () => {
    const comparators = { t: { x: { within: 1 } } } as const;
    const calls = [call('t', { x: 1 }), call('t', { x: 0 })];
    const reference = [call('t', { x: 0.5 }), call('t', { x: 2 })];
    expect(matchCalls(calls, reference, { comparators }).matched).toBe(2);
  });

  it('says which call, which argument, what was expected and what came', () => {
    const reference = [call('refund', { order_id: 'A', amount: 240 }), call('mail', { to: 'x' })];
    const run = [call('refund', { order_id: 'A', amount: 24 }), call('delete', {})];
    expect(matchCalls(run, reference).witnesses).toEqual([
      {
        steps: [0],
        message: 'call 0 (refund) differs from reference call 0 in amount',
        expected: 240,
        got: 24,
      },
      {
        steps: [1],
        message: 'call 1 (delete) has no partner: no reference call uses this tool',
        got: { tool: 'delete', arguments: {} },
      },
      {
        steps: [],
        message: 'reference call 0 (refund) was never made',
        expected: { tool: 'refund', arguments: { order_id: 'A', amount: 240 } },
      },
      {
        steps: [],
        message: 'reference call 1 (mail) was never made',
        expected: { tool: 'mail', arguments: { to: 'x' } },
      },
    ]);
  });

  it('counts a call made twice against two partners', () => {
    const twice = [call('s', { q: 1 }), call('s', { q: 1 })];
    expect(matchCalls(twice, twice).matched).toBe(2);
    const { matched, witnesses } = matchCalls(twice, twice.slice(1));
    expect(matched).toBe(1);
    expect(witnesses[0]?.message).toBe(
      'call 1 (s) has no partner: every reference call like it has a partner',
    );
  });

  it('never throws on arguments that are no JSON', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const odd = [call('t', cycle as never), call('t', 10n as never), call('t', undefined as never)];
    expect(() => matchCalls(odd, odd)).not.toThrow();
    expect(matchCalls([call('t', [1, { a: [] }])], [call('t', { malformed: '[' })]).matched).toBe(0);
  });
});
