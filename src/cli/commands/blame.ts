import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { agentNamed } from '../../runner/agents/index.ts';
import { type Blame, blameByAgent, blameByReference } from '../../runner/blame/index.ts';
import { printable } from '../../runner/report/printable.ts';
import { writeWhole } from '../../store/run-folder.ts';
import type { Command, ExitCode, Invocation } from '../command.ts';
import { countOption, textOption } from '../options.ts';
import { type RecordedTrial, recordedTrial } from '../recorded-scenario.ts';
import { blameLines } from '../render/blame.ts';

const CONTINUATIONS = 8;

export const command: Command = {
  summary: 'Say which step cost a run its success, by forking it at every step and going on from there.',
  args: [{ name: 'trajectory', description: 'a *.traj.jsonl file of a scenario' }],
  options: [
    {
      name: 'bank',
      value: 'dir',
      description: 'the bank that the scenario is in (default: that of the run folder, or those that ship)',
    },
    { name: 'agent', value: 'agent', description: 'let this agent go on, instead of the reference' },
    {
      name: 'continuations',
      value: 'k',
      description: `with --agent: runs from each step (default: ${CONTINUATIONS})`,
    },
    { name: 'seed', value: 'text', description: "with --agent: seeds the agent's choices (default: 1)" },
    {
      name: 'out',
      value: 'file',
      description: 'write the JSON here; a report shows NAME.blame.json beside NAME.traj.jsonl',
    },
    {
      name: 'data',
      value: 'dir',
      description: "the user's own files, for a world that was loaded from them",
    },
  ],
  examples: [
    'blame runs/demo/hasty/trajectories/refund-88213.0.traj.jsonl',
    'blame runs/mine/trajectories/refund-88213.0.traj.jsonl --agent careful --continuations 8 --seed 1 --json',
  ],
  keys: [
    'scenario',
    'succeeded',
    'continuation {by, continuations, seed}',
    'steps [{step, tool, before, after, drop}]',
    'decisive {step, tool, drop, estimate, reason} | null',
    'reason (why no step is decisive)',
    'credit {steps, end, total}',
    'points [{step, value, success, passes, failure}]',
    'out',
  ],
  exits: '0 once it is done, whatever it finds · 2 misuse',
  run: async ({ args, options, output }): Promise<ExitCode> => {
    const file = args[0] ?? '';
    const out = textOption(options, 'out');
    const trial = await recordedTrial(file, {
      bank: textOption(options, 'bank'),
      data: textOption(options, 'data'),
    });
    const { blame, continuation } = await blamed(trial, { options, output });
    for (const line of blameLines(blame)) output.line(printable(line));
    const json = { ...blame, continuation, out: out ?? null } as unknown as Json;
    if (out !== undefined) {
      writeWhole(out, `${JSON.stringify(json)}\n`);
      output.line(`Written: ${out}`);
    }
    output.json(json);
    return 0;
  },
};

interface Blamed {
  readonly blame: Blame;
  readonly continuation: {
    readonly by: string;
    readonly continuations: number;
    readonly seed: string | null;
  };
}

async function blamed(
  { prepared, trajectory }: RecordedTrial,
  { options, output }: Pick<Invocation, 'options' | 'output'>,
): Promise<Blamed> {
  const continuations = countOption(options, 'continuations', 1);
  const seed = textOption(options, 'seed');
  const spec = textOption(options, 'agent');
  if (spec === undefined) {
    if (continuations !== undefined || seed !== undefined) {
      throw new UsageError('bad-option', '--continuations and --seed go with --agent', {
        hint: 'the reference is continued once: it always goes on in the same way',
      });
    }
    const continuation = { by: 'reference', continuations: 1, seed: null };
    return { blame: blameByReference(prepared, trajectory), continuation };
  }
  const agent = await agentNamed(spec, () => prepared);
  const settled = { continuations: continuations ?? CONTINUATIONS, seed: seed ?? '1' };
  const onPoint = (done: number, of: number): void => output.progress(`${done} of ${of} points`, done === of);
  const blame = await blameByAgent(prepared, trajectory, { agent, ...settled, onPoint });
  return { blame, continuation: { by: spec, ...settled } };
}
