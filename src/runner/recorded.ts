import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UsageError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { seedWorld } from '../service/seed.ts';
import type { ReplayEnvironment } from '../session/index.ts';
import { readText } from '../store/text-files.ts';
import { readTrajectory, type Trajectory } from '../trajectory/index.ts';
import type { WorldValue } from '../world/types.ts';
import { refuseLoaded, type SeededWorld, servicesOf, type WorldCache, type WorldRecipe } from './worlds.ts';

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
  return environmentFrom(trajectory.header.world.services, worlds, data);
}

/** The same of a recipe. What was built from files is kept among the worlds. */
export function environmentFrom(recipe: WorldRecipe, worlds: WorldCache, data?: string): SeededWorld {
  if (worlds.has(recipe) || recipe.every(({ seed }) => seed !== 'loaded')) return worlds.get(recipe);
  if (data === undefined) refuseLoaded(recipe);
  worlds.put(recipe, loadedWorld(recipe, data ?? ''));
  return worlds.get(recipe);
}

function loadedWorld(recipe: WorldRecipe, data: string): WorldValue {
  const documents = readDocuments(data);
  const parts = servicesOf(recipe).map((service, index) => {
    const seed = recipe[index]?.seed;
    return { service, seed: seed === 'loaded' ? { documents } : (seed as 'small') };
  });
  try {
    return seedWorld(parts);
  } catch (error) {
    if (!(error instanceof UsageError) || error.place) throw error;
    const hint = error.hint === undefined ? {} : { hint: error.hint };
    throw new UsageError(error.code, error.message, { place: { file: data }, ...hint });
  }
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
