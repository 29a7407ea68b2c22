import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { forkTrajectory, parseForkCall } from '../../runner/fork.ts';
import { environmentOf, loadTrajectory } from '../../runner/recorded.ts';
import { WorldCache } from '../../runner/worlds.ts';
import { writeWhole } from '../../store/run-folder.ts';
import type { Command, ExitCode } from '../command.ts';
import { countOption, listOption, textOption } from '../options.ts';
import { shown } from '../render/divergence.ts';

export const command: Command = {
  summary: 'Go back to any step of a trajectory and go on from there with other calls.',
  args: [{ name: 'trajectory', description: 'a *.traj.jsonl file' }],
  options: [
    { name: 'at', value: 'n', description: 'keep the first n steps (default: all)' },
    {
      name: 'call',
      value: 'json',
      description: 'a call to make there: {"tool": …, "arguments": …}',
      repeats: true,
    },
    { name: 'answer', value: 'text', description: 'end the fork with this answer' },
    { name: 'out', value: 'file', description: 'write the fork as a trajectory of its own' },
    {
      name: 'data',
      value: 'dir',
      description: "the user's own files, for a world that was loaded from them",
    },
  ],
  examples: [
    'fork runs/mine/trajectories/refund-88213.0.traj.jsonl --at 2',
    'fork t.traj.jsonl --at 2 --call \'{"tool": "lookup_order", "arguments": {"order_id": "88213"}}\' --out fork.traj.jsonl',
  ],
  keys: ['from', 'at', 'content', 'full', 'clockMs', 'calls [{tool, ok, status, body}]', 'out'],
  run: ({ args, options, output }): ExitCode => {
    const from = args[0] ?? '';
    const trajectory = loadTrajectory(from);
    const environment = environmentOf(trajectory, new WorldCache(), textOption(options, 'data'));
    const at = countOption(options, 'at', 0) ?? trajectory.steps.length;
    const calls = listOption(options, 'call').map(parseForkCall);
    const { session } = forkTrajectory(trajectory, environment, { at, calls });
    const made = session.steps().slice(at);
    const { world } = session;
    output.line(`Forked after ${at} of ${trajectory.steps.length} steps, ${made.length} calls made since.`);
    for (const step of made)
      output.line(`  ${step.tool} → ${step.outcome} ${step.status}: ${shown(step.response)}`);
    output.line(`World: content ${world.contentDigest()}`);
    const out = textOption(options, 'out');
    if (out !== undefined) {
      if (!out.endsWith('.traj.jsonl')) throw new UsageError('bad-out', `${out} should end in .traj.jsonl`);
      const answer = textOption(options, 'answer');
      session.finish(answer === undefined ? { reason: 'agent-stopped' } : { reason: 'answer', answer });
      writeWhole(out, session.text());
      output.line(`Written: ${out}`);
    }
    output.json({
      from,
      at,
      content: world.contentDigest(),
      full: world.fullDigest(),
      clockMs: world.clockMs,
      calls: made.map(
        (step): Json => ({
          tool: step.tool,
          ok: step.outcome === 'ok',
          status: step.status,
          body: step.response,
        }),
      ),
      out: out ?? null,
    });
    return 0;
  },
};
