import type { Json } from '../base/json.ts';
import type { JudgedStep } from '../runner/stepwise.ts';
import {
  type FinishedStepwiseRun,
  runStepwiseBank,
  type StepwiseRunOptions,
} from '../runner/stepwise-run.ts';
import { wholeTrialFigures } from '../runner/stepwise-summary.ts';
import type { ExitCode, Invocation, Output } from './command.ts';
import type { Standing } from './interruption.ts';
import { shown } from './render/divergence.ts';
import { Footnotes, percent } from './render/figures.ts';
import { layOut } from './render/table.ts';
import { runJson } from './run-json.ts';

const STEPS_SHOWN = 10;

/** `run --mode stepwise`: teacher-forced, a verdict by continuation at every reference call. */
export async function runStepwise(
  { output }: Invocation,
  options: Omit<StepwiseRunOptions, 'onProgress'>,
  track: (standing: Standing) => void,
): Promise<ExitCode> {
  const finished = await runStepwiseBank({
    ...options,
    onProgress: ({ done, of }) => {
      track({ done, of });
      output.progress(`${done}/${of} trials step by step`, done === of);
    },
  });
  const { folder, summary, notJudged } = finished;
  const notExact = stepsNotExact(finished);
  printFigures(output, finished);
  printSteps(output, notExact);
  output.line(`\nRun folder: ${folder.directory}`);
  const { trials, ...figures } = summary;
  output.json({
    ...runJson({ folder, summary: wholeTrialFigures({ trials, k: folder.config.k }) }),
    ...(figures as unknown as { readonly [key: string]: Json }),
    notExact: notExact as unknown as Json,
    fatal: notExact.filter(({ verdict }) => verdict === 'fatal') as unknown as Json,
    notJudged: notJudged as unknown as Json,
  });
  if (summary.steps === 0) return 4;
  return summary.counts.fatal === 0 ? 0 : 1;
}

type LocatedStep = JudgedStep & { readonly scenario: string; readonly trial: number };

/** The worst first, since not all are printed. */
function stepsNotExact({ trials }: FinishedStepwiseRun): LocatedStep[] {
  const all = trials.flatMap(({ scenario, trial, steps }) =>
    steps.map((step): LocatedStep => ({ scenario, trial, ...step })),
  );
  return (['fatal', 'harmless', 'equivalent'] as const).flatMap((verdict) =>
    all.filter((step) => step.verdict === verdict),
  );
}

function printFigures(output: Output, { summary, notJudged }: FinishedStepwiseRun): void {
  const notes = new Footnotes();
  const rows = Object.entries(summary.shares).map(([verdict, share]) => [
    verdict,
    percent(share, notes),
    `${summary.counts[verdict as keyof typeof summary.counts]} of ${summary.steps} steps`,
  ]);
  for (const line of layOut([['exact or equivalent', percent(summary.good, notes), ''], ...rows]))
    output.line(line);
  for (const line of notes.lines()) output.line(line);
  const byReason = Map.groupBy(notJudged, ({ reason }) => reason);
  for (const [reason, scenarios] of byReason) {
    output.line(`Scenarios not judged: ${scenarios.length} (${reason})`);
  }
}

function printSteps(output: Output, steps: readonly LocatedStep[]): void {
  if (steps.length > 0) output.line('\nSteps that were not exact:');
  for (const { scenario, trial, step, verdict, got, detail } of steps.slice(0, STEPS_SHOWN)) {
    const call = got === null ? '' : ` ${shown(got as unknown as Json)}`;
    output.line(`  ${verdict}: ${scenario} trial ${trial}, step ${step}:${call} ${detail}`);
  }
  const more = steps.length - STEPS_SHOWN;
  if (more > 0) output.line(`  … and ${more} more, in the run folder's stepwise.jsonl`);
}
