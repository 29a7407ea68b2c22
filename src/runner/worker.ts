import { parentPort, workerData } from 'node:worker_threads';
import { UsageError } from '../base/errors.ts';
import { openPacked } from '../world/index.ts';
import { prepareScenario } from './prepare.ts';
import { TrialBench } from './trial-bench.ts';
import type { TrialOrder, WorkerMessage, WorkerStart } from './worker-protocol.ts';
import { servicesOf, WorldCache } from './worlds.ts';

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
    const bench = await benchOf(workerData as WorkerStart);
    port.on('message', (order: TrialOrder) => {
      bench.run(order).then((report) => tell({ type: 'report', report }), fail);
    });
    tell({ type: 'ready' });
  } catch (error) {
    fail(error);
  }
}

function benchOf(start: WorkerStart): Promise<TrialBench> {
  const worlds = new WorldCache();
  for (const { recipe, packed } of start.worlds) {
    const schemas = Object.fromEntries(servicesOf(recipe).map(({ name, schema }) => [name, schema]));
    worlds.put(recipe, openPacked(new Uint8Array(packed), schemas));
  }
  const prepared = start.scenarios.map((scenario) =>
    prepareScenario(scenario, worlds.get(scenario.world.services)),
  );
  const { agent, agentOptions, seed } = start;
  return TrialBench.create({ prepared, agent, agentOptions, seed });
}

await main();
