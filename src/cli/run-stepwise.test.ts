import { spawn } from 'node:child_process';
import {
  appendFileSync,
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
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TINY, writeTinyBank } from '../../test/tiny-bank.ts';
import { sealedLine } from '../store/run-lines.ts';
import { main } from './main.ts';

const BIN = new URL('../../bin/groundhog.js', import.meta.url).pathname;
const USER = `user:
  opening: Where is my order?
  start: asking
  states: { asking: [] }
  fallback: What?
`;

let root = '';
let bank = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-stepwise-'));
  bank = writeTinyBank(join(root, 'bank'), [
    ...TINY.slice(0, 2),
    { id: 'talk', order: '10034', extra: USER },
  ]);
});
afterAll(() => rmSync(root, { recursive: true }));

/** Runs the command line within this process. */
async function call(...argv: string[]) {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += String(text);
      return true;
    }),
  );
  try {
    const exit = await main(argv);
    return { exit, ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const argumentsOf = (name: string, agent: string, ...more: string[]): string[] => [
  'run',
  bank,
  '--mode',
  'stepwise',
  '--agent',
  agent,
  '--out',
  join(root, name),
  ...more,
];

async function run(name: string, agent: string, ...more: string[]) {
  const { exit, stdout, stderr } = await call(...argumentsOf(name, agent, ...more), '--json');
  return { exit, stderr, json: JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') };
}

function script(name: string, body: string): string {
  const file = join(root, `${name}.mjs`);
  writeFileSync(file, `export const next = (history, task) => { ${body} };\n`);
  return `script:${file}`;
}

const LOOK = `return { type: 'call', tool: 'lookup_order', arguments: { order_id: task.intent.order_id } };`;
const textOf = (name: string): string => readFileSync(join(root, name, 'stepwise.jsonl'), 'utf8');

describe('run --mode stepwise', () => {
  it('has the keys of a run, with reasons for what is not defined step by step', async () => {
    const { exit, json } = await run('keys', 'oracle', '--k', '2');
    expect(exit).toBe(0);
    const undefinedHere = { value: null, reason: 'not defined step by step' };
    expect(json).toMatchObject({
      run: join(root, 'keys'),
      mode: 'stepwise',
      bank: { name: 'tiny', version: '1.0.0', hash: expect.any(String) },
      behaviour: { services: { helpdesk: expect.any(String) } },
      agent: 'oracle',
      seed: '1',
      k: 2,
      trials: 4,
      void: { count: 0, byReason: {} },
      success: undefinedHere,
      successIfVoid: { fail: undefinedHere, pass: undefinedHere },
      passAt: { 1: undefinedHere, 2: undefinedHere },
      passHat: { 1: undefinedHere, 2: undefinedHere },
      metrics: { precision: undefinedHere, steps: { p50: undefinedHere } },
      invariants: [],
      failures: [],
      steps: 4,
      counts: { exact: 4, equivalent: 0, harmless: 0, fatal: 0 },
      good: { value: 1 },
      notExact: [],
      notJudged: [{ scenario: 'talk', reason: 'conversation: the reference has no turns of its own' }],
    });
  });

  it('goes on past what an agent does wrong, and exits 1', async () => {
    const bad = script('bad', `if (task.scenario === 'look-0') throw new Error('boom'); ${LOOK}`);
    const { exit, json, stderr } = await run('bad', bad);
    expect(exit).toBe(1);
    expect(json.notExact).toMatchObject([
      { scenario: 'look-0', trial: 0, step: 0, verdict: 'fatal', got: null, detail: 'agent-crashed: boom' },
    ]);
    expect(json.fatal).toEqual(json.notExact);
    expect(json.counts).toMatchObject({ exact: 1, fatal: 1 });
    expect(stderr).toContain('fatal: look-0 trial 0, step 0: agent-crashed: boom');
  });

  it('lists steps that were not exact, and exits 0 when none was fatal', async () => {
    const other = script('other', `return { type: 'call', tool: 'get_policy', arguments: {} };`);
    const { exit, stdout } = await call(...argumentsOf('other', other));
    expect(exit).toBe(0);
    expect(stdout).toContain('harmless: look-1 trial 0, step 0: ');
    expect(stdout).toContain('Scenarios not judged: 1 (conversation');
  });

  it('says 4 when there is nothing to judge', async () => {
    const argv = argumentsOf('nothing', 'oracle').with(1, `${bank}/talk`);
    const { exit, stdout } = await call(...argv, '--json');
    expect(exit).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({ steps: 0, good: { value: null }, trials: 0 });
  });

  it.each(['stepwise', 'end-to-end'])(
    'refuses a program that is not there before it begins, %s',
    async (mode) => {
      const argv = argumentsOf('mistyped', 'command:pyhtonn agent.py').with(3, mode);
      const { exit, stderr } = await call(...argv);
      expect(exit).toBe(2);
      expect(stderr).toContain('there is no program pyhtonn (it is in no folder of PATH)');
      expect(existsSync(join(root, 'mistyped'))).toBe(false);
    },
  );

  it('takes the engine that it has, and says why no other', async () => {
    expect((await run('inline', 'oracle', '--engine', 'inline')).exit).toBe(0);
    const threads = await run('threads', 'oracle', '--engine', 'threads');
    expect([threads.exit, threads.json.error.code]).toEqual([2, 'bad-option']);
    expect(threads.stderr).toContain('one after the other');
    expect(existsSync(join(root, 'threads'))).toBe(false);
  });
});

describe('the folder of a step-wise run', () => {
  it('is refused when finished or of another mode, and thrown away with --fresh', async () => {
    await run('taken', 'oracle');
    const before = textOf('taken');
    const again = await run('taken', 'oracle');
    expect([again.exit, again.json.error.code]).toEqual([2, 'finished']);
    const whole = await call('run', bank, '--agent', 'oracle', '--out', join(root, 'taken'), '--json');
    expect([whole.exit, JSON.parse(whole.stdout).error.code]).toEqual([2, 'other-run']);
    expect((await run('taken', 'oracle', '--fresh')).exit).toBe(0);
    expect(textOf('taken')).toBe(before);
  });

  it('is no run of whole trials to those who show them', async () => {
    await run('shown', 'oracle');
    for (const command of ['show', 'report']) {
      const { exit, stderr } = await call(command, join(root, 'shown'));
      expect(exit).toBe(2);
      expect(stderr).toContain('step-wise run');
    }
  });

  it('that was cut off in the middle of a line is taken up there', async () => {
    const { json } = await run('torn', 'oracle', '--k', '3');
    const whole = textOf('torn');
    const lines = whole.split('\n');
    unlinkSync(join(root, 'torn', 'summary.json'));
    writeFileSync(
      join(root, 'torn', 'stepwise.jsonl'),
      `${lines.slice(0, 3).join('\n')}\n${lines[3]?.slice(0, 40)}`,
    );
    const again = await run('torn', 'oracle', '--k', '3');
    expect(textOf('torn')).toBe(whole);
    expect(again.json).toEqual(json);
  });

  it.each<[string, (text: string) => string, RegExp]>([
    ['edited', (text) => text.replace('"exact"', '"fatal"'), /stepwise\.jsonl:1\b.*seal/u],
    ['of another run', (text) => `${text}${foreign(text)}\n`, /stepwise\.jsonl:3\b.*not part of this run/u],
    ['none', (text) => `${text}{}\n`, /stepwise\.jsonl:3\b/u],
  ])('with a line that is %s is refused with its place', async (what, change, refusal) => {
    const name = `broken-${what}`;
    await run(name, 'oracle');
    unlinkSync(join(root, name, 'summary.json'));
    writeFileSync(join(root, name, 'stepwise.jsonl'), change(textOf(name)));
    const { exit, stderr } = await run(name, 'oracle');
    expect(exit).toBe(2);
    expect(stderr).toMatch(refusal);
    expect(readdirSync(join(root, name))).not.toContain('run.lock');
  });

  /** The first line, sealed as one of a trial that this run does not have. */
  function foreign(text: string): string {
    const { seal: _seal, ...step } = JSON.parse(text.split('\n')[0] ?? '') as Record<string, unknown>;
    return sealedLine({ ...step, trial: 7 });
  }

  it('whose process is killed keeps every step that was judged', async () => {
    const asked = join(root, 'asked');
    writeFileSync(asked, '');
    const slow = join(root, 'slow.mjs');
    writeFileSync(
      slow,
      `import { appendFileSync, readFileSync } from 'node:fs';
export const next = (history, task) => {
  appendFileSync(${JSON.stringify(asked)}, task.scenario + ' ');
  const action = { type: 'call', tool: 'lookup_order', arguments: { order_id: task.intent.order_id } };
  const first = readFileSync(${JSON.stringify(asked)}, 'utf8').split(' ').length <= 3;
  return first && task.scenario === 'look-1' ? new Promise(() => undefined) : action;
};
`,
    );
    const child = spawn(process.execPath, [BIN, ...argumentsOf('killed', `script:${slow}`)], {
      stdio: 'ignore',
    });
    const gone = new Promise((resolve) => child.once('exit', resolve));
    while (readFileSync(asked, 'utf8') !== 'look-0 look-1 ' && child.exitCode === null) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    child.kill('SIGKILL');
    await gone;
    appendFileSync(asked, '| ');
    expect((await run('killed', `script:${slow}`)).exit).toBe(0);
    expect(readFileSync(asked, 'utf8')).toBe('look-0 look-1 | look-1 ');
    expect(textOf('killed').trimEnd().split('\n')).toHaveLength(2);
  });
});
