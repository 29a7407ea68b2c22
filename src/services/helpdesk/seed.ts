import { DAY_MS, EPOCH_MS, HOUR_MS, momentText } from './moments.ts';
import type { HelpdeskSeeding } from './schema.ts';
import { type SeededOrder, seedOrders } from './seed-orders.ts';
import {
  CATEGORIES,
  CITIES,
  FIRST_NAMES,
  LAST_NAMES,
  MAIL_DOMAINS,
  NOTE_BODIES,
  POLICIES,
  TICKET_SUBJECTS,
} from './seed-words.ts';

/** How much a seed holds. `claims` is the length of the queue `returns`. */
export interface SeedCounts {
  readonly customers: number;
  readonly orders: number;
  readonly claims: number;
  readonly otherTickets: number;
}

export const SMALL: SeedCounts = { customers: 24, orders: 40, claims: 12, otherTickets: 14 };
export const STANDARD: SeedCounts = { customers: 800, orders: 2000, claims: 78, otherTickets: 400 };

/** Fills an empty desk. The first rows are the same at every size, so that examples work on each. */
export function seedDesk(seeding: HelpdeskSeeding, counts: SeedCounts): void {
  for (const policy of POLICIES) seeding.tx.policies.insert(policy);
  seedProducts(seeding);
  const customerIds = seedCustomers(seeding, counts.customers);
  const orders = seedOrders(seeding, { count: counts.orders, customerIds });
  seedClaims(seeding, orders, counts.claims);
  seedOtherTickets(seeding, orders, counts.otherTickets);
  seedHistory(seeding, orders);
}

function seedProducts({ tx }: HelpdeskSeeding): void {
  let number = 101;
  for (const { category, products } of CATEGORIES) {
    for (const [name, price] of products) {
      tx.products.insert({ id: `P-${number}`, name, category, price_cents: price });
      number += 1;
    }
  }
}

