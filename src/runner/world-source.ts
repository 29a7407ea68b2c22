import { existsSync } from 'node:fs';
import { UsageError } from '../base/errors.ts';
import type { Service } from '../service/types.ts';
import { sessionAt } from '../session/index.ts';
import { openWorldFile } from '../store/world-file.ts';
import { importSqlite } from '../store/world-sqlite.ts';
import { type Schema, World } from '../world/index.ts';
import { environmentOf, loadTrajectory } from './recorded.ts';
import { recipeOf, servicesOf, WorldCache } from './worlds.ts';

/** A world that a person named, with its services. */
export interface NamedWorld {
  readonly world: World;
  readonly services: readonly Service[];
}

export interface WorldSourceOptions {
  /** Steps of a trajectory after which to look; its end when left out. */
  readonly at?: number;
  /** The services of a world file: packed and SQLite files hold rows, not code. */
  readonly services?: readonly string[];
  /** The user's own files, for trajectories on a loaded world. */
  readonly data?: string;
}

/**
 * Opens a world by name: a seed such as `helpdesk/small` (several joined by `+`), a trajectory, a `.sqlite`
 * export or a packed `.world` file.
 * @throws UsageError for anything else.
 */
export function openWorldSource(source: string, options: WorldSourceOptions): NamedWorld {
  if (source.endsWith('.traj.jsonl')) return fromTrajectory(source, options);
  if (source.endsWith('.sqlite')) return fromFile(source, options, importSqlite);
  if (source.endsWith('.world'))
    return fromFile(source, options, (path, schemas) => openWorldFile(path, schemas).world);
  if (existsSync(source)) {
    throw new UsageError(
      'unknown-world',
      `${source} is no world: known are *.traj.jsonl, *.sqlite and *.world files`,
    );
  }
  const { world, services } = new WorldCache().get(recipeOf(source.split('+')));
  return { world: asWorld(world), services };
}

function fromTrajectory(file: string, { at, data }: WorldSourceOptions): NamedWorld {
  const trajectory = loadTrajectory(file);
  const environment = environmentOf(trajectory, new WorldCache(), data);
  const atStep = at ?? trajectory.steps.length;
  assertStep(atStep, trajectory.steps.length);
  const session = sessionAt(trajectory, environment, atStep);
  return { world: asWorld(session.world), services: environment.services };
}

/** @throws UsageError when a trajectory of so many steps has no such step. */
export function assertStep(atStep: number, stepCount: number): void {
  if (atStep <= stepCount) return;
  throw new UsageError('no-step', `--at ${atStep} lies beyond the trajectory, which has ${stepCount} steps`, {
    hint: `0 is the starting world, ${stepCount} the end`,
  });
}

function fromFile(
  path: string,
  { services: names }: WorldSourceOptions,
  open: (path: string, schemas: Readonly<Record<string, Schema>>) => World,
): NamedWorld {
  if (!names || names.length === 0) {
    throw new UsageError('no-services', `${path} holds rows alone: name the services that they belong to`, {
      hint: 'such as --services helpdesk',
    });
  }
  const services = servicesOf(names.map((name) => ({ name, seed: 'loaded' })));
  return {
    world: open(path, Object.fromEntries(services.map(({ name, schema }) => [name, schema]))),
    services,
  };
}

function asWorld(world: unknown): World {
  if (world instanceof World) return world;
  throw new TypeError('not a world of this engine');
}
