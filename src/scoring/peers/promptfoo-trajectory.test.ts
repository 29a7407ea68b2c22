import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import type { PromptfooCall } from './promptfoo-steps.ts';
import { promptfooAssert, promptfooFault } from './promptfoo-trajectory.ts';

const call = (tool: string, given?: Json): PromptfooCall => ({ tool, arguments: given });
const RUN = [
  call('search_orders', { query: 'broken', limit: 10, request_id: 'r1' }),
  call('check_policy', { order: { id: 7, tags: ['a', 'b'] } }),
  call('refund', { order: 7, sum: 20 }),
  call('refund', { order: 7, sum: 20 }),
  call('notify'),
];
const pass = (type: string, value: Json, calls: readonly PromptfooCall[] = RUN): boolean | null =>
  promptfooAssert({ type, value }, calls).pass;

describe('trajectory:tool-used', () => {
  it.each([
    ['refund', true],
    ['pay', false],
    ['REFUND', true],
    ['re*', true],
    ['refun?', true],
    ['fund', false],
    [['refund', 'notify'], true],
    [['refund', 'pay'], false],
    [{ name: 'refund', max: 1 }, false],
    [{ name: 'refund', min: 2, max: 2 }, true],
    [{ name: 'pay' }, false],
    [{ name: 'pay', min: 0, max: 0 }, true],
    [{ pattern: '*_*', name: 'nothing', min: 2 }, true],
    [{ name: 'refund', type: 'command' }, false],
  ] as const)('%j: %s', (value, expected) => expect(pass('trajectory:tool-used', value)).toBe(expected));

  it('turned round, a list means none of them', () => {
    expect(pass('not-trajectory:tool-used', ['pay', 'delete'])).toBe(true);
    expect(pass('not-trajectory:tool-used', ['pay', 'refund'])).toBe(false);
    expect(pass('trajectory:tool-used', ['pay', 'refund'])).toBe(false);
    expect(pass('not-trajectory:tool-used', { name: 'refund', max: 1 })).toBe(true);
  });

  it('sees calls of a shell as commands, which are no tools', () => {
    const shell = [call('shell', { command: ['git', 'status'] }), call('execute', { query: 'x' })];
    expect(pass('trajectory:tool-used', 'shell', shell)).toBe(false);
    expect(pass('trajectory:tool-used', 'execute', shell)).toBe(true);
    expect(pass('trajectory:step-count', { type: 'command', pattern: 'git*', min: 1 }, shell)).toBe(true);
    expect(pass('trajectory:step-count', { type: 'command', name: 'git', max: 1 }, shell)).toBe(true);
  });
});

describe('trajectory:tool-sequence', () => {
  it.each([
    [['search_orders', 'refund', 'notify'], true],
    [['refund', 'search_orders'], false],
    [['refund', 'refund'], true],
    [['refund', 'refund', 'refund'], false],
    [{ mode: 'exact', steps: ['search_orders', 'check_policy', 'refund', 'refund', 'notify'] }, true],
    [{ mode: 'exact', steps: ['search_orders', 'refund'] }, false],
    [{ mode: 'in_order', steps: [{ pattern: 'search_*' }, { name: 'notify' }] }, true],
  ] as const)('%j: %s', (value, expected) =>
    expect(pass('trajectory:tool-sequence', value as Json)).toBe(expected),
  );

  it('turned round', () =>
    expect(pass('not-trajectory:tool-sequence', ['refund', 'search_orders'])).toBe(true));
});

