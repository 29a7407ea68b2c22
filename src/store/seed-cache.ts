import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { digestText } from '../base/digest.ts';
import { openPacked, type Schema, type World } from '../world/index.ts';
import { writeWhole } from './run-lines.ts';
import { readWorldBytes, writeWorldFile } from './world-file.ts';

/** Which world, and the identity of the code that builds it. */
export interface CachedSeed {
  /** Such as `helpdesk/standard`. */
  readonly recipe: string;
  /** The services' names: their sources are part of the identity in a checkout. */
  readonly services: readonly string[];
  /** Digests of engine and services. */
  readonly behaviour: string;
  readonly schemas: Readonly<Record<string, Schema>>;
}

/**
 * A seeded world from the cache folder (`GROUNDHOG_CACHE`, else `~/.cache/groundhog`), built and put there
 * when it is not. The cache is a convenience: whatever is wrong with it, the world is built again.
 */
export function cachedSeed(seed: CachedSeed, build: () => World): World {
  const path = join(cacheFolder(), `${keyOf(seed)}.world`);
  const known = readCached(path, seed.schemas);
  if (known) return known;
  const world = build();
  try {
    writeWorldFile(path, world);
    writeWhole(`${path}.sha256`, digestOf(readWorldBytes(path)));
    prune(seed.recipe);
  } catch {
    // A folder that cannot be written only costs the time to build the world next time.
  }
  return world;
}

/** Worlds of one recipe that are kept: the newest, and those of another version that may still be at work. */
const KEPT = 3;

/** Takes the oldest worlds of a recipe away: every change of the code makes a new one, and they are large. */
function prune(recipe: string): void {
  const folder = cacheFolder();
  const prefix = `${fileName(recipe)}-`;
  const worlds = readdirSync(folder)
    .filter((file) => file.startsWith(prefix) && /^[0-9a-f]{24}\.world$/u.test(file.slice(prefix.length)))
    .map((file) => ({ path: join(folder, file), at: statSync(join(folder, file)).mtimeMs }))
    .sort((one, other) => other.at - one.at);
  for (const { path } of worlds.slice(KEPT)) {
    rmSync(path, { force: true });
    rmSync(`${path}.sha256`, { force: true });
  }
}

/** The cached world; null when it is not there, or a byte of it is not what was written. */
function readCached(path: string, schemas: CachedSeed['schemas']): World | null {
  try {
    const bytes = readWorldBytes(path);
    // Pages are read when they are needed, so damage would show in the middle of a run: look now.
    return digestOf(bytes) === readFileSync(`${path}.sha256`, 'utf8') ? openPacked(bytes, schemas) : null;
  } catch {
    return null;
  }
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function cacheFolder(): string {
  return process.env.GROUNDHOG_CACHE ?? join(homedir(), '.cache', 'groundhog');
}

function keyOf({ recipe, services, behaviour }: CachedSeed): string {
  const digest = digestText(JSON.stringify([recipe, behaviour, sourceStamp(services)]));
  return `${fileName(recipe)}-${digest.slice(0, 24)}`;
}

const fileName = (recipe: string): string => recipe.replace(/\W+/gu, '-');

/**
 * What the engine folders are; in a checkout their files' times and sizes stand for code not yet digested.
 */
const ENGINE_FOLDERS = ['base', 'world', 'service'];

function sourceStamp(services: readonly string[]): readonly string[] {
  if (!import.meta.url.endsWith('.ts')) return [];
  const root = fileURLToPath(new URL('..', import.meta.url));
  return [...ENGINE_FOLDERS, ...services.map((name) => `services/${name}`)].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .sort()
      .map((file) => {
        const { mtimeMs, size } = statSync(join(root, folder, file));
        return `${folder}/${file} ${mtimeMs} ${size}`;
      }),
  );
}
