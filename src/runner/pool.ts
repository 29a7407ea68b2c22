import { availableParallelism } from 'node:os';
import { voidScore } from '../scoring/index.ts';
import { packWorld, World } from '../world/index.ts';
import type { AgentOptions } from './agents/index.ts';
import { ACTION_TIMEOUT_MS } from './agents/within-time.ts';
import type { PreparedScenario } from './prepare.ts';
import { type Lane, runThread } from './thread.ts';
import { TrialBench } from './trial-bench.ts';
import type { TrialOrder, TrialReport, WorkerStart } from './worker-protocol.ts';
import { recipeKey } from './worlds.ts';

/** Trials to run, and what happens with each when it is done. */
export interface Batch {
  readonly orders: readonly TrialOrder[];
  /** How many are in flight at a time. */
  readonly concurrency: number;
  readonly onReport: (report: TrialReport) => void;
}

/**
 * Runs trials on worker threads, as many as there are cores. A script's thread has several trials in flight
 * where more are asked for, since scripts may wait; what is bundled never does. A thread that dies voids its
 * trial as infrastructure and is replaced; one that its script keeps or ends is replaced too, and its trial
 * is the script's failure.
 */
export async function runOnThreads(
  options: Batch & {
    readonly prepared: readonly PreparedScenario[];
    readonly agent: string;
    readonly agentOptions: AgentOptions;
    readonly seed: string;
  },
): Promise<void> {
  const { prepared, agent, agentOptions, seed, onReport } = options;
  const start: Lane['start'] = {
    agent,
    agentOptions,
    seed,
    scenarios: prepared.map(({ scenario, plan }) => ({ scenario, ...(plan && { plan }) })),
    worlds: packedWorlds(prepared),
  };
  // Only a script of the user's can keep a thread: what is bundled does not.
  const actionTimeoutMs = agent.startsWith('script:')
    ? (agentOptions.actionTimeoutMs ?? ACTION_TIMEOUT_MS)
    : null;
  const benchHere = (): Promise<TrialBench> => TrialBench.create({ prepared, agent, agentOptions, seed });
  const inFlight = Math.min(options.concurrency, options.orders.length);
  const threads = Math.min(inFlight, availableParallelism());
  const width = agent.startsWith('script:') ? Math.ceil(inFlight / Math.max(threads, 1)) : 1;
  await runLanes({ ...options, concurrency: threads }, (queue) =>
    runThreads({ start, queue, onReport, actionTimeoutMs, width }, benchHere),
  );
}

/**
 * Runs trials in this thread, several at a time where they wait for programs; otherwise that gains nothing.
 */
export async function runHere(bench: TrialBench, batch: Batch): Promise<void> {
  await runLanes(batch, async (queue) => {
    for (let order = queue.shift(); order; order = queue.shift()) batch.onReport(await bench.run(order));
  });
}

/**
 * Lanes that take trials off one queue. The first that fails empties the queue; the others finish the trial
 * they are at before its error is thrown, so that nothing is written after the run has let go of its folder.
 */
async function runLanes(batch: Batch, lane: (queue: TrialOrder[]) => Promise<void>): Promise<void> {
  const queue = [...batch.orders];
  const lanes = Array.from({ length: Math.min(batch.concurrency, queue.length) }, async () => {
    try {
      await lane(queue);
    } catch (error) {
      queue.length = 0;
      throw error;
    }
  });
  const ends = await Promise.allSettled(lanes);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}

/**
 * One thread after another until the queue is empty. Whose fault it is that a thread ended cannot be seen
 * where several trials were in flight: each of them is run again, alone.
 */
async function runThreads(lane: Lane, benchHere: () => Promise<TrialBench>): Promise<void> {
  while (lane.queue.length > 0) {
    const dead = await runThread(lane);
    if (!dead) return;
    const { orders, message, failure, actions } = dead;
    const [order] = orders;
    if (!order) throw new Error(`a worker thread died before its first trial: ${message}`);
    if (lane.width > 1) {
      for (const one of orders) await runThreads({ ...lane, width: 1, queue: [one] }, benchHere);
      continue;
    }
    if (failure) {
      const bench = await benchHere();
      lane.onReport(await bench.runCut(order, actions, failure));
      continue;
    }
    const score = voidScore('infrastructure', `the worker thread died: ${message}`);
    lane.onReport({ ...order, text: null, score, wallClockMs: null });
  }
}

/** Each distinct world once, in memory that all threads share. */
export function packedWorlds(prepared: readonly PreparedScenario[]): WorkerStart['worlds'] {
  const worlds = new Map<string, WorkerStart['worlds'][number]>();
  for (const { scenario, world } of prepared) {
    const recipe = scenario.world.services;
    const key = recipeKey(recipe);
    if (worlds.has(key) || !(world instanceof World)) continue;
    const packed = packWorld(world);
    const shared = new SharedArrayBuffer(packed.length);
    new Uint8Array(shared).set(packed);
    worlds.set(key, { recipe, packed: shared });
  }
  return [...worlds.values()];
}
