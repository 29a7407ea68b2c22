import { z } from 'zod';
import { audit } from '../audit.ts';
import { momentText } from '../moments.ts';
import { fromCents } from '../money.ts';
import { operation } from '../operation.ts';
import type { Order } from '../schema.ts';
import { orderSummaryView, orderView, remainingCents, viewOrder, viewOrderSummary } from '../views.ts';

const orderId = z.string().describe('The order id, such as 88213');

export const lookupOrder = operation({
  id: 'orders.lookup',
  summary:
    'Looks up one order: customer, lines with prices, dates, total, and what has been refunded or ' +
    'credited already.',
  effect: 'read',
  http: { method: 'GET', path: '/orders/{order_id}' },
  input: z.strictObject({ order_id: orderId }),
  output: orderView,
  example: { order_id: '88213' },
  errors: ['order_not_found'],
  run: (ctx, input) => {
    const order = ctx.tx.orders.get(input.order_id);
    return viewOrder(ctx.tx, order ?? ctx.fail('order_not_found', { order_id: input.order_id }));
  },
});

export const listOrders = operation({
  id: 'orders.list',
  summary: 'Lists the orders of one customer, newest first.',
  effect: 'read',
  http: { method: 'GET', path: '/customers/{customer_id}/orders' },
  input: z.strictObject({
    customer_id: z.string().describe('The customer id, such as C-1001'),
    limit: z.int().min(1).max(50).optional().describe('At most so many; 20 when left out'),
  }),
  output: z.strictObject({ orders: z.array(orderSummaryView) }),
  example: { customer_id: 'C-1001' },
  errors: ['customer_not_found'],
  run: (ctx, input) => {
    if (!ctx.tx.customers.has(input.customer_id)) {
      ctx.fail('customer_not_found', { customer: input.customer_id });
    }
    const options = { limit: input.limit ?? 20, reverse: true };
    const rows = [...ctx.tx.orders.by('by_customer', [input.customer_id], options)];
    return { orders: rows.map(viewOrderSummary) };
  },
});

export const searchOrders = operation({
  id: 'orders.search',
  summary: 'Searches orders by status, oldest first; the cursor of one page gives the next.',
  effect: 'read',
  http: { method: 'GET', path: '/orders' },
  input: z.strictObject({
    status: z.enum(['processing', 'shipped', 'delivered', 'cancelled']),
    limit: z.int().min(1).max(50).optional().describe('At most so many; 20 when left out'),
    after: z.string().optional().describe('next_after of the page before'),
  }),
  output: z.strictObject({ orders: z.array(orderSummaryView), next_after: z.string().nullable() }),
  example: { status: 'processing' },
  errors: ['order_not_found'],
  run: (ctx, input) => {
    const limit = input.limit ?? 20;
    if (input.after !== undefined && !ctx.tx.orders.has(input.after)) {
      ctx.fail('order_not_found', { order_id: input.after });
    }
    const options = { limit: limit + 1, ...(input.after === undefined ? {} : { after: input.after }) };
    const rows = [...ctx.tx.orders.by('by_status', [input.status], options)];
    const page = rows.slice(0, limit);
    return {
      orders: page.map(viewOrderSummary),
      next_after: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  },
});

export const cancelOrder = operation({
  id: 'orders.cancel',
  summary: 'Cancels an order that is still processing and pays back what was paid.',
  effect: 'write',
  http: { method: 'POST', path: '/orders/{order_id}/cancel' },
  input: z.strictObject({ order_id: orderId }),
  output: z.strictObject({ order_id: z.string(), status: z.string(), refunded: z.number() }),
  example: { order_id: '88240' },
  errors: ['order_not_found', 'fraud_hold', 'order_not_cancellable'],
  run: (ctx, input) => {
    const id = input.order_id;
    const order: Order = ctx.tx.orders.get(id) ?? ctx.fail('order_not_found', { order_id: id });
    if (order.fraud_hold) ctx.fail('fraud_hold', { order_id: id });
    if (order.status !== 'processing') {
      ctx.fail('order_not_cancellable', { order_id: id, status: order.status });
    }
    const back = remainingCents(order);
    const payment = ctx.tx.payments.unique('order', [id]);
    if (payment && back > 0) {
      ctx.tx.payments.update(payment.id, { refunded_cents: payment.refunded_cents + back });
      ctx.tx.refunds.insert({
        id: ctx.nextId('refunds'),
        order_id: id,
        payment_id: payment.id,
        amount_cents: back,
        created_at: momentText(ctx.nowMs),
      });
    }
    ctx.tx.orders.update(id, { status: 'cancelled', refunded_cents: order.refunded_cents + back });
    audit(ctx, { action: 'cancel_order', subject: id, amount_cents: back });
    return { order_id: id, status: 'cancelled', refunded: fromCents(back) };
  },
});

export const updateShippingAddress = operation({
  id: 'orders.updateShippingAddress',
  summary: 'Changes where an order goes, while it is still processing.',
  effect: 'write',
  http: { method: 'PUT', path: '/orders/{order_id}/shipping-address' },
  input: z.strictObject({
    order_id: orderId,
    street: z.string().min(1),
    city: z.string().min(1),
    postcode: z.string().min(1),
    country: z.string().min(2),
  }),
  output: orderView,
  example: { order_id: '88240', street: '4 Mill Row', city: 'Eastmere', postcode: '40112', country: 'NL' },
  errors: ['order_not_found', 'order_not_changeable'],
  run: (ctx, input) => {
    const id = input.order_id;
    const order: Order = ctx.tx.orders.get(id) ?? ctx.fail('order_not_found', { order_id: id });
    if (order.status !== 'processing') {
      ctx.fail('order_not_changeable', { order_id: id, status: order.status });
    }
    const changed = ctx.tx.orders.update(id, {
      ship_street: input.street,
      ship_city: input.city,
      ship_postcode: input.postcode,
      ship_country: input.country,
    });
    audit(ctx, { action: 'update_shipping_address', subject: id });
    return viewOrder(ctx.tx, changed);
  },
});
