import { UsageError } from '../../../base/errors.ts';
import type { Json } from '../../../base/json.ts';
import { serviceNamed } from '../../../catalog/index.ts';
import { readRules } from '../../../runner/tau-bank.ts';
import { importTau, type TauImport } from '../../../runner/tau-import.ts';
import { readTauFolder } from '../../../traces/tau/index.ts';
import type { Command, Output } from '../../command.ts';
import { flagOption, textOption } from '../../options.ts';
import { shown } from '../../render/divergence.ts';
import { runTable } from '../../render/run-table.ts';
import { runJson } from '../../run-json.ts';

export const command: Command = {
  summary: 'Make a run folder of recorded tau-bench runs, scored anew and with its tasks as a bank.',
  args: [{ name: 'dir', description: 'a folder with tau-bench/airline (database) and recorded (runs)' }],
  options: [
    { name: 'out', value: 'run', description: "the run's folder" },
    {
      name: 'trials',
      value: 'list',
      description: 'recorded trials to take, such as 0 or 0,2 (default: all)',
    },
    { name: 'name', value: 'text', description: 'what the agent is called', default: 'recorded' },
    { name: 'rules', value: 'file', description: 'invariants (YAML) that every task is held to besides' },
    { name: 'fresh', description: 'throw away a run that is in that folder' },
  ],
  examples: [
    'tau import ../tau --out runs/gpt-4o --name gpt-4o',
    'tau import ../tau --out runs/trial-0 --trials 0 --json',
    'tau import ../tau --out runs/gpt-4o --rules docs/error-analysis/rules.yaml',
  ],
  keys: [
    'the keys of run',
    'bankFolder',
    'tasks',
    'recordedTrials',
    'toolOutputs {equal, of}',
    'rewards {equal, of}',
    'demandNothing',
    'differences',
  ],
  exits: '0 every answer and reward as recorded · 1 a difference · 2 misuse',
  run: ({ args, options, output }) => {
    const [directory = ''] = args;
    const out = textOption(options, 'out');
    if (out === undefined) {
      throw new UsageError('no-out', 'say where the run goes', { hint: 'such as --out runs/recorded' });
    }
    const trials = trialsOf(textOption(options, 'trials'));
    const agent = textOption(options, 'name');
    const rules = textOption(options, 'rules');
    const found = importTau({
      service: serviceNamed('airline'),
      folder: readTauFolder(directory),
      out,
      fresh: flagOption(options, 'fresh'),
      ...(trials && { trials }),
      ...(agent !== undefined && { agent }),
      ...(rules !== undefined && { rules: readRules(rules) }),
    });
    say(found, output);
    output.json(jsonOf(found));
    return found.differences.length === 0 ? 0 : 1;
  },
};

function trialsOf(text: string | undefined): readonly number[] | undefined {
  if (text === undefined) return undefined;
  const parts = text.split(',').map((part) => part.trim());
  if (parts.every((part) => /^\d{1,6}$/u.test(part))) return parts.map(Number);
  throw new UsageError('bad-option', `--trials takes numbers, not ${text}`, { hint: 'such as 0 or 0,2' });
}

function say(found: TauImport, output: Output): void {
  const { folder, summary, toolOutputs, rewards, demandNothing, differences } = found;
  for (const line of runTable([{ name: folder.config.agent.name, summary }])) output.line(line);
  output.line();
  output.line(`Tool answers: ${toolOutputs.equal} of ${toolOutputs.of} as recorded.`);
  output.line(`Rewards: ${rewards.equal} of ${rewards.of} as recorded.`);
  if (demandNothing.length > 0) {
    output.line(
      `${demandNothing.length} of ${found.tasks} tasks ask for no change: who only talks passes them.`,
    );
  }
  for (const { check, run, step, expected, got } of differences) {
    output.line(`${check} differs in ${run}${step === null ? '' : `, call ${step}`}:`);
    output.line(`  expected ${shown(expected)}`);
    output.line(`  got      ${shown(got)}`);
  }
  output.line(`Run: ${folder.directory}, its tasks as a bank: ${found.bank}`);
}

function jsonOf(found: TauImport): Json {
  const { folder, summary, runs: _runs, bank, trials, ...figures } = found;
  return {
    ...runJson({ folder, summary }),
    bankFolder: bank,
    recordedTrials: [...trials],
    ...(figures as unknown as { readonly [key: string]: Json }),
  };
}
