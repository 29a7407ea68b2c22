import { isJsonObject, type Json } from '../../base/json.ts';
import type { WorldShape } from '../../scoring/index.ts';
import type { ChangeRecord, StepRecord } from '../../trajectory/index.ts';

type Insert = Exclude<ChangeRecord, { op: 'update' }>;

/** A value that a recorded run drew, the column that it drew it for, and what a shorter run drew there. */
interface Rename {
  readonly column: string;
  readonly recorded: string | number;
  readonly drawn: string | number;
}

export type Renames = readonly Rename[];

/** The renames after a step: rows that it inserted then and now, in order, name each other's drawn values. */
export function renamesAfter(
  known: Renames,
  { recorded, played }: { readonly recorded: StepRecord; readonly played: StepRecord },
  shape: WorldShape,
): Renames {
  const [before, now] = [insertsOf(recorded), insertsOf(played)];
  const found = before.flatMap((insert, index): Rename[] => {
    const other = now[index];
    const table = shape[insert.table];
    if (!other || !table || other.table !== insert.table) return [];
    const columns = new Set([...table.primaryKey, ...table.volatile]);
    return [...columns].flatMap((column) => {
      const [one, two] = [insert.row[column], other.row[column]];
      return isDrawn(one) && isDrawn(two) && one !== two ? [{ column, recorded: one, drawn: two }] : [];
    });
  });
  return found.length === 0 ? known : [...found, ...known];
}

function insertsOf({ diff }: StepRecord): readonly Insert[] {
  return diff.filter((change): change is Insert => change.op === 'insert');
}

const isDrawn = (value: Json | undefined): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/**
 * An input with what the shorter run drew in place of what the recorded one did. Texts are renamed wherever
 * they stand whole; numbers, which may mean anything, only under the name of their column (`number`,
 * `issue_number`).
 */
export function renamed(input: Json, renames: Renames, name = ''): Json {
  if (renames.length === 0) return input;
  if (Array.isArray(input)) return input.map((item: Json) => renamed(item, renames, name));
  if (isJsonObject(input)) {
    const members = Object.entries(input).map(([key, value]): [string, Json | undefined] => [
      key,
      value === undefined ? undefined : renamed(value, renames, key),
    ]);
    return Object.fromEntries(members);
  }
  const found = renames.find(({ recorded, column }) => {
    if (recorded !== input) return false;
    return typeof input === 'string' || name === column || name.endsWith(`_${column}`);
  });
  return found ? found.drawn : input;
}
