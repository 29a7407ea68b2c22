import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../base/json.ts';
import type { ChangeRecord } from '../trajectory/types.ts';
import { checkContract } from './contract.ts';
import type { NetChange } from './net-diff.ts';
import type { Contract, TableShape, Witness, WorldShape } from './types.ts';

function table(spec: Partial<TableShape> = {}): TableShape {
  return { primaryKey: ['id'], foreignKeys: {}, volatile: [], unhashed: [], ambient: false, ...spec };
}

const SHAPE: WorldShape = {
  'desk.orders': table({ volatile: ['updated_at'], unhashed: ['client_key'] }),
  'desk.refunds': table({ volatile: ['id', 'created_at'], foreignKeys: { order_id: 'desk.orders' } }),
  'desk.payments': table({ volatile: ['id'], foreignKeys: { refund_id: 'desk.refunds' } }),
  'desk.tickets': table({
    volatile: ['id', 'parent_id'],
    foreignKeys: { parent_id: 'desk.tickets', refund_id: 'desk.refunds' },
  }),
  'desk.lines': table({
    primaryKey: ['ticket_id', 'line'],
    foreignKeys: { ticket_id: 'desk.tickets' },
    volatile: ['ticket_id'],
  }),
  'desk.audit': table({ volatile: ['id'] }),
  'desk.idempotency': table({ ambient: true }),
};

const insert = (name: string, key: Json, row: JsonObject): ChangeRecord => ({
  op: 'insert',
  table: `desk.${name}`,
  key,
  row,
});
const update = (
  name: string,
  key: Json,
  cells: Record<string, { from?: Json; to?: Json }>,
): ChangeRecord => ({
  op: 'update',
  table: `desk.${name}`,
  key,
  cells,
});
const remove = (name: string, key: Json, row: JsonObject = {}): ChangeRecord => ({
  op: 'delete',
  table: `desk.${name}`,
  key,
  row,
});
const refund = (id: string, amount: number, order = 'O-1'): ChangeRecord =>
  insert('refunds', id, { id, order_id: order, amount, created_at: Number(id.slice(2)) });
const payment = (id: string, refundId: string, amount = 0): ChangeRecord =>
  insert('payments', id, { id, refund_id: refundId, amount });

function check(
  expect_: readonly ChangeRecord[],
  got: readonly ChangeRecord[],
  rest: Partial<Contract> & { extras?: 'ignore' } = {},
): Witness[] {
  const net: NetChange[] = got.map((change, step) => ({ change, steps: [step] }));
  const { extras, ...parts } = rest;
  const contract = { expect: expect_, allow: [], mask: [], ...parts };
  return checkContract(contract, net, { shape: SHAPE, ...(extras ? { extras } : {}) });
}

const messages = (witnesses: readonly Witness[]): string[] => witnesses.map((witness) => witness.message);

