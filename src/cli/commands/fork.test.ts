import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { TINY, writeTinyBank } from '../../../test/tiny-bank.ts';
import { main } from '../main.ts';

let root = '';
let bank = '';
let trajectory = '';

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-fork-'));
  bank = writeTinyBank(join(root, 'bank'), TINY.slice(0, 1));
  const out = join(root, 'run');
  await call('run', bank, '--agent', 'oracle', '--engine', 'inline', '--out', out);
  trajectory = join(out, 'trajectories/look-0.0.traj.jsonl');
});
afterAll(() => rmSync(root, { recursive: true }));

/** Runs the command line within this process; gives what it printed. */
async function call(...argv: string[]): Promise<string> {
  let printed = '';
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    }),
  );
  try {
    await main(argv);
    return printed;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

it('scores a fork that is given its answer', async () => {
  const printed = await call('fork', trajectory, '--bank', bank, '--answer', 'As it is.', '--json');
  expect(printed).toContain('Verdict: pass');
  expect(JSON.parse(printed.trim().split('\n').at(-1) ?? '')).toMatchObject({ score: { success: true } });
});

it('says what broke', async () => {
  const printed = await call('fork', trajectory, '--at', '0', '--bank', bank, '--answer', 'As it is.');
  expect(printed).toContain('Verdict: fail');
  expect(printed).toContain('✗ reads: no successful call of lookup_order');
});

it('gives no verdict without an answer, or where the scenario is in no bank', async () => {
  expect(await call('fork', trajectory, '--bank', bank)).not.toContain('Verdict');
  expect(await call('fork', trajectory, '--answer', 'As it is.')).toContain('Verdict: none');
});
