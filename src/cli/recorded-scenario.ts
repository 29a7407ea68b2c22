import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { BANKS } from '../catalog/index.ts';
import { type LoadedBank, loadBank } from '../runner/bank.ts';
import type { PreparedScenario } from '../runner/prepare.ts';
import { environmentOf, loadTrajectory } from '../runner/recorded.ts';
import { scoreOf } from '../runner/score.ts';
import { WorldCache } from '../runner/worlds.ts';
import type { TrialScore } from '../scoring/index.ts';
import { changedBehaviour } from '../session/index.ts';
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
  return { trajectory, prepared: await new RecordedScenarios(worlds, bank ?? own).of(trajectory) };
}

/** The scenarios of recorded trajectories, of one bank or of all that ship. Each bank is loaded once. */
export class RecordedScenarios {
  readonly #worlds: WorldCache;
  readonly #names: readonly string[];
  readonly #data: string | undefined;
  readonly #banks = new Map<string, Promise<LoadedBank>>();

  /** `data` is the folder of files that a world was loaded from, for trajectories on such a one. */
  constructor(worlds: WorldCache, bank: string | undefined, data?: string) {
    this.#worlds = worlds;
    this.#data = data;
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
      const bank = this.#banks.get(name) ?? loadBank([name], this.#worlds);
      this.#banks.set(name, bank);
      const found = (await bank).all.find(
        ({ scenario: { id, hash } }) => id === scenario.id && hash === scenario.hash,
      );
      if (found) return found;
    }
    return null;
  }
}
