import { openWorldFile } from '../src/store/world-file.ts';
import { cpuMicros, type Figure } from './measure.ts';
import { services, TABLE_NAMES } from './world-fixture.ts';

/**
 * A part of the world bench, in a fresh process: opens a packed world and answers one call, a lookup, a list
 * by index, a write and its digest. One cold run: nothing has been compiled yet, as for somebody who starts a
 * tool.
 */
const [, , name = '', path = '', target = ''] = process.argv;
const start = cpuMicros();
const { world, close } = openWorldFile(path, services);
const answered = world.transact((tx) => {
  const table = tx.table(TABLE_NAMES[3] as string);
  const listed = [...table.by('state', ['open'], { limit: 30 })];
  const first = listed[7] as Readonly<Record<string, string>>;
  return table.update(first.id as string, { state: 'closed', updated_at: 1 });
});
if (!answered.ok || answered.world.contentDigest() === world.contentDigest())
  throw new Error('nothing changed');
const spent = (cpuMicros() - start) / 1000;
close();
const figures: Record<string, Figure> = { [name]: { value: spent, unit: 'ms', target: Number(target) } };
process.stdout.write(JSON.stringify(figures));
