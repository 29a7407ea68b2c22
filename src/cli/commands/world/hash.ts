import { openWorldSource } from '../../../runner/world-source.ts';
import type { Command } from '../../command.ts';
import { layOut } from '../../render/table.ts';
import { WORLD_OPTIONS, WORLD_SOURCE, worldSourceOptions } from '../../world-options.ts';

export const command: Command = {
  summary: 'Print the digests and row counts of a world.',
  args: [WORLD_SOURCE],
  options: WORLD_OPTIONS,
  examples: [
    'world hash helpdesk/small',
    'world hash runs/mine/trajectories/refund-88213.0.traj.jsonl --at 2 --json',
  ],
  keys: ['source', 'content', 'full', 'merkle', 'clockMs', 'rows', 'tables {NAME: rows}'],
  run: ({ args, options, output }) => {
    const source = args[0] ?? '';
    const { world } = openWorldSource(source, worldSourceOptions(options));
    const tables = Object.fromEntries(world.tableNames.map((name) => [name, world.table(name).size]));
    // Rows of a packed file are read when they are needed: a digest is only worth printing once all were.
    for (const name of world.tableNames) for (const _row of world.table(name).scan());
    const rows = Object.values(tables).reduce((total, size) => total + size, 0);
    const digests = { content: world.contentDigest(), full: world.fullDigest(), merkle: world.merkleRoot() };
    for (const line of layOut(Object.entries(digests))) output.line(line);
    output.line();
    for (const line of layOut(Object.entries(tables).map(([name, size]) => [name, String(size)])))
      output.line(line);
    output.json({ source, ...digests, clockMs: world.clockMs, rows, tables });
    return 0;
  },
};
