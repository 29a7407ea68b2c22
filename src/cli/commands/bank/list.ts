import type { Json } from '../../../base/json.ts';
import { BANKS } from '../../../catalog/index.ts';
import { loadBank } from '../../../runner/bank.ts';
import { WorldCache } from '../../../runner/worlds.ts';
import type { Command, ExitCode } from '../../command.ts';
import { counted } from '../../render/counted.ts';
import { layOut } from '../../render/table.ts';

export const command: Command = {
  summary: 'List the banks that ship, or the scenarios of one.',
  args: [{ name: 'bank', description: 'a bank folder or catalog name', optional: true }],
  options: [],
  examples: ['bank list', 'bank list helpdesk --json'],
  keys: [
    'banks [{name, directory}]',
    'or: bank {name, version, hash}, scenarios [{id, title, cluster, tags, calls, hash}]',
  ],
  run: async ({ args, output }): Promise<ExitCode> => {
    const [name] = args;
    if (name === undefined) {
      const banks = Object.entries(BANKS).map(([bank, directory]) => ({ name: bank, directory }));
      for (const line of layOut(banks.map(({ name: bank, directory }) => [bank, directory])))
        output.line(line);
      output.json({ banks });
      return 0;
    }
    const bank = await loadBank([name], new WorldCache());
    const scenarios = bank.chosen.map(({ scenario }) => ({
      id: scenario.id,
      title: scenario.title,
      cluster: scenario.cluster,
      tags: [...scenario.tags],
      calls: scenario.reference.calls.length,
      hash: scenario.hash,
    }));
    const rows = scenarios.map(({ id, cluster, calls, title }) => [
      id,
      cluster,
      counted(calls, 'call'),
      title,
    ]);
    for (const line of layOut(rows)) output.line(line);
    const clusters = new Set(scenarios.map(({ cluster }) => cluster)).size;
    output.line(
      `\n${counted(scenarios.length, 'scenario')} in ${counted(clusters, 'cluster')}, bank ${bank.hash.slice(0, 12)}`,
    );
    const { version } = bank.folder.bank;
    output.json({
      bank: { name: bank.name, version, hash: bank.hash },
      scenarios: scenarios as unknown as Json,
    });
    return 0;
  },
};
