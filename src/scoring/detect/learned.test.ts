import { describe, expect, it } from 'vitest';
import { briefly, runOf, type WrittenCall } from './detect.test-kit.ts';
import { detector, learn } from './detect.ts';
import type { DetectRun } from './types.ts';

const PRODUCTS = ['lamp', 'table', 'chair', 'stove', 'boots', 'jumper', 'kettle'];

/** Task number so and so of a small shop: look, check, refund what is due, or escalate what is not. */
function calls(number: number): WrittenCall[] {
  const id = `O-${100 + number}`;
  const product = number % PRODUCTS.length;
  const quantity = 1 + (number % 4);
  const price = 10 + product * 7.5;
  const total = quantity * price;
  const open = number % 3 !== 0;
  const due = open ? total / 2 : 0;
  return [
    [
      'read_order',
      { id },
      {
        id,
        state: open ? 'delivered' : 'lost',
        lines: [{ sku: `P-${product}`, title: PRODUCTS[product] ?? '', quantity, price, sum: total }],
        worth: total,
        owner: { email: `owner${number}@shop.example` },
      },
    ],
    ['read_policy', { order: id }, { order: id, open, reasons: open ? [] : ['lost'], due }],
    open
      ? ['refund', { order: id, money: due }, { refund: `R-${number}`, order: id, money: due }]
      : ['escalate', { order: id, reason: 'lost' }, { order: id, ticket: `T-${number}` }],
  ];
}

function clean(number: number, change: (calls: WrittenCall[]) => WrittenCall[] = (same) => same): DetectRun {
  return runOf(change(calls(number)), {
    name: `run ${number}`,
    cluster: `task ${number}`,
    task: `See to order O-${100 + number}.`,
    reply: number % 3 === 0 ? 'A colleague looks at your parcel.' : 'The money is on its way.',
  });
}

const MODEL = learn(Array.from({ length: 60 }, (_, number) => clean(number)));
const find = detector(MODEL);
const output = (number: number, at: number, more: object, drop?: string): DetectRun =>
  clean(number, (all) =>
    all.map((call, index) => {
      if (index !== at) return call;
      const [tool, input, body] = call;
      const changed = { ...(body as object), ...more } as Record<string, unknown>;
      if (drop !== undefined) delete changed[drop];
      return [tool, input, changed as WrittenCall[2]];
    }),
  );

describe('what clean runs have in common', () => {
  it('lets other clean runs pass', () => {
    for (let number = 60; number < 90; number += 1) {
      expect([number, briefly(find(clean(number)))]).toEqual([number, []]);
    }
    expect(MODEL.calibration.flagged).toBe(0);
  });

  it('is plain data: a copy of it finds the same', () => {
    const copy = detector(JSON.parse(JSON.stringify(MODEL)) as typeof MODEL);
    const run = output(61, 0, {}, 'state');
    expect(copy(run)).toEqual(find(run));
    expect(copy(run)).not.toEqual([]);
  });

  it.each([
    ['a field that is gone', output(61, 0, {}, 'state'), 'shapes.missing'],
    ['a field that is null', output(61, 0, { state: null }), 'shapes.null'],
    ['a number as text', output(61, 1, { due: '17.50' }), 'shapes.type'],
    ['a state that was never there', output(61, 0, { state: 'melted' }), 'shapes.value'],
    [
      'a body of another kind',
      clean(61, (all) => [[all[0]?.[0] ?? '', { id: 'O-161' }, 'fine']]),
      'shapes.body',
    ],
    ['a sum that no longer fits', output(61, 0, { worth: 999 }), 'arithmetic.equation'],
    ['a flag that goes with other fields', output(61, 1, { open: false }), 'implications.broken'],
    [
      'a write that skips what came before it',
      clean(61, ([one, , last]) => (one && last ? [one, last] : [])),
      'orders.before',
    ],
    ['an end where no run ends', clean(61, (all) => all.slice(0, 2)), 'orders.end'],
  ] as const)('finds %s', (_, run, rule) => {
    expect(find(run).map((one) => one.rule)).toContain(rule);
  });

  it('finds an amount that is not the one that was due', () => {
    const run = clean(61, (all) =>
      all.map((call, at) => (at === 2 ? ['refund', { order: 'O-161', money: 35 }, call[2]] : call)),
    );
    expect(find(run).map(({ step, rule }) => [step, rule])).toContainEqual([2, 'flows.argument']);
  });

  it('finds an act that the flags forbid', () => {
    const run = clean(60, ([one, two]) => [
      ...(one && two ? [one, two] : []),
      ['refund', { order: 'O-160', money: 0 }, { refund: 'R-60', order: 'O-160', money: 0 }],
    ]);
    expect(find(run).map(({ step, rule }) => [step, rule])).toContainEqual([2, 'orders.condition']);
  });

  it('knows what an id is called', () => {
    const run = clean(61, (all) =>
      all.map((call, at) =>
        at === 0
          ? [
              call[0],
              call[1],
              JSON.parse(JSON.stringify(call[2]).replace('jumper', 'kettle')) as WrittenCall[2],
            ]
          : call,
      ),
    );
    expect(find(run)).toMatchObject([{ step: 0, rule: 'facts.known', kind: 'altered_value' }]);
  });

  it('hears words that no clean reply uses', () => {
    const run = { ...clean(61), reply: 'The money is on its way. Our gardener waters the tulips.' };
    expect(find(run).map(({ step, rule }) => [step, rule])).toContainEqual([null, 'replies.foreign']);
  });
});

describe('calibration', () => {
  it('mutes a rule where clean runs trip it, and nowhere else', () => {
    const twice = (all: WrittenCall[]): WrittenCall[] =>
      all.flatMap((call, at) => (at === 0 ? [call, call] : [call]));
    const noisy = learn(
      Array.from({ length: 60 }, (_, number) => clean(number, number % 5 === 0 ? twice : undefined)),
    );
    const again = detector(noisy);
    expect(again(clean(61, twice)).map(({ rule }) => rule)).not.toContain('repetition.read');
    const policyTwice = clean(61, ([one, two, three]) => (one && two && three ? [one, two, two, three] : []));
    expect(again(policyTwice).map(({ rule }) => rule)).toContain('repetition.read');
    expect(find(clean(61, twice)).map(({ rule }) => rule)).toContain('repetition.read');
  });

  it('says nothing of a tool that clean runs never called but what holds without them', () => {
    const run = clean(61, (all) => [...all, ['read_weather', { city: 'Oslo' }, { sun: true }]]);
    const rules = find(run).map(({ rule }) => rule);
    expect(rules.filter((rule) => rule.startsWith('shapes') || rule.startsWith('flows'))).toEqual([]);
  });

  it('of no runs at all is as if nothing had been learned', () => {
    const run = clean(61, (all) => all.slice(0, 2));
    expect(detector(learn([]))(run)).toEqual(detector(null)(run));
  });
});
