import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TINY, writeTinyBank } from '../../../test/tiny-bank.ts';
import { UsageError } from '../../base/errors.ts';
import { readTrajectory } from '../../trajectory/index.ts';
import { loadBank } from '../bank.ts';
import { runTrial, type TrialResult } from '../execute.ts';
import type { PreparedScenario } from '../prepare.ts';
import { WorldCache } from '../worlds.ts';
import { type CommandLimits, commandAgent } from './command.ts';

let folder = '';
let prepared: PreparedScenario;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-command-'));
  const bank = await loadBank([writeTinyBank(join(folder, 'bank'), TINY)], new WorldCache());
  prepared = bank.chosen[0] as PreparedScenario;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The start of every program: lines in, one message out. */
const PRELUDE = `
const lines = require('node:readline').createInterface({ input: process.stdin });
const tell = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const order = { order_id: '10034' };
const onMessage = (handler) => lines.on('line', (line) => handler(JSON.parse(line)));
const lookUp = () => tell({ type: 'call', tool: 'lookup_order', arguments: order });
const flood = (text) => {
  const go = () => { while (process.stdout.write(text)); };
  process.stdout.on('drain', go);
  go();
};
`;

let programs = 0;

/** Runs one trial with a program written in JavaScript. */
async function runProgram(source: string, limits: Partial<CommandLimits> = {}): Promise<TrialResult> {
  programs += 1;
  const file = join(folder, `agent-${programs}.cjs`);
  writeFileSync(file, PRELUDE + source);
  return await run([process.execPath, file], limits);
}

async function run(argv: readonly string[], limits: Partial<CommandLimits> = {}): Promise<TrialResult> {
  const agent = commandAgent(argv, { actionTimeoutMs: 20_000, ...limits });
  const result = await runTrial(prepared, agent, { seed: '1', trial: 0 });
  // Whatever the program did: a whole trajectory file, and a verdict that is not void.
  expect(result.score.void).toBeNull();
  expect(readTrajectory(result.text ?? '').end).toEqual(result.trajectory?.end);
  return result;
}

function endOf({ trajectory }: TrialResult) {
  return trajectory?.end;
}

/** True while a process of this id lives; one that is dead but not yet waited for does not count. */
function lives(pid: number): boolean {
  if (spawnSync('kill', ['-0', String(pid)]).status !== 0) return false;
  const status = `/proc/${pid}/stat`;
  return !existsSync(status) || !/\) Z /u.test(readFileSync(status, 'utf8'));
}

