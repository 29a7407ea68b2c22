import { BANKS } from '../catalog/index.ts';
import { type LoadedBank, loadBank } from '../runner/bank.ts';
import type { PreparedScenario } from '../runner/prepare.ts';
import { environmentOf } from '../runner/recorded.ts';
import { scoreOf } from '../runner/score.ts';
import type { WorldCache } from '../runner/worlds.ts';
import type { TrialScore } from '../scoring/index.ts';
import { changedBehaviour } from '../session/index.ts';
import type { Trajectory } from '../trajectory/index.ts';

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
    const { scenario, behaviour, world } = trajectory.header;
    const loaded = world.services.some(({ seed }) => seed === 'loaded');
    // Without its files such a world cannot be scored anew: the trajectory is shown all the same.
    if (loaded && this.#data === undefined) return null;
    if (loaded) environmentOf(trajectory, this.#worlds, this.#data);
    const prepared = await this.#find(scenario);
    if (!prepared || changedBehaviour(behaviour, prepared.behaviour).length > 0) return null;
    return scoreOf(prepared, trajectory, world.streamSeed);
  }

  /** The same id and the same hash: unchanged since. */
  async #find(scenario: Trajectory['header']['scenario']): Promise<PreparedScenario | null> {
    if (!scenario) return null;
    for (const name of this.#names) {
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
