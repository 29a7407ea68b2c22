import { UsageError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { holdsAll } from '../base/predicate.ts';
import type { Row, RowChange, WorldValue } from '../world/types.ts';
import type { Watch } from './types.ts';

/** A row that breaks a state invariant. */
export interface Breach {
  readonly id: string;
  readonly table: string;
  readonly key: Json;
}

/**
 * The breaches among the rows that a step changed: a step answers for what it broke, not for what was broken.
 */
export function breachesOf(
  watches: readonly Watch[],
  world: WorldValue,
  changes: readonly RowChange[],
): readonly Breach[] {
  if (watches.length === 0 || changes.length === 0) return NONE;
  const found: Breach[] = [];
  for (const watch of watches) {
    for (const change of changes) {
      if (change.table !== watch.table || change.op === 'delete') continue;
      const row = world.table(watch.table).get(change.key);
      if (row && broken(watch, row)) {
        found.push({ id: watch.id, table: change.table, key: change.key as Json });
      }
    }
  }
  return found;
}

const NONE: readonly Breach[] = [];

/** @throws UsageError when a watch names an unknown table, or the starting world already breaks it. */
export function checkWatches(watches: readonly Watch[], world: WorldValue): void {
  for (const watch of watches) {
    if (!world.tableNames.includes(watch.table)) {
      throw new UsageError(
        'unknown-table',
        `the invariant ${watch.id} names the table ${watch.table}, which is not there`,
        {
          hint: `tables are ${world.tableNames.join(', ')}`,
        },
      );
    }
    for (const row of world.table(watch.table).scan()) {
      if (!broken(watch, row)) continue;
      throw new UsageError('broken-at-start', `the starting world already breaks the invariant ${watch.id}`, {
        hint: `in ${watch.table}: ${JSON.stringify(row).slice(0, 200)}`,
      });
    }
  }
}

function broken(watch: Watch, row: Row): boolean {
  if (watch.where && !holdsAll(watch.where, row)) return false;
  return !holdsAll(watch.check, row);
}
