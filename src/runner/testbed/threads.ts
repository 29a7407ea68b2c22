import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Scenario } from '../../scenarios/index.ts';
import { packedWorlds } from '../pool.ts';
import type { WorkerStart } from '../worker-protocol.ts';
import { type WriteSetting, type WrittenBlock, writeBlock } from './files.ts';
import type { BlockOrder } from './generate.ts';

/** What a worker thread is started with. Worlds come as packed pages in shared memory. */
export interface TestbedStart extends Omit<WriteSetting, 'instances'> {
  readonly scenarios: readonly Scenario[];
  readonly worlds: WorkerStart['worlds'];
}

const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const WORKER = new URL(`./worker.${EXTENSION}`, import.meta.url);

/** Below so many blocks a thread takes longer to start than it saves. */
const BLOCKS_PER_THREAD = 2;

/**
 * Writes blocks on as many threads as there are cores, or here where they are few; hands them over in their
 * order, so that the files do not depend on which thread made what.
 */
export async function writeBlocks(
  orders: readonly BlockOrder[],
  setting: WriteSetting,
  {
    threads,
    onBlock,
  }: { readonly threads?: number | undefined; readonly onBlock: (block: WrittenBlock) => void },
): Promise<void> {
  const useful = Math.min(availableParallelism(), Math.floor(orders.length / BLOCKS_PER_THREAD));
  const wanted = threads === undefined ? useful : Math.min(threads, orders.length);
  if (wanted <= 1) {
    for (const order of orders) onBlock(writeBlock(order, setting));
    return;
  }
  const inOrder = orderedBlocks(onBlock);
  const { instances, ...rest } = setting;
  const start: TestbedStart = {
    ...rest,
    scenarios: instances.map(({ scenario }) => scenario),
    worlds: packedWorlds(instances),
  };
  const queue = [...orders];
  const lanes = Array.from({ length: wanted }, () => runLane(start, queue, inOrder));
  const ends = await Promise.allSettled(lanes);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Holds back blocks that are done before their turn. */
function orderedBlocks(onBlock: (block: WrittenBlock) => void): (block: WrittenBlock) => void {
  const waiting = new Map<number, WrittenBlock>();
  let turn = 0;
  return (block) => {
    waiting.set(block.index, block);
    for (let next = waiting.get(turn); next; next = waiting.get(turn)) {
      waiting.delete(turn);
      turn += 1;
      onBlock(next);
    }
  };
}

function runLane(
  start: TestbedStart,
  queue: BlockOrder[],
  onBlock: (block: WrittenBlock) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, { workerData: start });
    const end = (settle: () => void): void => void worker.terminate().then(settle, reject);
    const next = (): void => {
      const order = queue.shift();
      if (order) worker.postMessage(order);
      else end(resolve);
    };
    worker.on('message', (block: WrittenBlock) => {
      try {
        onBlock(block);
        next();
      } catch (error) {
        queue.length = 0;
        end(() => reject(error));
      }
    });
    worker.on('error', (error) => {
      queue.length = 0;
      reject(error);
    });
    next();
  });
}
