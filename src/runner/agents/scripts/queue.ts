import { valueAt } from '../../../base/predicate.ts';
import { type Assessment, assess, type Claim, mail, type Outcome, settle } from './claims.ts';
import { type Habits, listAt, money, read, textAt, write } from './desk-work.ts';
import type { Part, Script } from './replay.ts';

/** What a run through tickets came to. */
interface Tally {
  refunded: number;
  refundedCents: number;
  refused: number;
  escalated: number;
  /** Claims settled so far, as `order/line`, with the ticket that made each. */
  readonly seen: Map<string, string>;
  readonly sentences: string[];
}

function freshTally(): Tally {
  return { refunded: 0, refundedCents: 0, refused: 0, escalated: 0, seen: new Map(), sentences: [] };
}

/** Works through the tickets named, oldest first. */
export function* ticketRequest(ticketIds: readonly string[], habits: Habits): Script {
  const tally = freshTally();
  for (const id of [...ticketIds].sort()) {
    yield* workTicket(id, { tally, habits });
    if (habits.givesUp) return 'I could not complete this request.';
  }
  return tally.sentences.join(' ');
}

/** Works through a whole queue: each ticket names the one after it. */
export function* queueRequest(queue: string, habits: Habits): Script {
  const tally = freshTally();
  const first = yield* read('list_tickets', { queue, limit: 1 });
  let id: string | null = textAt(listAt(first.body, 'tickets')[0] ?? {}, 'ticket_id') || null;
  while (id !== null) {
    const next: string | null = yield* workTicket(id, { tally, habits });
    if (habits.givesUp) return 'I could not complete the queue.';
    id = next;
  }
  const { refunded, refundedCents, refused, escalated } = tally;
  return (
    `The queue is done: ${refunded} refunds, ${money(refundedCents)} in all; ${refused} claims ` +
    `refused; ${escalated} escalated.`
  );
}

/** Settles one ticket and gives the id of the next one in its queue. */
function* workTicket(
  id: string,
  { tally, habits }: { readonly tally: Tally; readonly habits: Habits },
): Part<string | null> {
  const got = yield* read('get_ticket', { ticket_id: id });
  const next = valueAt(got.body, 'next_ticket_id');
  const claim = claimOf(got.body);
  if (!got.ok || !claim) return typeof next === 'string' ? next : null;
  const key = `${claim.orderId}/${claim.line ?? 'all'}`;
  const earlier = tally.seen.get(key);
  if (earlier !== undefined) {
    yield* close(id, 'duplicate');
    tally.sentences.push(
      `Ticket ${id} is a duplicate of ${earlier} about order ${claim.orderId} and was closed.`,
    );
    return typeof next === 'string' ? next : null;
  }
  tally.seen.set(key, id);
  const customerId = textAt(got.body, 'ticket.customer_id');
  const assessment = yield* assess(claim, { customerId, form: 'refund' }, habits);
  if (habits.givesUp) return null;
  const outcome = yield* settle(assessment, habits);
  tally.sentences.push(`Ticket ${id}: ${outcome.sentence}`);
  yield* finishTicket(id, outcome, { tally, ticketCustomerId: customerId });
  return typeof next === 'string' ? next : null;
}

function claimOf(body: Parameters<typeof textAt>[0]): Claim | undefined {
  const orderId = textAt(body, 'ticket.order_id');
  if (orderId === '') return undefined;
  const line = valueAt(body, 'ticket.claim_line');
  return { orderId, ...(typeof line === 'number' ? { line } : {}) };
}

/** Escalated: pending and silent. Everything else: one e-mail, then closed. */
function* finishTicket(
  id: string,
  outcome: Outcome,
  { tally, ticketCustomerId }: { readonly tally: Tally; readonly ticketCustomerId: string },
): Part<void> {
  const { assessment, moved, sentence } = outcome;
  if (assessment.verdict.startsWith('escalate')) {
    tally.escalated += 1;
    yield* write('update_ticket', { ticket_id: id, status: 'pending' }, function* () {
      return textAt((yield* read('get_ticket', { ticket_id: id })).body, 'ticket.status') === 'pending';
    });
    return;
  }
  if (moved) {
    tally.refunded += 1;
    tally.refundedCents += assessment.dueCents;
  } else tally.refused += 1;
  yield* mail(yield* reader(assessment, ticketCustomerId), sentence);
  yield* close(id, moved ? 'refunded' : 'refused');
}

/** Who gets the e-mail: the customer of the ticket, who need not be the one of the order. */
function* reader(
  assessment: Assessment,
  ticketCustomerId: string,
): Part<{ email: string; customerId: string }> {
  if (assessment.customerId === ticketCustomerId) return assessment;
  const customer = yield* read('get_customer', { customer_id: ticketCustomerId });
  return { email: textAt(customer.body, 'email'), customerId: ticketCustomerId };
}

function* close(id: string, resolution: string): Part<void> {
  yield* write('close_ticket', { ticket_id: id, resolution }, function* () {
    return textAt((yield* read('get_ticket', { ticket_id: id })).body, 'ticket.status') === 'closed';
  });
}
