import { UsageError } from '../base/errors.ts';
import { BEHAVIOUR, serviceNamed } from '../catalog/index.ts';
import { seedWorld } from '../service/seed.ts';
import type { SeedSize, Service } from '../service/types.ts';
import { announceBuild } from '../store/build-notice.ts';
import { type CachedSeed, cachedSeed } from '../store/seed-cache.ts';
import type { BehaviourRecord } from '../trajectory/index.ts';
import type { World } from '../world/index.ts';
import type { WorldValue } from '../world/types.ts';

/** Which services, each at which size. */
export type WorldRecipe = readonly { readonly name: string; readonly seed: string }[];

/** A seeded world with its services, ready to open sessions on. */
export interface SeededWorld {
  readonly services: readonly Service[];
  readonly world: WorldValue;
  readonly behaviour: BehaviourRecord;
}

/** Builds each seeded world once and hands out the same value: sessions fork it for nothing. */
export class WorldCache {
  readonly #worlds = new Map<string, SeededWorld>();

  /** Puts in a world that was built elsewhere, such as one opened from packed pages. */
  put(recipe: WorldRecipe, world: WorldValue): void {
    this.#worlds.set(recipeKey(recipe), { ...partsOf(recipe), world });
  }

  has(recipe: WorldRecipe): boolean {
    return this.#worlds.has(recipeKey(recipe));
  }

  /**
   * @throws UsageError for an unknown service or a seed that it does not have, and for files that nobody has
   * loaded.
   */
  get(recipe: WorldRecipe): SeededWorld {
    const key = recipeKey(recipe);
    const known = this.#worlds.get(key);
    if (known) return known;
    refuseLoaded(recipe);
    const parts = partsOf(recipe);
    const seeds = parts.services.map((service, index) => ({
      service,
      seed: (recipe[index]?.seed ?? 'small') as SeedSize,
    }));
    const build = (): World => seedWorld(seeds) as World;
    // Small seeds are built faster than they are read.
    const small = recipe.every(({ seed }) => seed === 'small');
    const world = small ? build() : cachedSeed(cacheIdentity(key, parts), announced(key, build));
    const built = { ...parts, world };
    this.#worlds.set(key, built);
    return built;
  }
}

/** The words for a world whose files nobody has named. @throws UsageError when a part of it is loaded. */
export function refuseLoaded(recipe: WorldRecipe): void {
  const loaded = recipe.filter(({ seed }) => seed === 'loaded');
  if (loaded.length === 0) return;
  const names = loaded.map(({ name }) => name).join(', ');
  throw new UsageError('no-data', `the world of ${names} was loaded from files, which this needs`, {
    hint: 'name their folder with --data DIR',
  });
}

function announced(recipe: string, build: () => World): () => World {
  return () => {
    announceBuild(recipe);
    return build();
  };
}

function cacheIdentity(
  recipe: string,
  { services, behaviour }: Pick<SeededWorld, 'services' | 'behaviour'>,
): CachedSeed {
  return {
    recipe,
    services: services.map(({ name }) => name),
    behaviour: JSON.stringify(behaviour),
    schemas: Object.fromEntries(services.map(({ name, schema }) => [name, schema])),
  };
}

/** Names a recipe in caches and locks: `helpdesk/small`, services joined by `+`. */
export function recipeKey(recipe: WorldRecipe): string {
  return recipe.map(({ name, seed }) => `${name}/${seed}`).join('+');
}

/**
 * The recipe that a person names by `NAME` or `NAME/SIZE` for each service.
 * @throws UsageError for a service that is named twice.
 */
export function recipeOf(names: readonly string[]): WorldRecipe {
  const recipe = names.map((part) => {
    const [name = '', seed = 'small'] = part.split('/');
    return { name, seed };
  });
  const twice = recipe.find(({ name }, index) => recipe.findIndex((one) => one.name === name) < index);
  if (!twice) return recipe;
  throw new UsageError('service-twice', `the service ${twice.name} is named twice`, {
    hint: 'a world has each service once',
  });
}

const serviceLists = new Map<string, readonly Service[]>();

/**
 * The services of a recipe: one list object per combination, as the session compiles its toolbox once per
 * list.
 */
export function servicesOf(recipe: WorldRecipe): readonly Service[] {
  const names = recipe.map(({ name }) => name);
  const key = names.join('+');
  const services = serviceLists.get(key) ?? names.map(serviceNamed);
  serviceLists.set(key, services);
  return services;
}

function partsOf(recipe: WorldRecipe): Pick<SeededWorld, 'services' | 'behaviour'> {
  return { services: servicesOf(recipe), behaviour: behaviourOf(recipe.map(({ name }) => name)) };
}

/** The behaviour of the engine and these services. */
export function behaviourOf(names: readonly string[]): BehaviourRecord {
  const entries = names.map((name) => [name, BEHAVIOUR.services[name] ?? 'unknown'] as const);
  return { engine: BEHAVIOUR.engine, services: Object.fromEntries(entries) };
}
