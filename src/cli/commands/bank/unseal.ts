import { unsealBank } from '../../../store/seal-bank.ts';
import type { Command } from '../../command.ts';
import { counted } from '../../render/counted.ts';
import { sealingOptions } from '../../sealing.ts';

export const command: Command = {
  summary: 'Write sealed scenarios of a bank as plain files again.',
  args: [{ name: 'bank', description: 'a bank folder' }],
  options: [
    { name: 'key', value: 'file', description: 'the key that sealed them' },
    { name: 'scenario', value: 'id', description: 'what to open (default: all)', repeats: true },
  ],
  examples: ['bank unseal my-bank --key ~/keys/my-bank.key'],
  keys: ['bank', 'opened [id]'],
  exits: '0 opened · 2 misuse, and nothing was changed',
  run: ({ args, options, output }) => {
    const bank = args[0] ?? '';
    const { keyPath, ids } = sealingOptions(options);
    const { scenarios } = unsealBank(bank, { keyPath, ...(ids && { ids }) });
    output.line(`${counted(scenarios.length, 'scenario')} of ${bank} opened.`);
    output.json({ bank, opened: [...scenarios] });
    return 0;
  },
};
