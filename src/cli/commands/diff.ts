import type { Json } from '../../base/json.ts';
import { loadTrajectory } from '../../runner/recorded.ts';
import { compareTrajectories } from '../../trajectory/index.ts';
import type { Command } from '../command.ts';
import { counted } from '../render/counted.ts';
import { shown } from '../render/divergence.ts';

export const command: Command = {
  summary: 'Say where two trajectories part: the first step and field, with both sides.',
  args: [
    { name: 'left', description: 'a *.traj.jsonl file' },
    { name: 'right', description: 'another one' },
  ],
  options: [],
  examples: [
    'diff runs/a/trajectories/refund-88213.0.traj.jsonl runs/b/trajectories/refund-88213.0.traj.jsonl',
  ],
  keys: [
    'equal',
    'sameStart',
    'commonSteps',
    'first {step, field, left, right} | null',
    'evidence {step, field, left, right} | null',
    'steps {left, right}',
  ],
  exits: '0 equal · 1 different · 2 misuse',
  run: ({ args, output }) => {
    const comparison = compareTrajectories(loadTrajectory(args[0] ?? ''), loadTrajectory(args[1] ?? ''));
    const { first } = comparison;
    if (!comparison.sameStart)
      output.line('They started from different worlds, or under different behaviour.');
    if (first) {
      output.line(
        `${counted(comparison.commonSteps, 'step')} in common, then ${first.step < 0 ? 'the start' : `step ${first.step}`} differs in ${first.field}:`,
      );
      output.line(`  left  ${shown(first.left)}`);
      output.line(`  right ${shown(first.right)}`);
      if (comparison.evidence) {
        const { step, field } = comparison.evidence;
        output.line(
          `Before that the same was done, and ${field} differs from step ${step} on (ids, times or rows).`,
        );
      }
    } else {
      output.line(`Equal: ${counted(comparison.commonSteps, 'step')} and the end.`);
    }
    output.json(comparison as unknown as Json);
    return comparison.equal ? 0 : 1;
  },
};
