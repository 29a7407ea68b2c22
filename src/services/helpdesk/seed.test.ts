import { describe, expect, it } from 'vitest';
import { seedWorld } from '../../service/seed.ts';
import { helpdesk } from './index.ts';

/** Bank and docs name rows of these worlds: a changed root is a new version of the bank. */
const ROOTS = {
  small: '689fffc42afb8a81d152c66af2a02a177a4dd1ded068472f247c3ce0056bdf7d',
  standard: 'a3adfc1f207025b2892700e26cf40627365272f690425d36e3107ef7f6d1686c',
} as const;

describe.each(['small', 'standard'] as const)('the seed %s', (seed) => {
  const world = seedWorld([{ service: helpdesk, seed }]);

  it('is the same world on every machine', () => {
    expect(world.merkleRoot()).toBe(ROOTS[seed]);
  });

  it('holds as many orders as it says, and the two of every size', () => {
    expect(world.table('helpdesk.orders').size).toBe(seed === 'small' ? 40 : 2000);
    expect(world.table('helpdesk.orders').get('88213')).toMatchObject({
      customer_id: 'C-1001',
      total_cents: 48_000,
      refunded_cents: 0,
    });
    expect(world.table('helpdesk.orders').get('88240')).toMatchObject({ status: 'processing' });
  });

  it('adds up: lines to orders, refunds to payments, credits to balances', () => {
    for (const order of world.table('helpdesk.orders').scan()) {
      const id = String(order.id);
      const lines = [...world.table('helpdesk.order_lines').by('by_order', [id])];
      const goods = lines.reduce((sum, line) => sum + Number(line.quantity) * Number(line.unit_cents), 0);
      expect(goods + Number(order.shipping_cents), id).toBe(order.total_cents);
      const refunds = [...world.table('helpdesk.refunds').by('by_order', [id])];
      const back = refunds.reduce((sum, refund) => sum + Number(refund.amount_cents), 0);
      expect(world.table('helpdesk.payments').unique('order', [id]), id).toMatchObject({
        amount_cents: order.total_cents,
        refunded_cents: back,
      });
      expect(order.refunded_cents, id).toBe(back);
    }
    for (const balance of world.table('helpdesk.balances').scan()) {
      const credits = [
        ...world.table('helpdesk.store_credits').by('by_customer', [String(balance.customer_id)]),
      ];
      expect(credits.reduce((sum, credit) => sum + Number(credit.amount_cents), 0)).toBe(
        balance.credit_cents,
      );
    }
  });

  it('writes to nobody outside the domains set aside for examples', () => {
    for (const customer of world.table('helpdesk.customers').scan()) {
      expect(customer.email).toMatch(/@(?:\w+\.)?example\.(?:com|org)$/u);
    }
  });
});
