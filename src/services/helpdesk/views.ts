import { z } from 'zod';
import { fromCents } from './money.ts';
import type { Customer, Order, OrderLine, Policy, Reads, Refund, Ticket } from './schema.ts';

const amount = z.number();
const moment = z.string();

const lineView = z.strictObject({
  line: z.int(),
  product_id: z.string(),
  name: z.string(),
  quantity: z.int(),
  unit_price: amount,
  line_total: amount,
});

export const orderSummaryView = z.strictObject({
  order_id: z.string(),
  customer_id: z.string(),
  status: z.string(),
  placed_at: moment,
  delivered_at: moment.nullable(),
  total: amount,
  refunded: amount,
});

export const orderView = z.strictObject({
  order_id: z.string(),
  status: z.string(),
  customer: z.strictObject({
    customer_id: z.string(),
    name: z.string(),
    email: z.string(),
    tier: z.string(),
  }),
  placed_at: moment,
  shipped_at: moment.nullable(),
  delivered_at: moment.nullable(),
  lines: z.array(lineView),
  shipping: amount,
  total: amount,
  refunded: amount,
  credited: amount,
  remaining: amount,
  fraud_hold: z.boolean(),
  policy_id: z.string(),
  ship_to: z.strictObject({
    street: z.string(),
    city: z.string(),
    postcode: z.string(),
    country: z.string(),
  }),
});

export const customerView = z.strictObject({
  customer_id: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  tier: z.string(),
  city: z.string(),
  country: z.string(),
  joined_at: moment,
  account: z.string(),
});

export const refundView = z.strictObject({
  refund_id: z.string(),
  order_id: z.string(),
  amount,
  created_at: moment,
});

export const policyView = z.strictObject({
  policy_id: z.string(),
  title: z.string(),
  window_days: z.int(),
  gold_extra_days: z.int(),
  allowed_share_percent: z.int(),
  credit_window_days: z.int(),
  text: z.string(),
});

export const ticketView = z.strictObject({
  ticket_id: z.string(),
  customer_id: z.string(),
  order_id: z.string().nullable(),
  claim_line: z.int().nullable(),
  queue: z.string(),
  subject: z.string(),
  status: z.string(),
  priority: z.string(),
  resolution: z.string().nullable(),
  created_at: moment,
});

/** What of an order has not gone back in any form, in cents. */
export function remainingCents(order: Order): number {
  return order.total_cents - order.refunded_cents - order.credited_cents;
}

function viewLine(line: OrderLine): z.infer<typeof lineView> {
  return {
    line: line.line,
    product_id: line.product_id,
    name: line.name,
    quantity: line.quantity,
    unit_price: fromCents(line.unit_cents),
    line_total: fromCents(line.quantity * line.unit_cents),
  };
}

export function viewOrderSummary(order: Order): z.infer<typeof orderSummaryView> {
  return {
    order_id: order.id,
    customer_id: order.customer_id,
    status: order.status,
    placed_at: order.placed_at,
    delivered_at: order.delivered_at,
    total: fromCents(order.total_cents),
    refunded: fromCents(order.refunded_cents),
  };
}

export function viewOrder(tx: Reads, order: Order): z.infer<typeof orderView> {
  const customer = tx.customers.get(order.customer_id);
  const lines: z.infer<typeof lineView>[] = [];
  for (const line of tx.order_lines.by('by_order', [order.id])) lines.push(viewLine(line));
  return {
    order_id: order.id,
    status: order.status,
    customer: {
      customer_id: order.customer_id,
      name: customer?.name ?? '',
      email: customer?.email ?? '',
      tier: customer?.tier ?? 'standard',
    },
    placed_at: order.placed_at,
    shipped_at: order.shipped_at,
    delivered_at: order.delivered_at,
    lines,
    shipping: fromCents(order.shipping_cents),
    total: fromCents(order.total_cents),
    refunded: fromCents(order.refunded_cents),
    credited: fromCents(order.credited_cents),
    remaining: fromCents(remainingCents(order)),
    fraud_hold: order.fraud_hold,
    policy_id: order.policy_id,
    ship_to: {
      street: order.ship_street,
      city: order.ship_city,
      postcode: order.ship_postcode,
      country: order.ship_country,
    },
  };
}

export function viewCustomer(tx: Reads, customer: Customer): z.infer<typeof customerView> {
  return {
    customer_id: customer.id,
    name: customer.name,
    email: customer.email,
    phone: customer.phone,
    tier: customer.tier,
    city: customer.city,
    country: customer.country,
    joined_at: customer.joined_at,
    account: tx.accounts.get(customer.id)?.status ?? 'deleted',
  };
}

export function viewRefund(refund: Refund): z.infer<typeof refundView> {
  return {
    refund_id: refund.id,
    order_id: refund.order_id,
    amount: fromCents(refund.amount_cents),
    created_at: refund.created_at,
  };
}

export function viewPolicy(policy: Policy): z.infer<typeof policyView> {
  return {
    policy_id: policy.id,
    title: policy.title,
    window_days: policy.window_days,
    gold_extra_days: policy.gold_extra_days,
    allowed_share_percent: policy.share_percent,
    credit_window_days: policy.credit_window_days,
    text: policy.text,
  };
}

export function viewTicket(ticket: Ticket): z.infer<typeof ticketView> {
  return {
    ticket_id: ticket.id,
    customer_id: ticket.customer_id,
    order_id: ticket.order_id,
    claim_line: ticket.claim_line,
    queue: ticket.queue,
    subject: ticket.subject,
    status: ticket.status,
    priority: ticket.priority,
    resolution: ticket.resolution,
    created_at: ticket.created_at,
  };
}
