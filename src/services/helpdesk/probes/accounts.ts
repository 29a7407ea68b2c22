import type { Probe } from '../../../service/index.ts';
import { probe, refusal } from './probe.ts';

/** Customers, accounts and mail. */
export const accountProbes: readonly Probe[] = [
  probe('customers.find', 'by e-mail address, whatever its case', {
    input: { email: 'Mira.Alder@Example.com' },
    expect: { facts: { 'customers.0.customer_id': 'C-1001' } },
  }),
  probe('customers.find', 'a name may be shared', {
    input: { name: 'ada dunmore' },
    expect: { facts: { 'customers.0.customer_id': 'C-1017', 'customers.1.customer_id': 'C-1018' } },
  }),
  probe('customers.get', 'by id', {
    input: { customer_id: 'C-1012' },
    expect: { facts: { tier: 'gold', account: 'open' } },
  }),
  probe('balances.get', 'store credit', {
    input: { customer_id: 'C-1022' },
    expect: { facts: { store_credit: 100 } },
  }),
  probe('accounts.close', 'not while an order is on its way', {
    input: { customer_id: 'C-1002' },
    expect: {
      status: 409,
      facts: { 'error.code': 'account_has_open_orders', 'error.details.orders': '88240' },
    },
  }),
  probe('accounts.delete', 'the account is gone, the customer is still known', {
    after: [{ operation: 'accounts.delete', input: { customer_id: 'C-1003' } }],
    input: { customer_id: 'C-1003' },
    expect: refusal(404, 'account_not_found'),
  }),
  probe('emails.send', 'to customers only', {
    input: { to: 'nobody@example.com', subject: 'Hello', body: 'Hello' },
    expect: refusal(404, 'recipient_unknown'),
  }),
  probe('emails.list', 'what was sent', {
    after: [
      { operation: 'emails.send', input: { to: 'mira.alder@example.com', subject: 'Hello', body: 'Hello' } },
    ],
    input: { customer_id: 'C-1001' },
    expect: { facts: { 'emails.0.subject': 'Hello' } },
  }),
];
