import { beforeEach, describe, expect, it } from 'vitest';
import { seedWorld } from '../../../service/seed.ts';
import { openSession, type Session } from '../../../session/index.ts';
import { helpdesk } from '../index.ts';

const world = seedWorld([{ service: helpdesk, seed: 'small' }]);
let session: Session;

beforeEach(() => {
  session = openSession({
    services: [helpdesk],
    world,
    seeds: { helpdesk: 'small' },
    streamSeed: 'refunds',
    epochMs: helpdesk.epochMs,
    behaviour: { engine: 'test', services: { helpdesk: 'test' } },
  });
});

const call = (tool: string, input: Record<string, string | number>) => session.call({ tool, input });
const half = { order_id: '88213', amount: 240 };

describe('a refund', () => {
  it('takes two arguments, and nothing it does not know', () => {
    expect(call('refund', half)).toMatchObject({ ok: true, status: 201 });
    expect(call('refund', { ...half, reason: 'broken' })).toMatchObject({ status: 422 });
    expect(call('refund', { order_id: '88213' })).toMatchObject({ status: 422 });
  });

  it('of half an order goes through twice, and a third time not', () => {
    expect([call('refund', half), call('refund', half), call('refund', half)].map(({ ok }) => ok)).toEqual([
      true,
      true,
      false,
    ]);
    expect(session.world.table('helpdesk.orders').get('88213')?.refunded_cents).toBe(48_000);
    expect(call('lookup_order', { order_id: '88213' }).body).toMatchObject({ refunded: 480, remaining: 0 });
  });

  it('writes the order, the payment, a refund and one line of the audit log', () => {
    call('refund', half);
    const tables = session.steps()[0]?.diff.map((change) => change.table);
    expect(tables?.sort()).toEqual([
      'helpdesk.audit_log',
      'helpdesk.orders',
      'helpdesk.payments',
      'helpdesk.refunds',
    ]);
  });

  it('with a key is safe to try again, and the key counts for nothing in the digest', () => {
    const keyed = { ...half, idempotency_key: 'try-1' };
    const first = call('refund', keyed);
    const content = session.world.contentDigest();
    expect(call('refund', keyed).body).toEqual(first.body);
    expect(session.world.contentDigest()).toBe(content);
    session.rollback(0);
    call('refund', half);
    expect(session.world.contentDigest()).toBe(content);
  });

  it('is the share of the whole order at most, earlier refunds included', () => {
    expect(call('check_policy', { order_id: '10576' }).body).toMatchObject({
      allowed_share_percent: 80,
      already_refunded: 94.5,
      allowed_amount: 56.7,
    });
    call('refund', { order_id: '10576', amount: 56.7 });
    expect(call('check_policy', { order_id: '10576' }).body).toMatchObject({
      refund_allowed: false,
      allowed_amount: 0,
      reasons: ['share_used_up'],
    });
  });
});
