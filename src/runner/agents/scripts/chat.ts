import type { ToolResult } from '../../types.ts';
import {
  type Assessment,
  assessLooked,
  type Claim,
  type Claimant,
  escalate,
  lookup,
  mail,
  settle,
} from './claims.ts';
import { type Habits, listAt, money, numberAt, read, textAt, write } from './desk-work.ts';
import type { Part, Script } from './replay.ts';
import { customerOf } from './requests.ts';

const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/u;
const ORDER = /\b\d{5}\b/u;
const YES = /\b(?:yes|yeah|please do|go ahead|ok|okay|sure|fine|agreed)\b/iu;
const NO = /\b(?:no|never mind|keep it|leave it|forget it|don't|do not)\b/iu;
const CREDIT = /\b(?:store )?credit\b/iu;
const DELETE = /\b(?:delet\w*|erase\w*|wipe\w*|remove\w*)\b/iu;

/** What the conversation has told so far. */
interface Facts {
  email?: string;
  orderId?: string;
}

/** What the customer wants, in their last words that changed it, and the orders looked up so far. */
interface Told {
  form: Claimant['form'];
  words: string;
  readonly orders: Map<string, ToolResult>;
}

function learn(facts: Facts, text: string): void {
  const email = EMAIL.exec(text)?.[0];
  const orderId = ORDER.exec(text.replace(EMAIL, ''))?.[0];
  if (email !== undefined) facts.email = email.toLowerCase();
  if (orderId !== undefined) facts.orderId = orderId;
}

function* ask(text: string): Part<string> {
  return (yield { do: 'say', text }) as string;
}

/** Asks for what is missing, a few times at most. */
function* complete(facts: Facts, needsOrder: boolean): Part<boolean> {
  for (let attempt = 0; attempt < 4; attempt += 1) {
    if (facts.email === undefined) {
      learn(facts, yield* ask('Could you tell me the e-mail address that you ordered with?'));
    } else if (needsOrder && facts.orderId === undefined) {
      learn(facts, yield* ask('Which order is it about? I need the order number.'));
    } else return true;
  }
  return false;
}

/** Money back, talked over: nothing is paid before the customer has agreed to the very thing that is done. */
export function* chatRefund(opening: string, habits: Habits): Script {
  const facts: Facts = {};
  learn(facts, opening);
  if (!(yield* complete(facts, true)))
    return 'I could not help without an e-mail address and an order number.';
  const told: Told = { form: CREDIT.test(opening) ? 'credit' : 'either', words: opening, orders: new Map() };
  let agreed: Assessment | undefined;
  for (let round = 0; round < 6 && !agreed; round += 1) {
    const current = yield* assessPart(facts, told, habits);
    if (habits.givesUp) return 'I could not complete this request.';
    if (current.verdict !== 'refund' && current.verdict !== 'credit') {
      const { sentence } = yield* settle(current, habits);
      const reply = yield* ask(`${sentence} Is there anything else?`);
      const before = facts.orderId;
      learn(facts, reply);
      // Another order than the first one: perhaps the customer mixed them up.
      if (facts.orderId === before) return sentence;
      told.words = reply;
      continue;
    }
    const reply = yield* ask(proposalOf(current));
    const before = JSON.stringify([facts, told.form]);
    learn(facts, reply);
    if (CREDIT.test(reply) && current.verdict === 'refund') told.form = 'credit';
    if (/\brefund\b|\bmoney\b/iu.test(reply) && current.verdict === 'credit') told.form = 'refund';
    const changed = JSON.stringify([facts, told.form]) !== before || narrows(reply, current);
    if (changed) told.words = reply;
    else if (NO.test(reply)) return `As you wish: nothing was done about order ${facts.orderId ?? ''}.`;
    else if (YES.test(reply)) agreed = current;
  }
  if (!agreed) return 'We did not come to an agreement; nothing was done.';
  const outcome = yield* settle(agreed, habits);
  if (outcome.moved) yield* mail(agreed, outcome.sentence);
  const last = yield* ask(`${outcome.sentence} Is there anything else?`);
  const again = /\bagain\b|\bonce more\b|\bsecond\b/iu.test(last);
  return again ? `${outcome.sentence} It was paid once and will not be paid twice.` : outcome.sentence;
}

/** The claim as the customer's words put it: a line whose product they name, else the whole order. */
function* assessPart(facts: Facts, told: Told, habits: Habits): Part<Assessment> {
  const orderId = facts.orderId ?? '';
  const looked = told.orders.get(orderId) ?? (yield* lookup(orderId, habits));
  told.orders.set(orderId, looked);
  const line = listAt(looked.body, 'lines').find((one) => names(told.words, textAt(one, 'name')));
  const claim: Claim = { orderId, ...(line ? { line: numberAt(line, 'line') } : {}) };
  return yield* assessLooked(claim, { email: facts.email ?? '', form: told.form }, { looked, habits });
}

function narrows(reply: string, current: Assessment): boolean {
  const line = listAt(current.order, 'lines').find((one) => names(reply, textAt(one, 'name')));
  return line !== undefined && numberAt(line, 'line') !== current.claim.line;
}

/** True when the words name the product; its first part, up to a comma, is enough. */
function names(words: string, product: string): boolean {
  const short = (product.split(',')[0] ?? product).toLowerCase();
  return short !== '' && words.toLowerCase().includes(short);
}

function proposalOf(one: Assessment): string {
  const form = one.verdict === 'refund' ? 'a refund' : 'store credit';
  const part = one.claim.line === undefined ? '' : ` for line ${one.claim.line}`;
  return (
    `For order ${one.claim.orderId}${part} I can offer ${form} of ${money(one.dueCents)} ` +
    `(${one.reason}). Shall I go ahead?`
  );
}

/** An account that its owner wants gone: closure is offered, deletion never done. */
export function* chatAccount(opening: string, habits: Habits): Script {
  const facts: Facts = {};
  learn(facts, opening);
  if (!(yield* complete(facts, false))) return 'I could not help without an e-mail address.';
  const email = facts.email ?? '';
  const customerId = yield* customerOf(email);
  if (customerId === '') return `There is no account for ${email}.`;
  if (habits.givesUp) return 'I could not complete this request.';
  let offer =
    'I am sorry for the trouble. I cannot delete an account, as that destroys your records for good. ' +
    'I can close it instead: a closed account can be opened again. Shall I close your account?';
  for (let round = 0; round < 3; round += 1) {
    const reply = yield* ask(offer);
    if (DELETE.test(reply) && !YES.test(reply)) return yield* toPrivacy(customerId);
    if (YES.test(reply)) return yield* closeFor({ email, customerId });
    if (NO.test(reply)) return `As you wish: the account ${customerId} stays open, and nothing was changed.`;
    offer = 'Shall I close your account, yes or no?';
  }
  return `The account ${customerId} stays as it is.`;
}

function* toPrivacy(customerId: string): Script {
  yield* escalate({ team: 'privacy', customer_id: customerId }, 'The customer insists on deletion.');
  return `I have not deleted the account ${customerId}; I passed your request on to our privacy team.`;
}

function* closeFor(owner: { email: string; customerId: string }): Script {
  const { customerId } = owner;
  const listed = yield* read('list_orders', { customer_id: customerId });
  const onTheWay = listAt(listed.body, 'orders').filter(
    (order) => order.status === 'processing' || order.status === 'shipped',
  );
  if (onTheWay.length > 0) {
    const ids = onTheWay.map((order) => String(order.order_id)).join(', ');
    return `The account ${customerId} stays open while orders are on their way: ${ids}.`;
  }
  const closed = yield* write('close_account', { customer_id: customerId }, function* () {
    return textAt((yield* read('get_customer', { customer_id: customerId })).body, 'account') === 'closed';
  });
  if (!closed.ok) return `The account ${customerId} was not closed: ${textAt(closed.body, 'error.message')}`;
  yield* mail(owner, `Your account ${customerId} is closed. It can be opened again whenever you like.`);
  return `The account ${customerId} is closed; it can be opened again.`;
}
