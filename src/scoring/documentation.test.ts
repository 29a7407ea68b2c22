import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cltStandardError, clusteredStandardError } from '../stats/clustered.ts';
import { cr2Variance } from '../stats/cr2.ts';
import { clopperPearsonInterval, rateEstimate, wilsonInterval } from '../stats/estimate.ts';
import { pairedDifference, unpairedStandardError } from '../stats/paired.ts';
import { passAtK, passHatK, plugInPassHatK } from '../stats/passing.ts';
import { observationsNeeded, quantileFigure } from '../stats/quantile.ts';
import { ratioEstimate } from '../stats/ratio.ts';
import { roundFigure } from '../stats/round.ts';
import type { Ratio } from '../stats/types.ts';
import { containsFolded, foldAnswer } from './answer.ts';
import { hasToken } from './grounding.ts';
import { LITMUS_RUNS, litmusInput } from './peers/litmus-runs.ts';
import { scoreTrial } from './trial.ts';

const PAGE = readFileSync(new URL('../../docs/scoring.md', import.meta.url), 'utf8').replace(/\s+/g, ' ');

const six = (figure: number | null): string => String(Number((figure ?? Number.NaN).toFixed(6)));
const whole = (figure: number | null): string => String(roundFigure(figure ?? Number.NaN));

/** The figures of docs/scoring.md, computed: each sentence must stand there as it is written here. */
describe('docs/scoring.md', () => {
  const says = (sentence: string): void => expect(PAGE).toContain(sentence);

  it('metrics of the example run', () => {
    const run = LITMUS_RUNS.find((one) => one.name === 'B');
    if (!run) throw new Error('no run B');
    const score = scoreTrial(litmusInput(run));
    const shown = (ratio: Ratio): string => `${ratio.numerator} of ${ratio.denominator} = ${ratio.value}`;
    for (const name of ['precision', 'recall', 'redundant', 'redundantSinceWrite'] as const) {
      says(`| ${name} | ${shown(score[name])} |`);
    }
    const witness = score.graders[0]?.witnesses[0];
    says(`\`${witness?.message}\` (step ${witness?.steps[0]})`);
    says(run.calls.map((call) => call.tool).join(', '));
  });

  it('answers and tokens', () => {
    const rows = [...PAGE.matchAll(/\| `([^`]+)` \| `([^`]+)` \| (yes|no) \|/g)];
    expect(rows).toHaveLength(6);
    for (const [, answer = '', needle = '', found] of rows) {
      expect([needle, containsFolded(foldAnswer(answer), foldAnswer(needle))]).toEqual([
        needle,
        found === 'yes',
      ]);
    }
    says('`8821` is found in `order 8821.`, and not in `88213`, `ORD-8821` or `8821.50`');
    const texts = ['order 8821.', '88213', 'ORD-8821', '8821.50'];
    expect(texts.map((text) => hasToken(text.toLowerCase(), '8821'))).toEqual([true, false, false, false]);
  });

  it('pass@k, pass^k and quantiles', () => {
    const count = { n: 8, c: 4 };
    says(`pass@2 = ${whole(passAtK(count, 2))}, pass^2 = ${whole(passHatK(count, 2))}`);
    says(`the plug-in (c/n)² = ${whole(plugInPassHatK(count, 2))}`);
    says(`needs ${observationsNeeded(0.99)} observations`);
    const calls = [4, 9, 5];
    const [p50, p99] = [quantileFigure(calls, 0.5), quantileFigure(calls, 0.99)];
    says(
      `the p50 is ${p50.value} and the p99 is ${p99.value}, called \`${'method' in p99 ? p99.method : ''}\``,
    );
  });

  it('standard errors', () => {
    const clusters = [
      [1, 1, 1, 0],
      [0, 0, 0, 1],
      [1, 1],
    ];
    const observations = clusters.flatMap((values, index) =>
      values.map((value) => ({ value, cluster: String(index) })),
    );
    const clt = cltStandardError(observations.map(({ value }) => value));
    const [cr0, miller, cr1] = (['CR0', 'Miller', 'CR1'] as const).map((form) =>
      six(clusteredStandardError(observations, form)),
    );
    const cr2 = six(Math.sqrt(cr2Variance(observations)?.variance ?? 0));
    says(`CLT ${six(clt)}, CR0 ${cr0}, Miller ${miller}, CR1 ${cr1}, CR2 ${cr2}.`);
  });

  it('intervals', () => {
    const trials = [1, 1, 1, 0, 0].flatMap((value, index) =>
      Array.from({ length: 4 }, () => ({ value, cluster: String(index) })),
    );
    const rate = rateEstimate(trials);
    if (rate.value === null) throw new Error('expected a value');
    says(`${rate.value}, interval ${six(rate.low)} to ${six(rate.high)}`);
    const plain = wilsonInterval(0.6, 20);
    says(`Plain Wilson on 20 trials would say ${six(plain.low)} to ${six(plain.high)}`);
    says(`0 of 10 gives 0 to ${six(clopperPearsonInterval(0, 10).high)}`);
    const costs = [2, 1, 3].map((numerator, index) => ({
      numerator,
      denominator: 1,
      cluster: String(index),
    }));
    const cost = ratioEstimate(costs);
    says(`${cost.value} per success, error ${'se' in cost ? six(cost.se) : ''}`);
  });

  it('paired differences', () => {
    const first = Array.from({ length: 10 }, (_, index) => (index < 7 ? 1 : 0));
    const second = Array.from({ length: 10 }, (_, index) => (index < 5 ? 1 : 0));
    const pairs = first.map((value, index) => ({
      first: value,
      second: second[index] ?? 0,
      cluster: String(index),
    }));
    const paired = pairedDifference(pairs);
    says(`${paired.value}, error ${'se' in paired ? six(paired.se) : ''}`);
    says(`(unpaired it would be ${six(unpairedStandardError(first, second))})`);
  });
});
