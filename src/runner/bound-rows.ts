import { type BoundRows, resolveScenario, withFullTableNames } from '../scenarios/index.ts';
import type { LoadedBank } from './bank.ts';
import type { PreparedScenario } from './prepare.ts';

/**
 * The rows that the default instance of a family is about, by binding; null for a scenario that is no family.
 * They are what a reference module is handed, so that is how they are asked for.
 */
export function boundRowsOf(bank: LoadedBank, { scenario, world }: PreparedScenario): BoundRows | null {
  const entry = bank.folder.scenarios.find(({ file }) => file.id === scenario.id);
  if (!entry?.file.bindings) return null;
  const { place } = entry;
  const file = withFullTableNames(entry.file, { tables: world.tableNames, place });
  let bound: BoundRows = {};
  resolveScenario(
    { ...file, reference: { module: 'none' } },
    {
      world,
      place,
      epochMs: scenario.world.epochMs,
      reference: (rows) => {
        bound = rows;
        return scenario.reference;
      },
    },
  );
  return bound;
}
