import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { doubleRefundCalls, played, roomyScenario, writeRoomyBank } from '../../../test/double-refund.ts';
import { main } from '../main.ts';

let root = '';
let bank = '';
let trajectory = '';
let second = 0;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-blame-'));
  bank = writeRoomyBank(join(root, 'bank'));
  trajectory = join(root, 'double.traj.jsonl');
  const double = doubleRefundCalls(60);
  second = double.second;
  writeFileSync(trajectory, played(await roomyScenario(), double.calls).text);
});
afterAll(() => rmSync(root, { recursive: true }));

interface Said {
  readonly code: number;
  readonly lines: string;
  readonly json: () => Record<string, unknown>;
}

/** Runs the command line within this process; gives what it printed. */
async function call(...argv: string[]): Promise<Said> {
  let lines = '';
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      lines += String(text);
      return true;
    }),
  );
  try {
    const code = await main(argv);
    return { code, lines, json: () => JSON.parse(lines.trim().split('\n').at(-1) ?? '') };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

describe('blame', () => {
  it('finds the variant of a family again, whatever picked it, and scores it', async () => {
    const out = join(root, 'variants');
    const asked = ['--variants', '2', '--variant-seed', 'other', '--agent', 'hasty', '--engine', 'inline'];
    await call('run', 'helpdesk/refund-family', ...asked, '--out', out);
    const second = join(out, 'trajectories', 'refund-family~2.0.traj.jsonl');
    expect((await call('blame', second)).lines).toContain('refund-family~2: the run failed.');
    expect((await call('show', second)).lines).toContain('policy-first');
    const alone = join(root, 'refund-family~2.0.traj.jsonl');
    cpSync(second, alone);
    expect((await call('blame', alone)).code).toBe(2);
  });

  it('names the second refund, for people and as JSON', async () => {
    const { code, lines, json } = await call('blame', trajectory, '--bank', bank, '--json');
    expect(code).toBe(0);
    expect(lines).toContain(`step ${second} (refund): 100 % → 0 % ◄ decisive`);
    expect(lines).toContain('59 steps changed nothing');
    expect(json()).toMatchObject({
      scenario: 'refund-88213',
      succeeded: false,
      decisive: { step: second, tool: 'refund', drop: 1 },
      reason: null,
      credit: { end: 0, total: -1 },
      continuation: { by: 'reference', continuations: 1, seed: null },
    });
    expect(json().steps).toHaveLength(60);
    expect((json().steps as object[])[second]).toEqual({
      step: second,
      tool: 'refund',
      before: 1,
      after: 0,
      drop: 1,
    });
  });

  it('writes what a report reads, and finds the bank of a run folder', async () => {
    const run = join(root, 'run');
    mkdirSync(join(run, 'trajectories'), { recursive: true });
    cpSync(bank, join(run, 'bank'), { recursive: true });
    const copy = join(run, 'trajectories/double.traj.jsonl');
    cpSync(trajectory, copy);
    const out = join(run, 'trajectories/double.blame.json');
    expect((await call('blame', copy, '--out', out)).code).toBe(0);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({ decisive: { step: second }, out });
  });

  it('lets an agent go on, with intervals', async () => {
    const args = ['--bank', bank, '--agent', 'careful', '--continuations', '2', '--json'];
    const { code, json } = await call('blame', trajectory, ...args);
    expect(code).toBe(0);
    const { points, continuation, decisive } = json() as Record<
      'points' | 'continuation' | 'decisive',
      object
    >;
    expect(continuation).toEqual({ by: 'careful', continuations: 2, seed: '1' });
    expect((points as object[])[0]).toMatchObject({ value: 1, success: { value: 1, n: 2 }, passes: [1, 1] });
    expect(decisive).toMatchObject({ step: second, estimate: { value: 1, n: 2 } });
  });

  it('refuses what it cannot judge, in one sentence', async () => {
    const elsewhere = await call('blame', trajectory);
    expect(elsewhere.code).toBe(2);
    expect(elsewhere.lines).toContain('refund-88213 is not in');
    const alone = await call('blame', trajectory, '--bank', bank, '--seed', '2');
    expect(alone).toMatchObject({ code: 2 });
    expect(alone.lines).toContain('go with --agent');
  });
});

describe('shrink', () => {
  it('writes a run that blame and replay take', async () => {
    const { code, json } = await call('shrink', trajectory, '--bank', bank, '--json');
    expect(code).toBe(0);
    const out = join(root, 'double.shrunk.traj.jsonl');
    expect(json()).toMatchObject({ from: 60, to: 4, check: { check: 'invariant one-refund' }, out });
    expect((await call('replay', out)).code).toBe(0);
    const blame = await call('blame', out, '--bank', bank, '--json');
    expect(blame.json()).toMatchObject({ decisive: { step: 3, tool: 'refund' } });
  });

  it('writes the same bytes every time, where it is told to', async () => {
    const outs = ['one', 'two'].map((name) => join(root, `${name}.traj.jsonl`));
    for (const out of outs) await call('shrink', trajectory, '--bank', bank, '--out', out);
    const [one, two] = outs.map((out) => readFileSync(out, 'utf8'));
    expect(one).toBe(two);
  });

  it('writes nothing where it refuses', async () => {
    const bad = await call('shrink', trajectory, '--bank', bank, '--out', join(root, 'x.json'));
    expect(bad).toMatchObject({ code: 2 });
    expect(existsSync(join(root, 'x.json'))).toBe(false);
  });
});