describe('trajectory:tool-args-match', () => {
  const search = (rest: Record<string, Json>): Json => ({ name: 'search_orders', ...rest });
  it.each([
    [search({ args: { query: 'broken' } }), true],
    [search({ arguments: { query: 'broken' } }), true],
    [search({ args: { query: 'whole' } }), false],
    [search({ args: { query: 'broken' }, mode: 'exact' }), false],
    [search({ args: { query: 'broken' }, mode: 'exact', defaults: { limit: 10 }, ignore: '*_id' }), true],
    [search({ args: { query: 'broken' }, mode: 'exact', defaults: { limit: 5 }, ignore: '*_id' }), false],
    [search({ args: { query: 'broken', request_id: 'other' }, ignore: ['request_id'] }), true],
    [search({ args: { query: 'broken', limit: 10 }, defaults: { limit: 10 } }), false],
    [{ name: 'check_policy', args: { order: { id: 7 } } }, true],
    [{ name: 'check_policy', args: { order: { tags: ['a'] } } }, false],
    [{ name: 'check_policy', args: { order: { tags: ['a', 'b'] } } }, true],
    [{ name: 'refund', args: { order: '7' } }, false],
    [{ name: 'notify', args: {} }, false],
    [{ pattern: '*', args: { sum: 20 } }, true],
  ])('%j: %s', (value, expected) => expect(pass('trajectory:tool-args-match', value)).toBe(expected));

  it('reads text as JSON, and takes what is none as it is', () => {
    const texts = [call('a', '{"x": 1}'), call('b', ' not json '), call('c', ' '), call('d', null)];
    expect(pass('trajectory:tool-args-match', { name: 'a', args: { x: 1 } }, texts)).toBe(true);
    expect(pass('trajectory:tool-args-match', { name: 'b', args: 'not json' }, texts)).toBe(true);
    for (const name of ['c', 'd']) {
      expect(pass('trajectory:tool-args-match', { name, args: {} }, texts)).toBe(false);
    }
  });
});

describe('counts', () => {
  it('step-count has an answer for calls alone', () => {
    expect(pass('trajectory:step-count', { type: 'tool', max: 5 })).toBe(true);
    expect(pass('trajectory:step-count', { type: ['tool', 'command'], min: 6 })).toBe(false);
    expect(pass('not-trajectory:step-count', { type: 'tool', max: 4 })).toBe(true);
    expect(promptfooAssert({ type: 'trajectory:step-count', value: { max: 5 } }, RUN)).toMatchObject({
      pass: null,
      score: null,
    });
  });

  it('tool-call-f1 takes a list or a text with commas, and a threshold', () => {
    const value = 'search_orders, check_policy, refund, pay';
    const found = promptfooAssert({ type: 'tool-call-f1', value, threshold: 0.7 }, RUN);
    expect([found.pass, found.score]).toEqual([true, 0.75]);
    expect(promptfooAssert({ type: 'tool-call-f1', value: value.split(',') }, RUN).pass).toBe(false);
    expect(promptfooAssert({ type: 'not-tool-call-f1', value }, RUN).pass).toBe(true);
  });
});

describe('assertions that promptfoo refuses', () => {
  it.each([
    [{ type: 'trajectory:goal-success', value: 'refund' }, 'the type must be one of'],
    [{ type: 'trajectory:tool-used', value: [] }, 'at least one tool'],
    [{ type: 'trajectory:tool-used', value: { min: 1 } }, 'name or pattern'],
    [{ type: 'trajectory:tool-used' }, 'name or pattern'],
    [{ type: 'trajectory:tool-sequence', value: { steps: [] } }, 'at least one step'],
    [{ type: 'trajectory:tool-sequence', value: ['a', { type: 'tool' }] }, 'step 2'],
    [{ type: 'trajectory:tool-args-match', value: { name: 'a' } }, 'args or arguments'],
    [{ type: 'trajectory:tool-args-match', value: { name: 'a', args: 1, mode: 'some' } }, 'mode'],
    [{ type: 'trajectory:tool-args-match', value: { name: 'a', args: 1, ignore: [' '] } }, 'ignore'],
    [{ type: 'trajectory:step-count', value: { type: 'tool' } }, 'min or max'],
    [{ type: 'tool-call-f1', value: ' , ' }, 'at least one tool'],
  ])('%j', (assertion, message) => expect(promptfooFault(assertion)).toContain(message));

  it('and those it takes', () => {
    expect(promptfooFault({ type: 'not-trajectory:tool-used', value: 'a' })).toBeNull();
    expect(
      promptfooFault({ type: 'trajectory:tool-args-match', value: { name: 'a', args: null } }),
    ).toBeNull();
  });
});