function seedCustomers(seeding: HelpdeskSeeding, count: number): string[] {
  const { tx, random } = seeding;
  const ids: string[] = [];
  const taken = new Set<string>();
  let name = '';
  for (let index = 0; index < count; index += 1) {
    const id = `C-${1001 + index}`;
    // Now and then two customers share a name, so that a name alone does not tell who is asking.
    if (index % 9 !== 8) name = storyName(index) ?? `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
    const email = freeAddress(name, index < 2 ? 'example.com' : random.pick(MAIL_DOMAINS), taken);
    const [city, country] = random.pick(CITIES);
    const joined = EPOCH_MS - random.integer(90, 1800) * DAY_MS - random.integer(0, 23) * HOUR_MS;
    tx.customers.insert({
      id,
      name,
      name_key: name.toLowerCase(),
      email,
      phone: `+00 555 ${random.integer(100, 999)} ${random.integer(1000, 9999)}`,
      tier: index >= 2 && random.chance(0.2) ? 'gold' : 'standard',
      city,
      country,
      joined_at: momentText(joined),
    });
    const closed = index > 5 && random.chance(0.04);
    tx.accounts.insert({
      customer_id: id,
      status: closed ? 'closed' : 'open',
      opened_at: momentText(joined),
      closed_at: closed ? momentText(EPOCH_MS - random.integer(5, 60) * DAY_MS) : null,
    });
    tx.balances.insert({
      customer_id: id,
      credit_cents: random.chance(0.3) ? random.integer(1, 40) * 250 : 0,
    });
    ids.push(id);
  }
  return ids;
}

function storyName(index: number): string | undefined {
  return ['Mira Alder', 'Tobin Reed'][index];
}

function freeAddress(name: string, domain: string, taken: Set<string>): string {
  const local = name.toLowerCase().replaceAll(' ', '.');
  let address = `${local}@${domain}`;
  for (let number = 2; taken.has(address); number += 1) address = `${local}${number}@${domain}`;
  taken.add(address);
  return address;
}

/**
 * The queue `returns`: open tickets that each claim money for one order, or for one line of it. Orders with
 * an earlier partial refund stay out, as nobody could say from the rows which line that refund was for.
 */
function seedClaims(seeding: HelpdeskSeeding, orders: readonly SeededOrder[], count: number): void {
  const { random } = seeding;
  const claimable = orders.filter(
    ({ situation, customerId }) =>
      customerId !== 'C-1001' && !['partial', 'processing', 'shipped', 'cancelled'].includes(situation),
  );
  for (const order of spread(claimable, count)) {
    insertTicket(seeding, {
      order,
      queue: 'returns',
      status: 'open',
      claimLine: order.lineCount > 1 && random.chance(0.7) ? random.integer(1, order.lineCount) : null,
    });
  }
}

/**
 * What happened before: where store credit came from, parcels once handed over, refunds as the audit log
 * has them.
 */
function seedHistory({ tx, random, nextId }: HelpdeskSeeding, orders: readonly SeededOrder[]): void {
  for (const balance of [...tx.balances.scan()]) {
    if (balance.credit_cents === 0) continue;
    tx.store_credits.insert({
      id: nextId('store_credits'),
      customer_id: balance.customer_id,
      order_id: null,
      amount_cents: balance.credit_cents,
      created_at: momentText(EPOCH_MS - random.integer(40, 400) * DAY_MS),
    });
  }
  for (const order of orders) {
    if (order.situation !== 'shipped' || !random.chance(0.5)) continue;
    tx.escalations.insert({
      id: nextId('escalations'),
      team: 'logistics',
      customer_id: order.customerId,
      order_id: order.id,
      reason: 'The carrier could not find the address.',
      status: 'settled',
      created_at: momentText(EPOCH_MS - random.integer(2, 12) * HOUR_MS),
    });
  }
  for (const refund of [...tx.refunds.scan()]) {
    tx.audit_log.insert({
      id: nextId('audit_log'),
      action: tx.orders.get(refund.order_id)?.status === 'cancelled' ? 'cancel_order' : 'refund',
      subject: refund.order_id,
      amount_cents: refund.amount_cents,
      actor: random.pick(['desk-1', 'desk-2', 'desk-3']),
      at: refund.created_at,
    });
  }
}

/** So many items at even distances, in their order. */
function spread<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)] as T);
}

function seedOtherTickets(seeding: HelpdeskSeeding, orders: readonly SeededOrder[], count: number): void {
  const { tx, random, nextId } = seeding;
  for (let index = 0; index < count; index += 1) {
    const order = random.pick(orders);
    const queue = random.pick(['billing', 'delivery', 'account'] as const);
    const status = random.pick(['open', 'pending', 'closed', 'closed'] as const);
    const ticketId = insertTicket(seeding, { order, queue, status, claimLine: null });
    if (random.chance(0.5)) {
      tx.ticket_notes.insert({
        id: nextId('ticket_notes'),
        ticket_id: ticketId,
        author: random.pick(['desk-1', 'desk-2', 'desk-3']),
        body: random.pick(NOTE_BODIES),
        created_at: momentText(EPOCH_MS - random.integer(10, 90) * HOUR_MS),
      });
    }
    if (random.chance(0.4)) {
      const email = tx.customers.get(order.customerId)?.email ?? '';
      tx.emails.insert({
        id: nextId('emails'),
        customer_id: order.customerId,
        to: email,
        subject: 'We have your message',
        body: 'Thank you for writing. A colleague will look at it.',
        sent_at: momentText(EPOCH_MS - random.integer(10, 300) * HOUR_MS),
      });
    }
  }
}

function insertTicket(
  { tx, random, nextId }: HelpdeskSeeding,
  ticket: {
    readonly order: SeededOrder;
    readonly queue: keyof typeof TICKET_SUBJECTS;
    readonly status: 'open' | 'pending' | 'closed';
    readonly claimLine: number | null;
  },
): string {
  const createdMs = EPOCH_MS - random.integer(2, 140) * HOUR_MS;
  const closed = ticket.status === 'closed';
  const id = nextId('tickets');
  tx.tickets.insert({
    id,
    customer_id: ticket.order.customerId,
    order_id: ticket.queue === 'account' ? null : ticket.order.id,
    claim_line: ticket.claimLine,
    queue: ticket.queue,
    subject: random.pick(TICKET_SUBJECTS[ticket.queue]),
    status: ticket.status,
    priority: random.pick(['low', 'normal', 'normal', 'high'] as const),
    resolution: closed ? 'answered' : null,
    created_at: momentText(createdMs),
    closed_at: closed ? momentText(createdMs + HOUR_MS) : null,
  });
  return id;
}
