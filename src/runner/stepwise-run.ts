import type { Json } from '../base/json.ts';
import type { RunFolder } from '../store/run-folder.ts';
import { StepwiseLog } from '../store/stepwise-log.ts';
import { trialSeed } from './execute.ts';
import type { PreparedScenario } from './prepare.ts';
import { configOf, inRunFolder, type RunRequest } from './run-config.ts';
import { runStepwiseTrial, type StepwiseTrial, whyNotStepwise } from './stepwise.ts';
import { type StepwiseSummary, summariseStepwise } from './stepwise-summary.ts';
import type { Agent } from './types.ts';

export interface StepwiseRunOptions extends RunRequest {
  /** Trials that are judged, of those that there are to judge. */
  readonly onProgress?: (progress: { readonly done: number; readonly of: number }) => void;
}

/** A scenario that counts in no figure. */
export interface NotJudged {
  readonly scenario: string;
  readonly reason: string;
}

export interface FinishedStepwiseRun {
  readonly folder: RunFolder;
  readonly trials: readonly StepwiseTrial[];
  readonly notJudged: readonly NotJudged[];
  readonly summary: StepwiseSummary;
}

/**
 * Judges an agent step by step, k trials of every scenario that has steps to judge, into a run folder. An
 * unfinished run of the same configuration is taken up at the step where it stopped.
 * @throws UsageError when the agent cannot be made or the folder is taken
 */
export async function runStepwiseBank(options: StepwiseRunOptions): Promise<FinishedStepwiseRun> {
  const { config, agent } = await configOf(options, 'stepwise');
  return await inRunFolder(config, options, async (folder) => {
    const log = StepwiseLog.open(folder);
    const { judged, notJudged } = sorted(options.bank.chosen);
    const trials: StepwiseTrial[] = [];
    const of = judged.length * options.k;
    for (const prepared of judged) {
      for (let trial = 0; trial < options.k; trial += 1) {
        options.onProgress?.({ done: trials.length, of });
        trials.push(await judgeTrial(prepared, agent, { log, trial, seed: options.seed }));
      }
    }
    options.onProgress?.({ done: of, of });
    const summary = summariseStepwise(trials);
    folder.finish({ mode: 'stepwise', ...summary, notJudged } as unknown as Json);
    return { folder, trials, notJudged, summary };
  });
}

function sorted(chosen: readonly PreparedScenario[]): {
  readonly judged: readonly PreparedScenario[];
  readonly notJudged: readonly NotJudged[];
} {
  const judged: PreparedScenario[] = [];
  const notJudged: NotJudged[] = [];
  for (const prepared of chosen) {
    const reason = whyNotStepwise(prepared);
    if (reason === null) judged.push(prepared);
    else notJudged.push({ scenario: prepared.scenario.id, reason });
  }
  return { judged, notJudged };
}

function judgeTrial(
  prepared: PreparedScenario,
  agent: Agent,
  { log, trial, seed }: { readonly log: StepwiseLog; readonly trial: number; readonly seed: string },
): Promise<StepwiseTrial> {
  const scenario = prepared.scenario.id;
  return runStepwiseTrial(prepared, agent, {
    trial,
    seed: trialSeed(seed, scenario, trial),
    known: (step) => log.find(scenario, trial, step),
    onStep: (step) => log.add({ scenario, trial, ...step }),
  });
}
