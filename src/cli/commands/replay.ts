import type { Json } from '../../base/json.ts';
import { environmentOf, loadTrajectory } from '../../runner/recorded.ts';
import { WorldCache } from '../../runner/worlds.ts';
import { replayTrajectory } from '../../session/index.ts';
import type { Command } from '../command.ts';
import { textOption } from '../options.ts';
import { counted } from '../render/counted.ts';
import { divergenceLines } from '../render/divergence.ts';

export const command: Command = {
  summary: 'Replay a trajectory through the world and compare every record byte for byte.',
  args: [{ name: 'trajectory', description: 'a *.traj.jsonl file' }],
  options: [
    {
      name: 'data',
      value: 'dir',
      description: "the user's own files, for a world that was loaded from them",
    },
  ],
  examples: [
    'replay runs/mine/trajectories/refund-88213.0.traj.jsonl',
    'replay test/golden/v1-notes.traj.jsonl --json',
  ],
  keys: [
    'identical',
    'worldChanged',
    'changedParts',
    'steps',
    'firstDivergence {step, field, expected, got} | null',
  ],
  exits: '0 identical · 1 diverged · 2 misuse, or a file that was truncated, reordered or edited',
  run: ({ args, options, output }) => {
    const trajectory = loadTrajectory(args[0] ?? '');
    const result = replayTrajectory(
      trajectory,
      environmentOf(trajectory, new WorldCache(), textOption(options, 'data')),
    );
    if (result.worldChanged) {
      output.line(
        `World changed: the behaviour of ${result.changedParts.join(', ')} is not the one that recorded this.`,
      );
    }
    if (result.firstDivergence) {
      for (const line of divergenceLines(result.firstDivergence)) output.line(line);
    } else {
      output.line(`Identical: ${counted(result.steps, 'step')} replayed, every record as it was.`);
    }
    output.json(result as unknown as Json);
    return result.identical ? 0 : 1;
  },
};
