import { digestJson } from '../src/base/digest.ts';
import type { Json } from '../src/base/json.ts';
import { SeededRandom } from '../src/base/random.ts';
import { type Figure, microsPerOperation } from './measure.ts';
import { makeRow, ROW_IDS, ROWS, TABLE_NAMES } from './world-fixture.ts';

type Tables = Map<string, Map<string, Record<string, Json>>>;

const READS = 50_000;
const COPIES = 3;

/** The same work on plain maps, forked by `structuredClone`, hashed whole: what one would write first. */
export function baselineFigures(): Record<string, Figure> {
  const tables = plainTables();
  const read = microsPerOperation(
    (from: Tables) => {
      let found = 0;
      for (let index = 0; index < READS; index += 1) {
        const table = from.get(TABLE_NAMES[index % 10] as string);
        if (table?.get(ROW_IDS[(index * 7919) % ROWS] as string) !== undefined) found += 1;
      }
      if (found !== READS) throw new Error('rows are missing');
    },
    { count: READS, prepare: () => tables },
  );
  const slow = { count: COPIES, repetitions: 3, warmUps: 1 };
  const copy = microsPerOperation(
    (from: Tables) => {
      for (let index = 0; index < COPIES; index += 1) structuredClone(from);
    },
    { ...slow, prepare: () => tables },
  );
  const digest = microsPerOperation(
    (from: Tables) => {
      for (let index = 0; index < COPIES; index += 1) {
        digestJson([...from].map(([name, rows]) => [name, [...rows.values()]]) as Json);
      }
    },
    { ...slow, prepare: () => tables },
  );
  return {
    baseline_map_read: { value: read, unit: 'us' },
    baseline_structured_clone: { value: copy, unit: 'us' },
    baseline_whole_digest: { value: digest, unit: 'us' },
  };
}

function plainTables(): Tables {
  const random = SeededRandom.from('bench');
  return new Map(
    TABLE_NAMES.map((name) => {
      const rows = ROW_IDS.map((id, index) => [id, makeRow(random, index) as Record<string, Json>] as const);
      return [name, new Map(rows)];
    }),
  );
}
