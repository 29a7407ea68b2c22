import { type Estimate, pairedDifference, rateEstimate } from '../../stats/index.ts';
import type { DetectRun, Finding } from './types.ts';

/** What is known of a run that was made to be found, or not. */
export interface DetectLabel {
  /** Null for a clean run. */
  readonly kind: string | null;
  /** True when the run ends as its clean twin does; null for a clean run. */
  readonly silent: boolean | null;
  /** The step at fault; the number of calls stands for the reply. Null for a clean run. */
  readonly step: number | null;
  /** Name of the clean run that it is an edit of; null where there is none. */
  readonly twin: string | null;
}

export interface DetectOutcome {
  readonly run: DetectRun;
  readonly label: DetectLabel;
  readonly findings: readonly Finding[];
}

/** How many of one kind were found. */
export interface KindFigures {
  readonly kind: string;
  readonly silent: { readonly found: number; readonly of: number };
  readonly loud: { readonly found: number; readonly of: number };
  /** Of those found, how many with the labelled step among the flagged ones. */
  readonly atStep: number;
}

/** How well a detector does on labelled runs; every interval is clustered by task. */
export interface DetectionFigures {
  readonly silent: Estimate;
  /** Of the silent ones those that show at all: something that the agent saw or did is not as in the twin. */
  readonly visible: Estimate;
  readonly loud: Estimate;
  readonly falseAlarms: Estimate;
  /** Faulty runs whose labelled step is among the flagged ones, of all that were flagged. */
  readonly atStep: Estimate;
  /** Share of faulty runs flagged less that of their clean twins, over pairs. */
  readonly discrimination: Estimate;
  readonly kinds: readonly KindFigures[];
}

const NONE: Estimate = { value: null, reason: 'there is no such run' };

/** Recall, false alarms, steps and paired discrimination. */
export function detectionFigures(outcomes: readonly DetectOutcome[]): DetectionFigures {
  const faulty = outcomes.filter(({ label }) => label.kind !== null);
  const clean = outcomes.filter(({ label }) => label.kind === null);
  const twins = new Map(clean.map((outcome) => [outcome.run.name, outcome]));
  const pairs = faulty.flatMap((outcome) => {
    const twin = outcome.label.twin === null ? undefined : twins.get(outcome.label.twin);
    if (twin === undefined) return [];
    return [{ first: flagged(outcome), second: flagged(twin), cluster: outcome.run.cluster }];
  });
  return {
    silent: share(faulty.filter(({ label }) => label.silent === true)),
    visible: share(faulty.filter((outcome) => outcome.label.silent === true && shows(outcome, twins))),
    loud: share(faulty.filter(({ label }) => label.silent === false)),
    falseAlarms: share(clean),
    atStep: share(
      faulty.filter(({ findings }) => findings.length > 0),
      (outcome) => (isAtStep(outcome) ? 1 : 0),
    ),
    discrimination: pairs.length === 0 ? NONE : pairedDifference(pairs),
    kinds: [...new Set(faulty.map(({ label }) => label.kind ?? ''))]
      .sort()
      .map((kind) => kindFigures(kind, faulty)),
  };
}

/** False where the run looks in every part like its clean twin, so that nobody could tell them apart. */
function shows({ run, label }: DetectOutcome, twins: ReadonlyMap<string, DetectOutcome>): boolean {
  const twin = label.twin === null ? undefined : twins.get(label.twin)?.run;
  const seen = ({ calls, messages, reply, ended }: DetectRun): string =>
    JSON.stringify([calls, messages, reply, ended]);
  return twin === undefined || seen(twin) !== seen(run);
}

function flagged({ findings }: DetectOutcome): number {
  return findings.length > 0 ? 1 : 0;
}

function share(outcomes: readonly DetectOutcome[], value = flagged): Estimate {
  if (outcomes.length === 0) return NONE;
  return rateEstimate(outcomes.map((outcome) => ({ value: value(outcome), cluster: outcome.run.cluster })));
}

function isAtStep({ run, label, findings }: DetectOutcome): boolean {
  return findings.some(({ step }) => (step ?? run.calls.length) === label.step);
}

function kindFigures(kind: string, faulty: readonly DetectOutcome[]): KindFigures {
  const own = faulty.filter(({ label }) => label.kind === kind);
  const count = (silent: boolean): { found: number; of: number } => {
    const such = own.filter(({ label }) => label.silent === silent);
    return { found: such.filter((outcome) => flagged(outcome) === 1).length, of: such.length };
  };
  return { kind, silent: count(true), loud: count(false), atStep: own.filter(isAtStep).length };
}

/**
 * The same with learning from clean runs of other tasks: tasks go round `folds` parts, and each part is
 * looked at by a detector that has seen the clean runs of the others.
 */
export function crossValidated(
  runs: readonly { readonly run: DetectRun; readonly label: DetectLabel }[],
  folds: number,
  taught: (clean: readonly DetectRun[]) => (run: DetectRun) => readonly Finding[],
): DetectOutcome[] {
  const clusters = [...new Set(runs.map(({ run }) => run.cluster))];
  const foldOf = new Map(clusters.map((cluster, index) => [cluster, index % folds]));
  const finders = Array.from({ length: folds }, (_, fold) =>
    taught(
      runs.flatMap(({ run, label }) =>
        label.kind === null && foldOf.get(run.cluster) !== fold ? [run] : [],
      ),
    ),
  );
  return runs.map(({ run, label }) => {
    const find = finders[foldOf.get(run.cluster) ?? 0];
    return { run, label, findings: find === undefined ? [] : find(run) };
  });
}
