/** How often each interval covers the truth, by seeded simulation: the table of `docs/statistics.md`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { SeededRandom } from '../src/base/random.ts';
import {
  bootstrapRatio,
  clopperPearsonInterval,
  clusteredDifference,
  type Estimate,
  type Interval,
  meanEstimate,
  type Observation,
  pairedDifference,
  rateEstimate,
  ratioEstimate,
  wilsonInterval,
} from '../src/stats/index.ts';

/** Scenarios (or coarser clusters) by how many trials each has. */
const DESIGNS = {
  '50 × 4': Array<number>(50).fill(4),
  '12 unequal': [30, 16, 8, 8, 8, 4, 4, 4, 2, 2, 1, 1],
  '6 unequal': [20, 8, 4, 4, 2, 2],
} as const;

const RATES = [0.5, 0.2, 0.05] as const;

/** In this share of the clusters all trials come out alike. */
const LOCKED = [0, 0.5] as const;

/** One situation; `rate` is the true success rate. */
export interface Situation {
  readonly design: keyof typeof DESIGNS;
  readonly rate: number;
  readonly locked: number;
}

/** How an interval did in one situation. */
export interface Coverage extends Situation {
  readonly interval: string;
  /** Share of the simulated samples whose interval held the truth, of those that had one. */
  readonly covered: number;
  /** Share of the samples for which no interval was given (all values alike). */
  readonly refused: number;
}

interface Samples {
  readonly first: readonly Observation[];
  readonly second: readonly Observation[];
  readonly seed: string;
}

type Method = (
  samples: Samples,
  rate: number,
) => { readonly interval: Interval | null; readonly truth: number };

const bounds = (estimate: Estimate): Interval | null =>
  estimate.value === null || estimate.low === null || estimate.high === null
    ? null
    : { low: estimate.low, high: estimate.high };

/** Every interval that a report prints, by its name in the table. */
const METHODS: Readonly<Record<string, Method>> = {
  'rate (Wilson, CR2)': ({ first }, truth) => ({ interval: bounds(rateEstimate(first)), truth }),
  'mean (t, CR2)': ({ first }, truth) => ({
    interval: bounds(meanEstimate(first.map(({ value, cluster }) => ({ value: 3 + value, cluster })))),
    truth: 3 + truth,
  }),
  'ratio of sums (t, CR2)': ({ first }, truth) => ({
    interval: bounds(
      ratioEstimate(first.map(({ value, cluster }) => ({ numerator: value, denominator: 1, cluster }))),
    ),
    truth,
  }),
  'paired difference (t, CR2)': ({ first, second }) => ({
    interval: bounds(
      pairedDifference(
        first.map(({ value, cluster }, index) => ({
          first: value,
          second: second[index]?.value ?? 0,
          cluster,
        })),
      ),
    ),
    truth: 0,
  }),
  'unpaired difference (t, CR2)': ({ first, second }) => ({
    interval: bounds(
      clusteredDifference(
        first,
        second.map(({ value, cluster }) => ({ value, cluster: `other ${cluster}` })),
      ),
    ),
    truth: 0,
  }),
  'cluster bootstrap, percentiles': (samples, truth) => ({
    interval: resampled(samples, 'percentiles'),
    truth,
  }),
  'cluster bootstrap, BCa': (samples, truth) => ({ interval: resampled(samples, 'bca'), truth }),
  'Wilson, trials as independent': ({ first }, truth) => {
    const passed = first.reduce((sum, { value }) => sum + value, 0);
    return { interval: wilsonInterval(passed / first.length, first.length), truth };
  },
  'Clopper–Pearson, trials as independent': ({ first }, truth) => {
    const passed = first.reduce((sum, { value }) => sum + value, 0);
    return { interval: clopperPearsonInterval(passed, first.length), truth };
  },
};

function resampled({ first, seed }: Samples, interval: 'percentiles' | 'bca'): Interval | null {
  const shares = new Map<string, { numerator: number; denominator: number }>();
  for (const { value, cluster } of first) {
    const share = shares.get(cluster) ?? { numerator: 0, denominator: 0 };
    shares.set(cluster, { numerator: share.numerator + value, denominator: share.denominator + 1 });
  }
  const found = bounds(bootstrapRatio([...shares.values()], { seed, resamples: 400, interval }));
  return found === null || found.low === found.high ? null : found;
}

function drawArm(random: SeededRandom, { design, rate, locked }: Situation): Observation[] {
  return DESIGNS[design].flatMap((size, index) => {
    const alike = random.chance(locked);
    const shared = random.chance(rate) ? 1 : 0;
    return Array.from({ length: size }, () => {
      const own = random.chance(rate) ? 1 : 0;
      return { value: alike ? shared : own, cluster: `c${index}` };
    });
  });
}

/** Every interval in every situation, each from so many simulated samples. */
export function coverageTable(samples: number): Coverage[] {
  const situations = Object.keys(DESIGNS).flatMap((design) =>
    RATES.flatMap((rate) =>
      LOCKED.map((locked) => ({ design: design as keyof typeof DESIGNS, rate, locked })),
    ),
  );
  return situations.flatMap((situation) => coverageOf(situation, samples));
}

function coverageOf(situation: Situation, samples: number): Coverage[] {
  const random = SeededRandom.from(JSON.stringify(situation));
  const counts = Object.keys(METHODS).map((interval) => ({ interval, covered: 0, given: 0 }));
  for (let index = 0; index < samples; index += 1) {
    const drawn = {
      first: drawArm(random, situation),
      second: drawArm(random, situation),
      seed: String(index),
    };
    for (const count of counts) {
      const { interval, truth } = METHODS[count.interval]?.(drawn, situation.rate) ?? {
        interval: null,
        truth: 0,
      };
      if (interval === null) continue;
      count.given += 1;
      if (interval.low <= truth + 1e-12 && interval.high >= truth - 1e-12) count.covered += 1;
    }
  }
  return counts.map(({ interval, covered, given }) => ({
    ...situation,
    interval,
    covered: given === 0 ? Number.NaN : covered / given,
    refused: 1 - given / samples,
  }));
}

/** The table as Markdown: a row for each interval, a column for each situation. */
export function coverageMarkdown(samples: number, table = coverageTable(samples)): string {
  const columns = [...new Set(table.map(({ design, rate }) => `${design}, ${rate}`))];
  const cell = (interval: string, column: string): string =>
    table
      .filter((entry) => entry.interval === interval && `${entry.design}, ${entry.rate}` === column)
      .map(({ covered, refused }) => `${(100 * covered).toFixed(1)}${refused > 0.2 ? '*' : ''}`)
      .join(' · ');
  const rows = Object.keys(METHODS).map(
    (interval) => `| ${interval} | ${columns.map((column) => cell(interval, column)).join(' | ')} |`,
  );
  return [
    `| interval | ${columns.join(' | ')} |`,
    `| --- | ${columns.map(() => '---').join(' | ')} |`,
    ...rows,
  ].join('\n');
}

/** So many samples stand behind the published table. */
export const PUBLISHED_SAMPLES = 1_000;

if (process.argv[1] === import.meta.filename) {
  const path = new URL('../docs/statistics.md', import.meta.url);
  writeFileSync(path, between(readFileSync(path, 'utf8'), coverageMarkdown(PUBLISHED_SAMPLES)));
}

function between(page: string, table: string): string {
  const mark = /<!-- coverage -->[\s\S]*<!-- \/coverage -->/u;
  return page.replace(mark, `<!-- coverage -->\n${table}\n<!-- /coverage -->`);
}
