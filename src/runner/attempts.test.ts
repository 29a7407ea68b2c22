import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeTinyBank } from '../../test/tiny-bank.ts';
import { leadName, leadsOf } from './attempts.ts';
import { loadBank } from './bank.ts';
import { configOf } from './run-config.ts';
import { WorldCache } from './worlds.ts';

describe('leadsOf', () => {
  const one = { id: 'a' };
  const many = { id: 'b', attempts: 'many' } as const;

  it('takes one attempt for granted, so pass^k leads', () => {
    expect(leadsOf([one, { id: 'c', attempts: 'one' }])).toEqual({ figures: ['passHat'], note: null });
  });

  it('leads with pass@k where every user gets many', () => {
    expect(leadsOf([many])).toEqual({ figures: ['passAt'], note: null });
  });

  it('names both where scenarios differ, and counts a scenario of several runs once', () => {
    const { figures, note } = leadsOf([one, many, one, many, { id: 'c' }]);
    expect(figures.map((lead) => leadName(lead, 4))).toEqual(['pass@4', 'pass^4']);
    expect(note).toContain('in 1 of 3 scenarios');
  });
});

describe('the attempts of a scenario', () => {
  it('are kept in the run, and change neither its hash nor the run of a scenario that has one', async () => {
    const root = mkdtempSync(join(tmpdir(), 'groundhog-attempts-'));
    const order = '10034';
    const directory = writeTinyBank(root, [
      { id: 'plain', order },
      { id: 'one', order, extra: 'attempts: one' },
      { id: 'many', order, extra: 'attempts: many' },
    ]);
    const bank = await loadBank([directory], new WorldCache());
    const { config } = await configOf({ bank, agent: 'oracle', seed: 's', k: 2 }, 'end-to-end');
    rmSync(root, { recursive: true });
    const kept = config.scenarios.map(({ id, attempts }) => [id, attempts]);
    expect(kept.sort()).toEqual([
      ['many', 'many'],
      ['one', undefined],
      ['plain', undefined],
    ]);
    expect(new Set(config.scenarios.map(({ hash }) => hash)).size).toBe(1);
  });
});
