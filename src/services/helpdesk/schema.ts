import { z } from 'zod';
import {
  defineSchema,
  type ReadTables,
  type RowOf,
  type Seeding,
  table,
  type WriteTables,
} from '../../service/index.ts';

/** Whole cents; every amount in a row is one, so that sums are exact. */
const cents = z.int().min(0);
/** A moment as ISO 8601 text in UTC, such as `2026-03-02T09:00:00.000Z`. */
const moment = z.string();
const id = z.string();

const toCustomer = { table: 'customers', onDelete: 'restrict' } as const;
const toOrder = { table: 'orders', onDelete: 'restrict' } as const;

export const schema = defineSchema({
  customers: table({
    primaryKey: 'id',
    columns: {
      id,
      name: z.string(),
      /** The name in lower case, for look-ups. */
      name_key: z.string(),
      email: z.string(),
      phone: z.string(),
      tier: z.enum(['standard', 'gold']),
      city: z.string(),
      country: z.string(),
      joined_at: moment,
    },
    unique: { email: ['email'] },
    indexes: { by_name: ['name_key'] },
  }),
  accounts: table({
    primaryKey: 'customer_id',
    columns: {
      customer_id: id,
      status: z.enum(['open', 'closed']),
      opened_at: moment,
      closed_at: moment.nullable(),
    },
    foreignKeys: { customer_id: toCustomer },
    volatile: ['closed_at'],
  }),
  balances: table({
    primaryKey: 'customer_id',
    columns: { customer_id: id, credit_cents: cents },
    foreignKeys: { customer_id: { table: 'accounts', onDelete: 'cascade' } },
  }),
  products: table({
    primaryKey: 'id',
    columns: { id, name: z.string(), category: z.string(), price_cents: cents },
  }),
  policies: table({
    primaryKey: 'id',
    columns: {
      id,
      title: z.string(),
      /** Days since delivery in which money goes back. */
      window_days: z.int().min(0),
      /** Days more for customers of the gold tier. */
      gold_extra_days: z.int().min(0),
      /** The share of the price that goes back. */
      share_percent: z.int().min(0).max(100),
      /** Days since delivery in which store credit may be given in place of money; 0: never. */
      credit_window_days: z.int().min(0),
      text: z.string(),
    },
  }),
  orders: table({
    primaryKey: 'id',
    columns: {
      id,
      customer_id: id,
      status: z.enum(['processing', 'shipped', 'delivered', 'cancelled']),
      placed_at: moment,
      shipped_at: moment.nullable(),
      delivered_at: moment.nullable(),
      policy_id: id,
      shipping_cents: cents,
      total_cents: cents,
      refunded_cents: cents,
      credited_cents: cents,
      fraud_hold: z.boolean(),
      ship_street: z.string(),
      ship_city: z.string(),
      ship_postcode: z.string(),
      ship_country: z.string(),
    },
    indexes: { by_customer: ['customer_id', 'placed_at'], by_status: ['status', 'placed_at'] },
    foreignKeys: { customer_id: toCustomer, policy_id: { table: 'policies', onDelete: 'restrict' } },
  }),
  order_lines: table({
    primaryKey: ['order_id', 'line'],
    columns: {
      order_id: id,
      line: z.int().min(1),
      product_id: id,
      name: z.string(),
      quantity: z.int().min(1),
      unit_cents: cents,
    },
    indexes: { by_order: ['order_id', 'line'] },
    foreignKeys: { order_id: toOrder, product_id: { table: 'products', onDelete: 'restrict' } },
  }),
  payments: table({
    primaryKey: 'id',
    columns: {
      id,
      order_id: id,
      method: z.enum(['card', 'wallet', 'transfer']),
      amount_cents: cents,
      refunded_cents: cents,
      captured_at: moment,
    },
    unique: { order: ['order_id'] },
    foreignKeys: { order_id: toOrder },
  }),
  refunds: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: 'RF-', start: 5001 },
    columns: {
      id,
      order_id: id,
      payment_id: id,
      amount_cents: cents,
      created_at: moment,
      /** What the client sent to make a retry safe. */
      idempotency_key: z.string().optional(),
    },
    indexes: { by_order: ['order_id'] },
    unique: { key: ['idempotency_key'] },
    foreignKeys: { order_id: toOrder, payment_id: { table: 'payments', onDelete: 'restrict' } },
    unhashed: ['idempotency_key'],
    volatile: ['id', 'created_at'],
  }),
  store_credits: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: 'SC-', start: 7001 },
    columns: {
      id,
      customer_id: id,
      order_id: id.nullable(),
      amount_cents: cents,
      created_at: moment,
    },
    indexes: { by_customer: ['customer_id'] },
    foreignKeys: { customer_id: toCustomer, order_id: toOrder },
    volatile: ['id', 'created_at'],
  }),
  tickets: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: 'T-', start: 3001 },
    columns: {
      id,
      customer_id: id,
      order_id: id.nullable(),
      /** The order line that the customer wants money back for; null: the whole order, or no claim. */
      claim_line: z.int().min(1).nullable(),
      queue: z.enum(['returns', 'billing', 'delivery', 'account']),
      subject: z.string(),
      status: z.enum(['open', 'pending', 'closed']),
      priority: z.enum(['low', 'normal', 'high']),
      resolution: z.enum(['refunded', 'credited', 'refused', 'answered', 'duplicate']).nullable(),
      created_at: moment,
      closed_at: moment.nullable(),
    },
    indexes: {
      by_queue: ['queue', 'status'],
      by_customer: ['customer_id'],
      by_order: ['order_id'],
    },
    foreignKeys: { customer_id: toCustomer, order_id: toOrder },
    volatile: ['id', 'created_at', 'closed_at'],
  }),
  ticket_notes: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: 'N-', start: 1 },
    columns: { id, ticket_id: id, author: z.string(), body: z.string(), created_at: moment },
    indexes: { by_ticket: ['ticket_id'] },
    foreignKeys: { ticket_id: { table: 'tickets', onDelete: 'cascade' } },
    volatile: ['id', 'created_at'],
  }),
  emails: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: 'M-', start: 1 },
    columns: {
      id,
      customer_id: id,
      to: z.string(),
      subject: z.string(),
      body: z.string(),
      sent_at: moment,
    },
    indexes: { by_customer: ['customer_id'] },
    foreignKeys: { customer_id: toCustomer },
    volatile: ['id', 'sent_at'],
  }),
  escalations: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: 'E-', start: 401 },
    columns: {
      id,
      team: z.enum(['fraud', 'supervisor', 'logistics', 'privacy']),
      customer_id: id,
      order_id: id.nullable(),
      reason: z.string(),
      status: z.enum(['open', 'settled']),
      created_at: moment,
    },
    indexes: { by_customer: ['customer_id'], by_team: ['team', 'status'] },
    foreignKeys: { customer_id: toCustomer, order_id: toOrder },
    volatile: ['id', 'created_at'],
  }),
  audit_log: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: 'L-', start: 1 },
    columns: {
      id,
      action: z.string(),
      /** The row that the action was about: an order, a customer or a ticket. */
      subject: z.string(),
      amount_cents: cents.nullable(),
      actor: z.string(),
      at: moment,
    },
    volatile: ['id', 'at'],
  }),
});

export type HelpdeskSchema = typeof schema;
/** What the seeds write with. */
export type HelpdeskSeeding = Seeding<HelpdeskSchema>;
export type Reads = ReadTables<HelpdeskSchema>;
export type Writes = WriteTables<HelpdeskSchema>;
export type Customer = RowOf<HelpdeskSchema['customers']['columns']>;
export type Order = RowOf<HelpdeskSchema['orders']['columns']>;
export type OrderLine = RowOf<HelpdeskSchema['order_lines']['columns']>;
export type Policy = RowOf<HelpdeskSchema['policies']['columns']>;
export type Refund = RowOf<HelpdeskSchema['refunds']['columns']>;
export type Ticket = RowOf<HelpdeskSchema['tickets']['columns']>;
