import { digestJson } from '../base/digest.ts';
import { nearestName, UsageError } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { jsonEqual } from '../base/json.ts';
import type { ChangeRecord } from '../trajectory/types.ts';
import type { Key, WorldValue } from '../world/types.ts';
import { drawVariants, pickRows, primaryKeyOf } from './bindings.ts';
import { type PlaceOf, placed } from './placed.ts';
import type { ScenarioFile } from './schema.ts';
import { type BoundRows, fillTemplates } from './template.ts';
import type { Binding, OverlayEntry, ReferenceCall, Scenario } from './types.ts';

/** The calls and the answer of a reference, from the file or from its module. */
export interface Reference {
  readonly calls: readonly ReferenceCall[];
  readonly answer: string;
}

export interface ResolveOptions {
  /** The seeded world that the scenario names. */
  readonly world: WorldValue;
  /** Its services' own epoch, where the scenario sets none. */
  readonly epochMs: number;
  /** What a reference module gives for the bound rows. */
  readonly reference?: (rows: BoundRows) => Reference;
  readonly variant?: number;
  readonly variantSeed?: string;
  /** The rows of this variant, where they are drawn already (`variantRows`); else they are drawn here. */
  readonly rows?: BoundRows;
  /** Where parts of the file stand, for errors. */
  readonly place?: PlaceOf;
}

/**
 * Makes a runnable scenario of a file: picks the bound rows, fills the templates, turns the overlay into row
 * changes, and hashes everything that can change a score.
 * @throws UsageError when a binding, template, table or key does not fit the world.
 */
export function resolveScenario(file: ScenarioFile, options: ResolveOptions): Scenario {
  const { world, place } = options;
  const rows = options.rows ?? boundRows(file, options);
  const { bindings: _bindings, reference: written, ...rest } = file;
  const filled = fillTemplates(rest, rows, { place });
  const reference =
    'calls' in written
      ? fillTemplates(written, rows, { place, path: ['reference'] })
      : placed(place, ['reference', 'module'], () => moduleReference(options, rows, written.module));
  const body = {
    world: {
      services: filled.world.services.map((name) => ({ name, seed: filled.world.seed })),
      overlay: overlayChanges(filled.world.overlay as readonly OverlayEntry[], world, place),
      epochMs: filled.world.epoch === undefined ? options.epochMs : Date.parse(filled.world.epoch),
    },
    task: filled.task,
    ...(filled.user && { user: filled.user }),
    ...(filled.tools !== 'all' && { tools: filled.tools }),
    reference,
    contract: filled.contract,
    milestones: filled.milestones,
    invariants: filled.invariants,
    graders: filled.graders,
    budgets: filled.budgets,
    ...(filled.faults && { faults: filled.faults }),
    ...(filled.alternatives && { alternatives: filled.alternatives }),
    ...(filled.freeText && { freeText: filled.freeText }),
  };
  return {
    id: options.variant === undefined ? file.id : `${file.id}~${options.variant}`,
    title: filled.title,
    cluster: file.cluster,
    ...(file.attempts && { attempts: file.attempts }),
    tags: file.tags,
    hash: digestJson(body as unknown as Json),
    ...(options.variant !== undefined && { variant: options.variant }),
    ...body,
  } as unknown as Scenario;
}

/**
 * The rows of variants 1 to `variants` of a family, no two the same.
 * @throws UsageError when fewer fit, unless fewer will do.
 */
export function variantRows(
  file: ScenarioFile,
  variants: number,
  options: Pick<ResolveOptions, 'world' | 'place' | 'variantSeed'> & { readonly orFewer?: boolean },
): BoundRows[] {
  const { world, place, variantSeed = DEFAULT_SEED, orFewer } = options;
  return drawVariants(bindingsOf(file), world, {
    seed: `${variantSeed}/${file.id}`,
    variants,
    orFewer,
    place,
  });
}

const DEFAULT_SEED = 'default';

function boundRows(file: ScenarioFile, options: ResolveOptions): BoundRows {
  const { world, place, variant, variantSeed = DEFAULT_SEED } = options;
  if (variant !== undefined && file.bindings) return variantRows(file, variant, options)[variant - 1] ?? {};
  // The default instance is no variant: its row is its own, whatever variants are drawn.
  return pickRows(bindingsOf(file), world, { seed: `${variantSeed}/${file.id}/0`, place });
}

function bindingsOf(file: ScenarioFile): Readonly<Record<string, Binding>> {
  return (file.bindings ?? {}) as Readonly<Record<string, Binding>>;
}

function moduleReference(options: ResolveOptions, rows: BoundRows, module: string): Reference {
  if (options.reference) return options.reference(rows);
  throw new UsageError('no-reference', `the reference module ${module} was not loaded`);
}

/** Row changes that lay an overlay over the world, entry by entry. */
function overlayChanges(
  entries: readonly OverlayEntry[],
  world: WorldValue,
  place: PlaceOf | undefined,
): ChangeRecord[] {
  let current = world;
  const all: ChangeRecord[] = [];
  for (const [index, entry] of entries.entries()) {
    placed(place, ['world', 'overlay', index], () => {
      const change = overlayChange(entry, current);
      current = current.apply([change] as Parameters<WorldValue['apply']>[0]);
      all.push(change);
    });
  }
  return all;
}

function overlayChange(entry: OverlayEntry, world: WorldValue): ChangeRecord {
  const { table } = entry;
  if (!world.tableNames.includes(table)) {
    const near = nearestName(table, world.tableNames);
    throw new UsageError('unknown-table', `the overlay changes ${table}, which is not there`, {
      hint: near ? `did you mean ${near}?` : `tables are ${world.tableNames.join(', ')}`,
    });
  }
  if ('insert' in entry) {
    const key = primaryKeyOf(world, table, entry.insert) as Json;
    return { op: 'insert', table, key, row: entry.insert };
  }
  const row = world.table(table).get(entry.key as Key);
  if (!row) {
    throw new UsageError(
      'unknown-row',
      `the overlay changes ${table} ${JSON.stringify(entry.key)}, which is not there`,
    );
  }
  if ('delete' in entry) return { op: 'delete', table, key: entry.key, row: row as JsonObject };
  const cells: Record<string, { from?: Json; to?: Json }> = {};
  for (const [column, to] of Object.entries(entry.set)) {
    const from = row[column];
    if (jsonEqual(from, to)) continue;
    cells[column] = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  }
  return { op: 'update', table, key: entry.key, cells };
}
