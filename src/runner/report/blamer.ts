import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { changedBehaviour } from '../../session/index.ts';
import { RunFolder, type StoredTrial } from '../../store/run-folder.ts';
import type { Trajectory } from '../../trajectory/index.ts';
import { loadBank } from '../bank.ts';
import { blameByReference } from '../blame/index.ts';
import type { PreparedScenario } from '../prepare.ts';
import { environmentOf, loadTrajectory } from '../recorded.ts';
import { WorldCache } from '../worlds.ts';
import type { ReadBlame } from './read-blame.ts';

/** Blames a trial of a run on the spot, or says why it cannot. */
export type Blamer = (trial: StoredTrial, trajectory: Trajectory) => ReadBlame;

/**
 * A blamer by the reference for the trials of a run, whose bank is that in its folder, else the one that it
 * was asked for, else the one of that name. `data` is the folder that its worlds were loaded from, where they
 * were. What cannot be blamed has a reason in its place.
 */
export async function blamerOf(directory: string, data?: string): Promise<Blamer> {
  const folder = RunFolder.read(directory, { trajectories: 'trusted' });
  const { asked, config } = folder;
  const beside = join(directory, 'bank');
  const targets = existsSync(join(beside, 'bank.yaml')) ? [beside] : (asked?.targets ?? [config.bank.name]);
  const variants = asked?.variants;
  const family = variants === undefined ? undefined : { variants, variantSeed: asked?.variantSeed ?? '1' };
  const hashes = new Map(config.scenarios.map(({ id, hash }) => [id, hash]));
  const worlds = new WorldCache();
  if (data !== undefined) putLoaded(folder, { data, worlds });
  const prepared = await orReason(async () => {
    const { all } = await loadBank(targets, worlds, family);
    return new Map(all.map((one) => [one.scenario.id, one]));
  });
  const own = new Map(config.scenarios.map(({ id, scenario = id }) => [id, scenario]));
  return ({ scenario: trialName }, trajectory) => {
    if ('unreadable' in prepared) return prepared;
    const scenario = own.get(trialName) ?? trialName;
    const found = prepared.get(scenario);
    if (!found || found.scenario.hash !== hashes.get(scenario)) {
      return { unreadable: 'the scenario is not in its bank as it was recorded' };
    }
    return blamed(found, trajectory);
  };
}

/** Builds the worlds of a run that were loaded from files, so that its bank finds them. */
function putLoaded(folder: RunFolder, { data, worlds }: { data: string; worlds: WorldCache }): void {
  for (const { scenario, trial, trajectory } of folder.trials()) {
    if (trajectory === null) continue;
    environmentOf(loadTrajectory(folder.trajectoryPath(scenario, trial)), worlds, data);
    return;
  }
}

function blamed(prepared: PreparedScenario, trajectory: Trajectory): ReadBlame {
  const changed = changedBehaviour(trajectory.header.behaviour, prepared.behaviour);
  if (changed.length > 0) {
    return { unreadable: `the behaviour of ${changed.join(', ')} is not what was recorded` };
  }
  try {
    return blameByReference(prepared, trajectory);
  } catch (error) {
    return reasonOf(error);
  }
}

async function orReason<T>(work: () => Promise<T>): Promise<T | { readonly unreadable: string }> {
  try {
    return await work();
  } catch (error) {
    return reasonOf(error);
  }
}

function reasonOf(error: unknown): { readonly unreadable: string } {
  if (error instanceof UsageError) return { unreadable: error.message };
  throw error;
}
