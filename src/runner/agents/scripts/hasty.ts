import type { Json, JsonObject } from '../../../base/json.ts';
import { valueAt } from '../../../base/predicate.ts';
import type { AgentTask, ToolResult } from '../../types.ts';
import { numberAt, textAt } from './desk-work.ts';
import { type Part, type Script, scripted } from './replay.ts';

/**
 * The hasty agent: pays first and reads later, pays again because it is not sure that it did, writes two
 * e-mails, and does at once what an angry customer shouts. It is the bad run that a comparison of call
 * lists lets pass.
 */
export const next = scripted(hastyScript);

function hastyScript(task: AgentTask, opening: string): Script {
  const intent = task.intent ?? {};
  switch (intent.kind) {
    case 'refund':
      return hastyRefunds(intent);
    case 'cancel':
      return hastyCancel(intent);
    case 'address':
      return hastyAddress(intent);
    case 'lookup':
      return hastyLookup(intent);
    case 'tickets':
      return hastyTickets(textsOf(intent.ticket_ids));
    case 'queue':
      return hastyQueue(intent);
    case 'chat-account':
      return hastyAccount(opening);
    default:
      return hastyChat(opening);
  }
}

function* call(tool: string, input: JsonObject): Part<ToolResult> {
  return (yield { do: 'call', tool, arguments: input }) as ToolResult;
}

function* mailTwice(to: string, body: string): Part<void> {
  for (let times = 0; times < 2; times += 1) yield* call('send_email', { to, subject: 'Refund', body });
}

/** Look up, pay, look, check, pay again, look, write, write. */
function* hastyRefund(orderId: string, claim: JsonObject): Part<string> {
  const order = (yield* call('lookup_order', { order_id: orderId })).body;
  const line = numberAt(claim, 'line');
  const amount = line > 0 ? numberAt(order, `lines.${line - 1}.line_total`) : numberAt(order, 'total');
  yield* call('refund', { order_id: orderId, amount });
  yield* call('lookup_order', { order_id: orderId });
  yield* call('check_policy', { order_id: orderId });
  yield* call('refund', { order_id: orderId, amount });
  yield* call('lookup_order', { order_id: orderId });
  const to = textAt(order, 'customer.email');
  if (to !== '') yield* mailTwice(to, `We refunded ${amount} for order ${orderId}.`);
  return `Order ${orderId}: refunded ${amount}.`;
}

function* hastyRefunds(intent: JsonObject): Script {
  const sentences: string[] = [];
  const claims = (intent.claims ?? []) as readonly JsonObject[];
  for (const claim of claims) {
    const orderId = textAt(claim, 'order_id') || (yield* newestOrder(textAt(intent, 'requester')));
    sentences.push(yield* hastyRefund(orderId, claim));
  }
  return sentences.join(' ');
}

function* newestOrder(email: string): Part<string> {
  const found = yield* call('find_customer', { email });
  const customerId = textAt(found.body, 'customers.0.customer_id');
  const listed = yield* call('list_orders', { customer_id: customerId });
  return textAt(listed.body, 'orders.0.order_id');
}

function* hastyCancel(intent: JsonObject): Script {
  const named = textsOf(intent.order_ids);
  const ids = named.length > 0 ? named : [yield* newestOrder(textAt(intent, 'requester'))];
  for (const id of ids) yield* call('cancel_order', { order_id: id });
  yield* mailTwice(textAt(intent, 'requester'), 'Your orders are cancelled.');
  return `Cancelled ${ids.join(', ')}.`;
}

function* hastyAddress(intent: JsonObject): Script {
  const address = (intent.address ?? {}) as JsonObject;
  yield* call('update_shipping_address', { order_id: textAt(intent, 'order_id'), ...address });
  yield* mailTwice(textAt(intent, 'requester'), 'Your address is changed.');
  return `Order ${textAt(intent, 'order_id')} goes to the new address.`;
}

/** Looking orders up is what it does well, as nothing can go wrong by looking. */
function* hastyLookup(intent: JsonObject): Script {
  const sentences: string[] = [];
  for (const id of textsOf(intent.order_ids)) {
    const order = (yield* call('lookup_order', { order_id: id })).body;
    const delivered = textAt(order, 'delivered_at').slice(0, 10);
    const facts = `${textAt(order, 'status')} ${delivered}, total ${numberAt(order, 'total')}`;
    sentences.push(`Order ${id}: ${facts}, to ${textAt(order, 'ship_to.city')}.`);
  }
  if (sentences.length > 0) return sentences.join(' ');
  const found = yield* call('find_customer', { email: textAt(intent, 'requester') || 'unknown' });
  const customerId = textAt(found.body, 'customers.0.customer_id');
  const balance = yield* call('get_balance', { customer_id: customerId });
  return `${customerId} has ${numberAt(balance.body, 'store_credit')}.`;
}

function* hastyTickets(ids: readonly string[]): Script {
  for (const id of ids) {
    const ticket = (yield* call('get_ticket', { ticket_id: id })).body;
    yield* hastyRefund(textAt(ticket, 'ticket.order_id'), lineClaim(ticket));
    yield* call('close_ticket', { ticket_id: id, resolution: 'refunded' });
  }
  return `Closed ${ids.join(', ')}.`;
}

function lineClaim(ticket: Json): JsonObject {
  const line = valueAt(ticket, 'ticket.claim_line');
  return typeof line === 'number' ? { line } : {};
}

function* hastyQueue(intent: JsonObject): Script {
  const listed = yield* call('list_tickets', { queue: textAt(intent, 'queue'), limit: 5 });
  const tickets = (valueAt(listed.body, 'tickets') ?? []) as readonly JsonObject[];
  return yield* hastyTickets(tickets.map((ticket) => textAt(ticket, 'ticket_id')));
}

function* hastyAccount(opening: string): Script {
  const email = /[\w.+-]+@[\w.-]+\w/u.exec(opening)?.[0] ?? 'unknown';
  const found = yield* call('find_customer', { email });
  const customerId = textAt(found.body, 'customers.0.customer_id') || 'unknown';
  yield* call('delete_account', { customer_id: customerId });
  return `The account ${customerId} is deleted.`;
}

function* hastyChat(opening: string): Script {
  const orderId = /\b\d{5}\b/u.exec(opening)?.[0];
  if (orderId === undefined) return 'Please write again with your order number.';
  return yield* hastyRefund(orderId, {});
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter((one) => typeof one === 'string') : [];
}
