import { describe, expect, it } from 'vitest';
import type { ChangeRecord } from '../trajectory/types.ts';
import { checkMilestones } from './milestones.ts';
import { type SyntheticStep, syntheticTrajectory } from './synthetic.ts';
import type { Milestone } from './types.ts';

const set = (column: string, from: number, to: number): ChangeRecord => ({
  op: 'update',
  table: 's.t',
  key: 'k',
  cells: { [column]: { from, to } },
});
const step = (...diff: ChangeRecord[]): SyntheticStep => ({ tool: 't', input: {}, diff });
const milestone = (id: string, column: string, after?: string[]): Milestone => ({
  id,
  ...(after ? { after } : {}),
  expect: [set(column, 0, 1)],
});

function check(milestones: readonly Milestone[], steps: readonly SyntheticStep[]): string[] {
  const options = { shape: {}, mask: [] };
  return checkMilestones(milestones, syntheticTrajectory(steps).steps, options).map(
    (witness) => witness.message,
  );
}

describe('checkMilestones', () => {
  it('asks only that the state held after some step, with whatever else', () => {
    expect(
      check([milestone('a', 'x')], [step(set('x', 0, 1), set('y', 0, 5)), step(set('x', 1, 2))]),
    ).toEqual([]);
    expect(check([milestone('a', 'x')], [step(set('x', 0, 2))])).toEqual([
      'milestone a not reached: s.t "k": x is 2, expected 1',
    ]);
    expect(check([milestone('a', 'x')], [])).toHaveLength(1);
  });

  it('holds milestones to their order; the same step will do', () => {
    const both = [milestone('b', 'y', ['a']), milestone('a', 'x')];
    expect(check(both, [step(set('x', 0, 1)), step(set('y', 0, 1))])).toEqual([]);
    expect(check(both, [step(set('x', 0, 1), set('y', 0, 1))])).toEqual([]);
    const turned = [step(), step(set('y', 0, 1)), step(set('x', 0, 1))];
    expect(check(both, turned)).toEqual(['milestone b held after step 1 already, a only after step 2']);
    const undone = [step(set('y', 0, 1)), step(set('y', 1, 0)), step(set('x', 0, 1)), step(set('y', 0, 1))];
    expect(check(both, undone)).toEqual(['milestone b held after step 0 already, a only after step 2']);
    expect(check(both, [step(set('y', 0, 1))])).toEqual([
      'milestone a not reached: s.t "k": x did not change, expected 1',
      'milestone b held after step 0, and a, which comes before it, never did',
    ]);
  });

  it('names both steps of a wrong order, and every predecessor that came too late', () => {
    const three = [milestone('a', 'x'), milestone('b', 'y'), milestone('c', 'z', ['a', 'b'])];
    const steps = [step(set('z', 0, 1)), step(set('x', 0, 1)), step(set('y', 0, 1))];
    const options = { shape: {}, mask: [] };
    expect(checkMilestones(three, syntheticTrajectory(steps).steps, options)).toMatchObject([
      { steps: [0, 1], expected: { after: 'a' }, got: { c: 0, a: 1 } },
      { steps: [0, 2], expected: { after: 'b' }, got: { c: 0, b: 2 } },
    ]);
    expect(check(three, [...steps.slice(1), ...steps.slice(0, 1)])).toEqual([]);
  });

  it('throws for an order that cannot be', () => {
    expect(() => check([milestone('a', 'x', ['b']), milestone('b', 'x', ['a'])], [])).toThrow(RangeError);
    expect(() => check([milestone('a', 'x', ['z'])], [])).toThrow(/unknown z/);
  });
});