async function expectGone(pid: number): Promise<void> {
  for (let wait = 0; wait < 40 && lives(pid); wait += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(lives(pid)).toBe(false);
}

const GOOD = `onMessage((message) => {
  if (message.type === 'task') tell({ type: 'call', id: 7, tool: 'lookup_order', arguments: order });
  else if (message.type === 'result') {
    if (message.id !== 7 || message.body.order_id !== '10034' && message.body.id !== '10034') process.exit(9);
    tell({ type: 'final', answer: 'Looked up.', usage: { cost: 0.5, inputTokens: 10, outputTokens: -1 } });
    lines.close();
  }
});`;

describe('a program that keeps to the protocol', () => {
  it('is told the task and the results, and its answer and usage are recorded', async () => {
    const result = await runProgram(GOOD);
    expect(endOf(result)).toMatchObject({
      reason: 'answer',
      answer: 'Looked up.',
      usage: { cost: 0.5, inputTokens: 10 },
    });
    expect(endOf(result)?.usage).not.toHaveProperty('outputTokens');
    expect(result.score.success).toBe(true);
    expect(result.trajectory?.steps).toHaveLength(1);
  });

  it('gives the same file each time', async () => {
    const [one, other] = [await runProgram(GOOD), await runProgram(GOOD)];
    const lineOf = ({ text }: TrialResult) =>
      text
        ?.split('\n')
        .slice(1, 2)
        .map((line) => line.replace(/"prev":"\w+"/u, ''));
    expect(lineOf(one)).toEqual(lineOf(other));
  });

  it('may write text arguments, batches, waits and empty lines, and end without being asked to', async () => {
    const result = await runProgram(`onMessage((message) => {
      if (message.type === 'task') process.stdout.write('\\n\\r\\n' + JSON.stringify({ type: 'calls', calls: [
        { tool: 'lookup_order', arguments: JSON.stringify(order) },
        { tool: 'lookup_order', arguments: '{"order_id": ' },
        { tool: 'lookup_order', arguments: '{"order_id": 1e999}' },
      ] }) + '\\n');
      else if (message.type === 'results' && message.results.length === 3) {
        tell({ type: 'call', tool: 'lookup_order', arguments: order, waitMs: 1500 });
      } else { tell({ type: 'final', answer: 'ok' }); process.exit(0); }
    });`);
    expect(endOf(result)?.reason).toBe('answer');
    expect(result.trajectory?.steps.map(({ outcome }) => outcome)).toEqual([
      'ok',
      'invalid-input',
      'invalid-input',
      'ok',
    ]);
    expect(result.trajectory?.steps[2]?.malformed).toBe('{"order_id": 1e999}');
    expect(result.trajectory?.steps[3]?.waited).toBe(1500);
  });

  it('may be written in another language', async (context) => {
    const python = spawnSync('python3', ['--version']);
    if (python.status !== 0) context.skip('there is no python3 here');
    const file = join(folder, 'agent.py');
    writeFileSync(
      file,
      `import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "task":
        call = {"type": "call", "id": 1, "tool": "lookup_order", "arguments": {"order_id": "10034"}}
        print(json.dumps(call), flush=True)
    else:
        print(json.dumps({"type": "final", "answer": "Looked up, grüße."}), flush=True)
        break
`,
    );
    const result = await run(['python3', file], { actionTimeoutMs: 20_000 });
    expect(result.score.success).toBe(true);
  });

  it('has the time to end by itself, and is ended when it does not', async () => {
    const note = join(folder, 'farewell');
    const result = await runProgram(`onMessage(() => tell({ type: 'final', answer: 'bye' }));
      lines.on('close', () => require('node:fs').writeFileSync(${JSON.stringify(note)}, 'closed'));`);
    expect(endOf(result)?.answer).toBe('bye');
    expect(readFileSync(note, 'utf8')).toBe('closed');
  });
});

describe('a program that hangs', () => {
  it('is killed when its time is up, with everything it started', async () => {
    const file = join(folder, 'pids');
    const started = performance.now();
    const result = await runProgram(
      `process.on('SIGTERM', () => undefined);
      const { spawn } = require('node:child_process');
      const deaf = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)';
      const child = spawn(process.execPath, ['-e', deaf], { stdio: 'inherit' });
      require('node:fs').writeFileSync(${JSON.stringify(file)}, process.pid + ' ' + child.pid);
      setInterval(() => undefined, 1000);`,
      { actionTimeoutMs: 600 },
    );
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(endOf(result)).toMatchObject({ reason: 'agent-timeout', answer: null });
    expect(endOf(result)?.detail).toContain('600 ms');
    expect(result.score.success).toBe(false);
    for (const pid of readFileSync(file, 'utf8').split(' ')) await expectGone(Number(pid));
  });

  it('after its answer and deaf to SIGTERM is killed too', async () => {
    const file = join(folder, 'pid');
    const result = await runProgram(`process.on('SIGTERM', () => undefined);
      require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid));
      onMessage(() => tell({ type: 'final', answer: 'done' }));
      setInterval(() => undefined, 1000);`);
    expect(endOf(result)?.reason).toBe('answer');
    await expectGone(Number(readFileSync(file, 'utf8')));
  });

  it('by writing without an end of line, or half a line at a time, is no exception', async () => {
    const result = await runProgram(`setInterval(() => process.stdout.write(' {"type": '), 50);`, {
      actionTimeoutMs: 500,
    });
    expect(endOf(result)?.reason).toBe('agent-timeout');
  });

  it('by writing empty lines for ever is no exception', async () => {
    const result = await runProgram(`setInterval(() => process.stdout.write('\\n'.repeat(1000)), 1);`, {
      actionTimeoutMs: 500,
      lineBytesMax: 10_000,
    });
    expect(endOf(result)?.reason).toBe('agent-timeout');
  });

  it('and leaves behind a process that holds its streams does not hold the runner', async () => {
    const started = performance.now();
    const result = await runProgram(`
      const { spawn } = require('node:child_process');
      const child = spawn('sleep', ['3'], { detached: true, stdio: 'inherit' });
      child.unref();
      setTimeout(() => process.exit(3), 50);`);
    expect(performance.now() - started).toBeLessThan(2_500);
    expect(endOf(result)).toMatchObject({ reason: 'agent-crashed' });
    expect(endOf(result)?.detail).toContain('exit code 3');
  });
});

describe('a program that floods', () => {
  it.each([
    ['one endless line', `flood('x'.repeat(65536));`, 'bytes unasked'],
    ['millions of lines', `flood('x\\n'.repeat(32768));`, 'not JSON: x'],
  ])('stdout with %s is ended for it', async (_what, source, why) => {
    const result = await runProgram(source);
    expect(endOf(result)).toMatchObject({ reason: 'agent-protocol' });
    expect(endOf(result)?.detail).toContain(why);
    expect(result.score.success).toBe(false);
  });

  it('stderr is read along with, and not stopped', async () => {
    const result = await runProgram(`${GOOD}
      process.stderr.write('noise\\n'.repeat(400000));`);
    expect(endOf(result)?.reason).toBe('answer');
  });

  it('with a legion of calls ends at its budget', async () => {
    const result = await runProgram(`onMessage((message) => { if (message.type === 'task')
      for (let index = 0; index < 50; index += 1) lookUp(); });`);
    expect(endOf(result)?.reason).toBe('budget-calls');
    expect(result.trajectory?.steps).toHaveLength(6);
  });

  it('with empty turns does not go on for ever', async () => {
    const result = await runProgram(
      `onMessage(() => { for (let index = 0; index < 50; index += 1) tell({ type: 'calls', calls: [] }); });`,
    );
    expect(endOf(result)?.reason).toBe('agent-protocol');
  });
});

describe('a program that dies', () => {
  it.each([
    ['at its start', `console.error('no key'); process.exit(4);`, 'exit code 4', 'no key', 0],
    ['by an exception', `throw new Error('boom');`, 'exit code 1', '', 0],
    [
      'in the middle',
      `onMessage((message) => { if (message.type === 'task') lookUp(); else process.exit(5); });`,
      'exit code 5',
      '',
      1,
    ],
    ['by a signal', `process.kill(process.pid, 'SIGKILL');`, 'SIGKILL', '', 0],
    ['without a final answer', `onMessage(() => process.exit(0));`, 'exit code 0', '', 0],
    [
      'after closing its output',
      `process.stdout.end(); setTimeout(() => process.exit(6), 100);`,
      'exit code 6',
      '',
      0,
    ],
  ])('%s is a crash with its reason', async (_when, source, how, why, steps) => {
    const result = await runProgram(source);
    expect(endOf(result)).toMatchObject({ reason: 'agent-crashed', answer: null });
    expect(endOf(result)?.detail).toContain(how);
    expect(endOf(result)?.detail).toContain(why);
    expect(result.trajectory?.steps).toHaveLength(steps);
    expect(result.score.success).toBe(false);
  });

  it('before it lives, because its interpreter is not there, is a crash too', async () => {
    const text = join(folder, 'no-program');
    writeFileSync(text, '#!/nowhere/python\n', { mode: 0o755 });
    const refused = await run([text]);
    expect(endOf(refused)).toMatchObject({ reason: 'agent-crashed' });
    expect(endOf(refused)?.detail).toContain('cannot be started');
  });

  it('with its last call on the line has that call made', async () => {
    const result = await runProgram(`lookUp(); process.exitCode = 0; process.stdin.destroy();`);
    expect(result.trajectory?.steps).toHaveLength(1);
    expect(endOf(result)?.reason).toBe('agent-crashed');
  });
});

describe('a program that cannot be run at all', () => {
  it.each([
    ['a path that is not there', () => join(folder, 'nowhere'), /no program .*nowhere/u],
    ['a name in no folder of PATH', () => 'pyhtonn', /no program pyhtonn \(it is in no folder of PATH\)/u],
    ['a file that may not be executed', () => plainFile(), /not executable \(chmod \+x /u],
    ['a folder', () => folder, /no program/u],
    ['a name that no file has', () => 'a\0b', /no program a\\u0000b/u],
  ])('%s is misuse, before any trial', (_what, program, message) => {
    let refusal: unknown = null;
    try {
      commandAgent([program(), 'agent.py']);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(UsageError);
    expect((refusal as UsageError).describe()).toMatch(message);
  });

  function plainFile(): string {
    const file = join(folder, 'plain.txt');
    writeFileSync(file, 'not executable');
    return file;
  }
});

describe('what a command is called, and what it is', () => {
  it('comes from the files that it names', () => {
    const file = join(folder, 'my_agent.v2.cjs');
    writeFileSync(file, 'é');
    chmodSync(file, 0o755);
    const digest = '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c';
    const files = { [file]: digest };
    for (const argv of [[process.execPath, '--flag', file], [file], [process.execPath, file, folder]]) {
      expect(commandAgent(argv)).toMatchObject({ name: 'my_agent.v2', config: { argv, files } });
    }
    expect(commandAgent(['sh', '-c', 'true'])).toMatchObject({ name: 'command' });
    expect(commandAgent(['sh', '-c', 'true']).config).not.toHaveProperty('files');
  });

  it('takes no file that is too large for a program that a person edits', () => {
    const file = join(folder, 'weights.bin');
    writeFileSync(file, Buffer.alloc(5 * 1024 * 1024 + 1));
    expect(commandAgent(['sh', file]).config).not.toHaveProperty('files');
  });
});

describe('a program that talks where nobody listens', () => {
  const TALK = `let talks = 0;
    onMessage((message) => {
      if (message.type === 'task') tell({ type: 'say', text: 'Which order?' });
      else if (message.type === 'error' && /nobody is listening/.test(message.message)) afterwards();
    });`;

  it('is told so at once, and goes on', async () => {
    const result = await runProgram(`${TALK}
      const afterwards = () => tell({ type: 'final', answer: 'Nobody there.' });`);
    expect(endOf(result)).toMatchObject({ reason: 'answer', answer: 'Nobody there.' });
    expect(result.trajectory?.messages.map(({ role, text }) => [role, text])).toEqual([
      ['agent', 'Which order?'],
    ]);
  });

  it('and does nothing else ends at its budget of messages', async () => {
    const result = await runProgram(`${TALK}
      const afterwards = () => tell({ type: 'say', text: 'Hello? ' + (talks += 1) });`);
    expect(endOf(result)?.reason).toBe('budget-messages');
    expect(result.trajectory?.messages).toHaveLength(30);
  });
});

describe('a program that talks nonsense', () => {
  it.each([
    ['a wait backwards', `{"type":"call","tool":"lookup_order","waitMs":-5}`],
    ['a wait of half a millisecond', `{"type":"call","tool":"lookup_order","waitMs":0.5}`],
    ['a wait in words', `{"type":"call","tool":"lookup_order","waitMs":"10"}`],
    ['a wait within a turn', `{"type":"calls","calls":[{"tool":"lookup_order","waitMs":10}]}`],
    ['no JSON', `hello`],
    ['a list', `[1]`],
    ['a number', `5`],
    ['null', `null`],
    ['no type', `{"a":1}`],
    ['an unknown type', `{"type":"cal","tool":"x"}`],
    ['a call without a tool', `{"type":"call","arguments":{}}`],
    ['calls with one that is none', `{"type":"calls","calls":[{"tool":"lookup_order"},5]}`],
    ['an answer that is no text', `{"type":"final","answer":{"a":1}}`],
    ['a number beyond all numbers', `{"type":"call","tool":"lookup_order","arguments":{"order_id":1e999}}`],
    [
      'arguments nested out of sight',
      `{"type":"call","tool":"x","arguments":${'['.repeat(20000)}${']'.repeat(20000)}}`,
    ],
  ])('such as %s ends with agent-protocol', async (_what, line) => {
    const result = await runProgram(
      `process.stdout.write(${JSON.stringify(`${line}\n`)}); setInterval(() => undefined, 1000);`,
    );
    expect(endOf(result)).toMatchObject({ reason: 'agent-protocol', answer: null });
    expect(endOf(result)?.detail?.length).toBeLessThan(400);
    expect(result.score.success).toBe(false);
    expect(result.trajectory?.steps).toHaveLength(0);
  });

  it('such as null for arguments is recorded as it is, and refused by the tool', async () => {
    const result = await runProgram(`onMessage((message) => {
      if (message.type === 'task') tell({ type: 'calls', calls: [
        { tool: 'lookup_order', arguments: null },
        { tool: 'lookup_order', arguments: 'null' },
        { tool: 'lookup_order' },
      ] });
      else tell({ type: 'final', answer: 'done' });
    });`);
    expect(endOf(result)?.reason).toBe('answer');
    const said = { outcome: 'invalid-input', input: null };
    expect(result.trajectory?.steps).toMatchObject([said, said, { outcome: 'invalid-input', input: {} }]);
    for (const step of result.trajectory?.steps ?? []) expect(step).not.toHaveProperty('malformed');
  });

  it('in the arguments alone gets an answer to that', async () => {
    const result = await runProgram(`onMessage((message) => {
      if (message.type !== 'result') tell({ type: 'call', tool: 'lookup_order', arguments: [1] });
      else tell({ type: 'final', answer: String(message.status) });
    });`);
    expect(endOf(result)).toMatchObject({ reason: 'answer', answer: '422' });
  });
});

describe('a program that never reads', () => {
  it('is served all the same', async () => {
    const result = await runProgram(`process.stdin.destroy();
      for (let index = 0; index < 3; index += 1) lookUp();
      tell({ type: 'final', answer: 'blind' });`);
    expect(endOf(result)).toMatchObject({ reason: 'answer', answer: 'blind' });
    expect(result.trajectory?.steps).toHaveLength(3);
  });
});

it('no program of these tests is left', () => {
  const all = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  expect(all.split('\n').filter((line) => line.includes(join(folder, 'agent-')))).toEqual([]);
});
