import type { SeededRandom } from '../../service/index.ts';
import { DAY_MS, EPOCH_MS, HOUR_MS, MINUTE_MS, momentText } from './moments.ts';
import { shareOf } from './money.ts';
import type { HelpdeskSeeding, Policy } from './schema.ts';
import { CATEGORIES, CITIES, POLICIES, STREETS } from './seed-words.ts';

/** What has happened to an order; the list sets how common each is. */
const SITUATIONS = [
  'recent',
  'late',
  'processing',
  'recent',
  'credit',
  'shipped',
  'recent',
  'partial',
  'edge',
  'held',
  'recent',
  'refunded',
  'late',
  'cancelled',
  'recent',
  'processing',
  'credit',
  'recent',
] as const;

type Situation = (typeof SITUATIONS)[number];

/** What the rest of the seed must know of an order. */
export interface SeededOrder {
  readonly id: string;
  readonly customerId: string;
  readonly situation: Situation;
  readonly lineCount: number;
}

interface Draft {
  readonly id: string;
  readonly customerId: string;
  readonly situation: Situation;
  readonly category: (typeof CATEGORIES)[number];
  readonly lines: readonly { readonly product: number; readonly quantity: number }[];
  readonly shippingCents: number;
  readonly days: number;
}

/** The orders of a seed: two that every size has, and so many more in every situation an order can be in. */
export function seedOrders(
  seeding: HelpdeskSeeding,
  options: { readonly count: number; readonly customerIds: readonly string[] },
): SeededOrder[] {
  const { random } = seeding;
  const drafts: Draft[] = [];
  let number = 10_000;
  for (let index = 0; index < options.count - 2; index += 1) {
    number += random.integer(3, 37);
    const situation = SITUATIONS[index % SITUATIONS.length] ?? 'recent';
    drafts.push(draftOrder(random, { id: String(number), situation, customerIds: options.customerIds }));
  }
  const [home] = CATEGORIES;
  if (home) drafts.push(...storyOrders(home));
  return drafts.map((draft) => insertOrder(seeding, draft));
}

/** 88213: two tables at 240 each. Half of it can go back twice, which is the story of the double refund. */
function storyOrders(home: (typeof CATEGORIES)[number]): Draft[] {
  const table = { product: 0, quantity: 1 };
  return [
    {
      id: '88213',
      customerId: 'C-1001',
      situation: 'recent',
      category: home,
      lines: [table, table],
      shippingCents: 0,
      days: 11,
    },
    {
      id: '88240',
      customerId: 'C-1002',
      situation: 'processing',
      category: home,
      lines: [{ product: 3, quantity: 1 }],
      shippingCents: 490,
      days: 0,
    },
  ];
}

function draftOrder(
  random: SeededRandom,
  options: { readonly id: string; readonly situation: Situation; readonly customerIds: readonly string[] },
): Draft {
  // Fresh and clearance goods are rarer than the rest.
  const category = random.pick(random.chance(0.75) ? CATEGORIES.slice(0, 4) : CATEGORIES);
  const policy = policyOf(category.policyId);
  const lines = random
    .shuffle(category.products.map((_, product) => product))
    .slice(0, random.pick([1, 2, 2, 3]))
    .map((product) => ({ product, quantity: random.pick([1, 1, 1, 2, 3]) }));
  return {
    id: options.id,
    // The first two customers have the story orders and no others.
    customerId: random.pick(options.customerIds.slice(2)),
    situation: options.situation,
    category,
    lines,
    shippingCents: random.pick([0, 490, 490, 890]),
    days: daysOf(random, options.situation, policy),
  };
}

/** Days since delivery, spread around the windows of the policy. */
function daysOf(random: SeededRandom, situation: Situation, policy: Policy): number {
  const window = policy.window_days + policy.gold_extra_days;
  switch (situation) {
    case 'late':
      return Math.max(window, policy.credit_window_days) + random.integer(4, 150);
    case 'credit':
      return policy.credit_window_days > window
        ? random.integer(window + 1, policy.credit_window_days - 1)
        : window + random.integer(3, 40);
    case 'edge':
      return policy.window_days + random.integer(1, Math.max(1, policy.gold_extra_days));
    default:
      return random.integer(1, Math.max(1, policy.window_days - 2));
  }
}

function policyOf(id: string): Policy {
  return POLICIES.find((policy) => policy.id === id) as Policy;
}

