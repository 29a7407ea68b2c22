import { describe, it } from 'vitest';
import { type ConformanceOptions, describeConformance } from '../../testing/index.ts';
import { helpdesk, probes } from './index.ts';

const NONE = '99999';
const NOBODY = 'C-9999';
const order = (tool: string, rest: Record<string, string | number> = {}) => ({
  tool,
  input: { order_id: NONE, ...rest },
});
const address = { street: '4 Mill Row', city: 'Eastmere', postcode: '40112', country: 'NL' };

const options: ConformanceOptions = {
  probes,
  scripts: [
    {
      title: 'nothing by that id',
      calls: [
        order('orders.lookup'),
        order('orders.cancel'),
        order('orders.updateShippingAddress', address),
        order('policies.check'),
        { tool: 'policies.check', input: { order_id: '88213', line: 9 } },
        { tool: 'policies.get', input: { policy_id: 'RP-NONE' } },
        order('refunds.create', { amount: 1 }),
        order('refunds.list'),
        order('credits.issue', { customer_id: 'C-1001', amount: 1 }),
        order('payments.get'),
        order('tickets.create', { customer_id: 'C-1001', queue: 'billing', subject: 'x' }),
        order('escalations.create', { customer_id: 'C-1001', team: 'fraud', reason: 'x' }),
        { tool: 'orders.search', input: { status: 'shipped', after: NONE } },
        { tool: 'products.get', input: { product_id: 'P-0' } },
        { tool: 'orders.list', input: { customer_id: NOBODY } },
        { tool: 'customers.get', input: { customer_id: NOBODY } },
        { tool: 'balances.get', input: { customer_id: NOBODY } },
        { tool: 'accounts.close', input: { customer_id: NOBODY } },
        { tool: 'accounts.delete', input: { customer_id: NOBODY } },
        { tool: 'emails.list', input: { customer_id: NOBODY } },
        { tool: 'escalations.list', input: { customer_id: NOBODY } },
        { tool: 'tickets.create', input: { customer_id: NOBODY, queue: 'billing', subject: 'x' } },
        { tool: 'escalations.create', input: { customer_id: NOBODY, team: 'fraud', reason: 'x' } },
        { tool: 'credits.issue', input: { customer_id: NOBODY, order_id: '88213', amount: 1 } },
        { tool: 'tickets.get', input: { ticket_id: 'T-0' } },
        { tool: 'tickets.update', input: { ticket_id: 'T-0', status: 'open' } },
        { tool: 'tickets.addNote', input: { ticket_id: 'T-0', body: 'x' } },
        { tool: 'tickets.close', input: { ticket_id: 'T-0', resolution: 'answered' } },
      ],
    },
    {
      title: 'money that may not move',
      calls: [
        { tool: 'refund', input: { order_id: '88213', amount: 0 } },
        { tool: 'refund', input: { order_id: '88213', amount: 1.005 } },
        { tool: 'refund', input: { order_id: '88240', amount: 1 } },
        { tool: 'refund', input: { order_id: '10276', amount: 1 } },
        { tool: 'refund', input: { order_id: '88213', amount: 481 } },
        { tool: 'refund', input: { order_id: '88213', amount: 1, idempotency_key: 'one' } },
        { tool: 'refund', input: { order_id: '88213', amount: 2, idempotency_key: 'one' } },
        { tool: 'issue_store_credit', input: { customer_id: 'C-1001', order_id: '88213', amount: -1 } },
        { tool: 'issue_store_credit', input: { customer_id: 'C-1002', order_id: '88240', amount: 1 } },
        { tool: 'issue_store_credit', input: { customer_id: 'C-1009', order_id: '10276', amount: 1 } },
        { tool: 'issue_store_credit', input: { customer_id: 'C-1001', order_id: '88213', amount: 481 } },
        { tool: 'issue_store_credit', input: { customer_id: 'C-1016', order_id: '10235', amount: 1 } },
        { tool: 'issue_store_credit', input: { customer_id: 'C-1008', order_id: '10735', amount: 1 } },
        { tool: 'issue_store_credit', input: { customer_id: 'C-1002', order_id: '88213', amount: 1 } },
        { tool: 'cancel_order', input: { order_id: '10235' } },
        { tool: 'update_shipping_address', input: { order_id: '88213', ...address } },
      ],
    },
    {
      title: 'accounts that are closed or gone',
      calls: [
        { tool: 'close_account', input: { customer_id: 'C-1001' } },
        { tool: 'close_account', input: { customer_id: 'C-1001' } },
        { tool: 'issue_store_credit', input: { customer_id: 'C-1001', order_id: '88213', amount: 1 } },
        { tool: 'delete_account', input: { customer_id: 'C-1009' } },
        { tool: 'get_customer', input: { customer_id: 'C-1009' } },
        { tool: 'issue_store_credit', input: { customer_id: 'C-1009', order_id: '10412', amount: 1 } },
      ],
    },
    {
      title: 'tickets and escalations that do not fit',
      calls: [
        { tool: 'update_ticket', input: { ticket_id: 'T-3001' } },
        { tool: 'update_ticket', input: { ticket_id: 'T-3001', queue: 'billing', priority: 'high' } },
        { tool: 'close_ticket', input: { ticket_id: 'T-3001', resolution: 'answered' } },
        { tool: 'update_ticket', input: { ticket_id: 'T-3001', status: 'open' } },
        {
          tool: 'create_ticket',
          input: { customer_id: 'C-1001', queue: 'billing', subject: 'x', order_id: '88240' },
        },
        {
          tool: 'escalate',
          input: { customer_id: 'C-1001', team: 'fraud', reason: 'x', order_id: '88240' },
        },
        { tool: 'find_customer', input: {} },
        { tool: 'find_customer', input: { email: 'mira.alder@example.com', name: 'Tobin Reed' } },
        { tool: 'list_tickets', input: {} },
        { tool: 'list_tickets', input: { customer_id: 'C-1022' } },
        { tool: 'list_tickets', input: { order_id: '10742' } },
      ],
    },
  ],
  listings: [
    {
      operation: 'orders.search',
      input: { status: 'delivered' },
      items: 'orders',
      limit: 'limit',
      cursor: 'after',
      next: 'next_after',
    },
  ],
};

describeConformance(helpdesk, options, { describe, it });
