import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { digestText } from '../../src/base/digest.ts';
import { UsageError } from '../../src/base/errors.ts';
import { loadBank } from '../../src/runner/bank.ts';
import { currentLock } from '../../src/runner/certify/lock.ts';
import { loadTrajectory } from '../../src/runner/recorded.ts';
import { WorldCache } from '../../src/runner/worlds.ts';
import { writeLock } from '../../src/scenarios/index.ts';
import { voidScore } from '../../src/scoring/index.ts';
import { readBankFolder } from '../../src/store/bank-files.ts';
import { type RunConfig, RunFolder } from '../../src/store/run-folder.ts';
import { parseTauFile, readTauFolder } from '../../src/traces/tau/index.ts';
import { everything } from '../episodes.ts';
import { BANK_TEXT, scenarioText, TINY, writeTinyBank } from '../tiny-bank.ts';
import { damagedBytes, damagedJson } from './mutations.ts';

/**
 * Every file that a person or another program may hand in, damaged in thousands of ways. Whatever is wrong
 * with it is told as misuse with the file, never as a crash. fast-check prints the seed and path that repeat
 * a finding.
 */

const RUNS = Number(process.env.FUZZ_RUNS ?? 2_000);
let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-fuzz-'));
});
afterAll(() => rmSync(root, { recursive: true }));

/**
 * True when the file was taken; false when it was refused as misuse that names it. Anything else fails the
 * test.
 */
function taken(file: string, read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    return refused(file, error);
  }
}

function refused(file: string, error: unknown): false {
  if (!(error instanceof UsageError)) throw error;
  expect(error.message).not.toBe('');
  expect(error.message).not.toContain('\n');
  expect(error.place?.file).toBe(file);
  for (const count of [error.place?.line ?? 1, error.place?.column ?? 1]) expect(count).toBeGreaterThan(0);
  return false;
}

describe('trajectories', () => {
  it('damaged in any way are refused, unless nothing was changed', () => {
    const { text } = everything();
    const file = join(root, 'a.traj.jsonl');
    const lines = text.split('\n').slice(0, -1);
    const records = lines.map((line): unknown => JSON.parse(line));
    const altered = fc
      .nat({ max: records.length - 1 })
      .chain((at) => damagedJson(records[at]).map((value) => Buffer.from(withLine(lines, at, value))));
    fc.assert(
      fc.property(fc.oneof(damagedBytes([text]), altered), (bytes) => {
        writeFileSync(file, bytes);
        if (taken(file, () => loadTrajectory(file))) expect(Buffer.from(bytes).toString('utf8')).toBe(text);
      }),
      { numRuns: RUNS },
    );
  });

  it('whose records were altered and chained anew are read or refused, never a crash', () => {
    const { text } = everything();
    const file = join(root, 'chained.traj.jsonl');
    const records = text
      .split('\n')
      .slice(0, -1)
      .map((line): unknown => JSON.parse(line));
    fc.assert(
      fc.property(damagedJson(records), (value) => {
        writeFileSync(file, Array.isArray(value) ? chained(value as unknown[]) : String(value));
        taken(file, () => loadTrajectory(file));
      }),
      { numRuns: RUNS },
    );
  });
});

function withLine(lines: readonly string[], at: number, value: unknown): string {
  return `${lines.with(at, JSON.stringify(value) ?? '').join('\n')}\n`;
}

/** The records with hash chain and seal as a careful forger would write them. */
function chained(records: readonly unknown[]): string {
  const last = { step: '', message: '' };
  const lines = records.map((record) => {
    if (typeof record !== 'object' || record === null) return JSON.stringify(record) ?? '';
    const { type } = record as { type?: unknown };
    let line: string;
    if (type === 'step' || type === 'message') {
      line = JSON.stringify({ ...record, prev: last[type] });
      last[type] = digestText(line);
    } else if (type === 'end') {
      const { seal: _seal, ...open } = { ...record, lastStep: last.step, lastMessage: last.message } as {
        seal?: unknown;
      };
      const body = JSON.stringify(open);
      line = `${body.slice(0, -1)},"seal":"${digestText(body)}"}`;
    } else {
      line = JSON.stringify(record);
      last.step = digestText(line);
      last.message = last.step;
    }
    return line;
  });
  return `${lines.join('\n')}\n`;
}

const RICH = scenarioText({
  id: 'one',
  order: '{{order.id}}',
  extra: `tags: [a, b]
bindings:
  order: { from: helpdesk.orders, where: { status: delivered, total_cents: { gt: 1 } }, pick: random }
  customer: { from: helpdesk.customers, match: { id: order.customer_id }, pick: first }
user:
  opening: Hello
  start: a
  fallback: Pardon?
  states: { a: [{ when: { agentSays: "order" }, say: "Yes, {{customer.name}}", goTo: end }] }
contract:
  allow: [{ table: helpdesk.emails, op: insert, where: { subject: x }, columns: [subject] }]
  mask: [helpdesk.emails.body]
faults:
  rules:
    - id: f
      match: { tool: refund, occurrence: 2 }
      effect: { kind: reject, status: 503, retryAfterSeconds: 3 }
      label: x
freeText: { send_email: [subject] }
`,
});

