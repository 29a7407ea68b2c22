import { describe, expect, it } from 'vitest';
import { UsageError } from '../base/errors.ts';
import { withFullTableNames } from './full-names.ts';
import { type ScenarioFile, scenarioSchema } from './schema.ts';

const change = (table: string): object => ({ op: 'delete', table, key: '1', row: {} });

/** A file that names this table everywhere a table can be named. */
function fileNaming(table: string): ScenarioFile {
  return scenarioSchema.parse({
    id: 'one',
    title: 'One',
    cluster: 'c',
    world: { services: ['shop'], seed: 'small', overlay: [{ table, key: '1', delete: true }] },
    bindings: { row: { from: table, pick: 'first' } },
    task: { text: 'x' },
    user: {
      opening: 'hi',
      start: 'a',
      states: { a: [{ say: 'plain' }, { when: { state: { table, where: {} } }, say: 'x' }] },
      fallback: 'what',
    },
    reference: { calls: [], answer: 'done' },
    contract: { expect: [change(table)], allow: [{ table }], mask: [`${table}.body`] },
    milestones: [{ id: 'm', expect: [change(table)] }],
    invariants: [
      { id: 'kept', kind: 'state', always: { table, check: { balance: { gte: 0 } } } },
      { id: 'ends', kind: 'termination', by: 'answer' },
    ],
    graders: [{ kind: 'contract' }],
  });
}

const TABLES = ['shop.accounts', 'shop.orders', 'till.orders'];

describe('table names', () => {
  it('may leave out the service where only one has such a table', () => {
    expect(withFullTableNames(fileNaming('accounts'), { tables: TABLES })).toEqual(
      fileNaming('shop.accounts'),
    );
  });

  it('that are full, or that no table has, stay as they are', () => {
    for (const name of ['till.orders', 'acounts', 'shop.acounts']) {
      expect(withFullTableNames(fileNaming(name), { tables: TABLES })).toEqual(fileNaming(name));
    }
  });

  it('that several services have are refused with the candidates and the place', () => {
    const place = (path: readonly PropertyKey[]) => ({ file: path.join('/'), line: 3, column: 7 });
    const refused = (): unknown => withFullTableNames(fileNaming('orders'), { tables: TABLES, place });
    expect(refused).toThrow(UsageError);
    expect(refused).toThrow(
      expect.objectContaining({
        code: 'ambiguous-name',
        message: expect.stringContaining('several services have orders'),
        hint: 'say which: shop.orders, till.orders',
        place: { file: 'world/overlay/0/table', line: 3, column: 7 },
      }),
    );
  });
});
