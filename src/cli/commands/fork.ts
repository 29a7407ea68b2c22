import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { forkTrajectory, parseForkCall } from '../../runner/fork.ts';
import { environmentOf, loadTrajectory } from '../../runner/recorded.ts';
import { findingsOf } from '../../runner/report/findings.ts';
import { printable } from '../../runner/report/printable.ts';
import { WorldCache } from '../../runner/worlds.ts';
import type { TrialScore } from '../../scoring/index.ts';
import { writeWhole } from '../../store/run-folder.ts';
import type { StepRecord, Trajectory } from '../../trajectory/index.ts';
import type { Command, ExitCode, Invocation } from '../command.ts';
import { countOption, listOption, textOption } from '../options.ts';
import { RecordedScenarios } from '../recorded-scenario.ts';
import { counted } from '../render/counted.ts';
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
    { name: 'answer', value: 'text', description: 'end the fork with this answer, and score it' },
    {
      name: 'bank',
      value: 'dir',
      description: 'the bank that the scenario is in (default: those that ship)',
    },
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
  keys: [
    'from',
    'at',
    'content',
    'full',
    'clockMs',
    'calls [{tool, ok, status, body}]',
    'score (with --answer; null when the scenario is in no bank)',
    'out',
  ],
  run: async ({ args, options, output }): Promise<ExitCode> => {
    const from = args[0] ?? '';
    const out = textOption(options, 'out');
    if (out !== undefined && !out.endsWith('.traj.jsonl')) {
      throw new UsageError('bad-out', `${out} should end in .traj.jsonl`);
    }
    const trajectory = loadTrajectory(from);
    const worlds = new WorldCache();
    const environment = environmentOf(trajectory, worlds, textOption(options, 'data'));
    const at = countOption(options, 'at', 0) ?? trajectory.steps.length;
    const calls = listOption(options, 'call').map(parseForkCall);
    const { session } = forkTrajectory(trajectory, environment, { at, calls });
    const made = session.steps().slice(at);
    const { world } = session;
    output.line(
      `Forked after ${at} of ${trajectory.steps.length} steps, ${counted(made.length, 'call')} made since.`,
    );
    for (const step of made)
      output.line(`  ${step.tool} → ${step.outcome} ${step.status}: ${shown(step.response)}`);
    output.line(`World: content ${world.contentDigest()}`);
    const answer = textOption(options, 'answer');
    const end =
      answer === undefined ? { reason: 'agent-stopped' as const } : { reason: 'answer' as const, answer };
    const fork = session.finish(end);
    const score = answer === undefined ? null : await verdict(fork, worlds, { options, output });
    if (out !== undefined) {
      writeWhole(out, session.text());
      output.line(`Written: ${out}`);
    }
    output.json({
      from,
      at,
      content: world.contentDigest(),
      full: world.fullDigest(),
      clockMs: world.clockMs,
      calls: made.map(callJson),
      score: score as unknown as Json,
      out: out ?? null,
    });
    return 0;
  },
};

function callJson(step: StepRecord): Json {
  return { tool: step.tool, ok: step.outcome === 'ok', status: step.status, body: step.response };
}

/** Scores a fork that has its answer, and says whether it succeeds and what broke. */
async function verdict(
  fork: Trajectory,
  worlds: WorldCache,
  { options, output }: Pick<Invocation, 'options' | 'output'>,
): Promise<TrialScore | null> {
  const score = await new RecordedScenarios(worlds, textOption(options, 'bank')).score(fork);
  if (!score) {
    output.line('Verdict: none, as its scenario is in no bank here as it was recorded (see --bank)');
    return null;
  }
  output.line(`Verdict: ${score.void ? `void (${score.void.reason})` : score.success ? 'pass' : 'fail'}`);
  for (const { check, message } of findingsOf(score)) output.line(printable(`  ✗ ${check}: ${message}`));
  return score;
}
