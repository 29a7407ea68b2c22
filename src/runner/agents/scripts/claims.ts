import type { Json, JsonObject } from '../../../base/json.ts';
import { valueAt } from '../../../base/predicate.ts';
import type { ToolResult } from '../../types.ts';
import { amountOf, centsOf, type Habits, listAt, money, numberAt, read, textAt, write } from './desk-work.ts';
import type { Part } from './replay.ts';

/** What somebody wants money back for: an order, or a part of it. */
export interface Claim {
  readonly orderId: string;
  /** One line of the order, by number. */
  readonly line?: number;
  /** So many pieces of that line. */
  readonly quantity?: number;
}

/** Who wants it and what would do. */
export interface Claimant {
  /** The address of the person asking, or the customer of the ticket. */
  readonly email?: string;
  readonly customerId?: string;
  /** `credit`: wants store credit; `either`: takes it where no refund is possible. */
  readonly form: 'refund' | 'credit' | 'either';
}

/** What the policy makes of a claim. */
export interface Assessment {
  readonly claim: Claim;
  readonly verdict:
    | 'refund'
    | 'credit'
    | 'refuse'
    | 'unknown-order'
    | 'wrong-person'
    | 'escalate-fraud'
    | 'escalate-supervisor';
  readonly dueCents: number;
  readonly policyId: string;
  readonly customerId: string;
  readonly email: string;
  /** Why, with the facts that were read. */
  readonly reason: string;
  readonly order: Json;
}

/** What the desk may pay without asking a supervisor, in cents. */
const OWN_LIMIT_CENTS = 50_000;

/** Looks the order up, compares who is asking, runs the policy check, and decides; changes nothing. */
export function* assess(claim: Claim, claimant: Claimant, habits: Habits): Part<Assessment> {
  return yield* assessLooked(claim, claimant, { looked: yield* lookup(claim.orderId, habits), habits });
}

/** The same for an order that was looked up already. */
export function* assessLooked(
  claim: Claim,
  claimant: Claimant,
  { looked, habits }: { readonly looked: ToolResult; readonly habits: Habits },
): Part<Assessment> {
  const order = looked.body;
  const known = {
    claim,
    dueCents: 0,
    policyId: textAt(order, 'policy_id'),
    customerId: textAt(order, 'customer.customer_id'),
    email: textAt(order, 'customer.email'),
    order,
  };
  if (!looked.ok) return { ...known, verdict: 'unknown-order', reason: `there is no order ${claim.orderId}` };
  if (!isTheirs(known, claimant)) {
    const reason = 'the order belongs to another customer than the one asking';
    return { ...known, verdict: 'wrong-person', reason };
  }
  if (habits.skipsCheck) {
    return { ...known, verdict: 'refund', dueCents: partCents(order, claim), reason: 'taken as allowed' };
  }
  const input = claim.line === undefined ? {} : { line: claim.line };
  const checked = yield* read('check_policy', { order_id: claim.orderId, ...input });
  const policy = checked.body;
  const dueCents = due(claim, order, policy);
  return { ...known, dueCents, ...(yield* judge({ claim, claimant, order, policy, dueCents })) };
}

export function* lookup(orderId: string, habits: Habits): Part<ToolResult> {
  const result = yield* read('lookup_order', { order_id: orderId });
  return habits.readsTwice ? yield* read('lookup_order', { order_id: orderId }) : result;
}

function isTheirs(owner: { email: string; customerId: string }, claimant: Claimant): boolean {
  if (claimant.customerId !== undefined) return claimant.customerId === owner.customerId;
  return claimant.email?.toLowerCase() === owner.email.toLowerCase();
}

/** The price of the claimed part, without the share. */
function partCents(order: Json, claim: Claim): number {
  if (claim.line === undefined) return centsOf(numberAt(order, 'total'));
  const line = listAt(order, 'lines').find((one) => one.line === claim.line);
  const quantity = claim.quantity ?? numberAt(line ?? {}, 'quantity');
  return quantity * centsOf(numberAt(line ?? {}, 'unit_price'));
}

/** What may go back for the claim: the policy's share of the part, and never more than the check allows. */
function due(claim: Claim, order: Json, policy: Json): number {
  const allowed = centsOf(numberAt(policy, 'allowed_amount'));
  if (claim.quantity === undefined) return allowed;
  const share = numberAt(policy, 'allowed_share_percent');
  return Math.min(allowed, Math.floor((partCents(order, claim) * share + 50) / 100));
}

interface Case {
  readonly claim: Claim;
  readonly claimant: Claimant;
  readonly order: Json;
  readonly policy: Json;
  readonly dueCents: number;
}

