import fc from 'fast-check';
import { z } from 'zod';
import { createWorld, defineTable, type Json, type Row, type World } from './world-under-test.ts';

/**
 * A small shop: an unusual text key, a key of two columns, references with each delete rule, an ambient
 * table.
 */
export const shop = {
  group: defineTable({
    primaryKey: 'id',
    columns: { id: z.string(), title: z.string() },
    ids: { kind: 'sequence', prefix: 'G-', start: 1, width: 3 },
  }),
  item: defineTable({
    primaryKey: 'id',
    columns: {
      id: z.string(),
      code: z.string().nullable().optional(),
      group: z.string().nullable(),
      rank: z.union([z.number(), z.string(), z.boolean(), z.null()]).optional(),
      data: z.json().optional(),
      trace: z.string().optional(),
    },
    ids: { kind: 'token', prefix: 'it_', length: 8 },
    indexes: { rank: ['rank'], groupRank: ['group', 'rank'] },
    unique: { code: ['code'] },
    foreignKeys: { group: { table: 'group', onDelete: 'set-null' } },
    unhashed: ['trace'],
    redacted: ['trace'],
    volatile: ['id'],
  }),
  line: defineTable({
    primaryKey: ['item', 'number'],
    columns: { item: z.string(), number: z.number(), amount: z.number() },
    indexes: { amount: ['amount'] },
    foreignKeys: { item: { table: 'item', onDelete: 'cascade' } },
  }),
  hold: defineTable({
    primaryKey: 'number',
    columns: { number: z.number(), group: z.string() },
    ids: { kind: 'list', ids: ['h1', 'h2'] },
    foreignKeys: { group: { table: 'group', onDelete: 'restrict' } },
  }),
  bucket: defineTable({
    primaryKey: 'id',
    columns: { id: z.string(), count: z.int() },
    ambient: true,
  }),
};

export const services = { shop };

export type TableName = keyof typeof shop;

export function emptyWorld(seed = 'law'): World {
  return createWorld(services, seed);
}

/** Texts of any code units: lone surrogates, `\u0000`, `\uffff`, empty. */
export const anyText = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('', 'a', 'b', 'a\u0000', 'a\u0000b', '\u0000', '\ufffe', '\uffff', '\ud800'),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
  {
    weight: 2,
    arbitrary: fc.array(fc.nat(0xffff), { maxLength: 4 }).map((units) => String.fromCharCode(...units)),
  },
);

/** Finite numbers of all sizes; `-0` too. */
export const anyNumber = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, 0.5, 1e21, 5e-324, -1.5, 2 ** 53),
);

/** Any JSON, with members called `__proto__` and the like. */
export const anyJson = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(anyText, anyNumber, fc.boolean(), fc.constant(null)) as fc.Arbitrary<Json>,
    fc.array(tie('json'), { maxLength: 3 }),
    fc
      .uniqueArray(
        fc.tuple(
          fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toJSON', '2', '10'), anyText),
          tie('json'),
        ),
        { maxLength: 3, selector: ([name]) => name },
      )
      .map((members) => {
        const built = {};
        for (const [name, value] of members) {
          Object.defineProperty(built, name, { value, enumerable: true, configurable: true, writable: true });
        }
        return built as Json;
      }),
  ),
})).json;

const groupKey = fc.constantFrom('g1', 'g2', 'g3');
const itemKey = fc.oneof(fc.constantFrom('', 'a', 'a\u0000', '\u0000'), anyText);
const rank = fc.oneof(anyText, anyNumber, fc.boolean(), fc.constant(null));

const rows = {
  group: fc.record({ id: groupKey, title: anyText }),
  item: fc.record(
    {
      id: itemKey,
      code: fc.oneof(fc.constant(null), fc.constantFrom('c1', 'c2', 'c3')),
      group: fc.oneof(fc.constant(null), fc.constant('g1'), groupKey),
      rank,
      data: anyJson,
      trace: anyText,
    },
    { requiredKeys: ['id', 'group'] },
  ),
  line: fc.record({ item: itemKey, number: anyNumber, amount: anyNumber }),
  hold: fc.record({ number: fc.integer({ min: 0, max: 3 }), group: groupKey }),
  bucket: fc.record({ id: fc.constantFrom('x', 'y'), count: fc.integer() }),
};

/** One write; it may fail, for instance on a key that is taken. */
export type Write =
  | { readonly op: 'insert'; readonly table: TableName; readonly row: Row }
  | {
      readonly op: 'update';
      readonly table: TableName;
      readonly row: Row;
      readonly columns: readonly string[];
    }
  | { readonly op: 'delete'; readonly table: TableName; readonly row: Row };

const table = fc.oneof(
  { weight: 6, arbitrary: fc.constant<TableName>('item') },
  { weight: 2, arbitrary: fc.constantFrom<TableName>('group', 'line') },
  { weight: 1, arbitrary: fc.constantFrom<TableName>('hold', 'bucket') },
);

export const anyWrite: fc.Arbitrary<Write> = fc
  .tuple(table, fc.constantFrom('insert', 'insert', 'update', 'delete'))
  .chain(([name, op]) =>
    fc
      .tuple(rows[name] as fc.Arbitrary<Row>, fc.subarray(Object.keys(shop[name].columns)))
      .map(([row, columns]): Write => {
        if (op === 'update') return { op, table: name, row, columns };
        return { op: op as 'insert' | 'delete', table: name, row };
      }),
  );

const firstGroups = ['g1', 'g2'].map(
  (id): Write => ({ op: 'insert', table: 'group', row: { id, title: id } }),
);

/** Writes after two groups, so that references have something to point to. */
export const anyWrites = fc.array(anyWrite, { maxLength: 40 }).map((writes) => [...firstGroups, ...writes]);
