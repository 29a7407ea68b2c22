import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../src/base/random.ts';
import { RunFolder } from '../../src/store/run-folder.ts';
import { TINY, writeTinyBank } from '../tiny-bank.ts';

/** Real runs in processes of their own, killed at random moments and taken up again by the same command. */

const BIN = new URL('../../bin/groundhog.js', import.meta.url).pathname;
const K = 12;
const KILLS = 20;
/** Change it to try other moments: the moments, not the outcome, depend on the machine. */
const SEED = 'kill';

let root = '';
let bank = '';
let undisturbed: ReadonlyMap<string, string>;
let wholeMs = 0;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-kill-'));
  bank = writeTinyBank(join(root, 'bank'), TINY);
  const started = performance.now();
  expect(finish('reference', 'inline').status).toBe(0);
  wholeMs = performance.now() - started;
  undisturbed = filesOf('reference');
  expect(undisturbed.size).toBe(K * TINY.length);
});
afterAll(() => rmSync(root, { recursive: true }));

function argumentsOf(name: string, engine: string): string[] {
  const out = join(root, name);
  return ['run', bank, '--agent', 'oracle', '--k', String(K), '--engine', engine, '--out', out, '--json'];
}

function finish(name: string, engine: string) {
  return spawnSync(process.execPath, [BIN, ...argumentsOf(name, engine)], { encoding: 'utf8' });
}

/** The trajectory files of a run by name. */
function filesOf(name: string): ReadonlyMap<string, string> {
  const folder = join(root, name, 'trajectories');
  return new Map(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

function linesOf(name: string, file: string): string[] {
  const path = join(root, name, file);
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

/** Starts a run and kills it as soon as so many trials stand in its folder, plus a moment. */
async function killAt(name: string, engine: string, moment: { trials: number; delayMs: number }) {
  const child = spawn(process.execPath, [BIN, ...argumentsOf(name, engine)], { stdio: 'ignore' });
  const gone = ended(child);
  const results = join(root, name, 'results.jsonl');
  const deadline = performance.now() + 10 * wholeMs + 5_000;
  const waits = (): boolean => child.exitCode === null && performance.now() < deadline;
  while (
    waits() &&
    !(moment.trials === 0 || (existsSync(results) && linesOf(name, 'results.jsonl').length >= moment.trials))
  ) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await new Promise((resolve) => setTimeout(resolve, moment.delayMs));
  child.kill('SIGKILL');
  await gone;
}

function expectUndisturbed(name: string): void {
  expect(filesOf(name)).toEqual(undisturbed);
  const keys = linesOf(name, 'results.jsonl').map((line) => {
    const { scenario, trial } = JSON.parse(line) as { scenario: string; trial: number };
    return `${scenario}#${trial}`;
  });
  expect(keys).toHaveLength(K * TINY.length);
  expect(new Set(keys).size).toBe(keys.length);
  const summary = (run: string): unknown => {
    const {
      wallClock: _one,
      wallClockMs: _other,
      metrics,
      ...rest
    } = JSON.parse(readFileSync(join(root, run, 'summary.json'), 'utf8')) as Record<string, unknown>;
    const steady = Object.entries(metrics as object).filter(([metric]) => !/wall/iu.test(metric));
    return { ...rest, metrics: Object.fromEntries(steady) };
  };
  expect(summary(name)).toEqual(summary('reference'));
  expect(readdirSync(join(root, name)).filter((file) => /lock|tmp/u.test(file))).toEqual([]);
}

describe('a run that is killed', () => {
  it.each(['inline', 'threads'])(
    `at ${KILLS} random moments is taken up each time, on %s`,
    async (engine) => {
      const name = `killed-${engine}`;
      const random = SeededRandom.from(`${SEED}/${engine}`);
      const folder = join(root, name);
      let taken = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        // Finished before its kill came: start over, so that every kill meets a run at work.
        if (existsSync(join(folder, 'summary.json'))) rmSync(folder, { recursive: true });
        const standing = linesOf(name, 'results.jsonl').length;
        const trials = random.integer(0, 2) === 0 ? 0 : standing + random.integer(0, 4);
        const delayMs = trials === 0 ? random.integer(0, Math.ceil(wholeMs)) : random.integer(0, 8);
        await killAt(name, engine, { trials, delayMs });
        if (!existsSync(join(folder, 'run.json'))) continue;
        // Whatever the moment: the folder can be read, and no trial that stood in it is lost.
        expect(RunFolder.read(folder).trials().length).toBeGreaterThanOrEqual(standing);
        if (standing > 0) taken += 1;
      }
      expect(taken).toBeGreaterThan(0);
      if (existsSync(join(root, name, 'summary.json'))) rmSync(join(root, name), { recursive: true });
      const { status, stderr, stdout } = finish(name, engine);
      expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
      expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ trials: K * TINY.length });
      expectUndisturbed(name);
    },
  );

  it('with torn last lines, a trajectory deleted and another changed makes good what is missing', () => {
    const name = 'torn';
    finish(name, 'threads');
    const folder = join(root, name);
    unlinkSync(join(folder, 'summary.json'));
    for (const file of ['results.jsonl', 'timings.jsonl']) {
      const text = readFileSync(join(folder, file));
      writeFileSync(join(folder, file), text.subarray(0, text.length - 17));
    }
    rmSync(join(folder, 'trajectories', 'look-1.3.traj.jsonl'));
    writeFileSync(join(folder, 'trajectories', 'look-2.5.traj.jsonl'), 'changed\n');
    expect(finish(name, 'threads').status).toBe(0);
    expectUndisturbed(name);
  });
});

