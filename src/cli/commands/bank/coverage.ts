import { loadBank } from '../../../runner/bank.ts';
import { coverBank, type UseCounts } from '../../../runner/certify/coverage.ts';
import { WorldCache } from '../../../runner/worlds.ts';
import type { Command, ExitCode } from '../../command.ts';
import { layOut } from '../../render/table.ts';

export const command: Command = {
  summary: 'Print which operations, errors and state transitions the references of a bank exercise.',
  args: [{ name: 'bank', description: 'BANK or BANK/SCENARIO: a folder or a catalog name', variadic: true }],
  options: [],
  examples: ['bank coverage banks/helpdesk', 'bank coverage helpdesk --json'],
  keys: ['operations {ID: uses}', 'errors {SERVICE.CODE: times}', 'transitions {CHANGE: times}'],
  run: async ({ args, output }): Promise<ExitCode> => {
    const coverage = coverBank(await loadBank(args, new WorldCache()));
    for (const [title, counts] of Object.entries(coverage) as [string, UseCounts][]) {
      const entries = Object.entries(counts);
      const used = entries.filter(([, count]) => count > 0).length;
      output.line(`${title}: ${used} of ${entries.length}`);
      for (const line of layOut(entries.map(([name, count]) => [`  ${name}`, String(count)])))
        output.line(line);
      output.line();
    }
    output.json({ ...coverage });
    return 0;
  },
};
