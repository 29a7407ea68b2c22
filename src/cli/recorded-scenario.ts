import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { BANKS } from '../catalog/index.ts';
import { type LoadedBank, loadBank, type VariantOptions } from '../runner/bank.ts';
import type { PreparedScenario } from '../runner/prepare.ts';
import { environmentOf, loadTrajectory } from '../runner/recorded.ts';
import { scoreOf } from '../runner/score.ts';
import { WorldCache } from '../runner/worlds.ts';
import type { TrialScore } from '../scoring/index.ts';
import { changedBehaviour } from '../session/index.ts';
import { RunFolder } from '../store/run-folder.ts';
import type { Trajectory } from '../trajectory/index.ts';

/** A recorded trial: its file, read and verified, and its scenario. */
export interface RecordedTrial {
  readonly trajectory: Trajectory;
  readonly prepared: PreparedScenario;
}

/**
 * Reads a trajectory and finds its scenario: in the bank that is named, or the one that lies in the run
 * folder (as imports write it), or those that ship. A world that came from the user's own files is built from
 * `data`.
 * @throws UsageError where one of them is not to be had
 */
export async function recordedTrial(
  file: string,
  { bank, data }: { readonly bank?: string | undefined; readonly data?: string | undefined },
): Promise<RecordedTrial> {
  const trajectory = loadTrajectory(file);
  const worlds = new WorldCache();
  environmentOf(trajectory, worlds, data);
  const beside = join(dirname(dirname(file)), 'bank');
  const own = existsSync(join(beside, 'bank.yaml')) ? beside : undefined;
  const variantSeed = variantSeedBeside(file, trajectory);
  const scenarios = new RecordedScenarios(worlds, bank ?? own, { variantSeed });
  return { trajectory, prepared: await scenarios.of(trajectory) };
}

/** What picked the variants of the run that a trajectory lies in; undefined where that is not told. */
export function variantSeedBeside(file: string, { header }: Trajectory): string | undefined {
  if (variantOf(header.scenario?.id ?? '') === null) return undefined;
  try {
    const { asked } = RunFolder.read(dirname(dirname(file)), { trajectories: 'trusted' });
    return asked?.variantSeed;
  } catch (error) {
    // A trajectory is read for itself, whatever has become of the folder that it lies in.
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/** A family and the number of its variant, as in `refund-family~2`; null for what is no variant. */
function variantOf(id: string): { readonly family: string; readonly number: number } | null {
  const [, family, number] = /^(.+)~(\d+)$/u.exec(id) ?? [];
  return family === undefined ? null : { family, number: Number(number) };
}

interface RecordedOptions {
  /** The folder of files that a world was loaded from, for trajectories on such a one. */
  readonly data?: string | undefined;
  /** What picked the variants of families; that of `run` when left out. */
  readonly variantSeed?: string | undefined;
}

/** The scenarios of recorded trajectories, of one bank or of all that ship. Each bank is loaded once. */
export class RecordedScenarios {
  readonly #worlds: WorldCache;
  readonly #names: readonly string[];
  readonly #data: string | undefined;
  readonly #variantSeed: string;
  readonly #banks = new Map<string, Promise<LoadedBank | null>>();

  constructor(worlds: WorldCache, bank: string | undefined, options: RecordedOptions = {}) {
    this.#worlds = worlds;
    this.#data = options.data;
    this.#variantSeed = options.variantSeed ?? '1';
    this.#names = bank === undefined ? Object.keys(BANKS) : [bank];
  }

  /**
   * The score of a trajectory; null where it names no scenario, one that no bank has any more, or one whose
   * world behaves in another way by now.
   */
  async score(trajectory: Trajectory): Promise<TrialScore | null> {
    const { behaviour, world } = trajectory.header;
    const loaded = world.services.some(({ seed }) => seed === 'loaded');
    // Without its files such a world cannot be scored anew: the trajectory is shown all the same.
    if (loaded && this.#data === undefined) return null;
    if (loaded) environmentOf(trajectory, this.#worlds, this.#data);
    const prepared = await this.#find(trajectory.header);
    if (!prepared || changedBehaviour(behaviour, prepared.behaviour).length > 0) return null;
    return scoreOf(prepared, trajectory, world.streamSeed);
  }

  /**
   * The scenario that a trajectory is a trial of.
   * @throws UsageError where it names none, or one that no bank has as it was recorded
   */
  async of(trajectory: Trajectory): Promise<PreparedScenario> {
    const { scenario, behaviour } = trajectory.header;
    if (!scenario) {
      throw new UsageError('no-scenario', 'the trajectory is of no scenario: nothing says what success is', {
        hint: 'record it by `run`, or `serve --scenario`',
      });
    }
    const prepared = await this.#find(trajectory.header);
    if (!prepared) {
      const where = this.#names.join(', ');
      throw new UsageError('no-scenario', `${scenario.id} is not in ${where} as it was recorded`, {
        hint: 'name the bank that it was recorded with: --bank DIR',
      });
    }
    const changed = changedBehaviour(behaviour, prepared.behaviour);
    if (changed.length === 0) return prepared;
    throw new UsageError('world-changed', `the behaviour of ${changed.join(', ')} is not what was recorded`, {
      hint: 'record the run anew: another world would be blamed',
    });
  }

  /** The same id and the same hash: unchanged since. Banks named as its services are looked into first. */
  async #find({ scenario, world }: Trajectory['header']): Promise<PreparedScenario | null> {
    if (!scenario) return null;
    const isLikely = (bank: string): boolean => world.services.some(({ name }) => name === bank);
    const likely = this.#names.filter(isLikely);
    for (const name of new Set([...likely, ...this.#names])) {
      const bank = await this.#bankOf(name, scenario.id);
      const found = bank?.all.find(
        ({ scenario: { id, hash } }) => id === scenario.id && hash === scenario.hash,
      );
      if (found) return found;
    }
    return null;
  }

  /** A bank with as many variants as the id asks for; null where it has not got them. */
  #bankOf(name: string, id: string): Promise<LoadedBank | null> {
    const variant = variantOf(id);
    const target = variant === null ? name : `${name}/${variant.family}`;
    const key = variant === null ? name : `${name}/${id}`;
    const family = variant && { variants: variant.number, variantSeed: this.#variantSeed };
    const bank = this.#banks.get(key) ?? loadedOrNull(target, this.#worlds, family);
    this.#banks.set(key, bank);
    return bank;
  }
}

/** The bank of a variant may have no such family, or no longer so many variants of it. */
async function loadedOrNull(
  target: string,
  worlds: WorldCache,
  family: VariantOptions | null,
): Promise<LoadedBank | null> {
  if (family === null) return loadBank([target], worlds);
  try {
    return await loadBank([target], worlds, family);
  } catch (error) {
    if (error instanceof UsageError && MISSING.has(error.code)) return null;
    throw error;
  }
}

const MISSING: ReadonlySet<string> = new Set(['unknown-scenario', 'too-many-variants']);
