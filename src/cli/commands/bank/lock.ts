import { join } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { loadBank } from '../../../runner/bank.ts';
import { currentLock } from '../../../runner/certify/lock.ts';
import { WorldCache } from '../../../runner/worlds.ts';
import { lockDifferences, writeLock } from '../../../scenarios/index.ts';
import { LOCK_FILE } from '../../../store/bank-files.ts';
import { writeWhole } from '../../../store/run-folder.ts';
import type { Command, ExitCode } from '../../command.ts';
import { flagOption } from '../../options.ts';
import { counted } from '../../render/counted.ts';

export const command: Command = {
  summary:
    "Write a bank's lock: content hashes, seed roots, behaviour digests, and where every reference ends.",
  args: [{ name: 'bank', description: 'a bank folder or catalog name' }],
  options: [{ name: 'check', description: 'write nothing, only say what differs' }],
  examples: ['bank lock banks/helpdesk', 'bank lock banks/helpdesk --check'],
  keys: ['file', 'hash', 'differences'],
  exits: '0 written, or nothing differs · 1 with --check: something differs · 2 misuse',
  run: async ({ args, options, output }): Promise<ExitCode> => {
    const bank = await loadBank(args, new WorldCache());
    if (bank.chosen.length !== bank.all.length) {
      throw new UsageError('whole-bank', 'a lock is of a whole bank', {
        hint: `groundhog bank lock ${bank.folder.directory}`,
      });
    }
    const file = join(bank.folder.directory, LOCK_FILE);
    const lock = currentLock(bank);
    const was = bank.folder.lock;
    const differences = was ? lockDifferences(was, lock) : ['the bank had no lock'];
    for (const difference of differences) output.line(difference);
    const check = flagOption(options, 'check');
    if (!check) writeWhole(file, writeLock(lock));
    output.line(
      check ? counted(differences.length, 'difference') : `${file} written, bank ${bank.hash.slice(0, 12)}`,
    );
    output.json({ file, hash: bank.hash, differences });
    return check && differences.length > 0 ? 1 : 0;
  },
};
