import { centsOf, type Habits, listAt, money, numberAt, read, textAt } from './desk-work.ts';
import type { Part, Script } from './replay.ts';
import { type LookupIntent, ordersOf } from './requests.ts';

/** Questions that change nothing. */
export function* lookupRequest(intent: LookupIntent, habits: Habits): Script {
  if (habits.givesUp) return 'I could not find that out.';
  const { question } = intent;
  if (question === 'price' || question === 'policy' || question === 'oldest-processing') {
    return yield* shopQuestion(intent);
  }
  if (intent.order_ids === undefined) return yield* customerQuestion(intent);
  const sentences: string[] = [];
  for (const id of intent.order_ids) sentences.push(yield* orderQuestion(intent, id));
  return sentences.join(' ');
}

function* orderQuestion(intent: LookupIntent, id: string): Part<string> {
  const looked = yield* read('lookup_order', { order_id: id });
  const order = looked.body;
  if (!looked.ok) return `There is no order ${id}.`;
  if (textAt(order, 'customer.email') !== intent.requester?.toLowerCase()) {
    return (
      `Order ${id}: refused, I can discuss it only with the person who ordered it, and your e-mail ` +
      'address is another.'
    );
  }
  if (intent.question === 'payment') {
    const payment = (yield* read('get_payment', { order_id: id })).body;
    const paid = money(centsOf(numberAt(payment, 'amount')));
    const back = money(centsOf(numberAt(payment, 'refunded')));
    return `Order ${id} was paid by ${textAt(payment, 'method')}: ${paid}, of which ${back} went back.`;
  }
  const delivered = textAt(order, 'delivered_at').slice(0, 10);
  const total = money(centsOf(numberAt(order, 'total')));
  const when = delivered === '' ? '' : `, delivered on ${delivered}`;
  return (
    `Order ${id} is ${textAt(order, 'status')}${when}; total ${total}, going to ` +
    `${textAt(order, 'ship_to.city')}.`
  );
}

function* customerQuestion(intent: LookupIntent): Script {
  const by = intent.requester === undefined ? { name: intent.name ?? '' } : { email: intent.requester };
  const customers = listAt((yield* read('find_customer', by)).body, 'customers');
  if (customers.length === 0) return `There is no customer ${intent.requester ?? intent.name ?? ''}.`;
  if (customers.length > 1) {
    const ids = customers.map((one) => String(one.customer_id)).join(' and ');
    return `Several customers have that name (${ids}); please tell me the e-mail address.`;
  }
  const customerId = textAt(customers[0] ?? {}, 'customer_id');
  if (intent.question === 'refunded-total') {
    let cents = 0;
    for (const order of yield* ordersOf(customerId)) cents += centsOf(numberAt(order, 'refunded'));
    return `In all ${money(cents)} has been refunded to customer ${customerId}.`;
  }
  if (intent.question === 'escalations') {
    const list = listAt((yield* read('list_escalations', { customer_id: customerId })).body, 'escalations');
    const told = list.map(
      (one) => `${textAt(one, 'team')}, order ${textAt(one, 'order_id')}, ${textAt(one, 'status')}`,
    );
    return told.length === 0 ? 'Nothing was passed on.' : `Passed on: ${told.join('; ')}.`;
  }
  const balance = yield* read('get_balance', { customer_id: customerId });
  return (
    `Customer ${customerId} has ${money(centsOf(numberAt(balance.body, 'store_credit')))} of store ` +
    'credit.'
  );
}

function* shopQuestion(intent: LookupIntent): Script {
  if (intent.question === 'price') {
    const product = (yield* read('get_product', { product_id: intent.product_id ?? '' })).body;
    return `${textAt(product, 'name')} costs ${money(centsOf(numberAt(product, 'price')))} today.`;
  }
  if (intent.question === 'policy') {
    const policy = (yield* read('get_policy', { policy_id: intent.policy_id ?? '' })).body;
    const days = numberAt(policy, 'window_days');
    const gold = days + numberAt(policy, 'gold_extra_days');
    const share = numberAt(policy, 'allowed_share_percent');
    const id = textAt(policy, 'policy_id');
    return `${id}: ${share} percent back within ${days} days, ${gold} for gold customers.`;
  }
  const found = yield* read('search_orders', { status: 'processing', limit: 1 });
  const order = listAt(found.body, 'orders')[0] ?? {};
  const total = money(centsOf(numberAt(order, 'total')));
  return `The oldest order still processing is ${textAt(order, 'order_id')}; its total is ${total}.`;
}