describe('updates and deletes', () => {
  const paid = update('orders', 'O-1', { status: { from: 'open', to: 'paid' }, updated_at: { to: 5 } });

  it('hold when the same cells have the same values in the end', () => {
    const other = update('orders', 'O-1', {
      status: { from: 'open', to: 'paid' },
      updated_at: { to: 99 },
      client_key: { to: 'random' },
    });
    expect(check([paid], [other])).toEqual([]);
    expect(check([remove('orders', 'O-2')], [remove('orders', 'O-2', { x: 1 })])).toEqual([]);
  });

  it('name table, key, cell, both values and the steps', () => {
    const got = [update('orders', 'O-1', { status: { from: 'open', to: 'void' } })];
    expect(check([paid], got)).toEqual([
      {
        steps: [0],
        message: 'desk.orders "O-1": status is "void", expected "paid"',
        expected: 'paid',
        got: 'void',
      },
    ]);
  });

  it.each<[string, ChangeRecord[], ChangeRecord[], string[]]>([
    ['nothing happened', [paid], [], ['desk.orders "O-1": status did not change, expected "paid"']],
    ['deleted instead', [paid], [remove('orders', 'O-1')], ['desk.orders "O-1" was deleted']],
    ['not deleted', [remove('orders', 'O-1')], [], ['desk.orders "O-1" was not deleted']],
    [
      'updated instead of deleted',
      [remove('orders', 'O-1')],
      [update('orders', 'O-1', { status: { from: 'open', to: 'x' } })],
      [
        'desk.orders "O-1" was not deleted',
        'desk.orders "O-1": status changed, which the contract does not expect',
      ],
    ],
    [
      'another row',
      [paid],
      [update('orders', 'O-2', { status: { from: 'open', to: 'paid' } })],
      [
        'desk.orders "O-1": status did not change, expected "paid"',
        'desk.orders "O-2": status changed, which the contract does not expect',
      ],
    ],
    [
      'an extra delete',
      [],
      [remove('orders', 'O-3')],
      ['desk.orders "O-3" was deleted, which the contract does not expect'],
    ],
    [
      'a column dropped where null was expected',
      [update('orders', 'O-1', { note: { from: 'x', to: null } })],
      [update('orders', 'O-1', { note: { from: 'x' } })],
      ['desk.orders "O-1": note is absent, expected null'],
    ],
  ])('%s', (_, expected, got, wanted) => {
    expect(messages(check(expected, got))).toEqual(wanted);
  });

  it('a delete fails an update that only touched volatile columns too', () => {
    const touched = update('orders', 'O-1', { updated_at: { to: 5 } });
    expect(check([touched], [])).toEqual([]);
    expect(messages(check([touched], [remove('orders', 'O-1')]))).toEqual(['desk.orders "O-1" was deleted']);
  });

  it('leaves masked columns and ambient tables alone', () => {
    const noted = update('orders', 'O-1', { note: { to: 'hi' } });
    expect(check([], [noted], { mask: ['desk.orders.note'] })).toEqual([]);
    expect(check([], [insert('idempotency', 'x', { id: 'x' })])).toEqual([]);
    expect(check([insert('idempotency', 'x', { id: 'x' })], [])).toEqual([]);
    expect(check([], [noted])).toHaveLength(1);
  });
});

describe('allowed extras', () => {
  const note = update('orders', 'O-1', { note: { to: 'hi' }, flag: { to: true } });

  it.each<[string, Contract['allow'], number]>([
    ['the whole table', [{ table: 'desk.orders' }], 0],
    ['one of two columns', [{ table: 'desk.orders', columns: ['note'] }], 1],
    [
      'both columns by two entries',
      [
        { table: 'desk.orders', columns: ['note'] },
        { table: 'desk.orders', columns: ['flag'] },
      ],
      0,
    ],
    ['another operation', [{ table: 'desk.orders', op: 'insert' }], 2],
    ['a row that passes, by key', [{ table: 'desk.orders', where: { id: 'O-1' } }], 0],
    ['a row that does not pass', [{ table: 'desk.orders', where: { id: 'O-2' } }], 2],
    ['a row whose tested column is not known', [{ table: 'desk.orders', where: { status: 'open' } }], 2],
  ])('%s', (_, allow, failures) => {
    expect(check([], [note], { allow })).toHaveLength(failures);
  });

  it('inserts and deletes, by their rows', () => {
    const allow = [
      { table: 'desk.audit', op: 'insert', where: { action: { in: ['read', 'list'] } } },
    ] as const;
    const read = insert('audit', 'A-1', { id: 'A-1', action: 'read' });
    const write = insert('audit', 'A-2', { id: 'A-2', action: 'write' });
    expect(check([], [read], { allow })).toEqual([]);
    expect(messages(check([], [read, write], { allow }))).toEqual([
      'desk.audit "A-2" was inserted, which the contract does not expect',
    ]);
    expect(check([], [remove('audit', 'A-1', { action: 'read' })], { allow })).toHaveLength(1);
    expect(check([], [read], { allow: [{ table: 'desk.audit', columns: ['action'] }] })).toHaveLength(1);
  });

  it('of two rows that fit one expected row, the one that may be left over is left over', () => {
    const allow = [{ table: 'desk.refunds', where: { created_at: 2 } }];
    // created_at is volatile, so both rows fit; only R-2 may be extra.
    for (const got of [
      [refund('R-1', 5), refund('R-2', 5)],
      [refund('R-2', 5), refund('R-1', 5)],
    ]) {
      expect(check([refund('R-9', 5)], got, { allow })).toEqual([]);
    }
    expect(check([refund('R-9', 5)], [refund('R-1', 5), refund('R-3', 5)], { allow })).toHaveLength(1);
  });

  it('do not count when only what is expected is looked for', () => {
    expect(check([], [note, refund('R-1', 1)], { extras: 'ignore' })).toEqual([]);
    expect(check([refund('R-1', 2)], [note, refund('R-1', 1)], { extras: 'ignore' })).toHaveLength(1);
  });
});

