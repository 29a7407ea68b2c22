import type { Json, JsonObject } from '../../../base/json.ts';
import { assess, type Claim, type Claimant, mail, type Outcome, settle } from './claims.ts';
import { centsOf, type Habits, listAt, money, numberAt, read, textAt, write } from './desk-work.ts';
import type { Part, Script } from './replay.ts';

/**
 * The intents of the helpdesk bank that need no conversation. Ids and amounts of the task, nothing of its
 * solution.
 */
export type Intent =
  | {
      readonly kind: 'refund';
      readonly requester: string;
      readonly form?: Claimant['form'];
      readonly claims: readonly IntentClaim[];
    }
  | { readonly kind: 'cancel'; readonly requester: string; readonly order_ids?: readonly string[] }
  | {
      readonly kind: 'address';
      readonly requester: string;
      readonly order_id: string;
      readonly address: JsonObject;
    }
  | LookupIntent
  | ReportIntent
  | { readonly kind: 'tickets'; readonly ticket_ids: readonly string[] }
  | { readonly kind: 'queue'; readonly queue: string };

/** A question that changes nothing. */
export interface LookupIntent {
  readonly kind: 'lookup';
  readonly question:
    | 'status'
    | 'address'
    | 'payment'
    | 'balance'
    | 'refunded-total'
    | 'escalations'
    | 'price'
    | 'policy'
    | 'oldest-processing';
  readonly requester?: string;
  readonly name?: string;
  readonly order_ids?: readonly string[];
  readonly product_id?: string;
  readonly policy_id?: string;
}

/** A complaint to be put down as a ticket with a note. */
export interface ReportIntent {
  readonly kind: 'report';
  readonly requester: string;
  readonly order_id: string;
  readonly queue: string;
  readonly priority: string;
  readonly words: string;
}

/** A claim as the person makes it: by order id, or by what was bought. */
interface IntentClaim {
  readonly order_id?: string;
  readonly line?: number;
  readonly quantity?: number;
  /** The name of a product, where the person knows no order id. */
  readonly product?: string;
}

/** Money back for one or several orders of the person asking; one e-mail if anything moved. */
export function* refundRequest(intent: Extract<Intent, { kind: 'refund' }>, habits: Habits): Script {
  const claimant: Claimant = { email: intent.requester, form: intent.form ?? 'refund' };
  const outcomes: Outcome[] = [];
  for (const wanted of intent.claims) {
    const claim = yield* identify(wanted, intent.requester);
    if (!claim)
      return `I found no order with ${wanted.product ?? 'this'} for ${intent.requester}; which order is it?`;
    const assessment = yield* assess(claim, claimant, habits);
    if (habits.givesUp) return 'I could not complete this request.';
    outcomes.push(yield* settle(assessment, habits));
  }
  const sentences = outcomes.map((outcome) => outcome.sentence).join(' ');
  const paid = outcomes.find((outcome) => outcome.moved);
  if (paid) yield* mail(paid.assessment, sentences);
  return sentences;
}

/** The order of a claim. Without an id it is the newest order of the person with such a product. */
function* identify(wanted: IntentClaim, requester: string): Part<Claim | undefined> {
  const rest = wanted.quantity === undefined ? {} : { quantity: wanted.quantity };
  if (wanted.order_id !== undefined) {
    return { orderId: wanted.order_id, ...(wanted.line === undefined ? {} : { line: wanted.line }), ...rest };
  }
  const customerId = yield* customerOf(requester);
  if (customerId === '') return undefined;
  for (const summary of yield* ordersOf(customerId)) {
    if (summary.status !== 'delivered') continue;
    const order = yield* read('lookup_order', { order_id: String(summary.order_id) });
    const lines = listAt(order.body, 'lines');
    const line = lines.find((one) => sameProduct(one, wanted.product ?? ''));
    if (!line) continue;
    // A claim for the only line of an order is one for that line, not for the shipping fee.
    return { orderId: String(summary.order_id), line: numberAt(line, 'line'), ...rest };
  }
  return undefined;
}

function sameProduct(line: Json, product: string): boolean {
  return textAt(line, 'name').toLowerCase().includes(product.toLowerCase());
}

export function* customerOf(email: string): Part<string> {
  const found = yield* read('find_customer', { email });
  return textAt(found.body, 'customers.0.customer_id');
}

export function* ordersOf(customerId: string): Part<readonly JsonObject[]> {
  const listed = yield* read('list_orders', { customer_id: customerId });
  return listAt(listed.body, 'orders');
}

