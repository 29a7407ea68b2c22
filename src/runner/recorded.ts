import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UsageError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { seedWorld } from '../service/seed.ts';
import type { ReplayEnvironment } from '../session/index.ts';
import { readText } from '../store/text-files.ts';
import { readTrajectory, type Trajectory } from '../trajectory/index.ts';
import { behaviourOf, servicesOf, type WorldCache } from './worlds.ts';

/** Reads and verifies a trajectory file. @throws UsageError naming file and line. */
export function loadTrajectory(file: string): Trajectory {
  return readTrajectory(readText(file), { file });
}

/**
 * The services and the starting world that a trajectory was recorded on. A world that came from the user's
 * own files is built from `data`, their folder.
 * @throws UsageError when a service is unknown, or such a folder is needed and not given.
 */
export function environmentOf(trajectory: Trajectory, worlds: WorldCache, data?: string): ReplayEnvironment {
  const recipe = trajectory.header.world.services;
  const loaded = recipe.filter(({ seed }) => seed === 'loaded');
  if (loaded.length === 0) return worlds.get(recipe);
  const names = loaded.map(({ name }) => name).join(', ');
  if (data === undefined) {
    throw new UsageError('no-data', `the world of ${names} was loaded from files, which a replay needs`, {
      hint: 'name their folder with --data DIR',
    });
  }
  const documents = readDocuments(data);
  const services = servicesOf(recipe);
  const world = seedWorld(
    services.map((service, index) => {
      const seed = recipe[index]?.seed;
      return { service, seed: seed === 'loaded' ? { documents } : (seed as 'small') };
    }),
  );
  return { services, world, behaviour: behaviourOf(recipe.map(({ name }) => name)) };
}

/**
 * Every JSON file of a folder, parsed, by file name. @throws UsageError for a folder that is not there or bad
 * JSON.
 */
export function readDocuments(directory: string): Readonly<Record<string, Json>> {
  if (!existsSync(directory) || !statSync(directory).isDirectory()) {
    throw new UsageError('no-folder', `${directory} is no folder`);
  }
  const files = readdirSync(directory)
    .filter((file) => file.endsWith('.json'))
    .sort();
  return Object.fromEntries(files.map((file) => [basename(file), parseJson(join(directory, file))]));
}

function parseJson(path: string): Json {
  try {
    return JSON.parse(readText(path)) as Json;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError('not-json', 'the file is not JSON', { place: { file: path, line: 1, column: 1 } });
  }
}
