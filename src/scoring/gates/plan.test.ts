import { describe, expect, it } from 'vitest';
import { many, trialsOf } from './gates.test-kit.ts';
import { planGate } from './plan.ts';
import { spendAlpha } from './spending.ts';
import type { GateProfile } from './types.ts';

const PILOT = trialsOf({
  outcomes: {
    ...many(15, '1111', 'always'),
    ...many(10, '1101', 'mostly'),
    ...many(10, '10x0', 'seldom'),
    ...many(5, '0000', 'never'),
  },
});

const plan = (profile: Partial<GateProfile>, pairs = 1_000) =>
  planGate({ falseAlarms: 0.05, ...profile }, PILOT, { k: 4, seed: 'plan', pairs });

describe('planGate', () => {
  it('of a gate that blocks on evidence alone keeps its stated rate over 1,000 equal pairs', () => {
    const { refused, falseAlarms, verdicts, pairs } = plan({
      harm: { confidence: 0.95 },
      scenarios: { alpha: 0.025 },
    });
    expect(pairs).toBe(1_000);
    expect(falseAlarms.rate).toBeLessThanOrEqual(0.05);
    expect(falseAlarms.rate).toBeGreaterThan(0);
    expect(refused).toBe(false);
    expect(verdicts.pass + verdicts.fail + verdicts.inconclusive).toBe(1_000);
  });

  it('refuses one that equal agents would fail more often, and says by which check', () => {
    const found = plan({ falseAlarms: 0.01, harm: { confidence: 0.5 } }, 300);
    expect(found).toMatchObject({ refused: true, stated: 0.01, failedChecks: [{ check: 'harm' }] });
    expect(found.falseAlarms.rate).toBeGreaterThan(0.15);
  });

  it('names a margin that four of five pairs pass, smaller with more trials', () => {
    const margin = (k: number) =>
      planGate({ falseAlarms: 0.05, harm: { confidence: 0.95 } }, PILOT, { k, seed: 'm', pairs: 200 })
        .smallestMargin;
    const [few, some] = [margin(2), margin(8)];
    expect(some).toBeLessThan(few ?? 0);
    const profile = { noninferiority: { margin: (some ?? 0) + 1e-9, confidence: 0.95 } };
    const { verdicts } = planGate({ falseAlarms: 0.05, ...profile }, PILOT, { k: 8, seed: 'm', pairs: 200 });
    expect(verdicts.pass).toBeGreaterThanOrEqual(160);
  });

  it('is the same for the same seed, and says what it assumes of a pilot of single trials', () => {
    expect(plan({ harm: { confidence: 0.95 } }, 50)).toEqual(plan({ harm: { confidence: 0.95 } }, 50));
    const single = planGate(
      { falseAlarms: 0.05, harm: { confidence: 0.95 } },
      trialsOf({ outcomes: many(9, '1') }),
      {
        k: 2,
        seed: 's',
        pairs: 50,
      },
    );
    expect(single.model).toContain('Jeffreys');
  });
});

describe('spendAlpha', () => {
  it('spends little early, all in the end', () => {
    const parts = spendAlpha(4, 0.05);
    // 2(1 − Φ(1.959964/√t)) at t = ¼, ½, ¾, 1.
    expect(parts[0]).toBeCloseTo(0.0000886, 6);
    expect((parts[0] ?? 0) + (parts[1] ?? 0)).toBeCloseTo(0.005575, 5);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(0.05, 10);
    expect(spendAlpha(1, 0.05)).toEqual([0.05]);
  });

  it('refuses what cannot be', () => {
    expect(() => spendAlpha(0, 0.05)).toThrow(RangeError);
    expect(() => spendAlpha(2, 1)).toThrow(RangeError);
    expect(() => spendAlpha(1.5, 0.05)).toThrow(RangeError);
  });
});
