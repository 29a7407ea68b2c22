/**
 * Where blame by the reference and hand labels of the same failed runs agree:
 * `node scripts/blame-agreement.ts RUN LABELS [--data DIR]`, for a run folder with its bank in it, as
 * `tau import` writes one, and a file of labels. Prints the rows of docs/blame.md and one JSON line.
 */
import { join } from 'node:path';
import { RecordedScenarios } from '../src/cli/recorded-scenario.ts';
import { type Blame, blameByReference } from '../src/runner/blame/index.ts';
import { type FailureLabel, readLabels } from '../src/runner/labels/index.ts';
import { environmentOf, loadTrajectory } from '../src/runner/recorded.ts';
import { WorldCache } from '../src/runner/worlds.ts';
import type { Trajectory } from '../src/trajectory/index.ts';

/** One failure: where a person saw it go wrong, and what blame says. */
export interface ComparedFailure {
  readonly label: FailureLabel;
  /** The labelled step; of a message, the step that came next. Null where nobody could say. */
  readonly place: number | null;
  /** The decisive step; null where blame names none. */
  readonly decisive: number | null;
}

/** Counts over the failures of one kind. */
export interface AgreementRow {
  readonly failures: number;
  /** Blame names a step. */
  readonly named: number;
  /** It is the labelled one. */
  readonly exact: number;
  /** It is the labelled one, or a neighbour. */
  readonly withinOne: number;
  /** It comes after the labelled one, and before it. */
  readonly later: number;
  readonly earlier: number;
}

export function compareFailure(label: FailureLabel, trajectory: Trajectory, blame: Blame): ComparedFailure {
  return { label, place: placeOf(label, trajectory), decisive: blame.decisive?.step ?? null };
}

function placeOf({ at }: FailureLabel, { messages }: Trajectory): number | null {
  if (at === null) return null;
  return 'step' in at ? at.step : (messages[at.message]?.afterStep ?? null);
}

/** The rows of the table: all failures, those labelled at a step or a message, those nobody disputes. */
export function agreementTable(compared: readonly ComparedFailure[]): Readonly<Record<string, AgreementRow>> {
  const isAt =
    (kind: 'step' | 'message') =>
    ({ label: { at } }: ComparedFailure) =>
      at !== null && kind in at;
  return {
    'labelled at a call': rowOf(compared.filter(isAt('step'))),
    'labelled at a message': rowOf(compared.filter(isAt('message'))),
    'not disputed': rowOf(compared.filter(({ label }) => label.disputed === undefined)),
    all: rowOf(compared),
  };
}

function rowOf(compared: readonly ComparedFailure[]): AgreementRow {
  const gaps = compared.flatMap(({ place, decisive }) =>
    place === null || decisive === null ? [] : [decisive - place],
  );
  const count = (keep: (gap: number) => boolean): number => gaps.filter(keep).length;
  return {
    failures: compared.length,
    named: compared.filter(({ decisive }) => decisive !== null).length,
    exact: count((gap) => gap === 0),
    withinOne: count((gap) => Math.abs(gap) <= 1),
    later: count((gap) => gap > 0),
    earlier: count((gap) => gap < 0),
  };
}

/** The table in Markdown. */
export function agreementLines(table: Readonly<Record<string, AgreementRow>>): string[] {
  const rows = Object.entries(table).map(([name, row]) => {
    const { failures, named, exact, withinOne, later, earlier } = row;
    return `| ${[name, failures, named, exact, withinOne, later, earlier].join(' | ')} |`;
  });
  return [
    '| failures | n | blame names a step | the labelled one | within one step | later | earlier |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ];
}

/** Blames every labelled run of a folder. */
export async function compareRun(
  run: string,
  labels: readonly FailureLabel[],
  data?: string,
): Promise<readonly ComparedFailure[]> {
  const compared: ComparedFailure[] = [];
  const worlds = new WorldCache();
  const scenarios = new RecordedScenarios(worlds, join(run, 'bank'));
  for (const label of labels) {
    const file = join(run, 'trajectories', `${label.scenario}.${label.trial}.traj.jsonl`);
    const trajectory = loadTrajectory(file);
    if (compared.length === 0) environmentOf(trajectory, worlds, data);
    const prepared = await scenarios.of(trajectory);
    compared.push(compareFailure(label, trajectory, blameByReference(prepared, trajectory)));
  }
  return compared;
}

if (import.meta.main) {
  const [run, file, , data] = process.argv.slice(2);
  if (run === undefined || file === undefined) {
    process.stderr.write('usage: node scripts/blame-agreement.ts RUN LABELS [--data DIR]\n');
    process.exit(2);
  }
  const table = agreementTable(await compareRun(run, readLabels(file), data));
  process.stdout.write(`${agreementLines(table).join('\n')}\n${JSON.stringify(table)}\n`);
}
