import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTinyBank } from '../../../test/tiny-bank.ts';
import { loadBank } from '../bank.ts';
import { WorldCache } from '../worlds.ts';
import { type BankCoverage, coverBank } from './coverage.ts';

let root = '';
let coverage: BankCoverage;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-coverage-'));
  const folder = writeTinyBank(join(root, 'bank'), [
    { id: 'look', order: '10034' },
    { id: 'acts', order: '88240', calls: CALLS },
  ]);
  coverage = coverBank(await loadBank([folder], new WorldCache()));
});
afterAll(() => rmSync(root, { recursive: true }));

const CALLS = [
  '{ tool: update_shipping_address, arguments: { order_id: "88240", ' +
    'street: A, city: B, postcode: C, country: DE } }',
  '{ tool: cancel_order, arguments: { order_id: "88240" } }',
  '{ tool: cancel_order, arguments: { order_id: "88240" }, fails: order_not_cancellable }',
  '{ tool: close_account, arguments: { customer_id: C-1002 } }',
];

describe('the coverage of a bank', () => {
  it('counts operations and errors over all references, and names what none touches', () => {
    expect(coverage.operations).toMatchObject({
      'orders.lookup': 2,
      'orders.cancel': 2,
      'refunds.create': 0,
    });
    expect(coverage.errors).toMatchObject({
      'helpdesk.order_not_cancellable': 1,
      'helpdesk.order_not_found': 0,
    });
  });

  it('lists transitions of states only, by what the tables declare: no texts and no moments', () => {
    const columns = Object.keys(coverage.transitions).filter((name) => name.includes('→'));
    expect(columns).toEqual([
      'helpdesk.accounts.status "open" → "closed"',
      'helpdesk.orders.status "processing" → "cancelled"',
    ]);
    expect(coverage.transitions).toMatchObject({ 'helpdesk.refunds insert': 1 });
  });
});
