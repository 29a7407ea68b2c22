import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeededRandom } from '../src/base/random.ts';
import { compareRuns } from '../src/runner/compare/index.ts';
import { scoreTrial } from '../src/scoring/index.ts';
import {
  bootstrapRatio,
  clopperPearsonInterval,
  clusteredDifference,
  intraclassCorrelation,
  meanEstimate,
  type Observation,
  pairedDifference,
  passAtK,
  passHatK,
  rateEstimate,
  ratioEstimate,
  wilsonInterval,
} from '../src/stats/index.ts';
import { type Figure, microsPerOperation, report } from './measure.ts';
import { longScoringInput, writeLargeRun } from './scoring-fixture.ts';

/** What figures, their errors and comparisons cost: CPU time, on one thread. */
const SCENARIOS = 10_000;
const TRIALS = 8;

// First, so that its memory is its own.
const compared = compareFigures();
const { first, second } = arms();
const figures: Record<string, Figure> = { ...statisticsFigures(), ...scoringFigures(), ...compared };
report('scoring', figures);

function arms(): { readonly first: Observation[]; readonly second: Observation[] } {
  const random = SeededRandom.from('bench');
  const rates = Array.from({ length: SCENARIOS }, () => random.next());
  const arm = (): Observation[] =>
    rates.flatMap((rate, scenario) =>
      Array.from({ length: TRIALS }, () => ({
        value: random.chance(rate) ? 1 : 0,
        cluster: `scenario ${scenario}`,
      })),
    );
  return { first: arm(), second: arm() };
}

function statisticsFigures(): Record<string, Figure> {
  const shares = Array.from({ length: SCENARIOS }, (_, index) => ({
    numerator: index % (TRIALS + 1),
    denominator: TRIALS,
  }));
  const once = (work: () => void): number =>
    microsPerOperation(work, { count: 1, repetitions: 5, warmUps: 1, prepare: () => undefined }) / 1_000;
  return {
    all_intervals: { value: once(allIntervals), unit: 'ms', target: 300 },
    bootstrap_10000: {
      value: once(() => void bootstrapRatio(shares, { seed: 'bench', resamples: 10_000 })),
      unit: 'ms',
      target: 2_000,
    },
    bootstrap_10000_bca: {
      value: once(() => void bootstrapRatio(shares, { seed: 'b', resamples: 10_000, interval: 'bca' })),
      unit: 'ms',
    },
  };
}

/** Every interval that a report of 10,000 scenarios with 8 trials prints. */
function allIntervals(): void {
  rateEstimate(first);
  meanEstimate(first);
  ratioEstimate(first.map(({ value, cluster }) => ({ numerator: value, denominator: 1, cluster })));
  pairedDifference(
    first.map(({ value, cluster }, index) => ({ first: value, second: second[index]?.value ?? 0, cluster })),
  );
  clusteredDifference(first, second);
  intraclassCorrelation(first);
  wilsonInterval(0.5, first.length);
  clopperPearsonInterval(first.length / 2, first.length);
  for (const k of [1, TRIALS]) {
    const rates = (pass: typeof passAtK): Observation[] =>
      Array.from({ length: SCENARIOS }, (_, index) => ({
        value: pass({ n: TRIALS, c: index % (TRIALS + 1) }, k) ?? 0,
        cluster: `scenario ${index}`,
      }));
    rateEstimate(rates(passAtK));
    rateEstimate(rates(passHatK));
  }
}

function scoringFigures(): Record<string, Figure> {
  const input = longScoringInput({ steps: 400, invariants: 30 });
  const micros = microsPerOperation(() => void scoreTrial(input), {
    count: 1,
    repetitions: 21,
    // A few milliseconds each: so many until the engine has compiled what it will.
    warmUps: 30,
    prepare: () => undefined,
  });
  return { score_400_steps_30_invariants: { value: micros / 1_000, unit: 'ms', target: 5 } };
}

function compareFigures(): Record<string, Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'groundhog-bench-'));
  try {
    const [baseline, candidate] = ['baseline', 'candidate'].map((name) => join(folder, name));
    writeLargeRun(baseline ?? '', { trials: 10_000, seed: 'one' });
    writeLargeRun(candidate ?? '', { trials: 10_000, seed: 'two' });
    const micros = microsPerOperation(() => void compareRuns([baseline ?? '', candidate ?? '']), {
      count: 1,
      repetitions: 3,
      warmUps: 1,
      prepare: () => undefined,
    });
    return {
      compare_10000_trials: { value: micros / 1_000, unit: 'ms', target: 3_000 },
      compare_resident_peak: { value: process.resourceUsage().maxRSS / 1_024, unit: 'MB', target: 500 },
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