describe('banks', () => {
  const worlds = new WorldCache();

  it('with a damaged scenario are loaded or refused', async () => {
    const folder = writeTinyBank(join(root, 'scenarios-bank'), []);
    const file = join(folder, 'scenarios', 'one.yaml');
    writeFileSync(file, RICH);
    const [rich] = readBankFolder(folder).scenarios;
    const structural = damagedJson(rich?.file).map((value) => Buffer.from(stringify(value)));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(damagedBytes([RICH, scenarioText({ id: 'one', order: '10034' })]), structural),
        async (bytes) => {
          writeFileSync(file, bytes);
          await loadBank([folder], worlds).catch((error: unknown) => refused(file, error));
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('with a damaged bank file or lock are loaded or refused', async () => {
    const whole = writeTinyBank(join(root, 'whole-bank'), TINY.slice(0, 2));
    const lock = currentLock(await loadBank([whole], worlds));
    // Its scenarios have nothing to do with how the two files are read, and would be read each time.
    const folder = writeTinyBank(join(root, 'lock-bank'), []);
    const [bankFile, lockFile] = [join(folder, 'bank.yaml'), join(folder, 'bank.lock.json')];
    const lockText = writeLock(lock);
    fc.assert(
      fc.property(
        damagedBytes([BANK_TEXT]),
        fc.oneof(
          damagedBytes([lockText]),
          damagedJson(lock).map((value) => Buffer.from(JSON.stringify(value) ?? '')),
        ),
        (bankBytes, lockBytes) => {
          writeFileSync(bankFile, bankBytes);
          writeFileSync(lockFile, lockText);
          taken(bankFile, () => readBankFolder(folder));
          writeFileSync(bankFile, BANK_TEXT);
          writeFileSync(lockFile, lockBytes);
          taken(lockFile, () => readBankFolder(folder));
        },
      ),
      { numRuns: RUNS },
    );
  });
});

describe('run folders', () => {
  it('with a damaged file are taken up or refused, and hold nothing half-written', () => {
    const config: RunConfig = {
      bank: { name: 'b', version: '1.0.0', hash: 'h' },
      scenarios: [{ id: 'one', hash: '1', cluster: 'c' }],
      behaviour: { engine: 'e', services: { helpdesk: 'h' } },
      agent: { name: 'a', config: { x: [1] } },
      seed: '1',
      k: 3,
      mode: 'end-to-end',
    };
    const folder = join(root, 'run');
    const run = RunFolder.open(folder, config);
    for (const trial of [0, 1]) {
      const text = `trajectory ${trial}\n`;
      const score = voidScore('grader', 'ü');
      run.add({ scenario: 'one', trial, text, trajectory: digestText(text), score, wallClockMs: 3 });
    }
    run.release();
    const names = ['run.json', 'results.jsonl', 'timings.jsonl', 'trajectories/one.0.traj.jsonl', 'run.lock'];
    const before = new Map(
      names.slice(0, -1).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
    );
    before.set('run.lock', '999999999');
    const damage = fc.constantFrom(...names).chain((name) => {
      const text = before.get(name) ?? '';
      const bytes = damagedBytes([text]);
      const json =
        name === 'run.json' ? damagedJson(JSON.parse(text)) : fc.constantFrom<unknown>(null, [], {});
      return fc.tuple(
        fc.constant(name),
        fc.oneof(
          bytes,
          json.map((value) => Buffer.from(`${JSON.stringify(value)}\n`)),
        ),
      );
    });
    fc.assert(
      fc.property(damage, ([name, bytes]) => {
        rmSync(folder, { recursive: true });
        mkdirSync(join(folder, 'trajectories'), { recursive: true });
        for (const [other, text] of before)
          if (other !== 'run.lock') writeFileSync(join(folder, other), text);
        writeFileSync(join(folder, name), bytes);
        const file = join(folder, name);
        const other = (error: unknown): boolean =>
          error instanceof UsageError && ['other-run', 'busy'].includes(error.code);
        try {
          RunFolder.open(folder, config).release();
        } catch (error) {
          if (!other(error)) refused(file, error);
        }
        const left = readdirSync(folder).filter((entry) => entry.endsWith('.tmp'));
        expect(left).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('tau-bench files', () => {
  const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{"a": 1.0}' } });
  const run = {
    task_id: 0,
    trial: 1,
    reward: 1.0,
    info: {
      task: { actions: [{ name: 'f', kwargs: { a: 1 } }], outputs: ['x'] },
      reward_info: { info: { gt_data_hash: 'abc' } },
    },
    traj: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: null, tool_calls: [call('1')] },
      { role: 'tool', tool_call_id: '1', name: 'f', content: 'ok' },
      { role: 'assistant', content: 'done' },
      { role: 'user', content: '###STOP###' },
    ],
  };
  const replay = {
    domain: 'airline',
    initial_hash: 'h',
    gold_hashes: { 0: 'a' },
    runs: [{ task_id: 0, trial: 0, final_hash: 'b' }],
  };

  it('are read or refused', () => {
    const texts = [JSON.stringify([run]), JSON.stringify(replay, null, 1)];
    const structural = fc
      .oneof(damagedJson([run]), damagedJson(replay))
      .map((value) => Buffer.from(JSON.stringify(value) ?? ''));
    fc.assert(
      fc.property(fc.oneof(damagedBytes(texts), structural), (bytes) => {
        taken('runs.json', () => parseTauFile('runs.json', Buffer.from(bytes).toString('utf8')));
      }),
      { numRuns: RUNS },
    );
  });

  it('in a folder that lacks one are refused by the folder', () => {
    expect(() => readTauFolder(join(root, 'nowhere'))).toThrow(UsageError);
  });
});
