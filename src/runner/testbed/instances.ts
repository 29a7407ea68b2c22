import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { SeededRandom } from '../../base/random.ts';
import { readBankFiles } from '../../store/bank-files.ts';
import { type LoadedBank, loadBank } from '../bank.ts';
import type { PreparedScenario } from '../prepare.ts';
import { environmentFrom } from '../recorded.ts';
import type { WorldCache } from '../worlds.ts';

/** A scenario that no clean run is made of, and why. */
export interface LeftOut {
  readonly scenario: string;
  readonly reason: string;
}

/** What the clean runs of a testbed are of. */
export interface TestbedBank {
  readonly bank: LoadedBank;
  /** Distinct instances in a drawn order: scenarios, and variants of families. */
  readonly instances: readonly PreparedScenario[];
  readonly leftOut: readonly LeftOut[];
}

interface InstanceOptions {
  readonly clean: number;
  readonly seed: string;
  /** The user's own files, for worlds that are loaded from them. */
  readonly data?: string | undefined;
}

/** Beyond so many variants of one family further runs are further trials. */
const VARIANTS_MOST = 400;
/** More runs than anybody has room for: a slip of the hand, which would fill the memory before the disk. */
const RUNS_MOST = 1_000_000;

/**
 * The instances of a bank, as many as there are clean runs where its families have so many variants.
 * @throws UsageError when the bank has no scenario that a testbed can be made of, and for too many runs.
 */
export async function testbedBank(
  targets: readonly string[],
  worlds: WorldCache,
  { clean, seed, data }: InstanceOptions,
): Promise<TestbedBank> {
  if (clean > RUNS_MOST) {
    throw new UsageError('too-many', `${clean} runs are too many: at most ${RUNS_MOST}`, {
      hint: 'make several, each with a seed of its own',
    });
  }
  if (data !== undefined) loadWorlds(targets, worlds, data);
  const plain = await loadBank(targets, worlds);
  const families = plain.folder.scenarios.filter(({ file }) => file.bindings).map(({ file }) => file.id);
  const asked = plain.chosen.filter(({ scenario }) => families.includes(scenario.id)).length;
  const missing = clean - (plain.chosen.length - asked);
  const variants = Math.min(VARIANTS_MOST, Math.ceil(missing / Math.max(1, asked)));
  const options = { variants: Math.max(1, variants), variantSeed: seed, orFewer: true };
  const bank = asked === 0 ? plain : await loadBank(targets, worlds, options);
  const leftOut: LeftOut[] = [];
  const fit = bank.chosen.filter(({ scenario }) => {
    const reason = whyLeftOut(scenario);
    if (reason !== null) leftOut.push({ scenario: scenario.id, reason });
    return reason === null;
  });
  if (fit.length === 0) {
    throw new UsageError('no-testbed', `no scenario of ${bank.name} can be made a testbed of`, {
      hint: leftOut[0] ? `${leftOut[0].scenario}: ${leftOut[0].reason}` : 'the bank is empty',
    });
  }
  return { bank, instances: SeededRandom.from(`testbed/${seed}/instances`).shuffle(fit), leftOut };
}

/** Builds the worlds of a bank folder that come from the user's own files before a scenario asks for them. */
function loadWorlds(targets: readonly string[], worlds: WorldCache, data: string): void {
  for (const target of targets) {
    const directory = existsSync(join(target, 'bank.yaml')) ? target : dirname(target);
    if (!existsSync(join(directory, 'bank.yaml'))) continue;
    for (const { file } of readBankFiles(directory).folder.scenarios) {
      const { services, seed } = file.world;
      if (seed !== 'loaded') continue;
      environmentFrom(
        services.map((name) => ({ name, seed })),
        worlds,
        data,
      );
    }
  }
}

function whyLeftOut(scenario: PreparedScenario['scenario']): string | null {
  if (scenario.user) return 'a conversation: the reference has no turns of its own';
  if (scenario.faults) return 'it has faults of its own: no run of it is clean';
  return scenario.reference.calls.length === 0 ? 'its reference makes no call' : null;
}
