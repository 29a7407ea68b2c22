import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { printable } from '../../runner/report/printable.ts';
import { shrinkRun } from '../../runner/shrink/index.ts';
import { writeWhole } from '../../store/run-folder.ts';
import type { Command, ExitCode } from '../command.ts';
import { textOption } from '../options.ts';
import { recordedTrial } from '../recorded-scenario.ts';
import { counted } from '../render/counted.ts';
import { shown } from '../render/divergence.ts';

const SUFFIX = '.traj.jsonl';

export const command: Command = {
  summary: 'Find the shortest list of calls that still fails as a run did, by playing it anew with fewer.',
  args: [{ name: 'trajectory', description: 'a *.traj.jsonl file of a scenario that failed' }],
  options: [
    {
      name: 'bank',
      value: 'dir',
      description: 'the bank that the scenario is in (default: that of the run folder, or those that ship)',
    },
    {
      name: 'out',
      value: 'file',
      description: 'where the shrunk run goes (default: NAME.shrunk.traj.jsonl beside it)',
    },
    {
      name: 'data',
      value: 'dir',
      description: "the user's own files, for a world that was loaded from them",
    },
  ],
  examples: [
    'shrink runs/demo/hasty/trajectories/refund-88213.0.traj.jsonl',
    'shrink runs/mine/trajectories/refund-88213.0.traj.jsonl --out shortest.traj.jsonl --json',
  ],
  keys: [
    'from',
    'to',
    'calls [{step, tool, arguments}]',
    'check {check, message, step, table, op}',
    'played (lists that were tried)',
    'out',
  ],
  exits: '0 once it is done · 2 misuse, or a run that did not fail',
  run: async ({ args, options, output }): Promise<ExitCode> => {
    const file = args[0] ?? '';
    const out = textOption(options, 'out') ?? `${file.slice(0, -SUFFIX.length)}.shrunk${SUFFIX}`;
    if (!out.endsWith(SUFFIX)) throw new UsageError('bad-out', `${out} should end in ${SUFFIX}`);
    const { prepared, trajectory } = await recordedTrial(file, {
      bank: textOption(options, 'bank'),
      data: textOption(options, 'data'),
    });
    const { from, to, calls, check, played, text } = shrinkRun(prepared, trajectory);
    const verb = from === 1 ? 'shrinks' : 'shrink';
    const tried = `${counted(played, 'list')} played`;
    output.line(`${counted(from, 'call')} ${verb} to ${to} and the same failure (${tried}):`);
    for (const [index, { step, tool, arguments: input }] of calls.entries()) {
      const was = step === index ? '' : `, which was step ${step}`;
      output.line(printable(`  step ${index}${was}: ${tool} ${shown(input)}`));
    }
    output.line(printable(`  ✗ ${check.check}: ${check.message}`));
    writeWhole(out, text);
    output.line(`Written: ${out}`);
    output.json({ from, to, calls, check, played, out } as unknown as Json);
    return 0;
  },
};
