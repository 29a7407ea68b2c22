import { availableParallelism } from 'node:os';
import { digestText } from '../base/digest.ts';
import type { Json } from '../base/json.ts';
import { type RunSummary, summarise } from '../scoring/index.ts';
import type { RunFolder } from '../store/run-folder.ts';
import { waitsOutside } from './agents/index.ts';
import { armOf, summaryTrials } from './compare/arms.ts';
import { runHere, runOnThreads } from './pool.ts';
import { type PreparedScenario, trialName } from './prepare.ts';
import { configOf, inRunFolder, type RunRequest } from './run-config.ts';
import { TrialBench } from './trial-bench.ts';
import type { Agent } from './types.ts';
import type { TrialOrder, TrialReport } from './worker-protocol.ts';

export type Engine = 'inline' | 'threads';

export interface RunOptions extends RunRequest {
  readonly engine: Engine;
  /**
   * Trials in flight at once (default: 8 with a chat model, else the cores with threads, one without); no
   * trajectory depends on it.
   */
  readonly concurrency?: number;
  readonly onProgress?: (progress: RunProgress) => void;
  /** Looks at the run while it grows, and may end it before it has all its trials. */
  readonly looks?: Looks;
}

/** After every so many trials of each scenario, whether that is enough. */
export interface Looks {
  readonly every: number;
  readonly enough: (folder: RunFolder, look: number) => boolean;
}

export interface RunProgress {
  readonly done: number;
  readonly of: number;
  readonly report: TrialReport | null;
}

/** A finished run: where it is and what it came to. */
export interface FinishedRun {
  readonly folder: RunFolder;
  readonly summary: RunSummary;
}

/**
 * Runs an agent over scenarios, k trials each, into a run folder. An unfinished run of the same configuration
 * is taken up where it stopped.
 * @throws UsageError when the agent cannot be made or the folder is taken; ChatError when a model gives
 *   nothing to go on with: finished trials are kept, the others are not recorded
 */
export async function runBank(options: RunOptions): Promise<FinishedRun> {
  const { chosen } = options.bank;
  const { config, agent } = await configOf(options, 'end-to-end');
  return await inRunFolder(config, options, async (folder) => {
    const orders = ordersOf(chosen, options.k);
    let done = orders.filter(({ scenario, trial }) => folder.has(scenario, trial)).length;
    options.onProgress?.({ done, of: orders.length, report: null });
    const every = options.looks?.every ?? options.k;
    let k = 0;
    for (let look = 0; k < options.k; look += 1) {
      const until = Math.min(options.k, k + every);
      const part = orders.filter(({ trial }) => trial >= k && trial < until);
      const missing = part.filter(({ scenario, trial }) => !folder.has(scenario, trial));
      await execute({ ...options, made: agent }, missing, (report) => {
        folder.add({ ...report, trajectory: report.text === null ? null : digestText(report.text) });
        done += 1;
        options.onProgress?.({ done, of: orders.length, report });
      });
      k = until;
      if (options.looks?.enough(folder, look)) break;
    }
    const summary = summaryOf(folder, k);
    folder.finish(summary as unknown as Json);
    return { folder, summary };
  });
}

/**
 * The figures of a run as its folder has them; clusters come from the scenarios. `k` is how many trials each
 * scenario has, where a look ended the run before it had all of them.
 */
export function summaryOf(folder: RunFolder, k = trialsEach(folder)): RunSummary {
  return summarise({ trials: summaryTrials(armOf(folder)), k });
}

/** The k of the configuration, or the trials that a run has that was ended earlier. */
function trialsEach(folder: RunFolder): number {
  const { k, scenarios } = folder.config;
  if (!folder.finished) return k;
  const each = folder.trials().reduce((most, { trial }) => Math.max(most, trial + 1), 1);
  return scenarios.every(({ id }) => folder.has(id, each - 1)) ? each : k;
}

/** Trials in flight at once where an agent waits for a model: most of each is its provider's time. */
const MODEL_TRIALS = 8;

async function execute(
  options: RunOptions & { readonly made: Agent },
  orders: readonly TrialOrder[],
  onReport: (report: TrialReport) => void,
): Promise<void> {
  const { agent, agentOptions = {}, seed, engine, made } = options;
  const prepared = options.bank.chosen;
  // What an agent waits for runs beside this process anyway: a thread that waits would only be in the way of
  // its end. The one agent of a run is also what counts its budget.
  if (engine === 'threads' && !waitsOutside(agent)) {
    const concurrency = options.concurrency ?? availableParallelism();
    await runOnThreads({ prepared, agent, agentOptions, seed, orders, concurrency, onReport });
    return;
  }
  const usual = agent.startsWith('chat:') ? MODEL_TRIALS : engine === 'threads' ? availableParallelism() : 1;
  const bench = new TrialBench(prepared, made, seed);
  await runHere(bench, { orders, concurrency: options.concurrency ?? usual, onReport });
}

/** Trials by rounds: the first of every scenario, then the second, so that an early look covers the bank. */
function ordersOf(prepared: readonly PreparedScenario[], k: number): TrialOrder[] {
  return Array.from({ length: k }, (_, trial) =>
    prepared.map((one): TrialOrder => ({ scenario: trialName(one), trial })),
  ).flat();
}
