import type { Json } from '../../base/json.ts';
import { comparedTrials, readArm } from '../../runner/compare/index.ts';
import { type PowerPlan, planComparison } from '../../scoring/index.ts';
import type { Command } from '../command.ts';
import { countOption, shareOption } from '../options.ts';
import { layOut } from '../render/table.ts';

export const command: Command = {
  summary: 'Say how many scenarios and trials it takes to see a difference, from a pilot run.',
  args: [
    { name: 'pilot', description: 'a run folder' },
    { name: 'other', description: 'a run of the other agent on the same scenarios', optional: true },
  ],
  options: [
    {
      name: 'delta',
      value: 'share',
      description: 'the difference of success rates to be seen',
      default: '0.05',
    },
    { name: 'k', value: 'n', description: 'trials per scenario (default: 1, 2, 4, 8 and 16)' },
    { name: 'alpha', value: 'share', description: 'chance of a false alarm, two-sided', default: '0.05' },
    { name: 'power', value: 'share', description: 'chance to see the difference', default: '0.8' },
  ],
  examples: ['power runs/pilot --delta 0.03', 'power runs/main runs/branch --delta 0.05 --k 4 --json'],
  keys: ['pilot', 'spread {between, within}', 'shared', 'delta', 'rows [{k, scenarios, mde}]', 'reason'],
  exits: '0 planned · 2 misuse · 4 the pilot is too small or never varied',
  run: ({ args, options, output }) => {
    const [pilot = '', other] = args;
    const delta = shareOption(options, 'delta', 0.05);
    const k = countOption(options, 'k', 1);
    const plan = planComparison(
      comparedTrials(readArm(pilot)),
      other === undefined ? null : comparedTrials(readArm(other)),
      {
        delta,
        ks: k === undefined ? [1, 2, 4, 8, 16] : [k],
        alpha: shareOption(options, 'alpha', 0.05),
        power: shareOption(options, 'power', 0.8),
      },
    );
    for (const line of planLines(plan, delta, other !== undefined)) output.line(line);
    output.json({ delta, ...plan } as unknown as Json);
    return plan.rows.length === 0 ? 4 : 0;
  },
};

function planLines(
  { rows, pilot, shared, reason, spread }: PowerPlan,
  delta: number,
  two: boolean,
): string[] {
  if (reason !== undefined || spread === null) return [`No plan: ${reason}.`];
  const points = (share: number): string => `${(100 * share).toFixed(1)} points`;
  return [
    ...layOut([
      ['trials each', `scenarios to see ${points(delta)}`, `${pilot} scenarios would show`],
      ...rows.map(({ k, scenarios, mde }) => [String(k), String(scenarios), points(mde)]),
    ]),
    '',
    two
      ? `Spread measured between the two runs${shared > 0 ? ', with what scenarios of one cluster share' : ''}.`
      : 'From one run: agents that differ in luck alone. Two different agents vary more: give a run of each.',
  ];
}
