import type { Json } from '../../../base/json.ts';
import { serviceNamed } from '../../../catalog/index.ts';
import { replayTau } from '../../../runner/tau-replay.ts';
import { behaviourOf } from '../../../runner/worlds.ts';
import { readTauFolder } from '../../../traces/tau/index.ts';
import type { Command } from '../../command.ts';
import { shown } from '../../render/divergence.ts';
import { Footnotes, percent } from '../../render/figures.ts';
import { layOut } from '../../render/table.ts';

export const command: Command = {
  summary: 'Replay recorded tau-bench runs and compare every tool answer, hash and reward.',
  args: [{ name: 'dir', description: 'a folder with tau-bench/airline (database) and recorded (runs)' }],
  options: [],
  examples: ['tau replay ../tau', 'tau replay ../tau --json'],
  keys: [
    'runs',
    'toolOutputs {equal, of}',
    'goldHashes {equal, of}',
    'goldByTask {equal, of}',
    'finalHashes {equal, of}',
    'rewards {equal, of}',
    'passHat',
    'differences',
  ],
  exits: '0 everything equal · 1 a difference · 2 misuse',
  run: ({ args, output }) => {
    const folder = readTauFolder(args[0] ?? '');
    const result = replayTau({
      service: serviceNamed('airline'),
      folder,
      behaviour: behaviourOf(['airline']),
    });
    const checks = ['toolOutputs', 'goldHashes', 'goldByTask', 'finalHashes', 'rewards'] as const;
    const rows = checks.map((check) => [check, `${result[check].equal} of ${result[check].of} equal`]);
    const notes = new Footnotes();
    const passes = Object.entries(result.passHat).map(([k, estimate]) => {
      const error = estimate.value !== null && estimate.se !== null ? `, SE ${estimate.se.toFixed(6)}` : '';
      return [`pass^${k}`, `${percent(estimate, notes)}${error}`];
    });
    for (const line of layOut([['runs', String(result.runs)], ...rows, ...passes])) output.line(line);
    for (const line of notes.lines()) output.line(line);
    for (const { check, run, step, expected, got } of result.differences) {
      output.line(`${check} differs in ${run}${step === null ? '' : `, call ${step}`}:`);
      output.line(`  expected ${shown(expected)}`);
      output.line(`  got      ${shown(got)}`);
    }
    output.json(result as unknown as Json);
    return checks.every((check) => result[check].equal === result[check].of) ? 0 : 1;
  },
};
