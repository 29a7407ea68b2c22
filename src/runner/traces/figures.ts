import {
  type Estimate,
  type Quantile,
  type Ratio,
  trialMetrics,
  type WorldShape,
} from '../../scoring/index.ts';
import { meanEstimate, quantileFigure, ratio } from '../../stats/index.ts';
import { type TraceRun, traceTrajectory } from '../../traces/index.ts';
import type { TraceRules } from './rules.ts';

/** A ratio of one run, or the reason why it has none. */
export type RunRatio = Ratio | { readonly value: null; readonly reason: string };

/** The figures of one run. */
export interface RunFigures {
  readonly steps: number;
  /** Calls that failed ÷ calls of which the trace says how they went. */
  readonly errors: RunRatio;
  readonly redundant: RunRatio;
  readonly redundantSinceWrite: RunRatio;
  readonly precision: RunRatio;
  readonly recall: RunRatio;
  /** In the currency of the trace; null when it does not say. */
  readonly cost: number | null;
}

const NO_REFERENCE = 'there is no reference to compare with: give one in the rules';
const NO_WRITES = 'which calls change something is not known: name the tools in the rules (writes)';
const EMPTY_REFERENCE = 'the reference has no calls';
const NO_CALLS = 'the run has no calls';
const NOT_TOLD = 'the trace does not say of any call how it went';

/**
 * Counts one run; what the trace does not say has a reason in place of a number.
 * @param shape of the tables of our own trajectories; null where the world is not known
 */
export function figuresOf(run: TraceRun, rules: TraceRules, shape: WorldShape | null): RunFigures {
  const { reference, freeText, writes } = rules;
  const metrics = trialMetrics({
    trajectory: withEffects(traceTrajectory(run), writes),
    shape: shape ?? {},
    contract: { expect: [], allow: [], mask: [] },
    milestones: [],
    invariants: [],
    graders: [],
    reference,
    freeText,
  });
  const lacksReference = reference === null ? NO_REFERENCE : reference.length === 0 ? EMPTY_REFERENCE : null;
  const lacksWrites = shape === null && (run.trajectory !== undefined || writes === null) ? NO_WRITES : null;
  const told = run.calls.filter(({ failed }) => failed !== null);
  const failed = told.filter((call) => call.failed === true).length;
  return {
    steps: run.calls.length,
    errors: counted(ratio(failed, told.length), run.calls.length === 0 ? NO_CALLS : NOT_TOLD),
    redundant: compared(run, metrics.redundant, null),
    redundantSinceWrite: compared(run, metrics.redundantSinceWrite, lacksWrites),
    precision: compared(run, metrics.precision, lacksReference),
    recall: compared(run, metrics.recall, lacksReference),
    cost: run.usage.cost ?? null,
  };
}

/** A ratio that compares arguments: there is none where some were not captured. */
function compared({ calls }: TraceRun, found: Ratio, lacking: string | null): RunRatio {
  if (lacking !== null) return { value: null, reason: lacking };
  const hidden = calls.filter((call) => call.arguments.kind === 'not-captured').length;
  if (hidden === 0) return counted(found, NO_CALLS);
  return { value: null, reason: `the arguments of ${hidden} of ${calls.length} calls were not captured` };
}

function counted(found: Ratio, whenNone: string): RunRatio {
  return found.value === null ? { value: null, reason: whenNone } : found;
}

function withEffects(
  trajectory: ReturnType<typeof traceTrajectory>,
  writes: ReadonlySet<string> | null,
): ReturnType<typeof traceTrajectory> {
  if (writes === null || trajectory.header.tools.length > 0) return trajectory;
  const tools = [...writes].map((name) => ({ name, service: 'none', effect: 'write' as const }));
  return { ...trajectory, header: { ...trajectory.header, tools } };
}

/** A figure over runs: the mean with its interval, and the pooled counts beside it. */
export type TraceFigure = Estimate & { readonly pooled: Ratio };

/** The figures over all runs of a call to `score`. */
export interface TraceMetrics {
  readonly steps: { readonly p50: Quantile; readonly p99: Quantile };
  readonly errors: TraceFigure;
  readonly redundant: TraceFigure;
  readonly redundantSinceWrite: TraceFigure;
  readonly precision: TraceFigure;
  readonly recall: TraceFigure;
  readonly costPerRun: Estimate;
  readonly success: Estimate;
  readonly recovery: Estimate;
  readonly costPerSuccess: Estimate;
}

/** One run's figures and what it shares with others: runs of one task are no independent evidence. */
export interface ClusteredFigures {
  readonly figures: RunFigures;
  readonly cluster: string;
}

const NO_SUCCESS = 'a trace without a world and a contract does not say whether a run succeeded';

/** Sums up runs; undefined ones are left out, and each figure's note says how many. */
export function traceMetrics(runs: readonly ClusteredFigures[]): TraceMetrics {
  const steps = runs.map(({ figures }) => figures.steps);
  const none = { value: null, reason: NO_SUCCESS } as const;
  return {
    steps: { p50: quantileFigure(steps, 0.5, 'no runs'), p99: quantileFigure(steps, 0.99, 'no runs') },
    errors: figureOver(runs, ({ errors }) => errors),
    redundant: figureOver(runs, ({ redundant }) => redundant),
    redundantSinceWrite: figureOver(runs, ({ redundantSinceWrite }) => redundantSinceWrite),
    precision: figureOver(runs, ({ precision }) => precision),
    recall: figureOver(runs, ({ recall }) => recall),
    costPerRun: costPerRun(runs),
    success: none,
    recovery: none,
    costPerSuccess: none,
  };
}

function figureOver(runs: readonly ClusteredFigures[], of: (figures: RunFigures) => RunRatio): TraceFigure {
  let [above, below] = [0, 0];
  const reasons = new Set<string>();
  const observations = runs.flatMap(({ figures, cluster }) => {
    const found = of(figures);
    if (found.value === null) {
      if ('reason' in found) reasons.add(found.reason);
      return [];
    }
    above += found.numerator;
    below += found.denominator;
    return [{ value: found.value, cluster }];
  });
  const pooled = ratio(above, below);
  const why = [...reasons].join('; ');
  if (observations.length === 0) return { value: null, reason: why === '' ? 'no runs' : why, pooled };
  const left = runs.length - observations.length;
  const note = left === 0 ? undefined : `undefined in ${left} of ${runs.length} runs: ${why}`;
  return { ...meanEstimate(observations, { range: { low: 0, high: 1 }, note }), pooled };
}

function costPerRun(runs: readonly ClusteredFigures[]): Estimate {
  const known = runs.flatMap(({ figures, cluster }) =>
    figures.cost === null ? [] : [{ value: figures.cost, cluster }],
  );
  if (runs.length === 0) return { value: null, reason: 'no runs' };
  if (known.length < runs.length) {
    return {
      value: null,
      reason: `${runs.length - known.length} of ${runs.length} runs do not tell their cost`,
    };
  }
  return meanEstimate(known, { range: { low: 0, high: Number.POSITIVE_INFINITY } });
}
