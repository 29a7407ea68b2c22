import { Worker } from 'node:worker_threads';
import { UsageError } from '../base/errors.ts';
import { voidScore } from '../scoring/index.ts';
import { packWorld, World } from '../world/index.ts';
import type { AgentOptions } from './agents/index.ts';
import type { PreparedScenario } from './prepare.ts';
import type { TrialBench } from './trial-bench.ts';
import type { TrialOrder, TrialReport, WorkerMessage, WorkerStart } from './worker-protocol.ts';
import { recipeKey } from './worlds.ts';

const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const WORKER = new URL(`./worker.${EXTENSION}`, import.meta.url);

/** Trials to run, and what happens with each when it is done. */
export interface Batch {
  readonly orders: readonly TrialOrder[];
  /** How many run at a time. */
  readonly lanes: number;
  readonly onReport: (report: TrialReport) => void;
}

/** Runs trials on worker threads. A thread that dies voids its trial as infrastructure and is replaced. */
export async function runOnThreads(
  options: Batch & {
    readonly prepared: readonly PreparedScenario[];
    readonly agent: string;
    readonly agentOptions: AgentOptions;
    readonly seed: string;
  },
): Promise<void> {
  const start: WorkerStart = {
    agent: options.agent,
    agentOptions: options.agentOptions,
    seed: options.seed,
    scenarios: options.prepared.map(({ scenario }) => scenario),
    worlds: packedWorlds(options.prepared),
  };
  await runLanes(options, (queue) => runThreads({ start, queue, onReport: options.onReport }));
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
  const lanes = Array.from({ length: Math.min(batch.lanes, queue.length) }, async () => {
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

interface Lane {
  readonly start: WorkerStart;
  readonly queue: TrialOrder[];
  readonly onReport: (report: TrialReport) => void;
}

/** One thread after another until the queue is empty. */
async function runThreads(lane: Lane): Promise<void> {
  while (lane.queue.length > 0) {
    const died = await runThread(lane);
    if (!died) return;
    const { order, message } = died;
    if (!order) throw new Error(`a worker thread died before its first trial: ${message}`);
    const score = voidScore('infrastructure', `the worker thread died: ${message}`);
    lane.onReport({ ...order, text: null, score, wallClockMs: null });
  }
}

/** Feeds one thread; resolves to null when the queue is empty, or to the trial in flight when it died. */
function runThread(lane: Lane): Promise<{ order: TrialOrder | null; message: string } | null> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, { workerData: lane.start });
    let inFlight: TrialOrder | null = null;
    const finish = (settle: () => void): void => {
      worker.removeAllListeners();
      worker.on('error', () => undefined);
      void worker.terminate().then(settle);
    };
    const hear = (message: WorkerMessage): void => {
      if (message.type === 'usage-error') {
        const { code, message: text, hint, place } = message;
        throw new UsageError(code, text, { ...(hint !== undefined && { hint }), ...(place && { place }) });
      }
      if (message.type === 'report') lane.onReport(message.report);
      inFlight = lane.queue.shift() ?? null;
      if (inFlight) worker.postMessage(inFlight);
      else finish(() => resolve(null));
    };
    worker.on('message', (message: WorkerMessage) => {
      try {
        hear(message);
      } catch (error) {
        finish(() => reject(error));
      }
    });
    worker.on('error', (error: Error) => finish(() => resolve({ order: inFlight, message: error.message })));
    worker.on('exit', (code) => finish(() => resolve({ order: inFlight, message: `exit code ${code}` })));
  });
}

/** Each distinct world once, in memory that all threads share. */
function packedWorlds(prepared: readonly PreparedScenario[]): WorkerStart['worlds'] {
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
