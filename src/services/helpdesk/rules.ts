import { daysSince } from './moments.ts';
import { fromCents, shareOf } from './money.ts';
import type { Context } from './operation.ts';
import type { Order, OrderLine, Policy, Reads } from './schema.ts';
import { remainingCents } from './views.ts';

/** What the policy of an order says about it today. */
export interface Standing {
  readonly policy: Policy;
  /** Whole days since delivery; null before it. */
  readonly days: number | null;
  /** The window for this customer, gold days included. */
  readonly windowDays: number;
  readonly refundOpen: boolean;
  readonly creditOpen: boolean;
}

/** The standing of an order. Every order has a policy: a foreign key holds it. */
export function standingOf(tx: Reads, order: Order, nowMs: number): Standing {
  const policy = tx.policies.get(order.policy_id) as Policy;
  const gold = tx.customers.get(order.customer_id)?.tier === 'gold';
  const windowDays = policy.window_days + (gold ? policy.gold_extra_days : 0);
  const days =
    order.status === 'delivered' && order.delivered_at !== null ? daysSince(order.delivered_at, nowMs) : null;
  return {
    policy,
    days,
    windowDays,
    refundOpen: days !== null && windowDays > 0 && days <= windowDays,
    creditOpen: days !== null && policy.credit_window_days > 0 && days <= policy.credit_window_days,
  };
}

/**
 * What may go back now for an order, or for one of its lines, in cents: the share of it, and with what has
 * gone back before never more than the share of the whole order.
 */
export function allowedCents(order: Order, standing: Standing, line?: OrderLine): number {
  const share = standing.policy.share_percent;
  const left = shareOf(order.total_cents, share) - (order.total_cents - remainingCents(order));
  const base = line ? line.quantity * line.unit_cents : order.total_cents;
  return Math.max(0, Math.min(shareOf(base, share), left));
}

export type MoneyRule =
  | 'order_not_found'
  | 'fraud_hold'
  | 'order_not_delivered'
  | 'already_refunded'
  | 'amount_exceeds_remaining';

/**
 * The order, if its money may move at all: it exists, is delivered, on no hold, and so much of it remains.
 */
export function movableOrder(ctx: Context<MoneyRule>, orderId: string, cents: number): Order {
  const order = ctx.tx.orders.get(orderId) ?? ctx.fail('order_not_found', { order_id: orderId });
  if (order.fraud_hold) ctx.fail('fraud_hold', { order_id: orderId });
  if (order.status !== 'delivered') {
    ctx.fail('order_not_delivered', { order_id: orderId, status: order.status });
  }
  const remaining = remainingCents(order);
  if (remaining === 0) ctx.fail('already_refunded', { order_id: orderId });
  if (cents > remaining) {
    ctx.fail('amount_exceeds_remaining', {
      order_id: orderId,
      remaining: fromCents(remaining),
      amount: fromCents(cents),
    });
  }
  return order;
}
