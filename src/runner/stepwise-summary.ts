import { isJsonObject, type Json } from '../base/json.ts';
import { type RunSummary, summarise } from '../scoring/index.ts';
import { type Estimate, meanEstimate, type Observation } from '../stats/index.ts';
import { STEP_VERDICTS } from '../store/stepwise-log.ts';
import type { StepVerdict, StepwiseTrial } from './stepwise.ts';

export interface StepwiseSummary {
  /** Trials with a step to judge. */
  readonly trials: number;
  readonly steps: number;
  readonly counts: Readonly<Record<StepVerdict, number>>;
  /** Mean over trials of the share of steps with each verdict, clustered by scenario cluster. */
  readonly shares: Readonly<Record<StepVerdict, Estimate>>;
  /** Exact or equivalent: the primary figure. */
  readonly good: Estimate;
}

/** The figures of a step-wise run. */
export function summariseStepwise(trials: readonly StepwiseTrial[]): StepwiseSummary {
  const judged = trials.filter(({ steps }) => steps.length > 0);
  const share = (verdicts: readonly StepVerdict[]): Estimate => {
    const observations = judged.map(
      ({ steps, cluster }): Observation => ({
        value: steps.filter(({ verdict }) => verdicts.includes(verdict)).length / steps.length,
        cluster,
      }),
    );
    if (observations.length === 0) return { value: null, reason: 'no reference call to judge' };
    return meanEstimate(observations, { range: { low: 0, high: 1 } });
  };
  const all = judged.flatMap(({ steps }) => steps);
  return {
    trials: judged.length,
    steps: all.length,
    counts: byVerdict((verdict) => all.filter((step) => step.verdict === verdict).length),
    shares: byVerdict((verdict) => share([verdict])),
    good: share(['exact', 'equivalent']),
  };
}

function byVerdict<T>(make: (verdict: StepVerdict) => T): Readonly<Record<StepVerdict, T>> {
  const entries = STEP_VERDICTS.map((verdict) => [verdict, make(verdict)]);
  return Object.fromEntries(entries) as Record<StepVerdict, T>;
}

const UNDEFINED = 'not defined step by step';

/** The figures of whole trials, each with the reason why a step-wise run has none. */
export function wholeTrialFigures(run: { readonly trials: number; readonly k: number }): RunSummary {
  const none = summarise({ trials: [], k: run.k }) as unknown as Json;
  return { ...(undefinedFigures(none) as unknown as RunSummary), trials: run.trials };
}

function undefinedFigures(value: Json): Json {
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, undefinedFigures(member ?? null)]);
  const reason = value.value === null && 'reason' in value ? { reason: UNDEFINED } : {};
  return { ...Object.fromEntries(members), ...reason } as Json;
}