describe('a second process', () => {
  it('is refused while the first one works, and takes over when it is dead', async () => {
    const name = 'shared';
    const slow = join(root, 'slow.mjs');
    writeFileSync(
      slow,
      `const late = { type: 'answer', text: 'x' };
export const next = () => new Promise((resolve) => setTimeout(() => resolve(late), 60_000));`,
    );
    const argv = [...argumentsOf(name, 'inline')].map((word) =>
      word === 'oracle' ? `script:${slow}` : word,
    );
    const first = spawn(process.execPath, [BIN, ...argv], { stdio: 'ignore' });
    const gone = ended(first);
    const lock = join(root, name, 'run.lock');
    while (!existsSync(lock) && first.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 5));
    const second = spawnSync(process.execPath, [BIN, ...argv], { encoding: 'utf8' });
    expect(second.status).toBe(2);
    expect(JSON.parse(second.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      error: { code: 'busy' },
    });
    const fresh = spawnSync(process.execPath, [BIN, ...argv, '--fresh'], { encoding: 'utf8' });
    expect(fresh.status).toBe(2);
    expect(existsSync(lock)).toBe(true);
    first.kill('SIGKILL');
    await gone;
    const other = finish(name, 'inline');
    // The lock of the dead process is no obstacle any more; its configuration still is.
    expect(JSON.parse(other.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      error: { code: 'other-run' },
    });
    const again = spawnSync(process.execPath, [BIN, ...argumentsOf(name, 'inline'), '--fresh'], {
      encoding: 'utf8',
    });
    expect(again.status).toBe(0);
    expectUndisturbed(name);
  });
});

describe('a run that is interrupted', () => {
  it('takes the programs of its agents with it', async () => {
    const pids = join(root, 'pids');
    const agent = join(root, 'hang.cjs');
    writeFileSync(
      agent,
      `require('node:fs').appendFileSync(${JSON.stringify(pids)}, process.pid + '\\n');
process.on('SIGTERM', () => undefined);
setInterval(() => undefined, 1000);`,
    );
    const argv = argumentsOf('interrupted', 'threads');
    argv[argv.indexOf('oracle')] = `command:${process.execPath} ${agent}`;
    const child = spawn(process.execPath, [BIN, ...argv], { stdio: 'ignore' });
    const gone = ended(child);
    while (!existsSync(pids) && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 100));
    child.kill('SIGINT');
    await gone;
    expect(child.exitCode).toBe(3);
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const pid of readFileSync(pids, 'utf8').split('\n').filter(Boolean)) {
      const state = spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout.trim();
      expect(state === '' || state.startsWith('Z')).toBe(true);
    }
  });
});
