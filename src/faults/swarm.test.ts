import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PlanScope, planProblems } from './check.ts';
import { EFFECTS, type EffectKind } from './effects.ts';
import { type SwarmOptions, swarm } from './swarm.ts';
import { faultPlanFile } from './types.ts';

const KINDS = Object.keys(EFFECTS) as EffectKind[];
const COLUMNS: Readonly<Record<string, readonly string[]>> = { 'desk.orders': ['order_id', 'status'] };
const SCOPE: PlanScope = {
  tools: new Map([
    ['lookup_order', { effect: 'read', operations: ['orders.get'], parameters: ['order_id'] }],
    ['refund', { effect: 'write', operations: ['refunds.create'], parameters: null }],
  ]),
  operations: new Map([
    ['orders.get', 'read'],
    ['refunds.create', 'write'],
  ]),
  columnsOf: (table) => COLUMNS[table] ?? null,
  tableNames: Object.keys(COLUMNS),
  callsMost: 9,
};
const OPTIONS: SwarmOptions = {
  seed: 'a',
  count: 400,
  scope: SCOPE,
  fields: { lookup_order: ['status', 'lines.*.amount'] },
  tables: [
    {
      name: 'desk.orders',
      key: ['order_id'],
      rows: [
        { order_id: '1', status: 'open' },
        { order_id: '2', status: 'shipped' },
      ],
    },
  ],
};

describe('a swarm of fault plans', () => {
  it('is the same for the same options, and its first plans for any count', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 12 }), (seed, count) => {
        const plans = swarm({ ...OPTIONS, seed, count });
        expect(swarm({ ...OPTIONS, seed, count })).toEqual(plans);
        expect(swarm({ ...OPTIONS, seed, count: count + 3 }).slice(0, count)).toEqual(plans);
      }),
    );
  });

  it('differs by the seed', () => {
    expect(swarm({ ...OPTIONS, seed: 'b' })).not.toEqual(swarm(OPTIONS));
  });

  it('holds only plans that are right, in the form of files, with as many rules as asked at most', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 5 }), (seed, maxRules) => {
        for (const plan of swarm({ ...OPTIONS, seed, count: 8, maxRules })) {
          expect(planProblems(plan, SCOPE)).toEqual([]);
          expect(plan.rules.length).toBeLessThanOrEqual(maxRules);
          expect(faultPlanFile.parse({ plans: [plan] })).toEqual({ plans: [plan] });
        }
      }),
    );
  });

  it('reaches every kind of effect', () => {
    const drawn = new Set(swarm(OPTIONS).flatMap(({ rules }) => rules.map(({ effect }) => effect.kind)));
    expect([...drawn].sort()).toEqual([...KINDS].sort());
  });

  it('keeps to kinds and tools that are asked for', () => {
    const kinds: EffectKind[] = ['reject', 'response-lost'];
    const plans = swarm({ ...OPTIONS, kinds, tools: ['refund'] });
    for (const { effect, match } of plans.flatMap(({ rules }) => rules)) {
      expect(kinds).toContain(effect.kind);
      expect(match.tool ?? 'refund').toBe('refund');
    }
  });

  it('names a tool with a field of its own where an effect needs one', () => {
    const plans = swarm({ ...OPTIONS, kinds: ['field-removed'], tools: ['lookup_order'] });
    const paths = plans.flatMap(({ rules }) => rules.map(({ effect }) => 'path' in effect && effect.path));
    expect(new Set(paths)).toEqual(new Set(['status', 'lines.*.amount']));
  });

  it('says so when nothing can be drawn', () => {
    const options = { ...OPTIONS, kinds: ['write-dropped' as const], tools: ['lookup_order'] };
    expect(() => swarm(options)).toThrow(/none of the kinds/u);
  });
});