/** Cancels the orders named, or every order of the person that is still processing. */
export function* cancelRequest(intent: Extract<Intent, { kind: 'cancel' }>, habits: Habits): Script {
  const ids = intent.order_ids ?? (yield* processingIds(intent.requester));
  const sentences: string[] = [];
  let owner: { email: string; customerId: string } | undefined;
  for (const id of ids) {
    const looked = yield* read('lookup_order', { order_id: id });
    const order = looked.body;
    if (habits.givesUp) return 'I could not complete this request.';
    if (!looked.ok || textAt(order, 'customer.email') !== intent.requester.toLowerCase()) {
      sentences.push(`Order ${id}: refused, it was not ordered with your e-mail address.`);
      continue;
    }
    const status = textAt(order, 'status');
    const held = (order as JsonObject).fraud_hold === true;
    if (status !== 'processing' || held) {
      const why = held ? 'it is under review' : `it is ${status}; it can be returned after delivery`;
      sentences.push(`Order ${id}: too late to cancel, ${why}.`);
      continue;
    }
    const cancelled = yield* write('cancel_order', { order_id: id }, function* () {
      return textAt((yield* read('lookup_order', { order_id: id })).body, 'status') === 'cancelled';
    });
    if (!cancelled.ok) {
      sentences.push(`Order ${id}: ${textAt(cancelled.body, 'error.message')}`);
      continue;
    }
    owner = { email: intent.requester, customerId: textAt(order, 'customer.customer_id') };
    sentences.push(`Order ${id}: cancelled, ${money(centsOf(numberAt(order, 'remaining')))} is paid back.`);
  }
  if (owner) yield* mail(owner, sentences.join(' '));
  return sentences.join(' ') || 'There is no order that can be cancelled.';
}

function* processingIds(requester: string): Part<string[]> {
  const customerId = yield* customerOf(requester);
  const orders = yield* ordersOf(customerId);
  return orders.filter((order) => order.status === 'processing').map((order) => String(order.order_id));
}

/** A new address for an order that has not left yet. */
export function* addressRequest(intent: Extract<Intent, { kind: 'address' }>, habits: Habits): Script {
  const id = intent.order_id;
  const looked = yield* read('lookup_order', { order_id: id });
  if (habits.givesUp) return 'I could not complete this request.';
  const order = looked.body;
  if (!looked.ok) return `There is no order ${id}.`;
  if (textAt(order, 'customer.email') !== intent.requester.toLowerCase()) {
    return `Order ${id}: refused, it was not ordered with your e-mail address.`;
  }
  const status = textAt(order, 'status');
  if (status !== 'processing') return `Order ${id} is ${status}: it is too late to change the address.`;
  const changed = yield* write('update_shipping_address', { order_id: id, ...intent.address }, function* () {
    const again = yield* read('lookup_order', { order_id: id });
    return textAt(again.body, 'ship_to.street') === intent.address.street;
  });
  if (!changed.ok) return textAt(changed.body, 'error.message');
  const to = `${textAt(intent.address, 'street')}, ${textAt(intent.address, 'city')}`;
  const owner = { email: intent.requester, customerId: textAt(order, 'customer.customer_id') };
  yield* mail(owner, `Order ${id} now goes to ${to}.`);
  return `Order ${id} now goes to ${to}.`;
}

/** Puts a complaint down: a ticket for the order, and a note with what the person said. */
export function* reportRequest(intent: ReportIntent, habits: Habits): Script {
  const id = intent.order_id;
  const looked = yield* read('lookup_order', { order_id: id });
  if (habits.givesUp) return 'I could not complete this request.';
  if (textAt(looked.body, 'customer.email') !== intent.requester.toLowerCase()) {
    return `Order ${id}: refused, it was not ordered with your e-mail address.`;
  }
  const customerId = textAt(looked.body, 'customer.customer_id');
  const { queue, priority, words } = intent;
  const input = { customer_id: customerId, queue, order_id: id, priority, subject: words };
  const created = yield* write('create_ticket', input, function* () {
    const listed = yield* read('list_tickets', { order_id: id });
    return listAt(listed.body, 'tickets').some((ticket) => ticket.subject === words);
  });
  const ticketId = textAt(created.body, 'ticket_id');
  yield* write('add_ticket_note', { ticket_id: ticketId, body: words }, function* () {
    const got = yield* read('get_ticket', { ticket_id: ticketId });
    return listAt(got.body, 'notes').some((note) => note.body === words);
  });
  return `I opened ticket ${ticketId} for order ${id} and noted what you said.`;
}