describe('inserted rows', () => {
  it('are paired by content whatever their drawn ids, as multisets', () => {
    const expected = [refund('R-1', 5), refund('R-2', 7), refund('R-3', 5)];
    expect(check(expected, [refund('R-8', 5), refund('R-7', 5), refund('R-9', 7)])).toEqual([]);
  });

  it('name the second of two equal inserts, and its step', () => {
    const witnesses = check([refund('R-1', 5)], [refund('R-1', 5), refund('R-2', 5)]);
    expect(witnesses).toEqual([
      {
        steps: [1],
        message: 'desk.refunds "R-2" was inserted, which the contract does not expect',
        got: { amount: 5, order_id: 'O-1' },
      },
    ]);
  });

  it('name the cells of the nearest row', () => {
    expect(check([refund('R-1', 240)], [refund('R-5', 24)])).toEqual([
      { steps: [0], message: 'desk.refunds "R-5": amount is 24, expected 240', expected: 240, got: 24 },
    ]);
  });

  it('say when a row is missing', () => {
    expect(check([refund('R-1', 240)], [])).toEqual([
      {
        steps: [],
        message: 'desk.refunds: a row is missing: {"amount":240,"order_id":"O-1"}',
        expected: { amount: 240, order_id: 'O-1' },
      },
    ]);
  });

  it('compare a key that is not drawn as content', () => {
    const order = (id: string): ChangeRecord => insert('orders', id, { id, total: 1 });
    expect(check([order('O-7')], [order('O-7')])).toEqual([]);
    expect(messages(check([order('O-7')], [order('O-8')]))).toEqual([
      'desk.orders "O-8": id is "O-8", expected "O-7"',
    ]);
  });

  it('do without a declared shape', () => {
    const row = insert('unknown', 1, { a: 1 });
    expect(check([row], [row])).toEqual([]);
    expect(check([row], [insert('unknown', 1, { a: 2 })])).toHaveLength(1);
  });
});

