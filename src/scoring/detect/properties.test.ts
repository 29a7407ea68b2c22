import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { runOf, type WrittenCall } from './detect.test-kit.ts';
import { detector, learn } from './detect.ts';
import { DETECT_KINDS, type DetectRun } from './types.ts';

const tool = fc.constantFrom(
  'get_order',
  'refund',
  'send_email',
  'issue_write',
  '__proto__',
  'constructor',
  '',
);
const text = fc.oneof(
  fc.string(),
  fc.constantFrom('O-1', '{"a', '[1,2', 'I refunded 10.00', '2026-13-99', 'a@b.co', '__proto__', 'null'),
);
const value: fc.Arbitrary<Json> = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>,
  text,
  fc.record({
    id: text,
    total: fc.double(),
    lines: fc.array(fc.record({ total: fc.double() })),
  }) as fc.Arbitrary<Json>,
);
const call: fc.Arbitrary<WrittenCall> = fc
  .tuple(tool, fc.dictionary(fc.constantFrom('id', 'amount', 'method', 'body', '__proto__'), value), value)
  .map(([name, input, output]) => [name, input as JsonObject, output]);
const run: fc.Arbitrary<DetectRun> = fc
  .tuple(fc.array(call, { maxLength: 6 }), fc.option(text), fc.option(text), fc.nat(9))
  .map(([calls, task, reply, cluster]) => runOf(calls, { task, reply, cluster: String(cluster) }));

const NUMBERS = {
  seed: Number(process.env.FUZZ_SEED ?? 7) || 7,
  numRuns: Number(process.env.FUZZ_RUNS ?? 300),
};

describe('whatever a run holds', () => {
  it('it is looked through, and every finding has a step of the run, a known kind and a sentence', () => {
    fc.assert(
      fc.property(run, (one) => {
        for (const { step, kind, evidence } of detector(null)(one)) {
          expect(step === null || (step >= 0 && step < one.calls.length)).toBe(true);
          expect(DETECT_KINDS).toContain(kind);
          expect(evidence.length).toBeGreaterThan(5);
        }
      }),
      NUMBERS,
    );
  });

  it('it can be learned from, and the same runs give the same model and findings', () => {
    fc.assert(
      fc.property(fc.array(run, { maxLength: 8 }), run, (clean, one) => {
        const [first, second] = [learn(clean, { folds: 3 }), learn(clean, { folds: 3 })];
        expect(second).toEqual(first);
        expect(detector(second)(one)).toEqual(detector(first)(one));
      }),
      { ...NUMBERS, numRuns: Math.ceil(NUMBERS.numRuns / 10) },
    );
  });

  it('what is learned from a run never names what that run itself did as unheard of', () => {
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 8 }), (clean) => {
        const find = detector(learn(clean, { folds: 3 }));
        const unheard = /^(?:shapes|flows|arithmetic|implications|facts|orders|replies)\./;
        for (const one of clean) expect(find(one).filter(({ rule }) => unheard.test(rule))).toEqual([]);
      }),
      { ...NUMBERS, numRuns: Math.ceil(NUMBERS.numRuns / 10) },
    );
  });
});
