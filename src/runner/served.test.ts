import { describe, expect, it } from 'vitest';
import { UsageError } from '../base/errors.ts';
import { openSession } from '../session/index.ts';
import { servedSource } from './served.ts';

const SCENARIO = 'helpdesk/refund-88213';

describe('servedSource', () => {
  it('opens the same environment for the same request, another one for another trial', async () => {
    const source = await servedSource({ scenarios: [SCENARIO] });
    const start = (trial: number) => openSession(source.open({ scenario: 'refund-88213', trial }).options);
    expect(start(1).world.fullDigest()).toBe(start(1).world.fullDigest());
    expect(start(1).world.fullDigest()).not.toBe(start(2).world.fullDigest());
    expect(start(1).world.contentDigest()).toBe(start(2).world.contentDigest());
  });

  it('scores by the scenario, also at another moment', async () => {
    const source = await servedSource({ scenarios: [SCENARIO] });
    for (const epochMs of [undefined, Date.UTC(2026, 2, 3)]) {
      const environment = source.open({
        scenario: 'refund-88213',
        ...(epochMs !== undefined && { epochMs }),
      });
      const idle = openSession(environment.options).finish({ reason: 'answer', answer: 'nothing done' });
      expect(idle.header.world.epochMs).toBe(environment.options.epochMs);
      expect(environment.score?.(idle)).toMatchObject({ success: false, void: null });
    }
  });

  it('takes wishes: actors, faults beside those of the scenario, budgets', async () => {
    const source = await servedSource({ services: ['notes'] });
    const rule = { id: 'r', match: {}, effect: { kind: 'response-lost' as const }, label: 'lost' };
    const { options } = source.open({
      services: ['notes/standard'],
      actors: [{ id: 'one' }, { id: 'two' }],
      faults: { rules: [rule] },
      budgets: { calls: 3 },
    });
    expect(options).toMatchObject({
      seeds: { notes: 'standard' },
      budgets: { calls: 3 },
      faults: { rules: [rule] },
    });
    expect(options.actors).toHaveLength(2);
  });

  it('serves variants of a family as choices of their own', async () => {
    const variants = { variants: 2, variantSeed: '7' };
    const { choices } = await servedSource({ scenarios: ['helpdesk'], variants });
    expect(choices.filter((id) => id.endsWith('~2'))).toHaveLength(3);
  });

  it('refuses what it does not serve', async () => {
    const source = await servedSource({ scenarios: [SCENARIO] });
    expect(() => source.open({ scenario: 'refund-88214' })).toThrow(UsageError);
    expect(() => source.open({ services: ['airline'] })).toThrow(UsageError);
    expect(() => source.open({ services: [] })).toThrow(UsageError);
    expect(source.open({ scenario: SCENARIO }).name).toBe('refund-88213');
    await expect(servedSource({ services: ['notes', 'notes/standard'] })).rejects.toThrow('named twice');
    await expect(servedSource({})).rejects.toThrow(UsageError);
    await expect(servedSource({ services: ['help'] })).rejects.toThrow(UsageError);
  });
});
