import type { JsonObject } from '../../base/json.ts';
import type { ChangeRecord } from '../../trajectory/types.ts';
import { orderingRule, type SyntheticStep, syntheticTrajectory } from '../synthetic.ts';
import type { Contract, Grader, Invariant, ScoringInput, WorldShape } from '../types.ts';
import type { PeerCall } from './types.ts';

const ORDER = '88213';

const call = (tool: string, rest: JsonObject = {}): PeerCall => ({
  tool,
  arguments: { order_id: ORDER, ...rest },
});
const LOOKUP = call('lookup_order');
const POLICY = call('check_policy');
const REFUND = call('refund', { amount: 240 });
const MAIL = call('send_email', { template: 'refund_done' });

/** One of the six runs: what it does, whether it is fine, and its calls. */
export interface LitmusRun {
  readonly name: 'A' | 'A2' | 'A3' | 'A4' | 'C' | 'B';
  readonly good: boolean;
  readonly what: string;
  readonly calls: readonly PeerCall[];
}

/** Six runs of one refund; the reference is A. Four are fine, two do harm. */
export const LITMUS_RUNS: readonly LitmusRun[] = [
  { name: 'A', good: true, what: 'the reference', calls: [LOOKUP, POLICY, REFUND, MAIL] },
  { name: 'A2', good: true, what: 'swaps the two reads', calls: [POLICY, LOOKUP, REFUND, MAIL] },
  { name: 'A3', good: true, what: 'reads the order twice', calls: [LOOKUP, LOOKUP, POLICY, REFUND, MAIL] },
  {
    name: 'A4',
    good: true,
    what: 'adds an idempotency key to the refund',
    calls: [LOOKUP, POLICY, call('refund', { amount: 240, idempotency_key: 'k-1' }), MAIL],
  },
  {
    name: 'C',
    good: false,
    what: 'checks the policy after the refund',
    calls: [LOOKUP, REFUND, POLICY, MAIL],
  },
  {
    name: 'B',
    good: false,
    what: 'refunds twice and writes twice',
    calls: [LOOKUP, REFUND, LOOKUP, POLICY, REFUND, LOOKUP, MAIL, MAIL],
  },
];

const SHAPE: WorldShape = {
  'shop.orders': { primaryKey: ['id'], foreignKeys: {}, volatile: [], unhashed: [], ambient: false },
  'shop.refunds': {
    primaryKey: ['id'],
    foreignKeys: { order_id: 'shop.orders' },
    volatile: ['id', 'created_at'],
    unhashed: ['idempotency_key'],
    ambient: false,
  },
  'shop.emails': {
    primaryKey: ['id'],
    foreignKeys: { order_id: 'shop.orders' },
    volatile: ['id', 'sent_at'],
    unhashed: [],
    ambient: false,
  },
};

/** The steps of a run in a tiny shop that books every refund it is asked for. */
function stepsOf(run: LitmusRun): SyntheticStep[] {
  let refunded = 0;
  return run.calls.map(({ tool, arguments: input }, index): SyntheticStep => {
    const row = { order_id: ORDER, id: `${tool}-${index}` };
    if (tool === 'refund') {
      const before = refunded;
      refunded += 240;
      const key = input.idempotency_key === undefined ? {} : { idempotency_key: input.idempotency_key };
      return {
        tool,
        input,
        response: { refund_id: row.id, order_id: ORDER },
        diff: [
          inserted('shop.refunds', { ...row, amount: 240, created_at: index, ...key }),
          {
            op: 'update',
            table: 'shop.orders',
            key: ORDER,
            cells: { refunded: { from: before, to: refunded } },
          },
        ],
      };
    }
    const diff = tool === 'send_email' ? [inserted('shop.emails', { ...row, sent_at: index })] : [];
    return { tool, input, response: { order_id: ORDER, total: 240 }, diff };
  });
}

function inserted(table: string, row: JsonObject & { id: string }): ChangeRecord {
  return { op: 'insert', table, key: row.id, row };
}

const INVARIANTS: readonly Invariant[] = [
  orderingRule({ id: 'policy-first', each: 'order_id' }, { tool: 'check_policy' }, { tool: 'refund' }),
  { id: 'sane-amount', kind: 'arguments', tool: 'refund', require: { amount: { gt: 0 } }, attempts: 'all' },
  { id: 'no-deletion', kind: 'prohibition', tool: 'delete_account', attempts: 'all' },
  { id: 'one-refund', kind: 'cardinality', tool: 'refund', each: 'order_id', max: 1 },
  { id: 'ends-by-answer', kind: 'termination', by: 'answer' },
  { id: 'ids-grounded', kind: 'grounding', in: 'answer', match: 'order[ #]*(\\d+)', from: 'results' },
];

const GRADERS: readonly Grader[] = [
  { kind: 'contract', required: true },
  { kind: 'invariants', required: true },
  { kind: 'answer', required: true, check: { contains: ['240'] } },
];

/** What our scorers are given for a run: the contract is what run A came to, by its own steps. */
export function litmusInput(run: LitmusRun): ScoringInput {
  const reference = LITMUS_RUNS[0] as LitmusRun;
  const contract: Contract = {
    expect: stepsOf(reference).flatMap((step) => step.diff ?? []),
    allow: [],
    mask: [],
  };
  const answer = `Order #${ORDER} is refunded: $240.00.`;
  return {
    trajectory: syntheticTrajectory(stepsOf(run), { answer }),
    shape: SHAPE,
    contract,
    milestones: [],
    invariants: INVARIANTS,
    graders: GRADERS,
    reference: reference.calls.map(({ tool, arguments: input }) => ({ tool, input })),
    freeText: { refund: ['idempotency_key'] },
  };
}
