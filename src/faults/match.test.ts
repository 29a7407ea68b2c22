import { describe, expect, it } from 'vitest';
import { WORLD } from '../../test/episodes.ts';
import {
  type DueRule,
  dueRules,
  type FaultPlan,
  type FaultProgress,
  type FaultRule,
  type FaultSubject,
  startFaults,
  struckBy,
} from './index.ts';

function at(step: number, tool: string, clockMs = 0): FaultSubject {
  return { step, tool, operations: [], input: {}, credential: null, world: WORLD.advance(clockMs) };
}

/** What strikes when the first rule that is due can change the call. */
function strike(
  plan: FaultPlan | undefined,
  progress: FaultProgress,
  subject: FaultSubject,
): { progress: FaultProgress; strike: DueRule | null } {
  const met = dueRules(plan, progress, subject);
  const [first = null] = met.due;
  return { progress: first ? struckBy(met.progress, first, subject) : met.progress, strike: first };
}

const LOST = { kind: 'response-lost' } as const;
const rule = (id: string, match: FaultRule['match'], hits?: number): FaultRule => ({
  id,
  match,
  effect: LOST,
  label: id,
  ...(hits !== undefined && { hits }),
});

/** Which rule strikes each of these calls, with its hit. */
function struck(rules: readonly FaultRule[], tools: readonly string[]): (string | null)[] {
  const plan: FaultPlan = { rules };
  let progress = startFaults(plan);
  return tools.map((tool, step) => {
    const result = strike(plan, progress, at(step, tool));
    progress = result.progress;
    return result.strike && `${result.strike.rule.id}${result.strike.hit}`;
  });
}

describe('strike', () => {
  it('strikes the first matching call once, and no other', () => {
    expect(struck([rule('r', { tool: 'b' })], ['a', 'b', 'b'])).toEqual([null, 'r1', null]);
    expect(struck([rule('r', { step: 2 })], ['a', 'b', 'b', 'b'])).toEqual([null, null, 'r1', null]);
    expect(struck([rule('r', { step: 1, tool: 'x' })], ['a', 'b'])).toEqual([null, null]);
    expect(struck([rule('r', {})], ['a', 'b'])).toEqual(['r1', null]);
  });

  it('counts occurrences from one and strikes from there on, as often as it may', () => {
    expect(struck([rule('r', { tool: 'a', occurrence: 2 }, 2)], ['a', 'b', 'a', 'a', 'a'])).toEqual([
      null,
      null,
      'r1',
      'r2',
      null,
    ]);
  });

  it('lets one rule strike a call, while the others still count it', () => {
    const rules = [rule('one', { tool: 'a' }), rule('two', { tool: 'a', occurrence: 2 })];
    expect(struck(rules, ['a', 'a', 'a'])).toEqual(['one1', 'two1', null]);
    const both = [rule('one', { tool: 'a' }), rule('two', { tool: 'a' })];
    expect(struck(both, ['a', 'a', 'a'])).toEqual(['one1', 'two1', null]);
  });

  it('does nothing without a plan, and never changes the progress it is given', () => {
    expect(strike(undefined, [], at(0, 'a'))).toEqual({ progress: [], strike: null });
    const plan = { rules: [rule('r', { tool: 'a' })] };
    const start = startFaults(plan);
    strike(plan, start, at(0, 'a'));
    expect(start).toEqual([{ met: 0, hits: 0 }]);
  });

  it('goes on striking until the time it asked for has passed, where it holds', () => {
    const effect = { kind: 'reject', status: 429, retryAfterSeconds: 2, holds: true } as const;
    const plan: FaultPlan = { rules: [{ id: 'r', match: { tool: 'a' }, effect, label: 'r' }] };
    let progress = startFaults(plan);
    const hits = [0, 500, 1_999, 2_000, 9_000].map((clockMs, step) => {
      const result = strike(plan, progress, at(step, 'a', clockMs));
      progress = result.progress;
      return result.strike?.hit ?? null;
    });
    expect(hits).toEqual([1, 2, 3, null, null]);
  });
});
