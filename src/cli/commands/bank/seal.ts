import { sealBank } from '../../../store/seal-bank.ts';
import { KEY_VARIABLE } from '../../../store/sealed-files.ts';
import type { Command } from '../../command.ts';
import { counted } from '../../render/counted.ts';
import { sealingOptions } from '../../sealing.ts';

export const command: Command = {
  summary: 'Encrypt scenarios of a bank, so that it can be published without being learned.',
  args: [{ name: 'bank', description: 'a bank folder' }],
  options: [
    { name: 'key', value: 'file', description: 'the key, outside the bank; made where it is not there yet' },
    { name: 'scenario', value: 'id', description: 'what to seal (default: all)', repeats: true },
  ],
  examples: ['bank seal my-bank --key ~/keys/my-bank.key --scenario refund-1 --scenario refund-2'],
  keys: ['bank', 'sealed [id]', 'key', 'keyMade'],
  exits: '0 sealed · 2 misuse, and nothing was changed',
  run: ({ args, options, output }) => {
    const bank = args[0] ?? '';
    const { keyPath, ids } = sealingOptions(options);
    const { scenarios, keyMade } = sealBank(bank, { keyPath, ...(ids && { ids }) });
    output.line(`${counted(scenarios.length, 'scenario')} of ${bank} sealed under ${keyPath}.`);
    if (keyMade) output.line('The key is new: whoever loses it loses the scenarios.');
    output.line(
      `They are read where ${KEY_VARIABLE} names that file. Their history in a repository stays readable.`,
    );
    output.json({ bank, sealed: [...scenarios], key: keyPath, keyMade });
    return 0;
  },
};
