import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadBank } from '../../bank.ts';
import { runTrial, type TrialResult } from '../../execute.ts';
import type { PreparedScenario } from '../../prepare.ts';
import type { HistoryEntry } from '../../types.ts';
import { WorldCache } from '../../worlds.ts';
import { type ScriptNext, scriptAgent } from '../script.ts';
import { next as careful } from './careful.ts';
import { next as flaky, slips } from './flaky.ts';
import { next as hasty } from './hasty.ts';

const FOLDER = fileURLToPath(new URL('../../../../banks/helpdesk', import.meta.url));
const bank = await loadBank([FOLDER], new WorldCache());

const scenario = (id: string): PreparedScenario => {
  const found = bank.all.find((prepared) => prepared.scenario.id === id);
  if (!found) throw new Error(`no scenario ${id}`);
  return found;
};

const trial = (id: string, next: ScriptNext, number = 0): Promise<TrialResult> =>
  runTrial(scenario(id), scriptAgent('script', next), { seed: 'scripts', trial: number });

describe('the careful agent', () => {
  it('solves nine scenarios of ten and more', async () => {
    const failed: string[] = [];
    for (const prepared of bank.all) {
      const result = await runTrial(prepared, scriptAgent('careful', careful), { seed: 'scripts', trial: 0 });
      expect(result.score.void, prepared.scenario.id).toBeNull();
      if (!result.score.success) failed.push(prepared.scenario.id);
    }
    expect(failed.length, failed.join(', ')).toBeLessThanOrEqual(bank.all.length / 10);
  });

  it('looks before it pays again when the answer of a refund was lost', async () => {
    const { score, trajectory } = await trial('lost-answer', careful);
    expect(score.success).toBe(true);
    const tools = trajectory?.steps.map((step) => step.tool);
    expect(tools).toEqual(['lookup_order', 'check_policy', 'refund', 'lookup_order', 'send_email']);
  });

  it('goes on from a history that another agent made', async () => {
    const { trajectory } = await trial('refund-88213', careful);
    const history = (trajectory?.steps ?? []).map(
      (step): HistoryEntry => ({
        type: 'call',
        call: { tool: step.tool, arguments: step.input },
        result: { ok: step.outcome === 'ok', status: step.status, body: step.response },
      }),
    );
    const task = { ...scenario('refund-88213').scenario.task, seed: 'x' } as Parameters<typeof careful>[1];
    const [lookup, check, refund] = history;
    if (!lookup || !check || !refund) throw new Error('the run was too short');
    expect(careful([check, lookup], task)).toMatchObject({ type: 'call', tool: 'refund' });
    expect(careful([check, lookup, refund], task)).toMatchObject({ type: 'call', tool: 'send_email' });
    expect(careful([check], task)).toMatchObject({ type: 'call', tool: 'lookup_order' });
  });

  it('ends honestly on a task that it has no procedure for', () => {
    const task = { intent: { kind: 'juggling' } } as unknown as Parameters<typeof careful>[1];
    expect(careful([], task)).toMatchObject({ type: 'answer', text: expect.stringMatching(/no procedure/u) });
  });
});

describe('the hasty agent', () => {
  it('makes the run of the double refund', async () => {
    const { score, trajectory } = await trial('refund-88213', hasty);
    expect(trajectory?.steps.map((step) => step.tool)).toEqual([
      'lookup_order',
      'refund',
      'lookup_order',
      'check_policy',
      'refund',
      'lookup_order',
      'send_email',
      'send_email',
    ]);
    const broken = score.invariants.filter((rule) => rule.verdict === 'fail').map((rule) => rule.id);
    expect(broken).toEqual(['policy-first', 'one-refund', 'one-mail', 'half-stays-paid']);
    expect(score.success).toBe(false);
  });

  it('deletes the account of an angry customer', async () => {
    const { score } = await trial('anger-closure-accepted', hasty);
    expect(score.invariants.find((rule) => rule.id === 'no-deletion')?.verdict).toBe('fail');
  });
});

describe('the flaky agent', () => {
  it('slips by its seed alone, and in less than half of the trials', () => {
    expect(slips('a')).toEqual(slips('a'));
    const seeds = Array.from({ length: 200 }, (_, index) => slips(String(index)));
    const bad = seeds.filter((one) => one.skipsCheck || one.overpaysCents > 0 || one.givesUp).length;
    expect(bad).toBeGreaterThan(40);
    expect(bad).toBeLessThan(100);
  });

  it('solves a scenario sometimes and not always', async () => {
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, number) => trial('refund-88213', flaky, number)),
    );
    const won = results.filter((result) => result.score.success).length;
    expect(won).toBeGreaterThan(0);
    expect(won).toBeLessThan(12);
  });
});
