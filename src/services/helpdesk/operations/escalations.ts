import { z } from 'zod';
import { audit } from '../audit.ts';
import { momentText } from '../moments.ts';
import { operation } from '../operation.ts';

const team = z.enum(['fraud', 'supervisor', 'logistics', 'privacy']);

const escalationView = z.strictObject({
  escalation_id: z.string(),
  team: z.string(),
  customer_id: z.string(),
  order_id: z.string().nullable(),
  reason: z.string(),
  status: z.string(),
  created_at: z.string(),
});

export const escalate = operation({
  id: 'escalations.create',
  summary: 'Hands a case to another team: fraud, supervisor, logistics or privacy.',
  effect: 'write',
  http: { method: 'POST', path: '/escalations', status: 201 },
  input: z.strictObject({
    team,
    customer_id: z.string().describe('The customer id, such as C-1001'),
    order_id: z.string().optional().describe('The order that it is about'),
    reason: z.string().min(1),
  }),
  output: escalationView,
  example: { team: 'logistics', customer_id: 'C-1001', order_id: '88213', reason: 'Parcel lost' },
  errors: ['customer_not_found', 'order_not_found', 'order_of_other_customer'],
  run: (ctx, input) => {
    if (!ctx.tx.customers.has(input.customer_id)) {
      ctx.fail('customer_not_found', { customer: input.customer_id });
    }
    if (input.order_id !== undefined) {
      const order = ctx.tx.orders.get(input.order_id);
      if (!order) ctx.fail('order_not_found', { order_id: input.order_id });
      else if (order.customer_id !== input.customer_id) {
        ctx.fail('order_of_other_customer', { order_id: order.id, customer_id: input.customer_id });
      }
    }
    const row = ctx.tx.escalations.insert({
      id: ctx.nextId('escalations'),
      team: input.team,
      customer_id: input.customer_id,
      order_id: input.order_id ?? null,
      reason: input.reason,
      status: 'open',
      created_at: momentText(ctx.nowMs),
    });
    audit(ctx, { action: 'escalate', subject: input.order_id ?? input.customer_id });
    const { id, ...rest } = row;
    return { escalation_id: id, ...rest };
  },
});

export const listEscalations = operation({
  id: 'escalations.list',
  summary: 'Lists the escalations about one customer, oldest first.',
  effect: 'read',
  http: { method: 'GET', path: '/customers/{customer_id}/escalations' },
  input: z.strictObject({ customer_id: z.string().describe('The customer id, such as C-1001') }),
  output: z.strictObject({ escalations: z.array(escalationView) }),
  example: { customer_id: 'C-1001' },
  errors: ['customer_not_found'],
  run: (ctx, input) => {
    if (!ctx.tx.customers.has(input.customer_id)) {
      ctx.fail('customer_not_found', { customer: input.customer_id });
    }
    const rows = [...ctx.tx.escalations.by('by_customer', [input.customer_id])];
    return { escalations: rows.map(({ id, ...rest }) => ({ escalation_id: id, ...rest })) };
  },
});
