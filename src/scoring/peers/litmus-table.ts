import { scoreTrial } from '../trial.ts';
import { LITMUS_RUNS, type LitmusRun, litmusInput } from './litmus-runs.ts';
import { PEER_MATCHERS } from './matchers.ts';

/** One row of the litmus: a score per run, and how many verdicts are wrong at threshold .5 and at 1. */
export interface LitmusRow {
  readonly name: string;
  readonly scores: readonly number[];
  readonly wrong: number;
  readonly wrongAtOne: number;
}

/** Every peer's row, in the order of `PEER_MATCHERS`. */
export function peerRows(): LitmusRow[] {
  const reference = LITMUS_RUNS[0]?.calls ?? [];
  return PEER_MATCHERS.map(({ name, score }) =>
    rowOf(
      name,
      LITMUS_RUNS.map((run) => score(run.calls, reference)),
    ),
  );
}

/** Our row: success by contract, invariants and answer together. */
export function ownRow(): LitmusRow {
  return rowOf(
    'Groundhog: contract + invariants',
    LITMUS_RUNS.map((run) => Number(scoreTrial(litmusInput(run)).success)),
  );
}

function rowOf(name: string, scores: readonly number[]): LitmusRow {
  const wrongAt = (threshold: number): number =>
    LITMUS_RUNS.filter((run, index) => (scores[index] ?? 0) >= threshold !== run.good).length;
  return { name, scores, wrong: wrongAt(0.5), wrongAtOne: wrongAt(1) };
}

/** The litmus as Markdown: the runs, the table of verdicts, and what ours says of the two bad runs. */
export function litmusMarkdown(): string {
  const names = LITMUS_RUNS.map((run) => run.name);
  const table = [
    `| Matcher | ${names.join(' | ')} | Wrong |`,
    `|---|${names.map(() => '---|').join('')}---|`,
    `| wanted | ${LITMUS_RUNS.map((run) => Number(run.good)).join(' | ')} | |`,
    ...[...peerRows(), ownRow()].map(rowText),
  ];
  return [runsText(), table.join('\n'), countsText(), witnessesText()].join('\n\n');
}

function rowText(row: LitmusRow): string {
  const cells = row.scores.map((score, index) => {
    const shown = String(Math.round(score * 1000) / 1000).replace(/^0\./, '.');
    return score >= 0.5 === LITMUS_RUNS[index]?.good ? shown : `**${shown}**`;
  });
  const strict = row.wrongAtOne === row.wrong ? '' : ` (${row.wrongAtOne} at threshold 1)`;
  return `| ${row.name} | ${cells.join(' | ')} | ${row.wrong}${strict} |`;
}

function runsText(): string {
  const lines = LITMUS_RUNS.map(({ name, good, what, calls }) => {
    const list = calls.map((call) => `\`${call.tool}\``).join(', ');
    return `| ${name} | ${good ? 'pass' : 'fail'} | ${what} | ${list} |`;
  });
  return ['| Run | Wanted | What it does | Calls |', '|---|---|---|---|', ...lines].join('\n');
}

function countsText(): string {
  const lines = LITMUS_RUNS.map((run) => {
    const { precision, recall, redundant } = scoreTrial(litmusInput(run));
    const shown = [precision, recall, redundant].map((one) => `${one.numerator} of ${one.denominator}`);
    return `| ${run.name} | ${shown.join(' | ')} |`;
  });
  return ['| Run | Precision | Recall | Redundant |', '|---|---|---|---|', ...lines].join('\n');
}

function witnessesText(): string {
  const told = (run: LitmusRun): string[] => {
    const { graders } = scoreTrial(litmusInput(run));
    return graders.flatMap((grader) =>
      grader.witnesses.map((witness) => `- ${run.name}, ${grader.kind}: ${witness.message}`),
    );
  };
  return LITMUS_RUNS.filter((run) => !run.good)
    .flatMap(told)
    .join('\n');
}
