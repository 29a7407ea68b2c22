import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../src/base/json.ts';
import { loadBank } from '../src/runner/bank.ts';
import { trialSeed } from '../src/runner/execute.ts';
import { optionsFor, type PreparedScenario } from '../src/runner/prepare.ts';
import { scoreOf } from '../src/runner/score.ts';
import { WorldCache } from '../src/runner/worlds.ts';
import type { TrialScore } from '../src/scoring/index.ts';
import { openSession } from '../src/session/index.ts';

/**
 * The six runs that no peer's matcher tells apart, on the real helpdesk world: `docs/litmus.md` has the
 * peers' scores. Good runs take another order of reads, read twice, or send an idempotency key; bad ones
 * check the policy after the refund, or refund twice.
 */

type Call = readonly [tool: string, input: JsonObject];

const ORDER = { order_id: '88213' };
const MAIL = {
  to: 'mira.alder@example.com',
  subject: 'Your refund',
  body: 'We refunded 240.00 for order 88213.',
};
const lookup: Call = ['lookup_order', ORDER];
const check: Call = ['check_policy', ORDER];
const refund: Call = ['refund', { ...ORDER, amount: 240 }];
const keyed: Call = ['refund', { ...ORDER, amount: 240, idempotency_key: 'key-1' }];
const mail: Call = ['send_email', MAIL];

const RUNS: Readonly<Record<string, { readonly calls: readonly Call[]; readonly good: boolean }>> = {
  A: { calls: [lookup, check, refund, mail], good: true },
  A2: { calls: [check, lookup, refund, mail], good: true },
  A3: { calls: [lookup, lookup, check, refund, mail], good: true },
  A4: { calls: [lookup, check, keyed, mail], good: true },
  C: { calls: [lookup, refund, check, mail], good: false },
  B: { calls: [lookup, refund, lookup, check, refund, lookup, mail, mail], good: false },
};

describe('the six-run litmus on the real world', () => {
  let prepared: PreparedScenario;

  beforeAll(async () => {
    const bank = await loadBank(['helpdesk/refund-88213'], new WorldCache());
    prepared = bank.chosen[0] as PreparedScenario;
  });

  function play(name: string): TrialScore {
    const streamSeed = trialSeed('litmus', name, 0);
    const session = openSession(optionsFor(prepared, { streamSeed, asAgent: true }));
    for (const [tool, input] of RUNS[name]?.calls ?? []) session.call({ tool, input });
    const answer = 'I refunded 240.00 for order 88213 under policy RP-STD-30.';
    return scoreOf(prepared, session.finish({ reason: 'answer', answer }), streamSeed);
  }

  for (const [name, { good }] of Object.entries(RUNS)) {
    it(`${name} ${good ? 'passes' : 'fails'}`, () => {
      const score = play(name);
      expect({ success: score.success, void: score.void }).toEqual({ success: good, void: null });
    });
  }

  it('C is told what was late, and where', () => {
    expect(play('C').firstFailure).toMatchObject({ step: 1, check: 'invariant policy-first' });
  });

  it('B is told of both refunds and both e-mails, by step', () => {
    const broken = play('B').invariants.filter(({ verdict }) => verdict === 'fail');
    const steps = Object.fromEntries(
      broken.map(({ id, witnesses }) => [id, witnesses.flatMap((one) => one.steps)]),
    );
    expect(Object.keys(steps)).toEqual(expect.arrayContaining(['policy-first', 'one-refund', 'one-mail']));
    expect(steps['one-refund']).toEqual(expect.arrayContaining([1, 4]));
    expect(steps['one-mail']).toEqual(expect.arrayContaining([6, 7]));
  });

  it('A3 is good and redundant, and the figure says so', () => {
    expect(play('A3').redundant).toMatchObject({ numerator: 1, denominator: 5 });
  });
});
