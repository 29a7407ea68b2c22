import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { readTrajectory } from '../../trajectory/index.ts';

const BIN = new URL('../../../bin/groundhog.js', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'groundhog-exec-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The last line of stdout, parsed. */
  readonly json: () => Record<string, unknown>;
}

/** Runs `groundhog exec`; `onText` sees what its program writes, as it comes. */
async function exec(
  words: readonly string[],
  onText?: (text: string, kill: (signal: NodeJS.Signals) => void) => void,
): Promise<Ended> {
  const child = spawn(process.execPath, [BIN, 'exec', ...words], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk: Buffer) => {
      written[stream] += chunk.toString('utf8');
      onText?.(chunk.toString('utf8'), (signal) => child.kill(signal));
    });
  }
  const [exit] = (await once(child, 'close')) as [number | null];
  return { exit, ...written, json: () => JSON.parse(written.stdout.trimEnd().split('\n').at(-1) ?? '') };
}

function program(name: string, text: string): readonly string[] {
  const path = join(folder, name);
  writeFileSync(path, text);
  return ['--', process.execPath, path];
}

function endOf(trajectory: unknown): unknown {
  return readTrajectory(readFileSync(join(folder, String(trajectory)), 'utf8')).end;
}

const NOTES = ['--services', 'notes'];
const SCENARIO = ['--scenario', 'helpdesk/refund-88213', '--json'];

