import { UsageError } from '../../../base/errors.ts';
import type { Json } from '../../../base/json.ts';
import { readArm, summaryTrials } from '../../../runner/compare/index.ts';
import { readGate } from '../../../runner/gates/index.ts';
import { type GatePlan, type GateProfile, planGate } from '../../../scoring/index.ts';
import type { Command } from '../../command.ts';
import { countOption, textOption } from '../../options.ts';

/** An arm of so many trials takes a second or so to draw and judge, and a plan draws thousands. */
const MOST_TRIALS = 500_000;

export const command: Command = {
  summary: 'Simulate what a gate does to an agent that is exactly as good as its baseline.',
  args: [{ name: 'pilot', description: 'a run folder; several trials per scenario say most' }],
  options: [
    { name: 'gates', value: 'file', description: 'the gates file', default: 'gates.yaml' },
    { name: 'profile', value: 'name', description: 'which profile of it', default: 'pre-merge' },
    { name: 'k', value: 'n', description: 'trials per scenario of the runs to come (default: as the pilot)' },
    { name: 'pairs', value: 'n', description: 'simulated pairs of identical agents', default: '1000' },
    { name: 'seed', value: 'text', description: 'seeds the simulation', default: '1' },
  ],
  examples: ['gate plan runs/main --profile pre-merge --k 4'],
  keys: [
    'pairs',
    'k',
    'scenarios',
    'verdicts {pass, fail, inconclusive}',
    'falseAlarms {rate, low, high}',
    'stated',
    'refused',
    'failedChecks [{check, count}]',
    'smallestMargin',
    'model',
  ],
  exits: '0 the gate keeps its stated rate · 1 refused: equal agents would fail more often · 2 misuse',
  run: ({ args, options, output }) => {
    const profile = readGate(
      textOption(options, 'gates') ?? 'gates.yaml',
      textOption(options, 'profile') ?? 'pre-merge',
    );
    const { stepwise, judge, ...simulated } = profile;
    if (!asksOf(simulated)) {
      throw new UsageError(
        'only-stepwise',
        'the profile asks of step-wise runs or of a judge alone, which are not simulated',
        {
          hint: 'plan a profile with rules of whole runs',
        },
      );
    }
    const pilot = readArm(args[0] ?? '');
    const k = countOption(options, 'k', 1) ?? pilot.config.k;
    const trials = k * pilot.config.scenarios.length;
    if (trials > MOST_TRIALS) {
      throw new UsageError(
        'bad-option',
        `--k ${k} makes arms of ${trials} trials, more than can be simulated`,
        {
          hint: `at most ${MOST_TRIALS}`,
        },
      );
    }
    const plan = planGate(simulated, summaryTrials(pilot), {
      k,
      pairs: countOption(options, 'pairs', 100) ?? 1_000,
      seed: textOption(options, 'seed') ?? '1',
      onProgress: (done, of) => output.progress(`${done}/${of} pairs`, done === of),
    });
    for (const line of planLines(plan)) output.line(line);
    if (stepwise !== undefined)
      output.line('Its step-wise rules are not simulated: what they add is not counted.');
    if (judge !== undefined) output.line('Its judge is not simulated: what it adds is not counted.');
    output.json(plan as unknown as Json);
    return plan.refused ? 1 : 0;
  },
};

const asksOf = ({ falseAlarms: _stated, ...rules }: GateProfile): boolean =>
  Object.values(rules).some((rule) => rule !== undefined);

function planLines(plan: GatePlan): string[] {
  const { pairs, k, scenarios, verdicts, falseAlarms, stated, failedChecks, smallestMargin } = plan;
  const percent = (share: number): string => `${Number((100 * share).toFixed(1))} %`;
  const margin =
    smallestMargin === null
      ? 'No difference of two such runs had an interval: no margin can be planned from this pilot.'
      : `Smallest margin that ${scenarios} scenarios with ${k} trials certify in four of five such pairs: ${percent(smallestMargin)}.`;
  return [
    `${pairs} pairs of identical agents (${plan.model}):`,
    `  pass ${verdicts.pass}, fail ${verdicts.fail}, inconclusive ${verdicts.inconclusive}`,
    `  false alarms ${percent(falseAlarms.rate)} (${percent(falseAlarms.low)} to ${percent(falseAlarms.high)}), stated ${percent(stated)}`,
    ...failedChecks.slice(0, 10).map(({ check, count }) => `  failed by ${check}: ${count}`),
    margin,
    plan.refused
      ? 'Refused: this gate would stop equal agents more often than it says.'
      : 'The gate keeps its rate.',
  ];
}
