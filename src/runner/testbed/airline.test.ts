import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { airline } from '../../services/airline/index.ts';
import { replayTrajectory } from '../../session/index.ts';
import { environmentOf, loadTrajectory } from '../recorded.ts';
import { documents, runOf } from '../tau.test-kit.ts';
import { importTau } from '../tau-import.ts';
import { WorldCache } from '../worlds.ts';
import { writeTestbed } from './index.ts';

let folder = '';
let bank = '';
let data = '';

/** A bank of one task on a world that comes from files of one's own. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-testbed-airline-'));
  data = join(folder, 'data');
  mkdirSync(data);
  const database = documents();
  for (const [name, text] of Object.entries(database)) writeFileSync(join(data, name), JSON.stringify(text));
  const look = { name: 'get_reservation_details', kwargs: { reservation_id: 'GHR001' } };
  const cancel = { name: 'cancel_reservation', kwargs: { reservation_id: 'GHR001' } };
  const run = runOf([], { actions: [look, cancel], outputs: ['GHR001'] });
  const recorded = { documents: database, runs: [run], replays: [] };
  ({ bank } = importTau({ service: airline, folder: recorded, out: join(folder, 'run') }));
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('a testbed of a bank on a loaded world', () => {
  it('is made with the files of the world, and replays with them', async () => {
    const out = join(folder, 'testbed');
    const manifest = await writeTestbed({ targets: [bank], clean: 4, faulty: 30, seed: '1', data, out });
    expect(manifest).toMatchObject({ clean: 4, faulty: 30, instances: 1, leftOut: [] });
    expect(Object.keys(manifest.kinds)).toEqual(
      expect.arrayContaining(['write-dropped', 'hallucinated_argument']),
    );
    const worlds = new WorldCache();
    for (const name of readdirSync(join(out, 'trajectories'))) {
      const trajectory = loadTrajectory(join(out, 'trajectories', name));
      const { identical } = replayTrajectory(trajectory, environmentOf(trajectory, worlds, data));
      expect([name, identical]).toEqual([name, true]);
    }
  });

  it('is refused without them', async () => {
    const request = { targets: [bank], clean: 1, faulty: 1, seed: '1', out: join(folder, 'none') };
    await expect(writeTestbed(request)).rejects.toMatchObject({ code: 'no-data' });
  });
});