describe('references between inserted rows', () => {
  const expected = [refund('R-1', 5), refund('R-2', 7), payment('P-1', 'R-1'), payment('P-2', 'R-2', 1)];

  it('hold up to renaming', () => {
    const got = [payment('P-9', 'R-4', 1), refund('R-4', 7), refund('R-3', 5), payment('P-8', 'R-3')];
    expect(check(expected, got)).toEqual([]);
  });

  it('fail when they are crossed', () => {
    const got = [refund('R-1', 5), refund('R-2', 7), payment('P-1', 'R-2'), payment('P-2', 'R-1', 1)];
    const witnesses = check(expected, got);
    expect(messages(witnesses)).toEqual([
      'desk.payments "P-1" refers to another inserted row than expected',
      'desk.payments "P-2" refers to another inserted row than expected',
    ]);
    expect(witnesses[0]).toMatchObject({ steps: [2], expected: 'R-1', got: 'R-2' });
  });

  it('fail when an old row is meant instead of a new one', () => {
    const got = [refund('R-1', 5), refund('R-2', 7), payment('P-1', 'R-0'), payment('P-2', 'R-2', 1)];
    expect(check(expected, got)).toHaveLength(1);
  });

  it('are kept among rows of equal content, where only the whole tells them apart', () => {
    // Two equal refunds; one has two payments, the other one.
    const twins = [
      refund('R-1', 5),
      refund('R-2', 5),
      payment('P-1', 'R-1'),
      payment('P-2', 'R-1'),
      payment('P-3', 'R-2'),
    ];
    const same = [
      refund('R-3', 5),
      refund('R-4', 5),
      payment('P-4', 'R-4'),
      payment('P-5', 'R-3'),
      payment('P-6', 'R-4'),
    ];
    const spread = [
      ...twins.slice(0, 2),
      insert('payments', 'P-1', { id: 'P-1', refund_id: 'R-1', amount: 0 }),
    ];
    expect(check(twins, same)).toEqual([]);
    const three = [payment('P-4', 'R-1'), payment('P-5', 'R-1'), payment('P-6', 'R-1')];
    expect(check(twins, [refund('R-1', 5), refund('R-2', 5), ...three])).not.toEqual([]);
    expect(check(twins, spread)).not.toEqual([]);
  });

  it('are kept along chains through a volatile column', () => {
    const ticket = (id: string, parent: string | null): ChangeRecord =>
      insert('tickets', id, { id, parent_id: parent, title: 't' });
    const chain = [ticket('T-1', null), ticket('T-2', 'T-1'), ticket('T-3', 'T-2')];
    expect(check(chain, [ticket('T-7', null), ticket('T-8', 'T-7'), ticket('T-9', 'T-8')])).toEqual([]);
    const star = [ticket('T-7', null), ticket('T-8', 'T-7'), ticket('T-9', 'T-7')];
    expect(check(chain, star)).not.toEqual([]);
  });

  it('are kept in keys of several columns', () => {
    const line = (ticket: string, number: number): ChangeRecord =>
      insert('lines', [ticket, number], { ticket_id: ticket, line: number, text: 'x' });
    const ticket = (id: string): ChangeRecord =>
      insert('tickets', id, { id, title: id === 'T-1' ? 'one' : 'two' });
    const wanted = [ticket('T-1'), line('T-1', 1), line('T-1', 2)];
    const renamed = [insert('tickets', 'T-5', { id: 'T-5', title: 'one' }), line('T-5', 2), line('T-5', 1)];
    expect(check(wanted, renamed)).toEqual([]);
    expect(check(wanted, [...renamed.slice(0, 2), line('T-0', 1)])).not.toEqual([]);
  });

  it('are found where a drawn id stands in a column that declares none', () => {
    const audit = (id: string, about: string): ChangeRecord =>
      insert('audit', id, { id, detail: { rows: [about], action: 'refund' } });
    const wanted = [refund('R-1', 5), refund('R-2', 7), audit('A-1', 'R-2')];
    expect(check(wanted, [refund('R-3', 7), refund('R-4', 5), audit('A-1', 'R-3')])).toEqual([]);
    expect(check(wanted, [refund('R-3', 7), refund('R-4', 5), audit('A-1', 'R-4')])).toHaveLength(1);
  });

  it('are found inside texts, as tokens', () => {
    const audit = (text: string): ChangeRecord => insert('audit', 'A-1', { id: 'A-1', text });
    const wanted = [refund('R-1', 5), refund('R-10', 7), audit('booked R-10 (not R-100), then R-1.')];
    expect(
      check(wanted, [refund('R-4', 5), refund('R-5', 7), audit('booked R-5 (not R-100), then R-4.')]),
    ).toEqual([]);
    expect(
      check(wanted, [refund('R-4', 5), refund('R-5', 7), audit('booked R-4 (not R-100), then R-5.')]),
    ).toHaveLength(2);
    expect(
      check(wanted, [refund('R-4', 5), refund('R-5', 7), audit('booked R-5 (not R-4), then R-4.')]),
    ).toHaveLength(1);
  });

  it('are not read into values that only look alike', () => {
    // Drawn keys without a letter may equal anything; only declared columns refer to them.
    const row = (id: string): ChangeRecord => insert('audit', id, { id, count: '1', text: 'item 1' });
    expect(check([row('1')], [row('2')])).toEqual([]);
  });

  it('are kept in cells of old rows that were updated', () => {
    const point = (to: string): ChangeRecord => update('tickets', 'T-0', { refund_id: { from: null, to } });
    const twins = [refund('R-1', 5), refund('R-2', 5), payment('P-1', 'R-1')];
    expect(
      check(
        [...twins, point('R-1')],
        [refund('R-8', 5), refund('R-9', 5), payment('P-2', 'R-9'), point('R-9')],
      ),
    ).toEqual([]);
    const crossed = [refund('R-8', 5), refund('R-9', 5), payment('P-2', 'R-9'), point('R-8')];
    expect(check([...twins, point('R-1')], crossed)).not.toEqual([]);
    expect(messages(check([refund('R-1', 5), point('R-1')], [refund('R-8', 5), point('R-0')]))).toEqual([
      'desk.tickets "T-0": refund_id is "R-0", expected "R-1"',
    ]);
  });

  it('ignore rows that are allowed extras and refer to expected ones', () => {
    const allow = [{ table: 'desk.payments' }];
    expect(check([refund('R-1', 5)], [refund('R-3', 5), payment('P-1', 'R-3')], { allow })).toEqual([]);
  });

  it('of rows that are all there are not blamed for one that is missing', () => {
    const twins = [refund('R-1', 5), refund('R-2', 5), payment('P-1', 'R-1'), payment('P-2', 'R-2', 1)];
    const got = [refund('R-3', 5), refund('R-4', 5), payment('P-1', 'R-4'), payment('P-2', 'R-3', 1)];
    expect(messages(check([...twins, refund('R-9', 99, 'O-9')], got))).toEqual([
      'desk.refunds: a row is missing: {"amount":99,"order_id":"O-9"}',
    ]);
  });

  it('are searched over all rows where one group after the other fails', () => {
    // Either refund may be R-1's partner by its own payment; only one choice leaves R-2 its two payments.
    const wanted = [
      refund('R-1', 5),
      payment('P-1', 'R-1'),
      refund('R-2', 5),
      payment('P-2', 'R-2'),
      payment('P-3', 'R-2'),
    ];
    const got = [
      refund('R-5', 5),
      payment('P-4', 'R-5'),
      payment('P-5', 'R-5'),
      refund('R-6', 5),
      payment('P-6', 'R-6'),
    ];
    expect(check(wanted, got)).toEqual([]);
  });

  it('stay fast with hundreds of equal rows that refer to each other', () => {
    const rows = (shift: number): ChangeRecord[] =>
      Array.from({ length: 200 }, (_, index) => [
        refund(`R-${index + shift}`, 5),
        payment(`P-${index}`, `R-${index + shift}`),
      ]).flat();
    expect(check(rows(0), rows(100).reverse())).toEqual([]);
  });
});

describe('the order of witnesses', () => {
  it('tells what happened before what a log says of it', () => {
    const log = insert('audit', 'A-1', { id: 'A-1', action: 'refunded' });
    const paid = update('orders', 'O-1', { status: { from: 'open', to: 'paid' } });
    expect(messages(check([log, paid, refund('R-1', 5)], []))).toEqual([
      expect.stringMatching(/^desk\.refunds: a row is missing/u),
      expect.stringMatching(/^desk\.orders .*status did not change/u),
      expect.stringMatching(/^desk\.audit: a row is missing/u),
    ]);
  });
});
