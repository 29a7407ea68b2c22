import { UsageError } from '../../../base/errors.ts';
import { openWorldSource } from '../../../runner/world-source.ts';
import { writeWorldFile } from '../../../store/world-file.ts';
import { exportSqlite } from '../../../store/world-sqlite.ts';
import type { Command } from '../../command.ts';
import { flagOption, textOption } from '../../options.ts';
import { counted } from '../../render/counted.ts';
import { WORLD_OPTIONS, WORLD_SOURCE, worldSourceOptions } from '../../world-options.ts';

export const command: Command = {
  summary: 'Write a world to a SQLite file (typed columns for SQL, lossless), or a packed .world file.',
  args: [WORLD_SOURCE],
  options: [
    { name: 'out', value: 'file', description: 'a *.sqlite or *.world file' },
    {
      name: 'secrets',
      description: 'write redacted columns too; without them a SQLite file cannot be imported',
    },
    ...WORLD_OPTIONS,
  ],
  examples: [
    'world export helpdesk/small --out desk.sqlite',
    'world export runs/mine/trajectories/refund-88213.0.traj.jsonl --at 3 --out step3.sqlite --secrets',
  ],
  keys: ['file', 'merkle', 'rows'],
  run: ({ args, options, output }) => {
    const file = textOption(options, 'out');
    if (!file || !/\.(sqlite|world)$/u.test(file)) {
      throw new UsageError('no-out', 'name the file to write, ending in .sqlite or .world', {
        hint: '--out desk.sqlite',
      });
    }
    const { world } = openWorldSource(args[0] ?? '', worldSourceOptions(options));
    if (file.endsWith('.sqlite')) exportSqlite(world, file, { secrets: flagOption(options, 'secrets') });
    else writeWorldFile(file, world);
    const rows = world.tableNames.reduce((total, name) => total + world.table(name).size, 0);
    output.line(`${file}: ${counted(rows, 'row')}, Merkle root ${world.merkleRoot()}`);
    output.json({ file, merkle: world.merkleRoot(), rows });
    return 0;
  },
};
