import { existsSync } from 'node:fs';
import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { loadTrajectory } from '../../runner/recorded.ts';
import { WorldCache } from '../../runner/worlds.ts';
import type { TrialScore } from '../../scoring/index.ts';
import { RunFolder } from '../../store/run-folder.ts';
import { RunIndex } from '../../store/run-index.ts';
import type { Trajectory } from '../../trajectory/index.ts';
import type { Command, ExitCode, Invocation } from '../command.ts';
import { countOption, flagOption, textOption } from '../options.ts';
import { RecordedScenarios, variantSeedBeside } from '../recorded-scenario.ts';
import { counted } from '../render/counted.ts';
import { episodeLines } from '../render/episode.ts';
import { layOut } from '../render/table.ts';

export const command: Command = {
  summary: 'Show a trajectory step by step, or the trials of a run.',
  args: [
    { name: 'target', description: 'a *.traj.jsonl file, or a run folder' },
    {
      name: 'scenario',
      description: 'a scenario of the run: its trial is shown step by step',
      optional: true,
    },
  ],
  options: [
    { name: 'trial', value: 'n', description: 'which trial of the scenario', default: '0' },
    { name: 'failed', description: 'only trials that did not succeed' },
    {
      name: 'bank',
      value: 'dir',
      description: 'for a file: the bank that its scenario is in (default: those that ship)',
    },
    {
      name: 'data',
      value: 'dir',
      description: "for a file on a loaded world: the folder of the user's own files",
    },
    { name: 'full', description: 'print inputs, answers and row changes whole' },
  ],
  examples: [
    'show runs/mine --failed',
    'show runs/mine refund-88213 --trial 1',
    'show runs/mine/trajectories/refund-88213.0.traj.jsonl --full',
  ],
  keys: [
    'for a run: run, trials [{scenario, trial, success, void, steps, firstFailure}]',
    'for a trajectory: header, steps, messages, end, score (where its scenario is known)',
  ],
  run: async (invocation): Promise<ExitCode> => {
    const [target = '', scenario] = invocation.args;
    if (target.endsWith('.jsonl')) return await showFile(invocation, target);
    if (!existsSync(target)) throw new UsageError('no-target', `there is no ${target}`);
    const folder = RunFolder.read(target);
    if (scenario === undefined) return showTrials(invocation, folder);
    const trial = countOption(invocation.options, 'trial', 0) ?? 0;
    const stored = folder.trials().find((one) => one.scenario === scenario && one.trial === trial);
    if (!stored?.trajectory) {
      throw new UsageError('no-trial', `the run has no trajectory of ${scenario} trial ${trial}`, {
        hint: `groundhog show ${target} lists what it has`,
      });
    }
    return showEpisode(invocation, loadTrajectory(folder.trajectoryPath(scenario, trial)), stored.score);
  },
};

/** A file by itself is scored anew, where its scenario is in a bank and its world is still the same. */
async function showFile(invocation: Invocation, file: string): Promise<ExitCode> {
  const trajectory = loadTrajectory(file);
  const { options } = invocation;
  const [bank, data] = [textOption(options, 'bank'), textOption(options, 'data')];
  const scenarios = new RecordedScenarios(new WorldCache(), bank, {
    data,
    variantSeed: variantSeedBeside(file, trajectory),
  });
  return showEpisode(invocation, trajectory, trajectory.end && (await scenarios.score(trajectory)));
}

function showEpisode(
  { options, output }: Invocation,
  trajectory: Trajectory,
  score: TrialScore | null,
): ExitCode {
  const full = flagOption(options, 'full');
  for (const line of episodeLines(trajectory, { full, score })) output.line(line);
  output.json({
    ...(trajectory as unknown as { readonly [key: string]: Json }),
    ...(score && { score: score as unknown as Json }),
  });
  return 0;
}

function showTrials({ options, output }: Invocation, folder: RunFolder): ExitCode {
  const index = RunIndex.open(folder);
  const trials = index.trials({ failedOnly: flagOption(options, 'failed') });
  index.close();
  const rows = trials.map(({ scenario, trial, verdict, steps, firstFailure }) => [
    scenario,
    `trial ${trial}`,
    verdict,
    counted(steps, 'step'),
    firstFailure ?? '',
  ]);
  for (const line of layOut(rows)) output.line(line);
  if (trials.length === 0) output.line('No trial to show.');
  output.json({ run: folder.directory, trials: trials as unknown as Json });
  return 0;
}
