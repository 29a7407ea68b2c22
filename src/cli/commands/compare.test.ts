import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestText } from '../../base/digest.ts';
import { loadBank } from '../../runner/bank.ts';
import { compareRuns } from '../../runner/compare/index.ts';
import { runBank } from '../../runner/run.ts';
import { WorldCache } from '../../runner/worlds.ts';
import type { RunConfig } from '../../store/run-folder.ts';

const BIN = new URL('../../../bin/groundhog.js', import.meta.url).pathname;

const SCENARIOS = [
  'refund-88213',
  'address-change',
  'address-too-late',
  'ambiguous-name',
  'balance-lookup',
  'cancel-in-time',
  'cancel-too-late',
  'cancel-two',
].map((id) => `helpdesk/${id}`);

let folder = '';
const at = (name: string): string => join(folder, name);

async function play(agent: string, name: string, more: { k?: number; seed?: string } = {}): Promise<void> {
  const bank = await loadBank(SCENARIOS, new WorldCache());
  await runBank({
    bank,
    agent,
    seed: more.seed ?? '1',
    k: more.k ?? 2,
    engine: 'inline',
    out: at(name),
    asked: { targets: SCENARIOS, agent },
  });
}

interface Ended {
  readonly code: number;
  readonly json: Record<string, unknown> & { readonly error?: Record<string, unknown> };
}

function command(...words: string[]): Ended {
  const { status, stdout } = spawnSync(process.execPath, [BIN, ...words, '--json'], {
    encoding: 'utf8',
    cwd: folder,
  });
  return { code: status ?? -1, json: JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-compare-'));
  await play('careful', 'careful');
  await play('hasty', 'hasty');
  await play('careful', 'longer', { k: 3 });
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

/** A copy of a run whose configuration was changed, with the hash that then belongs to it. */
function changed(from: string, to: string, change: (config: RunConfig) => RunConfig): string {
  cpSync(at(from), at(to), { recursive: true });
  const path = join(at(to), 'run.json');
  const file = JSON.parse(readFileSync(path, 'utf8')) as { config: RunConfig; hash: string };
  const config = change(file.config);
  writeFileSync(path, JSON.stringify({ ...file, config, hash: digestText(JSON.stringify(config)) }));
  return at(to);
}

const otherText = (config: RunConfig): RunConfig => ({
  ...config,
  scenarios: config.scenarios.map((scenario, index) => (index === 0 ? { ...scenario, hash: 'x' } : scenario)),
});

const otherCode = (config: RunConfig): RunConfig => ({
  ...config,
  behaviour: { ...config.behaviour, services: { helpdesk: 'x' } },
});

describe('compare', () => {
  it('says that hasty is worse, and by what first deed', () => {
    const { code, json } = command('compare', 'careful', 'hasty');
    expect(code).toBe(1);
    expect(json).toMatchObject({ paired: 'trials', n: 8, verdict: 'worse', leftOut: [] });
    expect(json.flipped).toContainEqual(
      expect.objectContaining({
        scenario: 'address-change',
        from: { passed: 2, of: 2 },
        to: { passed: 0, of: 2 },
        firstDivergence: { step: 0, field: 'tool', expected: 'lookup_order', got: 'update_shipping_address' },
      }),
    );
    expect(command('compare', 'hasty', 'careful').code).toBe(0);
  });

  it('of a run with itself shows no difference, and has no test of it', () => {
    const { code, json } = command('compare', 'careful', 'careful');
    expect(code).toBe(0);
    expect(json).toMatchObject({ p: null, verdict: 'no-difference-shown', flipped: [] });
  });

  it('pairs scenarios where trials are not aligned', () => {
    expect(command('compare', 'careful', 'longer').json).toMatchObject({ paired: 'scenarios', n: 8 });
  });

  it.each([
    ['of a scenario', otherText, 'its text changed', 7],
    ['of the code', otherCode, 'helpdesk behaves otherwise', 0],
  ] as const)('refuses another digest %s, and with --intersect leaves it out', (_, change, reason, kept) => {
    const other = changed('hasty', `changed-${kept}`, change);
    const refused = command('compare', 'careful', other);
    expect(refused.code).toBe(2);
    expect(JSON.stringify(refused.json)).toContain(reason);
    if (kept === 0) {
      expect(command('compare', 'careful', other, '--intersect').code).toBe(2);
      return;
    }
    const { json } = command('compare', 'careful', other, '--intersect');
    expect(json).toMatchObject({ n: kept, leftOut: [{ scenario: expect.any(String), reason }] });
  });

  it('plays the baseline again as things are now', () => {
    const old = changed('careful', 'old', otherCode);
    expect(command('compare', old, 'hasty').code).toBe(2);
    const { code, json } = command('compare', old, 'hasty', '--rerun-baseline');
    expect([code, json.verdict]).toEqual([1, 'worse']);
    expect((json.runs as string[])[0]).toMatch(/^runs\/helpdesk-careful-/u);
    // The second time it is there already.
    expect(command('compare', old, 'hasty', '--rerun-baseline').json).toEqual(json);
  });

  it('names what it cannot read', () => {
    expect(command('compare', 'careful', 'nowhere').json).toMatchObject({ error: { code: 'not-a-run' } });
    expect(command('compare', 'careful', 'hasty', '--confidence', '95').code).toBe(2);
    expect(command('compare', 'careful', 'hasty', '--intersect', '--rerun-baseline').code).toBe(2);
  });

  it('refuses a trajectory that was changed since, where it is looked at', () => {
    cpSync(at('hasty'), at('edited'), { recursive: true });
    const path = join(at('edited'), 'trajectories', 'address-change.0.traj.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace('update_shipping_address', 'lookup_order'));
    expect(() => compareRuns([at('careful'), at('edited')])).toThrow(/seal|edited|chain|hash/u);
  });
});

describe('power and flakes', () => {
  it('power plans from two runs, and has a reason where it cannot', () => {
    expect(command('power', 'careful', 'hasty', '--delta', '0.1', '--k', '2').json).toMatchObject({
      delta: 0.1,
      pilot: 8,
      rows: [{ k: 2 }],
    });
    const { code, json } = command('power', 'careful');
    expect([code, json.reason]).toEqual([4, 'nothing varied in the pilot: it has no spread to plan with']);
  });

  it('flakes counts always, never and sometimes', () => {
    expect(command('flakes', 'careful').json).toMatchObject({ always: 8, never: 0, single: 0, flakes: [] });
  });
});
