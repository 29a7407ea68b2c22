import { parentPort, workerData } from 'node:worker_threads';
import { UsageError } from '../base/errors.ts';
import { openPacked } from '../world/index.ts';
import type { AgentObserver } from './agents/observed.ts';
import { prepareScenario } from './prepare.ts';
import { TrialBench } from './trial-bench.ts';
import type { AgentAction } from './types.ts';
import type { TrialOrder, WorkerMessage, WorkerStart } from './worker-protocol.ts';
import { servicesOf, WorldCache } from './worlds.ts';

const BEAT_MS = 50;

/** A worker thread: opens the shared worlds, then runs the trials it is handed. */
async function main(): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('this module runs as a worker thread only');
  const tell = (message: WorkerMessage): void => port.postMessage(message);
  const fail = (error: unknown): void => {
    if (!(error instanceof UsageError)) throw error;
    const { code, message, hint, place } = error;
    tell({
      type: 'usage-error',
      code,
      message,
      ...(hint !== undefined && { hint }),
      ...(place && { place }),
    });
  };
  try {
    const start = workerData as WorkerStart;
    const { turns, width } = start;
    if (turns && width > 1) setInterval(() => void Atomics.add(turns, 0, 1), BEAT_MS);
    const bench = await benchOf(start, turns && width === 1 ? observerOf(turns, tell) : null);
    port.on('message', (order: TrialOrder) => {
      bench.run(order).then((report) => tell({ type: 'report', report }), fail);
    });
    tell({ type: 'ready' });
  } catch (error) {
    fail(error);
  }
}

/** Lets the main thread know whose turn it is, and what the agent did. */
function observerOf(turns: Int32Array, tell: (message: WorkerMessage) => void): AgentObserver {
  return {
    asked: () => void Atomics.add(turns, 0, 1),
    gave: (action) => {
      if (action) tellAction(action, tell);
      Atomics.add(turns, 0, 1);
    },
  };
}

function tellAction(action: AgentAction, tell: (message: WorkerMessage) => void): void {
  try {
    tell({ type: 'action', action });
  } catch {
    // A function or the like beside the members that count: JSON leaves it out.
    tell({ type: 'action', action: JSON.parse(JSON.stringify(action)) as AgentAction });
  }
}

function benchOf(start: WorkerStart, observer: AgentObserver | null): Promise<TrialBench> {
  const worlds = new WorldCache();
  for (const { recipe, packed } of start.worlds) {
    const schemas = Object.fromEntries(servicesOf(recipe).map(({ name, schema }) => [name, schema]));
    worlds.put(recipe, openPacked(new Uint8Array(packed), schemas));
  }
  const prepared = start.scenarios.map(({ scenario, plan }) => ({
    ...prepareScenario(scenario, worlds.get(scenario.world.services)),
    ...(plan && { plan }),
  }));
  const { agent, agentOptions, seed } = start;
  return TrialBench.create({ prepared, agent, agentOptions, seed, ...(observer && { observer }) });
}

await main();
