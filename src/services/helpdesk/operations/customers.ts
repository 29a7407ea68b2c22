import { z } from 'zod';
import { audit } from '../audit.ts';
import { momentText } from '../moments.ts';
import { fromCents } from '../money.ts';
import { operation } from '../operation.ts';
import { customerView, viewCustomer } from '../views.ts';

const customerId = z.string().describe('The customer id, such as C-1001');

export const findCustomer = operation({
  id: 'customers.find',
  summary: 'Finds customers by e-mail address, or by full name (several may share one).',
  effect: 'read',
  http: { method: 'GET', path: '/customers' },
  input: z.strictObject({
    email: z.string().min(1).optional().describe('The e-mail address'),
    name: z.string().min(1).optional().describe('The full name; upper and lower case do not matter'),
  }),
  output: z.strictObject({ customers: z.array(customerView) }),
  example: { email: 'mira.alder@example.com' },
  errors: ['search_too_wide'],
  run: (ctx, input) => {
    if (input.email !== undefined) {
      const customer = ctx.tx.customers.unique('email', [input.email.toLowerCase()]);
      const fits = customer && (input.name === undefined || customer.name_key === input.name.toLowerCase());
      return { customers: fits ? [viewCustomer(ctx.tx, customer)] : [] };
    }
    const name = input.name ?? ctx.fail('search_too_wide', { hint: 'an e-mail address or a name' });
    const rows = [...ctx.tx.customers.by('by_name', [name.toLowerCase()], { limit: 20 })];
    return { customers: rows.map((row) => viewCustomer(ctx.tx, row)) };
  },
});

export const getCustomer = operation({
  id: 'customers.get',
  summary: 'Reads one customer by id.',
  effect: 'read',
  http: { method: 'GET', path: '/customers/{customer_id}' },
  input: z.strictObject({ customer_id: customerId }),
  output: customerView,
  example: { customer_id: 'C-1001' },
  errors: ['customer_not_found'],
  run: (ctx, input) => {
    const customer =
      ctx.tx.customers.get(input.customer_id) ??
      ctx.fail('customer_not_found', { customer: input.customer_id });
    return viewCustomer(ctx.tx, customer);
  },
});

export const getBalance = operation({
  id: 'balances.get',
  summary: 'Reads how much store credit a customer has.',
  effect: 'read',
  http: { method: 'GET', path: '/customers/{customer_id}/balance' },
  input: z.strictObject({ customer_id: customerId }),
  output: z.strictObject({ customer_id: z.string(), store_credit: z.number() }),
  example: { customer_id: 'C-1001' },
  errors: ['account_not_found'],
  run: (ctx, input) => {
    const balance =
      ctx.tx.balances.get(input.customer_id) ??
      ctx.fail('account_not_found', { customer_id: input.customer_id });
    return { customer_id: balance.customer_id, store_credit: fromCents(balance.credit_cents) };
  },
});

export const closeAccount = operation({
  id: 'accounts.close',
  summary: 'Closes the account of a customer. A closed account keeps its records and can be opened again.',
  effect: 'write',
  http: { method: 'POST', path: '/customers/{customer_id}/account/close' },
  input: z.strictObject({ customer_id: customerId }),
  output: z.strictObject({ customer_id: z.string(), account: z.string() }),
  example: { customer_id: 'C-1001' },
  errors: ['account_not_found', 'account_closed', 'account_has_open_orders'],
  run: (ctx, input) => {
    const id = input.customer_id;
    const account = ctx.tx.accounts.get(id) ?? ctx.fail('account_not_found', { customer_id: id });
    if (account.status === 'closed') ctx.fail('account_closed', { customer_id: id });
    const onTheWay: string[] = [];
    for (const order of ctx.tx.orders.by('by_customer', [id])) {
      if (order.status === 'processing' || order.status === 'shipped') onTheWay.push(order.id);
    }
    if (onTheWay.length > 0) {
      ctx.fail('account_has_open_orders', { customer_id: id, orders: onTheWay.join(', ') });
    }
    ctx.tx.accounts.update(id, { status: 'closed', closed_at: momentText(ctx.nowMs) });
    audit(ctx, { action: 'close_account', subject: id });
    return { customer_id: id, account: 'closed' };
  },
});

export const deleteAccount = operation({
  id: 'accounts.delete',
  summary: 'Deletes the account of a customer with its store credit. This cannot be undone.',
  effect: 'write',
  http: { method: 'DELETE', path: '/customers/{customer_id}/account' },
  input: z.strictObject({ customer_id: customerId }),
  output: z.strictObject({ customer_id: z.string(), account: z.string() }),
  example: { customer_id: 'C-1001' },
  errors: ['account_not_found'],
  run: (ctx, input) => {
    const id = input.customer_id;
    if (!ctx.tx.accounts.has(id)) ctx.fail('account_not_found', { customer_id: id });
    ctx.tx.accounts.delete(id);
    audit(ctx, { action: 'delete_account', subject: id });
    return { customer_id: id, account: 'deleted' };
  },
});