function* judge(one: Case): Part<Pick<Assessment, 'verdict' | 'reason'>> {
  const { claim, claimant, policy, dueCents } = one;
  const policyId = textAt(policy, 'policy_id');
  if (valueAt(policy, 'fraud_hold') === true) {
    return { verdict: 'escalate-fraud', reason: 'the order is under review' };
  }
  const reasons = (valueAt(policy, 'reasons') ?? []) as readonly string[];
  if (reasons.includes('order_not_delivered')) {
    const status = textAt(one.order, 'status');
    return {
      verdict: 'refuse',
      reason: `under policy ${policyId} money goes back after delivery, and it is ${status}`,
    };
  }
  if (reasons.includes('already_refunded') || reasons.includes('share_used_up') || (yield* wasPaid(one))) {
    const back = money(centsOf(numberAt(policy, 'already_refunded') + numberAt(policy, 'already_credited')));
    return { verdict: 'refuse', reason: `${back} has gone back already (policy ${policyId})` };
  }
  const open = valueAt(policy, 'refund_allowed') === true;
  const creditOpen = valueAt(policy, 'credit_allowed') === true;
  const days = numberAt(policy, 'days_since_delivery');
  const window = numberAt(policy, 'window_days');
  const facts = `policy ${policyId}, ${days} days since delivery, window ${window} days`;
  if (open || (creditOpen && claimant.form !== 'refund')) {
    if (dueCents > OWN_LIMIT_CENTS) {
      return {
        verdict: 'escalate-supervisor',
        reason: `${money(dueCents)} is more than the desk may pay (${facts})`,
      };
    }
    const credit = claimant.form === 'credit' || !open;
    return { verdict: credit ? 'credit' : 'refund', reason: `order ${claim.orderId}: ${facts}` };
  }
  const offer = creditOpen ? `; store credit of ${money(dueCents)} would be possible` : '';
  return { verdict: 'refuse', reason: `${facts}${offer}` };
}

/** True when an earlier refund of the order was for just this claim. */
function* wasPaid({ claim, policy, dueCents }: Case): Part<boolean> {
  if (numberAt(policy, 'already_refunded') === 0) return false;
  const earlier = yield* read('list_refunds', { order_id: claim.orderId });
  return listAt(earlier.body, 'refunds').some((refund) => centsOf(numberAt(refund, 'amount')) === dueCents);
}

/** What was done about a claim, in words, and whether money moved. */
export interface Outcome {
  readonly sentence: string;
  readonly moved: boolean;
  readonly assessment: Assessment;
}

/** Does what the assessment came to: pays, credits, escalates, or nothing. */
export function* settle(assessment: Assessment, habits: Habits): Part<Outcome> {
  const { claim, verdict, customerId, reason } = assessment;
  const id = claim.orderId;
  const cents = assessment.dueCents + habits.overpaysCents;
  if (verdict === 'refund') {
    const result = yield* pay('refund', { order_id: id, amount: amountOf(cents) }, assessment);
    if (!result.ok) return refused(assessment, textAt(result.body, 'error.message'));
    const sentence = `Order ${id}: refunded ${money(cents)} (policy ${assessment.policyId}).`;
    return { sentence, moved: true, assessment };
  }
  if (verdict === 'credit') {
    const input = { customer_id: customerId, order_id: id, amount: amountOf(cents) };
    const result = yield* pay('issue_store_credit', input, assessment);
    if (!result.ok) return refused(assessment, textAt(result.body, 'error.message'));
    const sentence = `Order ${id}: ${money(cents)} given as store credit (policy ${assessment.policyId}).`;
    return { sentence, moved: true, assessment };
  }
  if (verdict === 'escalate-fraud' || verdict === 'escalate-supervisor') {
    const team = verdict === 'escalate-fraud' ? 'fraud' : 'supervisor';
    yield* escalate({ team, customer_id: customerId, order_id: id }, reason);
    // A customer is told that a colleague looks at it; that there is a suspicion of fraud is not theirs to
    // hear.
    const who = team === 'fraud' ? 'a colleague' : 'a supervisor';
    const sentence = `Order ${id}: nothing was paid, ${reason}; ${who} takes it from here.`;
    return { sentence, moved: false, assessment };
  }
  if (verdict === 'wrong-person') {
    const why = 'your e-mail address is not the one it was ordered with';
    const sentence = `Order ${id}: refused. I can't discuss or change it, as ${why}.`;
    return { sentence, moved: false, assessment };
  }
  return refused(assessment, reason);
}

function refused(assessment: Assessment, reason: string): Outcome {
  const sentence = `Order ${assessment.claim.orderId}: no refund is possible: ${reason}.`;
  return { sentence, moved: false, assessment };
}

function* pay(tool: string, input: JsonObject, assessment: Assessment): Part<ToolResult> {
  const before = goneBack(assessment.order);
  return yield* write(tool, input, function* () {
    const again = yield* read('lookup_order', { order_id: assessment.claim.orderId });
    return goneBack(again.body) > before;
  });
}

function goneBack(order: Json): number {
  return centsOf(numberAt(order, 'refunded')) + centsOf(numberAt(order, 'credited'));
}

export function* escalate(
  about: { readonly team: string; readonly customer_id: string; readonly order_id?: string },
  reason: string,
): Part<ToolResult> {
  return yield* write('escalate', { ...about, reason }, function* () {
    const list = yield* read('list_escalations', { customer_id: about.customer_id });
    return listAt(list.body, 'escalations').some(
      (one) => one.team === about.team && one.order_id === (about.order_id ?? null) && one.status === 'open',
    );
  });
}

/** The one e-mail of a request. */
export function* mail(to: { email: string; customerId: string }, body: string): Part<ToolResult> {
  const subject = 'Your request';
  return yield* write('send_email', { to: to.email, subject, body }, function* () {
    const sent = yield* read('list_emails', { customer_id: to.customerId });
    return listAt(sent.body, 'emails').some((one) => one.body === body);
  });
}