function insertOrder(seeding: HelpdeskSeeding, draft: Draft): SeededOrder {
  const { tx, random } = seeding;
  const goodsCents = insertedGoods(draft);
  const total = goodsCents + draft.shippingCents;
  const times = timesOf(random, draft);
  const back = backCents(draft, total);
  const [city, country] = random.pick(CITIES);
  tx.orders.insert({
    id: draft.id,
    customer_id: draft.customerId,
    status: statusOf(draft.situation),
    placed_at: momentText(times.placedMs),
    shipped_at: times.shippedMs === null ? null : momentText(times.shippedMs),
    delivered_at: times.deliveredMs === null ? null : momentText(times.deliveredMs),
    policy_id: draft.category.policyId,
    shipping_cents: draft.shippingCents,
    total_cents: total,
    refunded_cents: back,
    credited_cents: 0,
    fraud_hold: draft.situation === 'held',
    ship_street: `${random.integer(1, 99)} ${random.pick(STREETS)}`,
    ship_city: city,
    ship_postcode: String(random.integer(10_000, 98_999)),
    ship_country: country,
  });
  insertLines(seeding, draft);
  insertPayment(seeding, { draft, total, back, placedMs: times.placedMs });
  const { id, customerId, situation, lines } = draft;
  return { id, customerId, situation, lineCount: lines.length };
}

function insertedGoods(draft: Draft): number {
  let sum = 0;
  for (const line of draft.lines) sum += line.quantity * (draft.category.products[line.product]?.[1] ?? 0);
  return sum;
}

function insertLines({ tx }: HelpdeskSeeding, draft: Draft): void {
  const first = 101 + CATEGORIES.slice(0, CATEGORIES.indexOf(draft.category)).reduce(productCount, 0);
  draft.lines.forEach((line, index) => {
    const [name, price] = draft.category.products[line.product] ?? ['', 0];
    tx.order_lines.insert({
      order_id: draft.id,
      line: index + 1,
      product_id: `P-${first + line.product}`,
      name,
      quantity: line.quantity,
      unit_cents: price,
    });
  });
}

function productCount(sum: number, category: (typeof CATEGORIES)[number]): number {
  return sum + category.products.length;
}

/** What has gone back before the story begins. */
function backCents(draft: Draft, total: number): number {
  if (draft.situation === 'cancelled') return total;
  if (draft.situation === 'refunded')
    return shareOf(total, policyOf(draft.category.policyId).share_percent) || total;
  if (draft.situation !== 'partial') return 0;
  const [line] = draft.lines;
  return line ? Math.floor(((draft.category.products[line.product]?.[1] ?? 0) * line.quantity) / 2) : 0;
}

function insertPayment(
  { tx, random, nextId }: HelpdeskSeeding,
  paid: { readonly draft: Draft; readonly total: number; readonly back: number; readonly placedMs: number },
): void {
  const { draft, total, back } = paid;
  const paymentId = `PAY-${draft.id}`;
  tx.payments.insert({
    id: paymentId,
    order_id: draft.id,
    method: random.pick(['card', 'card', 'wallet', 'transfer'] as const),
    amount_cents: total,
    refunded_cents: back,
    captured_at: momentText(paid.placedMs + 2 * MINUTE_MS),
  });
  if (back === 0) return;
  tx.refunds.insert({
    id: nextId('refunds'),
    order_id: draft.id,
    payment_id: paymentId,
    amount_cents: back,
    created_at: momentText(EPOCH_MS - random.integer(3, 22) * HOUR_MS),
  });
}

function statusOf(situation: Situation): 'processing' | 'shipped' | 'delivered' | 'cancelled' {
  if (situation === 'processing' || situation === 'shipped' || situation === 'cancelled') return situation;
  return 'delivered';
}

/** Deliveries come in the afternoon, so that a session of some hours crosses no day of a window. */
function timesOf(
  random: SeededRandom,
  draft: Draft,
): { placedMs: number; shippedMs: number | null; deliveredMs: number | null } {
  const minutes = random.integer(0, 180) * MINUTE_MS;
  const status = statusOf(draft.situation);
  if (status === 'processing' || status === 'cancelled') {
    return { placedMs: EPOCH_MS - 5 * HOUR_MS - minutes * 4, shippedMs: null, deliveredMs: null };
  }
  if (status === 'shipped') {
    const shippedMs = EPOCH_MS - 20 * HOUR_MS - minutes;
    return { placedMs: shippedMs - DAY_MS, shippedMs, deliveredMs: null };
  }
  const deliveredMs = EPOCH_MS - draft.days * DAY_MS - 18 * HOUR_MS + minutes;
  return { placedMs: deliveredMs - 3 * DAY_MS, shippedMs: deliveredMs - 2 * DAY_MS, deliveredMs };
}
