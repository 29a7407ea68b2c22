import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { main } from '../main.ts';

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-testbed-command-'));
});
afterAll(() => rmSync(root, { recursive: true }));

/** Runs the command line within this process; gives what it printed. */
async function call(
  ...argv: string[]
): Promise<{ readonly code: number; readonly lines: string; readonly json: () => Record<string, unknown> }> {
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

describe('testbed', () => {
  it('writes a testbed, says what is in it, and every trajectory replays', async () => {
    const out = join(root, 'github');
    const { code, lines } = await call('testbed', 'github', '--clean', '5', '--faulty', '20', '--out', out);
    expect([code, lines]).toEqual([0, expect.stringContaining('5 clean runs of 5 instances, 20 edited.')]);
    const [first = ''] = readdirSync(join(out, 'trajectories'));
    const replayed = await call('replay', join(out, 'trajectories', first));
    expect([replayed.code, replayed.lines]).toEqual([0, expect.stringContaining('Identical')]);
  });

  it('gives the manifest as JSON, and refuses the folder the next time', async () => {
    const out = join(root, 'json');
    const argv = [
      'testbed',
      'helpdesk/refund-88213',
      '--clean',
      '2',
      '--faulty',
      '4',
      '--out',
      out,
      '--json',
    ];
    const { code, json } = await call(...argv);
    expect(code).toBe(0);
    const {
      format: _format,
      version: _version,
      ...manifest
    } = JSON.parse(readFileSync(join(out, 'testbed.json'), 'utf8'));
    expect(json()).toEqual({ out, ...manifest });
    const again = await call(...argv);
    expect([again.code, again.json()]).toMatchObject([2, { error: { code: 'finished' } }]);
  });

  it('ends with 1 where a bank gives fewer edits than were asked for', async () => {
    const argv = ['testbed', 'helpdesk/policy-lookup', '--clean', '1', '--faulty', '2000'];
    const { code, lines } = await call(...argv, '--formats', 'openai', '--out', join(root, 'few'));
    expect([code, lines]).toEqual([1, expect.stringContaining('the bank gives no more')]);
  });

  it.each([
    ['no folder', ['helpdesk'], 'no-out'],
    ['a folder without a name', ['helpdesk', '--out', ''], 'no-out'],
    ['a place where no folder can be', ['helpdesk', '--out', `${import.meta.filename}/x`], 'not-writable'],
    ['more runs than there is room for', ['helpdesk', '--clean', '99999999999', '--out', 'OUT'], 'too-many'],
    ['an unknown format', ['helpdesk', '--formats', 'openai,csv', '--out', 'OUT'], 'bad-option'],
    ['an unknown bank', ['helpdsk', '--out', 'OUT'], 'unknown-bank'],
    ['no clean run', ['helpdesk', '--clean', '0', '--out', 'OUT'], 'bad-option'],
    ['nothing to edit', ['helpdesk/anger-insists', '--out', 'OUT'], 'no-testbed'],
  ])('refuses %s, and writes nothing', async (_what, argv, code) => {
    const out = join(root, 'refused');
    const said = await call('testbed', ...argv.map((word) => (word === 'OUT' ? out : word)), '--json');
    expect([said.code, said.json()]).toMatchObject([2, { error: { code } }]);
    expect(existsSync(out)).toBe(false);
  });
});
