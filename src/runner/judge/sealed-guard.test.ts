import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TINY, writeTinyBank } from '../../../test/tiny-bank.ts';
import { said, scripted } from '../../scoring/judge/judge.test-kit.ts';
import { sealBank } from '../../store/seal-bank.ts';
import { CANARY, KEY_VARIABLE } from '../../store/sealed-files.ts';
import { loadBank } from '../bank.ts';
import { runBank } from '../run.ts';
import { WorldCache } from '../worlds.ts';
import { readJudgedRuns } from './judged-runs.ts';
import { type Retention, SealedGuard } from './sealed-guard.ts';

let folder = '';
const at = (name: string): string => join(folder, name);

/** A run of two scenarios of which the second is sealed, and copies of its trajectories beside nothing. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-guard-'));
  writeTinyBank(at('bank'), TINY.slice(0, 2));
  sealBank(at('bank'), { keyPath: at('bank.key'), ids: ['look-1'] });
  vi.stubEnv(KEY_VARIABLE, at('bank.key'));
  const bank = await loadBank([at('bank')], new WorldCache());
  await runBank({ bank, agent: 'oracle', seed: 's', k: 1, engine: 'inline', out: at('run') });
  mkdirSync(at('loose'));
  for (const name of ['open', 'sealed']) {
    const own = name === 'open' ? 'look-0' : 'look-1';
    copyFileSync(at(`run/trajectories/${own}.0.traj.jsonl`), at(`loose/${name}.traj.jsonl`));
  }
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const read = (path: string, retention: Retention = 'unknown', banks: readonly string[] = []) =>
  readJudgedRuns({ paths: [at(path)], guard: new SealedGuard(retention, banks) });

describe('a run of a sealed scenario', () => {
  it('is not read for a judge that may keep it, by the run folder that it is of', () => {
    expect(read('run/trajectories/look-0.0.traj.jsonl')).toHaveLength(1);
    for (const path of ['run', 'run/trajectories/look-1.0.traj.jsonl']) {
      expect(() => read(path)).toThrow(
        expect.objectContaining({
          code: 'sealed',
          message: 'the scenario look-1 is sealed; it is not sent to a provider that may keep it',
          hint: expect.stringContaining('--retention none'),
        }),
      );
    }
  });

  it('is read where the provider keeps nothing', () => {
    expect(read('run', 'none').map(({ name }) => name)).toEqual(['look-0.0', 'look-1.0']);
  });

  it('outside its folder is held back unless an open bank knows it', () => {
    expect(() => read('loose/open.traj.jsonl')).toThrow('look-0 may be sealed');
    expect(read('loose/open.traj.jsonl', 'unknown', [at('bank')])).toHaveLength(1);
    // The key that opens the bank to agents does not open it to a judge.
    expect(() => read('loose/sealed.traj.jsonl', 'unknown', [at('bank')])).toThrow('look-1 may be sealed');
    expect(read('loose', 'none')).toHaveLength(2);
    writeFileSync(at('loose/run.json'), '{"config": {"scena');
    expect(() => read('loose/open.traj.jsonl')).toThrow('look-0 may be sealed');
  });
});

describe('a prompt with a canary', () => {
  const request = (text: string) => ({
    system: '',
    messages: [{ role: 'user' as const, text }],
    tools: [],
    maxOutputTokens: 1,
  });

  it('is not sent, wherever it came from', async () => {
    const model = scripted(() => said('yes'));
    const watched = new SealedGuard('unknown').watch(model);
    await expect(watched.complete(request(`x ${CANARY}:1-2 y`))).rejects.toMatchObject({ code: 'sealed' });
    expect(model.sent).toHaveLength(0);
    await watched.complete(request('a sealed scenario'));
    await new SealedGuard('none').watch(model).complete(request(`${CANARY}:1-2`));
    expect(model.sent).toHaveLength(2);
  });
});

describe('runs for a judge', () => {
  it('come with policy, tools and turns, and without what only the world knows', () => {
    const [run] = read('run/trajectories/look-0.0.traj.jsonl');
    expect(run?.agent).toBe('oracle');
    expect(run?.instructions).toMatch(/refund/iu);
    expect(run?.tools[0]).toMatchObject({ inputSchema: { type: 'object' } });
    expect(run?.turns).toHaveLength(run?.calls.length ?? 0);
    expect(JSON.stringify(run)).not.toMatch(/"(?:intent|before|diff|digest|hash|canary|fault)":/u);
    const guard = new SealedGuard('none');
    const [told] = readJudgedRuns({ paths: [at('run')], guard, policy: 'Be kind.' });
    expect(told?.instructions).toBe('Be kind.');
  });
});
