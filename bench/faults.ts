import type { FaultPlan, FaultRule } from '../src/faults/index.ts';
import { optionsFor } from '../src/runner/prepare.ts';
import { openSession, type Session } from '../src/session/index.ts';
import { cpuMicros, type Figure, median, report } from './measure.ts';
import { loadSessionFixture, makeCalls } from './session-fixture.ts';

/**
 * What a fault plan costs a step that it does not strike, and one that it does, CPU time, on the long
 * scenario of the helpdesk bank. Steps with and without a plan take turns, so that both see one machine.
 */
const ROUNDS = 41;
const FIXTURE = await loadSessionFixture();
const CALLS = FIXTURE.requests.length;

/** Rules that look at every call in a way of their own and never strike one. */
const UNMET: readonly FaultRule[] = [
  unmet('step', { step: 4_999 }),
  unmet('tool', { tool: 'delete_account' }),
  unmet('operation', { operation: 'accounts.delete' }),
  unmet('input', { input: { order_id: 'no such order' } }),
  unmet('time', { clockMs: { from: 10_000_000_000 } }),
  unmet('occurrence', { tool: 'send_email', occurrence: 4_000 }),
];

function unmet(id: string, match: FaultRule['match']): FaultRule {
  return { id, match, effect: { kind: 'response-lost' }, label: id };
}

const CLUMSY: FaultRule = {
  id: 'slow',
  match: {},
  effect: { kind: 'delay', delaysMs: [10] },
  hits: 'all',
  label: 'every call is slow',
};

function opened(faults: FaultPlan | null): Session {
  const options = optionsFor(FIXTURE.prepared, { streamSeed: 'bench', asAgent: true });
  return openSession(faults ? { ...options, budgets: {}, faults } : options);
}

/** CPU microseconds a call takes without a plan, and more than that with each of these, medians of rounds. */
function compared(plans: readonly FaultPlan[]): { readonly plain: number; readonly more: readonly number[] } {
  const plain: number[] = [];
  const more: number[][] = plans.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    const without = microsOf(null);
    plain.push(without);
    for (const [index, plan] of plans.entries()) more[index]?.push(microsOf(plan) - without);
  }
  return { plain: median(plain), more: more.map(median) };
}

function microsOf(plan: FaultPlan | null): number {
  const session = opened(plan);
  const start = cpuMicros();
  makeCalls(session, FIXTURE.requests);
  return (cpuMicros() - start) / CALLS;
}

const ONE: FaultPlan = { rules: UNMET.slice(1, 2) };
const { plain, more } = compared([ONE, { rules: UNMET }, { rules: [CLUMSY] }]);
const [one = null, six = null, struck = null] = more;
const figures: Record<string, Figure> = {
  step: { value: plain, unit: 'us' },
  unmatched_by_one_rule: { value: one, unit: 'us', target: 3 },
  unmatched_by_six_rules: { value: six, unit: 'us', target: 3 },
  struck_by_one_rule: { value: struck, unit: 'us' },
};
report('faults', figures);
