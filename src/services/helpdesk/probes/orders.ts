import type { Probe } from '../../../service/index.ts';
import { probe, refusal } from './probe.ts';

const half = { operation: 'refunds.create', input: { order_id: '88213', amount: 240 } };

/** Orders, policies, refunds and credits. */
export const orderProbes: readonly Probe[] = [
  probe('orders.lookup', 'two tables at 240 each', {
    input: { order_id: '88213' },
    expect: {
      facts: {
        total: 480,
        remaining: 480,
        'lines.1.line_total': 240,
        'customer.email': 'mira.alder@example.com',
      },
    },
  }),
  probe('orders.lookup', 'an id that is none', {
    input: { order_id: '99999' },
    expect: refusal(404, 'order_not_found'),
  }),
  probe('orders.list', 'newest first', {
    input: { customer_id: 'C-1005', limit: 2 },
    expect: { facts: { 'orders.0.order_id': '10339', 'orders.2': { exists: false } } },
  }),
  probe('orders.search', 'one page and the cursor of the next', {
    input: { status: 'shipped', limit: 1 },
    expect: { facts: { 'orders.0.status': 'shipped', next_after: { exists: true } } },
  }),
  probe('orders.cancel', 'what was paid goes back', {
    input: { order_id: '88240' },
    expect: { facts: { status: 'cancelled', refunded: 69.4 } },
  }),
  probe('orders.cancel', 'not after delivery', {
    input: { order_id: '88213' },
    expect: refusal(409, 'order_not_cancellable'),
  }),
  probe('orders.updateShippingAddress', 'while it is processing', {
    input: { order_id: '88240', street: '4 Mill Row', city: 'Eastmere', postcode: '40112', country: 'NL' },
    expect: { facts: { 'ship_to.street': '4 Mill Row' } },
  }),
  probe('policies.check', 'names policy, window, share and amount', {
    input: { order_id: '88213' },
    expect: {
      facts: {
        policy_id: 'RP-STD-30',
        refund_allowed: true,
        days_since_delivery: 11,
        allowed_share_percent: 100,
        allowed_amount: 480,
      },
    },
  }),
  probe('policies.check', 'one line of it', {
    input: { order_id: '88213', line: 1 },
    expect: { facts: { allowed_amount: 240 } },
  }),
  probe('policies.check', 'gold customers have longer', {
    input: { order_id: '10596' },
    expect: { facts: { window_days: 21, days_since_delivery: 17, refund_allowed: true } },
  }),
  probe('policies.check', 'earlier refunds count against the share', {
    input: { order_id: '10576' },
    expect: { facts: { allowed_share_percent: 80, already_refunded: 94.5, allowed_amount: 56.7 } },
  }),
  probe('policies.get', 'the whole policy', {
    input: { policy_id: 'RP-OUT-30' },
    expect: { facts: { window_days: 30, allowed_share_percent: 80 } },
  }),
  probe('refunds.create', 'half of it', {
    input: half.input,
    expect: { status: 201, facts: { order_id: '88213', amount: 240 } },
  }),
  probe('refunds.create', 'the other half goes through too: the till does not know what was claimed', {
    after: [half],
    input: half.input,
    expect: { status: 201, facts: { amount: 240 } },
  }),
  probe('refunds.create', 'nothing beyond what remains', {
    after: [half],
    input: { order_id: '88213', amount: 240.01 },
    expect: refusal(409, 'amount_exceeds_remaining'),
  }),
  probe('refunds.create', 'the same idempotency key pays once', {
    after: [{ operation: 'refunds.create', input: { ...half.input, idempotency_key: 'one' } }],
    input: { ...half.input, idempotency_key: 'one' },
    expect: { status: 201, facts: { refund_id: { matches: '^RF-' }, amount: 240 } },
  }),
  probe('refunds.create', 'not after the window', {
    input: { order_id: '10735', amount: 10 },
    expect: refusal(409, 'refund_window_closed'),
  }),
  probe('refunds.create', 'not on a fraud hold', {
    input: { order_id: '10235', amount: 10 },
    expect: refusal(403, 'fraud_hold'),
  }),
  probe('refunds.list', 'what has gone back', {
    input: { order_id: '10576' },
    expect: { facts: { 'refunds.0.amount': 94.5 } },
  }),
  probe('credits.issue', 'it adds to the balance', {
    input: { customer_id: 'C-1001', order_id: '88213', amount: 240 },
    expect: { status: 201, facts: { amount: 240, balance: 240 } },
  }),
  probe('credits.issue', 'after the window of refunds, within that of credit', {
    input: { customer_id: 'C-1013', order_id: '10116', amount: 155.68 },
    expect: { status: 201, facts: { balance: 155.68 } },
  }),
  probe('payments.get', 'how it was paid', {
    input: { order_id: '10576' },
    expect: { facts: { method: 'transfer', amount: 189, refunded: 94.5 } },
  }),
  probe('products.get', 'price today', {
    input: { product_id: 'P-101' },
    expect: { facts: { name: 'Oak side table', price: 240 } },
  }),
];
