import type { Json } from '../src/base/json.ts';
import { SeededRandom } from '../src/base/random.ts';
import {
  type Invariant,
  type ScoringInput,
  type SummaryTrial,
  summarise,
  type TrialScore,
} from '../src/scoring/index.ts';
import { orderingRule, type SyntheticStep, syntheticTrajectory } from '../src/scoring/synthetic.ts';
import { RunFolder } from '../src/store/run-folder.ts';

const ORDERS = 40;

/** A long run in a tiny shop: reads, checks, refunds and mails of many orders, held to many invariants. */
export function longScoringInput(size: {
  readonly steps: number;
  readonly invariants: number;
}): ScoringInput {
  const tools = ['lookup_order', 'check_policy', 'refund', 'send_email'];
  const steps = Array.from({ length: size.steps }, (_, index): SyntheticStep => {
    const tool = tools[index % tools.length] ?? '';
    const order = String(88_000 + (Math.floor(index / tools.length) % ORDERS));
    const input = { order_id: order, ...(tool === 'refund' && { amount: 240 }) };
    const row = { id: `r${index}`, order_id: order, amount: 240 };
    return {
      tool,
      input,
      response: { order_id: order, status: 'delivered', total: 240, note: `order ${order} was looked at` },
      diff: tool === 'refund' ? [{ op: 'insert', table: 'shop.refunds', key: [row.id], row }] : [],
    };
  });
  const trajectory = syntheticTrajectory(steps, { answer: 'I refunded order 88001 and 88002.' });
  const calls = steps.map(({ tool, input }) => ({ tool, input }));
  return {
    trajectory,
    shape: {
      'shop.refunds': { primaryKey: ['id'], foreignKeys: {}, volatile: ['id'], unhashed: [], ambient: false },
    },
    contract: { expect: steps.flatMap(({ diff }) => diff ?? []), allow: [], mask: [] },
    milestones: [],
    invariants: Array.from({ length: size.invariants }, (_, index) => invariantOf(index)),
    graders: [
      { kind: 'contract', required: true },
      { kind: 'invariants', required: false },
    ],
    reference: calls,
  };
}

/** One of five kinds in turn. */
function invariantOf(index: number): Invariant {
  const id = `rule-${index}`;
  const kinds: readonly Invariant[] = [
    orderingRule({ id, each: 'order_id' }, { tool: 'check_policy' }, { tool: 'refund' }),
    { id, kind: 'cardinality', tool: 'refund', each: 'order_id', max: 5 },
    { id, kind: 'arguments', tool: 'refund', require: { amount: { gt: 0 } } },
    { id, kind: 'prohibition', tool: 'delete_account' },
    { id, kind: 'grounding', in: 'answer', match: 'order[ #]*(\\d+)', from: 'results' },
  ];
  return kinds[index % kinds.length] as Invariant;
}

/** A finished run of so many trials, four of each scenario, without trajectories. */
export function writeLargeRun(
  directory: string,
  { trials, seed }: { readonly trials: number; readonly seed: string },
): void {
  const random = SeededRandom.from(seed);
  const k = 4;
  const scenarios = Array.from({ length: trials / k }, (_, index) => ({
    id: `s${index}`,
    hash: `hash ${index}`,
  }));
  const folder = RunFolder.open(directory, {
    bank: { name: 'bench', version: '1', hash: 'bench' },
    scenarios,
    behaviour: { engine: 'bench', services: {} },
    agent: { name: seed, config: null },
    seed: 'bench',
    k,
    mode: 'end-to-end',
  });
  const played: SummaryTrial[] = [];
  for (const { id } of scenarios) {
    for (let trial = 0; trial < k; trial += 1) {
      const score = scoreOf(random.chance(0.7));
      folder.add({ scenario: id, trial, score, trajectory: null, text: null, wallClockMs: 1 });
      played.push({ scenario: id, trial, score });
    }
  }
  folder.finish(summarise({ trials: played, k }) as unknown as Json);
  folder.release();
}

function scoreOf(success: boolean): TrialScore {
  const ratio = { value: 0.5, numerator: 2, denominator: 4 };
  return {
    success,
    void: null,
    graders: [{ kind: 'contract', required: true, verdict: success ? 'pass' : 'fail', witnesses: [] }],
    invariants: [{ id: 'rule', kind: 'cardinality', verdict: 'pass', witnesses: [] }],
    precision: ratio,
    recall: ratio,
    redundant: ratio,
    redundantSinceWrite: ratio,
    recovery: { met: false, recovered: false },
    steps: 4,
    cost: 0.1,
    firstFailure: success ? null : { step: 2, check: 'contract', message: 'a row is missing' },
  };
}
