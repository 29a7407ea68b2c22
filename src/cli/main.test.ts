import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { everything } from '../../test/episodes.ts';
import { TINY, writeTinyBank } from '../../test/tiny-bank.ts';
import { COMMANDS } from './commands.ts';
import { main } from './main.ts';

const BIN = new URL('../../bin/groundhog.js', import.meta.url).pathname;

let root = '';
let bank = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-cli-'));
  bank = writeTinyBank(join(root, 'bank'), TINY.slice(0, 2));
});
afterAll(() => rmSync(root, { recursive: true }));

interface Called {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The last line of stdout, parsed. */
  readonly json: () => Record<string, unknown> & { readonly error?: Record<string, unknown> };
}

/** Runs the command line within this process. */
async function call(...argv: string[]): Promise<Called> {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += String(text);
      return true;
    }),
  );
  try {
    const exit = await main(argv);
    return {
      exit,
      ...written,
      json: () => JSON.parse(written.stdout.trimEnd().split('\n').at(-1) ?? '') as never,
    };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

function runArguments(name: string, ...more: string[]): string[] {
  return [
    'run',
    bank,
    '--agent',
    'oracle',
    '--engine',
    'inline',
    '--out',
    join(root, name),
    '--json',
    ...more,
  ];
}

function script(name: string, source: string): string {
  const file = join(root, `${name}.mjs`);
  writeFileSync(file, source);
  return file;
}

describe('exit codes', () => {
  it('0 when everything held, and the keys that were promised', async () => {
    const { exit, json, stdout } = await call(...runArguments('held'));
    expect(exit).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(json()).toMatchObject({
      success: { value: 1 },
      void: { count: 0 },
      trials: 2,
      k: 1,
      seed: '1',
      agent: 'oracle',
    });
    for (const key of [
      'run',
      'bank',
      'behaviour',
      'passAt',
      'passHat',
      'metrics',
      'invariants',
      'failures',
      'successIfVoid',
    ]) {
      expect(json()).toHaveProperty(key);
    }
  });

  it('1 when the agent fell short', async () => {
    const lazy = script('lazy', `export const next = () => ({ type: 'answer', text: 'no' });`);
    const { exit, json } = await call(
      'run',
      bank,
      '--agent',
      `script:${lazy}`,
      '--out',
      join(root, 'short'),
      '--engine',
      'inline',
      '--json',
    );
    expect(exit).toBe(1);
    expect(json()).toMatchObject({ success: { value: 0 } });
    expect(json().failures).not.toEqual([]);
  });

  it('2 for a finished run, another configuration, and a folder that is none', async () => {
    await call(...runArguments('taken'));
    const again = await call(...runArguments('taken'));
    expect([again.exit, again.json().error?.code]).toEqual([2, 'finished']);
    const other = await call(...runArguments('taken', '--seed', '2'));
    expect([other.exit, other.json().error?.code]).toEqual([2, 'other-run']);
    expect((await call(...runArguments('taken', '--fresh', '--seed', '2'))).exit).toBe(0);
    mkdirSync(join(root, 'mine'));
    writeFileSync(join(root, 'mine', 'letter.txt'), 'dear');
    const mine = await call(...runArguments('mine', '--fresh'));
    expect([mine.exit, mine.json().error?.code]).toEqual([2, 'not-a-run']);
    expect(existsSync(join(root, 'mine', 'run.json'))).toBe(false);
  });

  it('3 when the system refuses, in one sentence', async () => {
    await call(...runArguments('reported'));
    const name = `${'x'.repeat(300)}.html`;
    const { exit, json, stderr } = await call(
      'report',
      join(root, 'reported'),
      '--out',
      join(root, name),
      '--json',
    );
    expect(exit).toBe(3);
    expect(json().error?.code).toBe('system');
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('2 for a place that cannot be written to, with the place and nothing left behind', async () => {
    const page = join(root, 'page');
    mkdirSync(page);
    await call(...runArguments('unwritable'));
    for (const file of [page, join(root, 'nowhere', 'page.html')]) {
      const { exit, json } = await call('report', join(root, 'unwritable'), '--out', file, '--json');
      expect(exit).toBe(2);
      expect(json().error).toMatchObject({ code: 'unwritable', place: { file } });
    }
    expect(readdirSync(root).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('1 for a difference of two trajectories, 0 for none', async () => {
    const { text } = everything();
    const file = join(root, 'a.traj.jsonl');
    writeFileSync(file, text);
    const held = await call(...runArguments('diffed'));
    const other = join(String(held.json().run), 'trajectories', 'look-0.0.traj.jsonl');
    expect((await call('diff', file, file, '--json')).exit).toBe(0);
    const differs = await call('diff', file, other, '--json');
    expect(differs.exit).toBe(1);
    expect(differs.json()).toMatchObject({ equal: false, sameStart: false });
    const replayed = await call('replay', other, '--json');
    expect(replayed.exit).toBe(0);
    expect(replayed.json()).toMatchObject({ identical: true, worldChanged: false, firstDivergence: null });
  });
});

describe('misuse', () => {
  it.each([
    ['an unknown command', ['rnu'], 'run'],
    ['an unknown command of a group', ['bank', 'lnit'], 'lint'],
    ['an unknown option', ['run', 'helpdesk', '--agnet', 'x'], '--agent'],
    ['an unknown bank', ['run', 'helpdsk', '--agent', 'oracle'], 'helpdesk'],
    ['an unknown scenario', ['run', 'helpdesk/lost-answr', '--agent', 'oracle'], 'lost-answer'],
    ['an unknown agent', ['run', 'helpdesk/lost-answer', '--agent', 'carefull'], 'careful'],
    ['an unknown service', ['world', 'hash', 'helpdsk/small'], 'helpdesk'],
    ['an unknown seed', ['world', 'hash', 'helpdesk/smal'], 'small'],
    ['a command without its subject', ['run'], 'target'],
    ['a group without a command', ['bank'], '--help'],
    ['nothing at all', [], '--help'],
    ['too many subjects', ['replay', 'a', 'b'], 'too many'],
    ['no agent', ['run', 'helpdesk'], '--agent'],
    ['a number that is none', ['run', 'helpdesk/lost-answer', '--agent', 'oracle', '--k', 'many'], '--k'],
    [
      'a time of zero',
      ['run', 'helpdesk/lost-answer', '--agent', 'oracle', '--action-timeout', '0'],
      '--action-timeout',
    ],
    [
      'a choice that is none',
      ['run', 'helpdesk/lost-answer', '--agent', 'oracle', '--engine', 'thread'],
      'threads',
    ],
    ['a name out of the language', ['run', 'constructor', '--agent', 'oracle'], 'no bank'],
    ['an agent out of the language', ['run', 'helpdesk/lost-answer', '--agent', 'constructor'], 'no agent'],
    ['a seed out of the language', ['world', 'hash', 'helpdesk/constructor'], 'no seed'],
    ['a file that is not there', ['replay', 'nowhere.traj.jsonl'], 'no such file'],
    [
      'a script that is not there',
      ['run', 'helpdesk/lost-answer', '--agent', 'script:/nowhere.mjs'],
      'cannot be loaded',
    ],
  ])('%s is exit 2 with a hint, also as JSON', async (_what, argv, hint) => {
    const { exit, json, stderr } = await call(...argv, '--json');
    expect(exit).toBe(2);
    const { message, hint: given } = json().error ?? {};
    expect(`${message} (${given})`).toContain(hint);
    // People read one line with the hint in brackets; programs read the sentence and the hint apart.
    expect(stderr.trim()).toContain(message);
    expect(message).not.toMatch(/^error:/u);
    expect(stderr).not.toMatch(/\n\s+at /u);
  });

  it('names the line of a file that was edited', async () => {
    const file = join(root, 'edited.traj.jsonl');
    writeFileSync(file, everything().text.replace('"index":3', '"index":4'));
    const { exit, json } = await call('replay', file, '--json');
    expect(exit).toBe(2);
    expect(json().error?.place).toEqual({ file, line: 6 });
  });
});

describe('help', () => {
  it.each(COMMANDS.map((words) => ({ words, name: words.join(' ') })))(
    'of $name has an example and the keys',
    async ({ words, name }) => {
      const { exit, stdout } = await call(...words, '--help');
      expect(exit).toBe(0);
      expect(stdout).toContain(`groundhog ${name}`);
      expect(stdout).toMatch(/Examples:\n {2}groundhog /u);
      expect(stdout).toMatch(/Keys of the JSON object: \w/u);
      expect(stdout).toMatch(/Exit codes: 0/u);
    },
  );

  it.each(['bank', 'world', 'tau'])('of the group %s has an example of each command', async (group) => {
    const { exit, stdout } = await call(group, '--help');
    expect(exit).toBe(0);
    for (const words of COMMANDS.filter(([word]) => word === group)) {
      expect(stdout).toContain(`\n  groundhog ${words.join(' ')}`);
    }
  });

  it('of everything lists every command', async () => {
    const { exit, stdout } = await call('--help');
    expect(exit).toBe(0);
    for (const [word] of COMMANDS) expect(stdout).toContain(`\n  ${word}`);
  });
});

describe('as a process', () => {
  it('ends quietly when its reader has seen enough', async () => {
    const child = spawn(process.execPath, [BIN, 'bank', 'coverage', 'helpdesk'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let complaints = '';
    child.stderr.on('data', (text) => {
      complaints += String(text);
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect({ code, complaints }).toEqual({ code: 0, complaints: '' });
  });

  it('passes the exit code on, and writes one object to stdout', () => {
    const { status, stdout } = spawnSync(process.execPath, [BIN, 'replay', 'nowhere', '--json'], {
      encoding: 'utf8',
    });
    expect(status).toBe(2);
    expect(JSON.parse(stdout)).toHaveProperty('error');
  });
});

describe('engines', () => {
  it('give byte-identical trajectories', async () => {
    const inline = await call(...runArguments('inline', '--k', '3'));
    const argv = runArguments('threads', '--k', '3').map((word) => (word === 'inline' ? 'threads' : word));
    const threads = await call(...argv);
    expect([inline.exit, threads.exit]).toEqual([0, 0]);
    for (const id of ['look-0', 'look-1']) {
      for (const trial of [0, 1, 2]) {
        const file = (name: string): string => join(root, name, 'trajectories', `${id}.${trial}.traj.jsonl`);
        expect(readFileSync(file('threads'), 'utf8')).toBe(readFileSync(file('inline'), 'utf8'));
      }
    }
  });

  it('both end with the misuse that a trial finds', async () => {
    const recorded = join(root, 'inline', 'trajectories', 'look-0.0.traj.jsonl');
    for (const engine of ['inline', 'threads']) {
      const out = join(root, `replayed-${engine}`);
      const { exit, json } = await call(
        'run',
        bank,
        '--agent',
        `replay:${recorded}`,
        '--engine',
        engine,
        '--out',
        out,
        '--json',
      );
      expect(exit).toBe(2);
      expect(json().error).toMatchObject({ code: 'other-scenario', hint: 'run look-0 with it' });
      expect(existsSync(join(out, 'run.lock'))).toBe(false);
    }
  });
});

describe('a report', () => {
  it('of several runs leaves the one of the first alone', async () => {
    const folders = ['first', 'second'].map((name) => join(root, name));
    for (const name of ['first', 'second']) await call(...runArguments(name));
    const own = readFileSync(join(root, 'first', 'report.html'), 'utf8');
    const argv = [BIN, 'report', ...folders, '--json'];
    const { status, stdout } = spawnSync(process.execPath, argv, { cwd: root, encoding: 'utf8' });
    expect([status, JSON.parse(stdout)]).toEqual([0, { report: 'report.html', runs: folders }]);
    expect(existsSync(join(root, 'report.html'))).toBe(true);
    expect(readFileSync(join(root, 'first', 'report.html'), 'utf8')).toBe(own);
  });
});

describe('a command agent that hangs', () => {
  it('costs its time-out and no more', async () => {
    const sleeper = script('sleeper', 'setInterval(() => undefined, 1000);');
    const started = performance.now();
    const { exit, json } = await call(
      'run',
      `${bank}/look-0`,
      '--agent',
      `command:${process.execPath} ${sleeper}`,
      '--action-timeout',
      '1',
      '--out',
      join(root, 'hangs'),
      '--json',
    );
    expect(performance.now() - started).toBeLessThan(8_000);
    expect(exit).toBe(1);
    expect(json()).toMatchObject({ success: { value: 0 }, void: { count: 0 } });
    const config = JSON.parse(readFileSync(join(root, 'hangs', 'run.json'), 'utf8')) as {
      config: { agent: unknown };
    };
    expect(config.config.agent).toMatchObject({
      name: 'sleeper',
      config: { actionTimeoutMs: 1000, files: { [sleeper]: expect.stringMatching(/^[0-9a-f]{64}$/u) } },
    });
  });
});
