import { SeededRandom } from '../../base/random.ts';
import {
  betaQuantile,
  clopperPearsonInterval,
  type Interval,
  intraclassCorrelation,
  nearestRank,
  roundFigure,
} from '../../stats/index.ts';
import type { SummaryTrial } from '../summary-types.ts';
import { evaluateGate } from './evaluate.ts';
import type { GateProfile, GateVerdict } from './types.ts';

export interface GatePlanOptions {
  /** Trials per scenario of the runs that the gate will see. */
  readonly k: number;
  /** Any text; the same text and pilot give the same plan. */
  readonly seed: string;
  /** Simulated pairs of identical agents; 1,000 when left out. */
  readonly pairs?: number;
  readonly onProgress?: (done: number, of: number) => void;
}

/** How a gate would treat an agent that is exactly as good as its baseline. */
export interface GatePlan {
  readonly pairs: number;
  readonly k: number;
  readonly scenarios: number;
  readonly verdicts: Readonly<Record<GateVerdict, number>>;
  /** Share of the pairs that failed, with its exact interval. */
  readonly falseAlarms: { readonly rate: number } & Interval;
  /** The rate that the profile states; a gate above it is refused. */
  readonly stated: number;
  readonly refused: boolean;
  /** How often each check failed, most often first. */
  readonly failedChecks: readonly { readonly check: string; readonly count: number }[];
  /**
   * The smallest margin that four of five such pairs would pass; null where no difference had an interval.
   */
  readonly smallestMargin: number | null;
  /** What stands behind the simulated agents. */
  readonly model: string;
}

/** Of the pairs, this share must pass a margin for it to count as certifiable. */
const CERTIFIED_SHARE = 0.8;

/**
 * Simulates pairs of identical agents from a pilot and holds each against the profile. Every scenario has a
 * true rate, drawn for each pair from what its pilot trials leave open (beta-binomial, with the spread
 * between scenarios estimated from the pilot); both agents of a pair have the same rates, so whatever fails
 * is a false alarm. A simulated trial is one of the pilot's with that outcome, invariants and costs included.
 */
export function planGate(
  profile: GateProfile,
  pilot: readonly SummaryTrial[],
  options: GatePlanOptions,
): GatePlan {
  const { k, pairs = 1_000 } = options;
  const random = SeededRandom.from(options.seed);
  const model = modelOf(pilot);
  const verdicts = { pass: 0, fail: 0, inconclusive: 0 };
  const failed = new Map<string, number>();
  const margins: number[] = [];
  for (let index = 0; index < pairs; index += 1) {
    const rates = model.scenarios.map(({ rates: grid }) => random.pick(grid));
    const arm = (): SummaryTrial[] => drawArm(model, rates, { k, random });
    const result = evaluateGate(profile, { candidate: arm(), baseline: arm(), aligned: true });
    verdicts[result.verdict] += 1;
    for (const { check, verdict } of result.checks) {
      if (verdict === 'fail') failed.set(check, (failed.get(check) ?? 0) + 1);
    }
    const { delta } = result.comparison ?? {};
    if (delta && delta.value !== null && delta.low !== null) margins.push(-delta.low);
    options.onProgress?.(index + 1, pairs);
  }
  const rate = verdicts.fail / pairs;
  return {
    pairs,
    k,
    scenarios: model.scenarios.length,
    verdicts,
    falseAlarms: { rate: roundFigure(rate), ...clopperPearsonInterval(verdicts.fail, pairs) },
    stated: profile.falseAlarms,
    refused: rate > profile.falseAlarms,
    failedChecks: [...failed]
      .map(([check, count]) => ({ check, count }))
      .sort((left, right) => right.count - left.count || (left.check < right.check ? -1 : 1)),
    smallestMargin: nearestRank(margins, CERTIFIED_SHARE),
    model: model.said,
  };
}

interface SimulatedScenario {
  readonly trials: readonly SummaryTrial[];
  readonly solved: readonly SummaryTrial[];
  readonly unsolved: readonly SummaryTrial[];
  /** Equally likely true rates. */
  readonly rates: readonly number[];
}

interface Model {
  readonly scenarios: readonly SimulatedScenario[];
  readonly said: string;
}

/** How many quantiles stand for the distribution of a rate. */
const GRID = 200;

function modelOf(pilot: readonly SummaryTrial[]): Model {
  const counted = pilot.filter(({ score }) => score.void === null);
  const prior = priorOf(counted);
  const grids = new Map<string, readonly number[]>();
  const scenarios = [...Map.groupBy(counted, ({ scenario }) => scenario).values()].map((trials) => {
    const solved = trials.filter(({ score }) => score.success);
    const unsolved = trials.filter(({ score }) => !score.success);
    const key = `${solved.length}/${trials.length}`;
    const rates = grids.get(key) ?? gridOf(prior, solved.length, trials.length);
    grids.set(key, rates);
    return { trials, solved, unsolved, rates };
  });
  return { scenarios, said: prior.said };
}

interface Prior {
  readonly a: number;
  readonly b: number;
  readonly said: string;
}

/** Nothing varies so little between trials that its rates may be taken as known. */
const LEAST_WEIGHT = 0.02;

/** Beta prior of the scenarios' rates by moments: ICC = 1/(a + b + 1). */
function priorOf(trials: readonly SummaryTrial[]): Prior {
  const observations = trials.map(({ scenario, score }) => ({
    value: score.success ? 1 : 0,
    cluster: scenario,
  }));
  const correlation = intraclassCorrelation(observations);
  if (correlation === null) {
    return {
      a: 0.5,
      b: 0.5,
      said: 'a Jeffreys prior for each scenario: the pilot does not show how trials vary',
    };
  }
  const share = observations.reduce((sum, { value }) => sum + value, 0) / observations.length;
  const alike = Math.min(1, Math.max(0.01, correlation.value));
  const weight = Math.max(LEAST_WEIGHT, (1 - alike) / alike);
  return {
    a: Math.max(share, 0.01) * weight,
    b: Math.max(1 - share, 0.01) * weight,
    said: `beta-binomial, intraclass correlation ${correlation.value.toFixed(3)}`,
  };
}

function gridOf({ a, b }: Prior, passed: number, of: number): readonly number[] {
  return Array.from({ length: GRID }, (_, index) =>
    betaQuantile((index + 0.5) / GRID, a + passed, b + of - passed),
  );
}

function drawArm(
  { scenarios }: Model,
  rates: readonly number[],
  { k, random }: { readonly k: number; readonly random: SeededRandom },
): SummaryTrial[] {
  return scenarios.flatMap(({ trials, solved, unsolved }, index) =>
    Array.from({ length: k }, (_, trial): SummaryTrial => {
      const success = random.chance(rates[index] ?? 0);
      const alike = success ? solved : unsolved;
      const drawn = random.pick(alike.length > 0 ? alike : trials);
      return { ...drawn, trial, score: { ...drawn.score, success } };
    }),
  );
}
