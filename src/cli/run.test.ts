import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TINY, writeTinyBank } from '../../test/tiny-bank.ts';

/** `groundhog run` as a process: what waits, what is edited meanwhile, what is interrupted. */

const BIN = new URL('../../bin/groundhog.js', import.meta.url).pathname;

let root = '';
let bank = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-run-'));
  bank = writeTinyBank(join(root, 'bank'), TINY.slice(0, 2));
});
afterAll(() => rmSync(root, { recursive: true }));

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
  readonly json: Record<string, unknown> & { readonly error?: Record<string, unknown> };
}

interface Running {
  readonly interrupt: () => void;
  readonly ended: Promise<Ended>;
}

function start(name: string, ...argv: string[]): Running {
  const words = ['run', bank, ...argv, '--out', join(root, name), '--json'];
  const child = spawn(process.execPath, [BIN, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += String(text);
  });
  child.stderr.on('data', (text) => {
    stderr += String(text);
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => {
      resolve({ code, stderr, json: JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Ended['json'] });
    });
  });
  return { interrupt: () => void child.kill('SIGINT'), ended };
}

function file(name: string, source: string): string {
  const path = join(root, name);
  writeFileSync(path, source);
  return path;
}

/** Answers after so long, as a program and as a script. */
const program = (waitMs: number): string => `
require('node:fs').appendFileSync(__filename + '.pids', process.pid + '\\n');
process.stdin.once('data', () => setTimeout(() => {
  process.stdout.write(JSON.stringify({ type: 'final', answer: 'late' }) + '\\n');
}, ${waitMs}));`;
const script = (waitMs: number): string => `export const next = () => new Promise((resolve) =>
  setTimeout(() => resolve({ type: 'answer', text: 'late' }), ${waitMs}));`;

const texts = (name: string): Record<string, string> => {
  const folder = join(root, name, 'trajectories');
  return Object.fromEntries(readdirSync(folder).map((one) => [one, readFileSync(join(folder, one), 'utf8')]));
};

/** Of the whole process, start-up included. */
async function elapsedMs(name: string, ...argv: string[]): Promise<number> {
  const startedMs = performance.now();
  expect((await start(name, ...argv, '--k', '4').ended).code).toBe(1);
  return performance.now() - startedMs;
}

describe('--concurrency', () => {
  it.each([
    ['a program', `command:${process.execPath} `, 'waits.cjs', program(300)],
    ['a script on a thread', 'script:', 'waits.mjs', script(300)],
  ])(
    'lets the trials of %s wait together, byte for byte the same',
    async (kind, prefix, name, source) => {
      const agent = ['--agent', `${prefix}${file(name, source)}`];
      const alone = await elapsedMs(`${kind}-1`, ...agent, '--concurrency', '1');
      const together = await elapsedMs(`${kind}-8`, ...agent, '--concurrency', '8');
      expect(alone).toBeGreaterThan(8 * 300);
      expect(together).toBeLessThan(alone * 0.75);
      expect(texts(`${kind}-8`)).toEqual(texts(`${kind}-1`));
      expect(Object.keys(texts(`${kind}-8`))).toHaveLength(8);
    },
    60_000,
  );

  it('is no part of the configuration, and cannot be had step by step', async () => {
    const config = (name: string): string => readFileSync(join(root, name, 'run.json'), 'utf8');
    expect(config('a program-8')).toBe(config('a program-1'));
    const argv = ['--agent', 'oracle', '--concurrency', '2', '--mode', 'stepwise'];
    const { code, json } = await start('none', ...argv).ended;
    expect([code, json.error?.code]).toEqual([2, 'bad-option']);
  });
});

describe('--name', () => {
  it('is what the agent is called, also in the trajectories', async () => {
    const argv = ['--agent', 'careful', '--name', 'my agent/2'];
    const { json } = await start('named', ...argv).ended;
    expect(json.agent).toBe('my agent/2');
    expect(Object.values(texts('named'))[0]?.split('\n')[0]).toContain('"name":"my agent/2"');
  });

  it('cannot be empty or hold line breaks', async () => {
    for (const name of ['', 'a\nb', ' a']) {
      const { code, json } = await start('none', '--agent', 'careful', '--name', name).ended;
      expect([code, json.error?.code]).toEqual([2, 'bad-option']);
    }
  });
});

/** One that is dead but not yet waited for does not count. */
function lives(pid: string): boolean {
  const status = `/proc/${pid}/stat`;
  return existsSync(status) && !/\) Z /u.test(readFileSync(status, 'utf8'));
}

describe('Ctrl-C', () => {
  it.each([
    ['a program', `command:${process.execPath} `, 'stays.cjs', program],
    ['a script on a thread', 'script:', 'stays.mjs', script],
  ])(
    'with %s says how far it came; the same command goes on',
    async (kind, prefix, name, source) => {
      const quick = `task.scenario === 'look-0'`;
      // The second scenario waits until a file says that it need not.
      const go = join(root, `go-${name}`);
      const wait = `${quick} || require('node:fs').existsSync(${JSON.stringify(go)}) ? 0 : 60_000`;
      const text = name.endsWith('.mjs')
        ? `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
${source(0).replace('() => new', '(_history, task) => new').replace(/, 0\)/u, `, ${wait})`)}`
        : source(0)
            .replace('() => set', '(line) => { const task = JSON.parse(line); set')
            .replace(/, 0\)\)/u, `, ${wait}); })`);
      const argv = ['--agent', `${prefix}${file(name, text)}`, '--concurrency', '2'];
      const run = start(kind, ...argv);
      const results = join(root, kind, 'results.jsonl');
      await expect
        .poll(() => existsSync(results) && readFileSync(results, 'utf8').includes('\n'), { timeout: 20_000 })
        .toBe(true);
      run.interrupt();
      const { code, stderr, json } = await run.ended;
      expect(code).toBe(3);
      expect(stderr).toContain('1 of 2 trials done; the same command goes on from there\n');
      expect(json.error?.code).toBe('interrupted');
      expect(existsSync(join(root, kind, 'run.lock'))).toBe(false);
      if (name.endsWith('.cjs')) {
        const pids = readFileSync(join(root, `${name}.pids`), 'utf8')
          .trim()
          .split('\n');
        await expect.poll(() => pids.some(lives)).toBe(false);
      }
      writeFileSync(go, '');
      const again = await start(kind, ...argv).ended;
      expect(again.json).toMatchObject({ trials: 2, void: { count: 0 } });
    },
    60_000,
  );
});

describe('a program that is edited between two runs', () => {
  it('is another configuration', async () => {
    const path = file('edited.cjs', program(0));
    const argv = ['--agent', `command:${process.execPath} ${path}`];
    expect((await start('edited', ...argv).ended).json.agent).toBe('edited');
    writeFileSync(path, program(1));
    expect((await start('edited', ...argv).ended).json.error?.code).toBe('other-run');
  });
});
