import { parentPort, workerData } from 'node:worker_threads';
import { openPacked } from '../../world/index.ts';
import { prepareScenario } from '../prepare.ts';
import { servicesOf, WorldCache } from '../worlds.ts';
import { writeBlock } from './files.ts';
import type { BlockOrder } from './generate.ts';
import type { TestbedStart } from './threads.ts';

/** A worker thread: opens the shared worlds, then writes the blocks that it is handed. */
function main(): void {
  const port = parentPort;
  if (!port) throw new Error('this module runs as a worker thread only');
  const { scenarios, worlds: packedWorlds, ...setting } = workerData as TestbedStart;
  const worlds = new WorldCache();
  for (const { recipe, packed } of packedWorlds) {
    const schemas = Object.fromEntries(servicesOf(recipe).map(({ name, schema }) => [name, schema]));
    worlds.put(recipe, openPacked(new Uint8Array(packed), schemas));
  }
  const instances = scenarios.map((scenario) =>
    prepareScenario(scenario, worlds.get(scenario.world.services)),
  );
  port.on('message', (order: BlockOrder) => {
    port.postMessage(writeBlock(order, { ...setting, instances }));
  });
}

main();
