import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Coverage, coverageMarkdown, coverageTable, PUBLISHED_SAMPLES } from '../scripts/statistics.ts';
import * as stats from '../src/stats/index.ts';

const PAGE = readFileSync(new URL('../docs/statistics.md', import.meta.url), 'utf8');
const FLAT = PAGE.replace(/\s+/g, ' ');

const six = (figure: number | null | undefined): string => String(Number((figure ?? Number.NaN).toFixed(6)));
const three = (figure: number | null | undefined): string => (figure ?? Number.NaN).toFixed(3);

/** Trials of tasks by how many of them were solved how often. */
function trials(tasks: Readonly<Record<number, number>>, of: number): stats.Observation[] {
  return Object.entries(tasks).flatMap(([solved, count]) =>
    Array.from({ length: count }, (_, task) =>
      Array.from({ length: of }, (__, trial) => ({
        value: trial < Number(solved) ? 1 : 0,
        cluster: `${solved}/${task}`,
      })),
    ).flat(),
  );
}

/**
 * tau-bench, airline, gpt-4o: tasks by successes, of the shared half (2 trials) and the published set (4).
 */
const HALF = trials({ 0: 19, 1: 19, 2: 12 }, 2);
const PUBLISHED = trials({ 0: 14, 1: 12, 2: 10, 3: 4, 4: 10 }, 4);

const values = (observations: readonly stats.Observation[]): number[] =>
  observations.map(({ value }) => value);

describe('the recorded runs of tau-bench', () => {
  it('have the published figures', () => {
    expect(stats.mean(values(PUBLISHED))).toBeCloseTo(0.42, 12);
    expect(stats.bernoulliStandardError(0.42, 200)).toBeCloseTo(0.0349, 6);
    expect(stats.cltStandardError(values(PUBLISHED))).toBeCloseTo(0.034987, 6);
    expect(stats.clusteredStandardError(PUBLISHED, 'CR0')).toBeCloseTo(0.051691, 6);
    expect(stats.clusteredStandardError(PUBLISHED, 'Miller')).toBeCloseTo(0.051751, 6);
    expect(stats.clusteredStandardError(PUBLISHED, 'CR1')).toBeCloseTo(0.052216, 6);
    expect(stats.cr2Variance(PUBLISHED)?.degrees).toBeCloseTo(49, 9);
  });

  it('are on the page as the example of naive against clustered errors', () => {
    const naive = stats.independentMean(values(HALF));
    const clustered = stats.meanEstimate(HALF);
    if (naive.value === null || clustered.value === null) throw new Error('expected values');
    for (const [name, figure] of [
      ['naive, trials as independent', naive],
      ['clustered by task', clustered],
    ] as const) {
      const row = `| ${name} | ${six(figure.se)} | ${three(figure.low)} to ${three(figure.high)} |`;
      expect(FLAT).toContain(row);
    }
    expect(FLAT).toContain(
      `naive error is ${six(stats.cltStandardError(values(PUBLISHED)))} and the clustered one ` +
        six(stats.clusteredStandardError(PUBLISHED)),
    );
  });

  it('trial 0 against trial 1 of one model differ by chance', () => {
    // b 9, c 10: the same model against itself.
    const pairs = [...Array(9).fill([1, 0]), ...Array(10).fill([0, 1]), ...Array(31).fill([0, 0])].map(
      ([first, second], index) => ({ first, second, cluster: String(index) }),
    );
    const difference = stats.pairedDifference(pairs);
    expect(difference).toMatchObject({ value: -0.02, se: expect.closeTo(0.088017, 6) });
    expect(stats.mcNemar(9, 10)?.exact).toBeCloseTo(1, 6);
  });
});

describe('docs/statistics.md', () => {
  it('names every function once in a table, and none that is not there', () => {
    const named = new Set([...PAGE.matchAll(/`([a-z][A-Za-z]+)`/gu)].map(([, name]) => name));
    const known = Object.keys(stats);
    for (const name of named) {
      if (name === undefined || known.includes(name)) continue;
      expect(['designEffect', 'null', 'percentiles']).toContain(name);
    }
    const building = /Variance$|Cdf$|^(?:mean|ratio|ratioOfSums|logGamma|incompleteBeta|roundFigure)$/u;
    const unnamed = known.filter((name) => !named.has(name) && !building.test(name));
    expect(unnamed.sort()).toEqual([
      'bcaLevels',
      'bernoulliStandardError',
      'betaQuantile',
      'cltStandardError',
      'clusterSizes',
      'effectiveClusters',
      'nearestRank',
      'normalQuantile',
      'observationsNeeded',
      'roundOrNull',
      'tQuantile',
      'unpairedStandardError',
    ]);
  });

  describe('how often the intervals cover', () => {
    const table = coverageTable(PUBLISHED_SAMPLES);
    const of = (name: string, keep: (one: Coverage) => boolean = () => true): number[] =>
      table.filter((one) => one.interval.startsWith(name) && keep(one)).map(({ covered }) => covered);

    it('is what the page says', () => {
      expect(PAGE).toContain(coverageMarkdown(PUBLISHED_SAMPLES, table));
    });

    it('is 93 to 98 % for differences, but where successes are so rare that it is more', () => {
      const common = [...of('paired', ({ rate }) => rate > 0.1), ...of('unpaired', ({ rate }) => rate > 0.1)];
      expect(Math.min(...common)).toBeGreaterThanOrEqual(0.925);
      expect(Math.max(...common)).toBeLessThanOrEqual(0.985);
      expect(Math.min(...of('paired'), ...of('unpaired'))).toBeGreaterThanOrEqual(0.925);
    });

    it('is no less than 92 % for rates, where trials counted as independent fall to half', () => {
      expect(Math.min(...of('rate'))).toBeGreaterThanOrEqual(0.92);
      expect(Math.min(...of('Wilson, trials'))).toBeLessThan(0.6);
    });
  });
});