describe('groundhog exec', () => {
  it('leaves the words of the program alone, and takes what it writes as its answer', async () => {
    const echo = program('echo.js', 'console.log(process.argv.slice(2).join(" "))');
    const { exit, stderr, json } = await exec([...SCENARIO, ...echo, '--json', '--help', '--', 'x']);
    expect(stderr).toContain('--json --help -- x\n');
    expect(json()).toMatchObject({ exit: 0, steps: 0, success: false, score: { value: 0 }, void: null });
    expect(exit).toBe(1);
    expect(endOf(json().trajectory)).toMatchObject({ reason: 'answer', answer: '--json --help -- x' });
  });

  it('gives the program its tokens and its task', async () => {
    const tell = program(
      'tell.js',
      `const { HELPDESK_TOKEN, GROUNDHOG_URL, GROUNDHOG_TOKEN, GROUNDHOG_TASK } = process.env;
      fetch(GROUNDHOG_URL + '/orders/88213', { headers: { authorization: 'Bearer ' + HELPDESK_TOKEN } })
        .then(({ status }) =>
          console.log(status, GROUNDHOG_TOKEN.slice(0, 12), GROUNDHOG_TASK.slice(0, 9)));`,
    );
    const { stderr, json } = await exec([...SCENARIO, ...tell]);
    expect(stderr).toContain('200 hog_session_ Mira Alde');
    expect(json()).toMatchObject({ steps: 1 });
  });

  it('takes the answer from a file, but none that an earlier run left there', async () => {
    const answer = join(folder, 'answer.txt');
    const write = program(
      'write.js',
      `require('node:fs').writeFileSync(${JSON.stringify(answer)}, ' done\\n')`,
    );
    const first = await exec([...SCENARIO, '--answer-file', answer, ...write]);
    expect(endOf(first.json().trajectory)).toMatchObject({ reason: 'answer', answer: 'done' });
    const second = await exec([...SCENARIO, '--answer-file', answer, ...program('nothing.js', '')]);
    expect(endOf(second.json().trajectory)).toMatchObject({ reason: 'agent-stopped', answer: null });
  });

  it('a program that fails is a recorded outcome', async () => {
    const { exit, json } = await exec([
      '--services',
      'notes',
      '--json',
      ...program('fail.js', 'process.exit(7)'),
    ]);
    expect({ exit, json: json() }).toMatchObject({ exit: 1, json: { exit: 7, success: null } });
    expect(json().score).toEqual({ value: null, reason: 'as no scenario says what is right' });
    const detail = 'the program exited with 7';
    expect(endOf(json().trajectory)).toMatchObject({ reason: 'agent-crashed', detail });
  });

  it('ends a program that takes too long, with everything that it started', async () => {
    const told = join(folder, 'told');
    const hang = program(
      'hang.js',
      `const started = \`process.on('SIGTERM', () => {
        require('node:fs').writeFileSync(${JSON.stringify(told)}, '');
        process.exit();
      });
      setInterval(() => {}, 1000)\`;
      require('node:child_process').spawn(process.execPath, ['-e', started], { stdio: 'inherit' });
      setInterval(() => {}, 1000);`,
    );
    const { exit, json } = await exec(['--services', 'notes', '--timeout', '1', '--json', ...hang]);
    expect({ exit, json: json() }).toMatchObject({ exit: 1, json: { exit: null } });
    const detail = 'the program was ended after 1 second';
    expect(endOf(json().trajectory)).toMatchObject({ reason: 'agent-timeout', answer: null, detail });
    await vi.waitFor(() => expect(existsSync(told)).toBe(true));
  });

  it('hands a signal on, and still leaves the trajectory of what was done', async () => {
    const wait = program(
      'wait.js',
      `process.on('SIGTERM', () => { console.log('told to stop'); process.exit(0); });
      console.log('waiting');
      setInterval(() => {}, 1000);`,
    );
    const { exit, stderr, json } = await exec(['--services', 'notes', '--json', ...wait], (text, kill) => {
      if (text.includes('waiting')) kill('SIGTERM');
    });
    expect(exit).toBe(3);
    expect(stderr).toContain('told to stop');
    expect(endOf(json().trajectory)).toMatchObject({
      reason: 'agent-stopped',
      detail: 'interrupted by SIGTERM',
    });
  });

  it('goes on to the end when whoever reads along has seen enough', async () => {
    const much = program('much.js', 'for (let n = 0; n < 50_000; n += 1) console.log("line", n);');
    const child = spawn(
      process.execPath,
      [BIN, 'exec', '--services', 'notes', '--out', 'much.traj.jsonl', ...much],
      {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    child.stdout.once('data', () => child.stdout.destroy());
    await once(child, 'close');
    expect(endOf('much.traj.jsonl')).toMatchObject({ reason: 'answer' });
  });

  it('never writes over a trajectory', async () => {
    const words = ['--services', 'notes', '--json', '--out', 'mine.traj.jsonl', ...program('idle.js', '')];
    expect((await exec(words)).exit).toBe(0);
    const again = await exec(words);
    expect(again.json()).toMatchObject({ error: { code: 'out-exists' } });
    expect(again.exit).toBe(2);
    const names = readdirSync(join(folder, 'runs/exec'));
    expect(names.length).toBe(new Set(names).size);
  });

  it('a program that is not there is infrastructure', async () => {
    const { exit, json } = await exec(['--services', 'notes', '--json', '--', 'no-such-program']);
    expect({ exit, json: json() }).toMatchObject({ exit: 3, json: { error: { code: 'not-started' } } });
  });

  it('is told where the program goes', async () => {
    const { stderr } = await exec(NOTES);
    expect(stderr).toMatch(/^error: give the program to run after --, such as .*exec … -- python/u);
  });

  it.each([
    { why: 'nothing to serve', words: ['--', 'true'], code: 'nothing-to-serve' },
    { why: 'two targets', words: [...SCENARIO, '--services', 'notes', '--', 'true'], code: 'two-targets' },
    { why: 'many scenarios', words: ['--scenario', 'helpdesk', '--', 'true'], code: 'many-scenarios' },
    { why: 'no host to allow', words: [...NOTES, '--allow', '', '--', 'true'], code: 'bad-option' },
    { why: 'a URL to allow', words: [...NOTES, '--allow', 'https://a.b', '--', 'true'], code: 'bad-option' },
    { why: 'no program that may run', words: [...NOTES, '--', './plain.txt'], code: 'command' },
    { why: 'no program', words: ['--services', 'notes', '--'], code: 'usage' },
  ])('is told what is wrong: $why', async ({ words, code }) => {
    writeFileSync(join(folder, 'plain.txt'), 'no program');
    const { exit, json } = await exec(['--json', ...words]);
    expect({ exit, json: json() }).toMatchObject({ exit: 2, json: { error: { code } } });
  });
});
