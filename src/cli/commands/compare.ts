import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { compareRuns, type RunComparison, rerun } from '../../runner/compare/index.ts';
import type { Command, ExitCode } from '../command.ts';
import { flagOption, shareOption } from '../options.ts';
import { comparisonLines } from '../render/comparison.ts';

export const command: Command = {
  summary: 'Say whether the second run is better than the first, scenario by scenario.',
  args: [
    { name: 'first', description: 'the run folder of the baseline' },
    { name: 'second', description: 'the run folder that is judged' },
  ],
  options: [
    { name: 'intersect', description: 'leave out scenarios that are not the same world in both runs' },
    {
      name: 'rerun-baseline',
      description: 'play the first run again as banks and code are now, and compare with that',
    },
    { name: 'confidence', value: 'share', description: 'of the interval', default: '0.95' },
  ],
  examples: ['compare runs/main runs/branch', 'compare runs/main runs/branch --intersect --json'],
  keys: [
    'paired: trials or scenarios',
    'n',
    'clusters',
    'first',
    'second',
    'delta',
    'test {name, reason}',
    'p',
    'mde',
    'voids {first, second}',
    'deltaIfVoid {worst, best}',
    'flipped [{scenario, from, to, adjusted, trials, firstDivergence {step, field, expected, got}, worldDiff}]',
    'scenarios [{scenario, first, second, p, adjusted}]',
    'flakes [first, second]',
    'leftOut [{scenario, reason}]',
    'verdict',
    'reason',
  ],
  exits:
    '0 better, or no difference shown · 1 worse · 2 misuse · 4 void shares differ, or there is no interval',
  run: async ({ args, options, output }) => {
    const [first = '', second = ''] = args;
    const intersect = flagOption(options, 'intersect');
    const again = flagOption(options, 'rerun-baseline');
    if (intersect && again) {
      throw new UsageError('bad-option', '--intersect and --rerun-baseline exclude each other', {
        hint: 'a baseline that was played again is of the same world: leave --intersect out',
      });
    }
    const confidence = shareOption(options, 'confidence', 0.95);
    const baseline = again
      ? await rerun(first, ({ done, of }) =>
          output.progress(`${done}/${of} trials of the baseline`, done === of),
        )
      : first;
    const found = compareRuns([baseline, second], { intersect, confidence });
    for (const line of comparisonLines(found)) output.line(line);
    output.json(comparisonJson(found));
    return exitOf(found);
  },
};

function comparisonJson({ arms, comparison, flipped, leftOut, flakes }: RunComparison): Json {
  const { unpaired, ...figures } = comparison;
  return {
    runs: arms.map(({ directory }) => directory),
    ...figures,
    flipped,
    flakes,
    leftOut: [
      ...leftOut,
      ...unpaired.map((scenario) => ({ scenario, reason: 'every trial of it is void in one of the runs' })),
    ],
  } as unknown as Json;
}

function exitOf({ comparison: { verdict } }: RunComparison): ExitCode {
  if (verdict === 'inconclusive') return 4;
  return verdict === 'worse' ? 1 : 0;
}
