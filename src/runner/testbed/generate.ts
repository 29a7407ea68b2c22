import { SeededRandom } from '../../base/random.ts';
import type { PreparedScenario } from '../prepare.ts';
import { WorldCache } from '../worlds.ts';
import { chooseEdits } from './block.ts';
import { type CleanRun, cleanRun } from './clean.ts';
import { type LeftOut, testbedBank } from './instances.ts';
import type { Mutant } from './mutant.ts';
import type { TestbedLabel, TestbedRun } from './types.ts';

/** What fixes a testbed besides the bank and the behaviour of its services. */
export interface TestbedOptions {
  readonly clean: number;
  readonly faulty: number;
  readonly seed: string;
  /** Kinds of edits to make; all when left out. */
  readonly kinds?: readonly string[];
}

/** Clean runs of a block: blocks do not know of one another, so that any thread makes any of them. */
export const BLOCK_RUNS = 100;

/** A block of a testbed: which clean runs, and how many edits of them. */
export interface BlockOrder {
  readonly index: number;
  /** The number of its first run. */
  readonly firstRun: number;
  readonly clean: readonly { readonly instance: number; readonly trial: number }[];
  readonly faulty: number;
}

/** What a block came to; runs in order of their ids, which is none of the labels'. */
export interface Block {
  readonly runs: readonly TestbedRun[];
  readonly short: Readonly<Record<string, number>>;
  /** Clean runs that came to nothing. */
  readonly unfit: readonly LeftOut[];
}

/** What blocks are made of. */
export interface BlockSetting {
  readonly bank: string;
  readonly instances: readonly PreparedScenario[];
  readonly options: TestbedOptions;
}

/** The blocks of a testbed: instances in turn, once all are through further trials of them. */
export function blockOrders(instances: number, { clean, faulty }: TestbedOptions): readonly BlockOrder[] {
  const blocks = Math.ceil(clean / BLOCK_RUNS);
  const orders: BlockOrder[] = [];
  let [firstClean, firstFaulty] = [0, 0];
  for (let index = 0; index < blocks; index += 1) {
    const lastClean = Math.round((clean * (index + 1)) / blocks);
    const lastFaulty = Math.round((faulty * (index + 1)) / blocks);
    const numbers = Array.from({ length: lastClean - firstClean }, (_, place) => firstClean + place);
    orders.push({
      index,
      firstRun: firstClean + firstFaulty,
      clean: numbers.map((number) => ({
        instance: number % instances,
        trial: Math.floor(number / instances),
      })),
      faulty: lastFaulty - firstFaulty,
    });
    [firstClean, firstFaulty] = [lastClean, lastFaulty];
  }
  return orders;
}

/** Makes the runs of one block. */
export function makeBlock(order: BlockOrder, { bank, instances, options }: BlockSetting): Block {
  // With the bank in it: else an id would stand for the same kind of edit in every bank.
  const seed = `testbed/${bank}/${options.seed}/${order.index}`;
  const played = order.clean.flatMap(({ instance, trial }) => {
    const prepared = instances[instance];
    return prepared ? [cleanRun(prepared, trial, options.seed)] : [];
  });
  const cleans = played.filter(({ score }) => score.success);
  const { chosen, short } = chooseEdits(cleans, {
    count: order.faulty,
    seed,
    turn: order.index,
    ...(options.kinds && { kinds: options.kinds }),
  });
  const made: { readonly clean: number; readonly mutant: Mutant | null }[] = [
    ...[...cleans.keys()].map((clean) => ({ clean, mutant: null })),
    ...chosen,
  ];
  const places = SeededRandom.from(`${seed}/order`).shuffle([...made.keys()]);
  const idOf = (place: number): string => runId(order.firstRun + place);
  const cleanIds = new Map(places.map((from, place) => [from, idOf(place)]));
  const runs = places.flatMap((from, place): TestbedRun[] => {
    const one = made[from];
    const clean = one && cleans[one.clean];
    if (!one || !clean) return [];
    const label = labelOf(clean, one.mutant, {
      run: idOf(place),
      pair: cleanIds.get(one.clean) ?? '',
      bank,
      seed: options.seed,
    });
    const { trajectory, text } = one.mutant ?? clean;
    return [{ label, trajectory, text }];
  });
  const unfit = played.filter(({ score }) => !score.success).map(unfitOf);
  return { runs, short, unfit };
}

/** A reference that its own graders fail is no clean run. */
function unfitOf({ prepared, score }: CleanRun): LeftOut {
  const why = score.void?.detail ?? score.firstFailure?.message ?? 'the graders say so';
  return { scenario: prepared.scenario.id, reason: `its reference fails: ${why}` };
}

/** Ids say nothing about what a run is. */
function runId(number: number): string {
  return `r${String(number).padStart(5, '0')}`;
}

function labelOf(
  clean: CleanRun,
  mutant: Mutant | null,
  naming: Pick<TestbedLabel, 'run' | 'pair' | 'bank' | 'seed'>,
): TestbedLabel {
  const { scenario } = clean.prepared;
  const { run, pair, bank, seed } = naming;
  return {
    run,
    pair,
    bank,
    scenario: scenario.id.split('~')[0] ?? scenario.id,
    instance: scenario.id,
    trial: clean.trial,
    seed,
    kind: mutant?.edit.kind ?? null,
    side: mutant?.edit.side ?? null,
    step: mutant?.edit.step ?? null,
    silent: mutant?.silent ?? null,
    outcomeChanged: mutant?.outcomeChanged ?? null,
    success: (mutant ?? clean).score.success,
  };
}

/** A testbed in memory. */
export interface Testbed {
  readonly runs: readonly TestbedRun[];
  /** Distinct instances among the clean runs. */
  readonly instances: number;
  readonly leftOut: readonly LeftOut[];
  /** By kind, how many fewer edits could be made than its share. */
  readonly short: Readonly<Record<string, number>>;
}

/**
 * Makes a testbed of a bank in memory: `{label, trajectory, text}` for each run, clean and edited, in an
 * order that tells nothing. The same bank, behaviour and options give the same runs, byte for byte.
 * @param targets a bank, or scenarios of one, as a person names them
 * @throws UsageError for an unknown bank, or one that no testbed can be made of.
 */
export async function generateTestbed(
  targets: readonly string[],
  options: TestbedOptions & { readonly worlds?: WorldCache },
): Promise<Testbed> {
  const { bank, instances, leftOut } = await testbedBank(
    targets,
    options.worlds ?? new WorldCache(),
    options,
  );
  const setting = { bank: bank.name, instances, options };
  const blocks = blockOrders(instances.length, options).map((order) => makeBlock(order, setting));
  return {
    runs: blocks.flatMap(({ runs }) => runs),
    instances: new Set(blocks.flatMap(({ runs }) => runs.map(({ label }) => label.instance))).size,
    leftOut: [...leftOut, ...unfitIn(blocks)],
    short: summedShort(blocks),
  };
}

/** What came to nothing in any of the blocks, each instance once. */
export function unfitIn(blocks: readonly Pick<Block, 'unfit'>[]): readonly LeftOut[] {
  return [...new Map(blocks.flatMap(({ unfit }) => unfit).map((one) => [one.scenario, one])).values()];
}

/** How far kinds fell short, over all blocks. */
export function summedShort(blocks: readonly Pick<Block, 'short'>[]): Readonly<Record<string, number>> {
  const sum: Record<string, number> = {};
  for (const { short } of blocks) {
    for (const [kind, count] of Object.entries(short)) sum[kind] = (sum[kind] ?? 0) + count;
  }
  return sum;
}
