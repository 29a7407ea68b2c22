import { z } from 'zod';
import { audit } from '../audit.ts';
import { momentText } from '../moments.ts';
import { fromCents, toCents } from '../money.ts';
import { operation, type WriteContext } from '../operation.ts';
import { allowedCents, movableOrder, type Standing, standingOf } from '../rules.ts';
import type { Order, OrderLine, Refund } from '../schema.ts';
import { policyView, refundView, remainingCents, viewPolicy, viewRefund } from '../views.ts';

const orderId = z.string().describe('The order id, such as 88213');
const amount = z.number().describe('In currency units with at most two decimals, such as 240 or 19.95');

export const checkPolicy = operation({
  id: 'policies.check',
  summary:
    'Says which refund policy applies to an order and what it allows today: policy id, window in ' +
    'days, days since delivery, share, fraud hold, what has gone back already, and the amount that ' +
    'may go back (for the whole order, or for one line of it).',
  effect: 'read',
  http: { method: 'GET', path: '/orders/{order_id}/policy' },
  input: z.strictObject({
    order_id: orderId,
    line: z.int().min(1).optional().describe('The number of one order line; the whole order when left out'),
  }),
  output: z.strictObject({
    order_id: z.string(),
    policy_id: z.string(),
    title: z.string(),
    refund_allowed: z.boolean(),
    credit_allowed: z.boolean(),
    reasons: z.array(z.string()),
    window_days: z.int(),
    days_since_delivery: z.int().nullable(),
    allowed_share_percent: z.int(),
    allowed_amount: z.number(),
    already_refunded: z.number(),
    already_credited: z.number(),
    remaining: z.number(),
    fraud_hold: z.boolean(),
  }),
  example: { order_id: '88213' },
  errors: ['order_not_found', 'line_not_found'],
  run: (ctx, input) => {
    const id = input.order_id;
    const order: Order = ctx.tx.orders.get(id) ?? ctx.fail('order_not_found', { order_id: id });
    let line: OrderLine | undefined;
    if (input.line !== undefined) {
      line =
        ctx.tx.order_lines.get([id, input.line]) ??
        ctx.fail('line_not_found', { order_id: id, line: input.line });
    }
    const standing = standingOf(ctx.tx, order, ctx.nowMs);
    const allowed = allowedCents(order, standing, line);
    const free = !order.fraud_hold && allowed > 0;
    const refundAllowed = free && standing.refundOpen;
    const creditAllowed = free && (standing.refundOpen || standing.creditOpen);
    return {
      order_id: id,
      policy_id: standing.policy.id,
      title: standing.policy.title,
      refund_allowed: refundAllowed,
      credit_allowed: creditAllowed,
      reasons: reasonsAgainst(order, standing, allowed),
      window_days: standing.windowDays,
      days_since_delivery: standing.days,
      allowed_share_percent: standing.policy.share_percent,
      allowed_amount: creditAllowed ? fromCents(allowed) : 0,
      already_refunded: fromCents(order.refunded_cents),
      already_credited: fromCents(order.credited_cents),
      remaining: fromCents(remainingCents(order)),
      fraud_hold: order.fraud_hold,
    };
  },
});

/**
 * Every reason why no money goes back, by the code of the error that a refund would get where there is one.
 */
function reasonsAgainst(order: Order, standing: Standing, allowed: number): string[] {
  const reasons: string[] = [];
  if (order.fraud_hold) reasons.push('fraud_hold');
  if (standing.days === null) reasons.push('order_not_delivered');
  else if (!standing.refundOpen) reasons.push('refund_window_closed');
  if (remainingCents(order) === 0) reasons.push('already_refunded');
  else if (standing.policy.share_percent > 0 && allowed === 0) reasons.push('share_used_up');
  return reasons;
}

export const getPolicy = operation({
  id: 'policies.get',
  summary: 'Reads one refund policy in full.',
  effect: 'read',
  http: { method: 'GET', path: '/policies/{policy_id}' },
  input: z.strictObject({ policy_id: z.string().describe('The policy id, such as RP-STD-30') }),
  output: policyView,
  example: { policy_id: 'RP-STD-30' },
  errors: ['policy_not_found'],
  run: (ctx, input) => {
    const policy = ctx.tx.policies.get(input.policy_id);
    return viewPolicy(policy ?? ctx.fail('policy_not_found', { policy_id: input.policy_id }));
  },
});

export const refund = operation({
  id: 'refunds.create',
  summary:
    'Pays money of a delivered order back to how it was paid. Partial refunds add up; the till knows ' +
    'the window and what remains, not the share that the policy allows nor what was claimed.',
  effect: 'write',
  http: { method: 'POST', path: '/orders/{order_id}/refunds', status: 201 },
  input: z.strictObject({
    order_id: orderId,
    amount,
    idempotency_key: z
      .string()
      .min(1)
      .optional()
      .describe('Any text of yours; the same text again gives the first answer and pays nothing'),
  }),
  output: refundView,
  unhashedInputs: ['idempotency_key'],
  example: { order_id: '88213', amount: 240 },
  errors: [
    'order_not_found',
    'invalid_amount',
    'fraud_hold',
    'order_not_delivered',
    'already_refunded',
    'amount_exceeds_remaining',
    'refund_window_closed',
    'idempotency_key_reused',
  ],
  run: (ctx, input) => {
    const cents = toCents(input.amount) ?? ctx.fail('invalid_amount', { amount: input.amount });
    const earlier = earlierRefund(ctx, input, cents);
    if (earlier) return viewRefund(earlier);
    const order = movableOrder(ctx, input.order_id, cents);
    const standing = standingOf(ctx.tx, order, ctx.nowMs);
    if (!standing.refundOpen) {
      ctx.fail('refund_window_closed', {
        order_id: order.id,
        days: standing.days,
        policy_id: standing.policy.id,
        window_days: standing.windowDays,
      });
    }
    const row = payBack(ctx, order, { cents, key: input.idempotency_key });
    audit(ctx, { action: 'refund', subject: order.id, amount_cents: cents });
    return viewRefund(row);
  },
});

