import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../src/base/random.ts';
import { SessionServer } from './session-client.ts';
import { SessionLoad } from './session-load.ts';

/** A server of sessions in a process of its own, killed at random moments under load and started again. */

const KILLS = Number(process.env.KILLS ?? 12);
/** Change it to try other moments: the moments, not the outcome, depend on the machine. */
const SEED = process.env.KILL_SEED ?? 'sessions';

const root = mkdtempSync(join(tmpdir(), 'groundhog-sessions-'));
afterAll(() => rmSync(root, { recursive: true }));

const sleep = (durationMs: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, durationMs));

describe('a server of sessions that is killed', () => {
  it(
    `at ${KILLS} random moments loses no acknowledged step, and has each change whole or not at all`,
    async () => {
      const random = SeededRandom.from(SEED);
      const directory = join(root, 'state');
      const load = await SessionLoad.make(SeededRandom.from(`${SEED}/load`));
      let atWork = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        const server = new SessionServer(directory);
        // Some kills meet a server that is just reading, or compacting, its log.
        const early = random.integer(0, 8) === 0;
        const delayMs = early ? random.integer(100, 600) : random.integer(0, 200);
        if (early) {
          await Promise.race([server.ready, sleep(delayMs)]);
        } else {
          await server.ready;
          expect(await load.problems(server), `after ${kill} kills: ${server.errors}`).toEqual([]);
          const running = load.run(server);
          await sleep(delayMs);
          server.kill();
          await running;
          atWork += 1;
        }
        server.kill();
        await server.gone;
      }
      const last = new SessionServer(directory);
      await last.ready;
      expect(await load.problems(last), last.errors).toEqual([]);
      last.end();
      expect(await last.gone, last.errors).toBe(0);
      expect(readdirSync(directory).filter((name) => /lock|tmp/u.test(name))).toEqual([]);
      // A compaction writes the next generation of the log.
      const compactions =
        Number(
          readdirSync(directory)
            .find((name) => name.startsWith('sessions-'))
            ?.slice(9),
        ) - 1;
      const { acknowledged, unacknowledged, unacknowledgedPresent } = load;
      process.stdout.write(
        `${JSON.stringify({ kills: KILLS, atWork, compactions, acknowledged, unacknowledged, unacknowledgedPresent })}\n`,
      );
      expect(acknowledged).toBeGreaterThan(KILLS);
    },
    30_000 + KILLS * 4_000,
  );
});
