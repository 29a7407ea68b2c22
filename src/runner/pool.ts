import { Worker } from 'node:worker_threads';
import { UsageError } from '../base/errors.ts';
import { voidScore } from '../scoring/index.ts';
import { packWorld, World } from '../world/index.ts';
import type { PreparedScenario } from './prepare.ts';
import type { TrialOrder, TrialReport, WorkerMessage, WorkerStart } from './worker-protocol.ts';
import { recipeKey } from './worlds.ts';

const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const WORKER = new URL(`./worker.${EXTENSION}`, import.meta.url);

/** Runs trials on worker threads. A thread that dies voids its trial as infrastructure and is replaced. */
export async function runOnThreads(options: {
  readonly prepared: readonly PreparedScenario[];
  readonly agent: string;
  readonly seed: string;
  readonly orders: readonly TrialOrder[];
  readonly threads: number;
  readonly onReport: (report: TrialReport) => void;
}): Promise<void> {
  const start: WorkerStart = {
    agent: options.agent,
    seed: options.seed,
    scenarios: options.prepared.map(({ scenario }) => scenario),
    worlds: packedWorlds(options.prepared),
  };
  const queue = [...options.orders];
  const lanes = Array.from({ length: Math.min(options.threads, queue.length) }, () =>
    runLane({ start, queue, onReport: options.onReport }),
  );
  await Promise.all(lanes);
}

interface Lane {
  readonly start: WorkerStart;
  readonly queue: TrialOrder[];
  readonly onReport: (report: TrialReport) => void;
}

/** One thread after another until the queue is empty. */
async function runLane(lane: Lane): Promise<void> {
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
    const next = (): void => {
      inFlight = lane.queue.shift() ?? null;
      if (inFlight) worker.postMessage(inFlight);
      else finish(() => resolve(null));
    };
    worker.on('message', (message: WorkerMessage) => {
      if (message.type === 'usage-error') {
        lane.queue.length = 0;
        finish(() => reject(new UsageError(message.code, message.message)));
        return;
      }
      if (message.type === 'report') lane.onReport(message.report);
      next();
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