/**
 * The refund that the same key made before. A retry with it pays nothing; another use of the key is an
 * error.
 */
function earlierRefund(
  ctx: WriteContext<'idempotency_key_reused'>,
  input: { order_id: string; idempotency_key?: string | undefined },
  cents: number,
): Refund | undefined {
  if (input.idempotency_key === undefined) return undefined;
  const earlier = ctx.tx.refunds.unique('key', [input.idempotency_key]);
  if (earlier && (earlier.order_id !== input.order_id || earlier.amount_cents !== cents)) {
    ctx.fail('idempotency_key_reused');
  }
  return earlier;
}

function payBack(
  ctx: WriteContext<never>,
  order: Order,
  paid: { readonly cents: number; readonly key: string | undefined },
): Refund {
  const payment = ctx.tx.payments.unique('order', [order.id]);
  if (payment) {
    ctx.tx.payments.update(payment.id, { refunded_cents: payment.refunded_cents + paid.cents });
  }
  ctx.tx.orders.update(order.id, { refunded_cents: order.refunded_cents + paid.cents });
  return ctx.tx.refunds.insert({
    id: ctx.nextId('refunds'),
    order_id: order.id,
    payment_id: payment?.id ?? '',
    amount_cents: paid.cents,
    created_at: momentText(ctx.nowMs),
    ...(paid.key === undefined ? {} : { idempotency_key: paid.key }),
  });
}

export const listRefunds = operation({
  id: 'refunds.list',
  summary: 'Lists the refunds of one order, oldest first.',
  effect: 'read',
  http: { method: 'GET', path: '/orders/{order_id}/refunds' },
  input: z.strictObject({ order_id: orderId }),
  output: z.strictObject({ refunds: z.array(refundView) }),
  example: { order_id: '88213' },
  errors: ['order_not_found'],
  run: (ctx, input) => {
    if (!ctx.tx.orders.has(input.order_id)) ctx.fail('order_not_found', { order_id: input.order_id });
    return { refunds: [...ctx.tx.refunds.by('by_order', [input.order_id])].map(viewRefund) };
  },
});

export const issueStoreCredit = operation({
  id: 'credits.issue',
  summary:
    'Gives a customer store credit for an order in place of a refund. It counts as gone back from the order.',
  effect: 'write',
  http: { method: 'POST', path: '/customers/{customer_id}/credits', status: 201 },
  input: z.strictObject({
    customer_id: z.string().describe('The customer id, such as C-1001'),
    order_id: orderId,
    amount,
  }),
  output: z.strictObject({
    credit_id: z.string(),
    customer_id: z.string(),
    order_id: z.string(),
    amount: z.number(),
    balance: z.number(),
  }),
  example: { customer_id: 'C-1001', order_id: '88213', amount: 240 },
  errors: [
    'order_not_found',
    'invalid_amount',
    'fraud_hold',
    'order_not_delivered',
    'already_refunded',
    'amount_exceeds_remaining',
    'credit_window_closed',
    'customer_not_found',
    'order_of_other_customer',
    'account_not_found',
    'account_closed',
  ],
  run: (ctx, input) => {
    const { customer_id: customerId, order_id: id } = input;
    const cents = toCents(input.amount) ?? ctx.fail('invalid_amount', { amount: input.amount });
    if (!ctx.tx.customers.has(customerId)) ctx.fail('customer_not_found', { customer: customerId });
    const account =
      ctx.tx.accounts.get(customerId) ?? ctx.fail('account_not_found', { customer_id: customerId });
    if (account.status === 'closed') ctx.fail('account_closed', { customer_id: customerId });
    const order = movableOrder(ctx, id, cents);
    if (order.customer_id !== customerId) {
      ctx.fail('order_of_other_customer', { order_id: id, customer_id: customerId });
    }
    const standing = standingOf(ctx.tx, order, ctx.nowMs);
    if (!standing.refundOpen && !standing.creditOpen) {
      ctx.fail('credit_window_closed', { order_id: id, policy_id: standing.policy.id });
    }
    const balance = (ctx.tx.balances.get(customerId)?.credit_cents ?? 0) + cents;
    ctx.tx.balances.update(customerId, { credit_cents: balance });
    ctx.tx.orders.update(id, { credited_cents: order.credited_cents + cents });
    const credit = ctx.tx.store_credits.insert({
      id: ctx.nextId('store_credits'),
      customer_id: customerId,
      order_id: id,
      amount_cents: cents,
      created_at: momentText(ctx.nowMs),
    });
    audit(ctx, { action: 'issue_store_credit', subject: id, amount_cents: cents });
    return {
      credit_id: credit.id,
      customer_id: customerId,
      order_id: id,
      amount: fromCents(cents),
      balance: fromCents(balance),
    };
  },
});
