import { UsageError } from '../../../base/errors.ts';
import { openWorldSource } from '../../../runner/world-source.ts';
import { writeWorldFile } from '../../../store/world-file.ts';
import type { Command } from '../../command.ts';
import { textOption } from '../../options.ts';
import { counted } from '../../render/counted.ts';

export const command: Command = {
  summary: 'Read a SQLite export back into a packed .world file, and prove that nothing was lost.',
  args: [{ name: 'file', description: 'a *.sqlite file of `world export`' }],
  options: [
    { name: 'services', value: 'names', description: 'the services its rows belong to, by commas' },
    { name: 'out', value: 'file', description: 'the *.world file to write' },
  ],
  examples: ['world import desk.sqlite --services helpdesk --out desk.world'],
  keys: ['file', 'merkle', 'content', 'rows'],
  run: ({ args, options, output }) => {
    const file = textOption(options, 'out');
    if (!file?.endsWith('.world')) {
      throw new UsageError('no-out', 'name the file to write, ending in .world', {
        hint: '--out desk.world',
      });
    }
    const services = textOption(options, 'services')?.split(',');
    const { world } = openWorldSource(args[0] ?? '', services ? { services } : {});
    writeWorldFile(file, world);
    const rows = world.tableNames.reduce((total, name) => total + world.table(name).size, 0);
    output.line(`${file}: ${counted(rows, 'row')}, Merkle root ${world.merkleRoot()}`);
    output.json({ file, merkle: world.merkleRoot(), content: world.contentDigest(), rows });
    return 0;
  },
};
