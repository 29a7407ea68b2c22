import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { matchCalls } from '../calls.ts';
import { adkTrajectoryScore, adkTurnScore } from './adk.ts';
import { agentevalsStrict, agentevalsSubset, agentevalsSuperset, agentevalsUnordered } from './agentevals.ts';
import { deepevalExact, deepevalOrdering, deepevalToolCorrectness } from './deepeval.ts';
import { promptfooToolCallF1 } from './promptfoo.ts';
import { ragasToolCallAccuracy, ragasToolCallF1 } from './ragas.ts';
import type { PeerCall } from './types.ts';

const call = (tool: string, args: JsonObject = {}): PeerCall => ({ tool, arguments: args });

function ours(run: readonly PeerCall[], reference: readonly PeerCall[]): [number, number, number] {
  const compared = (calls: readonly PeerCall[]) =>
    calls.map((one) => ({ tool: one.tool, input: one.arguments }));
  return [matchCalls(compared(run), compared(reference)).matched, run.length, reference.length];
}

// Each peer's behaviour is kept as it is, and ours beside it.
describe('known defects of peers, and ours beside them', () => {
  const twice = [call('s', { q: 1 }), call('s', { q: 1 })];

  it('equal calls repeated', () => {
    expect(deepevalToolCorrectness(twice, twice)).toBe(0.5);
    expect(ours(twice, twice)).toEqual([2, 2, 2]);
  });

  it('surplus calls', () => {
    const run = [...twice, call('delete_everything')];
    const reference = [call('s', { q: 1 })];
    expect(deepevalToolCorrectness(run, reference)).toBe(1);
    expect(agentevalsSuperset(run, reference)).toBe(true);
    expect(ours(run, reference)).toEqual([1, 3, 1]);
  });

  it('lists and objects as arguments, and repeats in sets', () => {
    const run = [call('s', { q: [1, { a: 2 }] }), call('s', { q: [1, { a: 2 }] })];
    expect(ragasToolCallF1(run, run.slice(1))).toBe(1);
    expect(promptfooToolCallF1(run, run.slice(1))).toBe(1);
    expect(ours(run, run.slice(1))).toEqual([1, 2, 1]);
  });

  it('numbers and their texts', () => {
    expect(ragasToolCallAccuracy([call('s', { q: 1 })], [call('s', { q: '1' })])).toBe(1);
    expect(ours([call('s', { q: 1 })], [call('s', { q: '1' })])).toEqual([0, 1, 1]);
  });

  it('a reference call without arguments', () => {
    expect(ragasToolCallAccuracy([call('s', { q: 1 })], [call('s')])).toBe(0);
    expect(ragasToolCallAccuracy([call('s')], [call('s')])).toBe(1);
  });

  it('greedy pairing', () => {
    const reference = [call('s', { q: 'a' }), call('s', { q: 'a', limit: 5 })];
    const run = [...reference].reverse();
    expect(agentevalsSuperset(run, reference, 'superset')).toBe(false);
    expect(ours(run, reference)).toEqual([2, 2, 2]);
  });

  it('one-sided arguments in unordered and subset mode', () => {
    const [run, reference] = [[call('s', { q: 1, k: 2 })], [call('s', { q: 1 })]];
    expect(agentevalsSuperset(run, reference, 'superset')).toBe(true);
    expect(agentevalsUnordered(run, reference, 'superset')).toBe(false);
    expect(agentevalsSubset(run, reference, 'superset')).toBe(false);
    expect(agentevalsSubset(run, reference, 'subset')).toBe(true);
  });

  it('turns that only one side has', () => {
    expect(adkTrajectoryScore([[call('a')]], [[call('a')], [call('b')]], { match: 'exact' })).toBe(1);
    expect(adkTrajectoryScore([], [[call('b')]], { match: 'exact' })).toBeNull();
  });
});

describe('definitions beyond the litmus', () => {
  it('agentevals: argument modes and turns', () => {
    expect(agentevalsStrict([[call('a', { x: 1 })]], [[call('a', { x: 2 })]], 'ignore')).toBe(true);
    expect(agentevalsStrict([[call('a'), call('b')]], [[call('b'), call('a')]])).toBe(true);
    expect(agentevalsStrict([[call('a')], [call('b')]], [[call('a'), call('b')]])).toBe(false);
  });

  it('deepeval: partial credit for members, within objects too', () => {
    const run = [call('a', { x: 1, y: { p: 1, q: 2 } })];
    const expected = [call('a', { x: 1, y: { p: 1, q: 3 } })];
    expect(deepevalToolCorrectness(run, expected, 'parameters')).toBe(0.75);
    expect(deepevalOrdering(run, expected, 'parameters')).toBe(0.75);
    expect(deepevalExact(run, expected)).toBe(1);
    expect([deepevalToolCorrectness([], []), deepevalToolCorrectness(run, [])]).toEqual([1, 0]);
    expect(deepevalToolCorrectness([call('a')], [call('a')], 'parameters')).toBe(1);
  });

  it('ADK: names alone', () => {
    const options = { match: 'any-order', ignoreArguments: true } as const;
    expect(adkTurnScore([call('b', { x: 1 }), call('a')], [call('a'), call('b')], options)).toBe(1);
    expect(adkTurnScore([call('a')], [call('a'), call('a')], options)).toBe(0);
  });

  it('F1 of nothing shared is 0', () => {
    expect(ragasToolCallF1([call('a')], [call('b')])).toBe(0);
    expect(promptfooToolCallF1([], [call('b')])).toBe(0);
  });
});
