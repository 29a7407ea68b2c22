import { InvariantError, UsageError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { SeededRandom } from '../base/random.ts';
import { createWorld, typedTables } from '../world/index.ts';
import type { Schema, Transaction, WorldValue } from '../world/types.ts';
import type { Seeding, SeedSize, Service } from './types.ts';

/** One service of a world and where its rows come from: a seed size, or the user's own documents. */
export interface SeedPart {
  readonly service: Service;
  readonly seed: SeedSize | { readonly documents: Readonly<Record<string, Json>> };
}

/**
 * Builds a world: every service seeded by its own generator, which depends on service and size alone, so the
 * same size is the same world everywhere.
 * @throws UsageError when a service has no such seed, or no loader for documents.
 */
export function seedWorld(parts: readonly SeedPart[]): WorldValue {
  const schemas: Record<string, Schema> = {};
  for (const { service } of parts) schemas[service.name] = service.schema;
  let world: WorldValue = createWorld(schemas, 'seed');
  for (const part of parts) {
    world = filled(part, world);
  }
  return world;
}

function filled(part: SeedPart, world: WorldValue): WorldValue {
  try {
    const result = world.transact((tx) => fill(part, tx));
    if (!result.ok) throw result.error;
    return result.world;
  } catch (error) {
    // A loader that refuses the user's documents is the user's business, not a bug of ours.
    if (error instanceof InvariantError && error.cause instanceof UsageError) throw error.cause;
    throw error;
  }
}

function fill(part: SeedPart, tx: Transaction): void {
  const { service, seed } = part;
  const size = typeof seed === 'string' ? seed : 'loaded';
  const seeding: Seeding<Schema> = {
    tx: typedTables(tx, service.name, service.schema),
    random: SeededRandom.from(`${service.name}/${size}`),
    nextId: (table) => tx.nextId(`${service.name}.${table}`),
  };
  if (typeof seed === 'string') seedOf(service, seed)(seeding);
  else loaderOf(service)(seeding, seed.documents);
}

function seedOf(service: Service, size: SeedSize): (seeding: Seeding<Schema>) => void {
  const seed = Object.hasOwn(service.seeds, size) ? service.seeds[size] : undefined;
  if (!seed) {
    throw new UsageError('unknown-seed', `${service.name} has no seed named ${size}`, {
      hint: `it has ${Object.keys(service.seeds).join(', ') || 'none: it loads a folder of yours'}`,
    });
  }
  return seed;
}

function loaderOf(service: Service): NonNullable<Service['load']> {
  if (!service.load) {
    throw new UsageError('no-loader', `${service.name} cannot be built from documents`, {
      hint: `use one of its seeds: ${Object.keys(service.seeds).join(', ')}`,
    });
  }
  return service.load;
}
