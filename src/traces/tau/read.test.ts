import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.ts';
import { parseTauFile } from './read.ts';

const call = { id: 'c1', type: 'function', function: { name: 'think', arguments: '{"thought": "hm"}' } };
const run = {
  task_id: 3,
  trial: 1,
  reward: 1.0,
  info: {
    task: {
      user_id: 'u',
      actions: [{ name: 'think', kwargs: { n: 1 } }],
      instruction: 'You are u.',
      outputs: ['1000'],
    },
    reward_info: { reward: 1, info: { r_actions: 1, gt_data_hash: 'abc' } },
  },
  traj: [
    { role: 'system', content: 'policy' },
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: 'let me see', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', name: 'think', content: '' },
    { role: 'assistant', content: 'it is 1,000' },
    { role: 'user', content: 'thanks ###STOP###' },
  ],
};
const text = JSON.stringify([run]);

function refusalOf(content: string): UsageError {
  try {
    parseTauFile('runs.json', content);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('parseTauFile', () => {
  it('reads a run', () => {
    const file = parseTauFile('runs.json', text);
    expect(file).toEqual({
      kind: 'runs',
      runs: [
        {
          file: 'runs.json',
          taskId: 3,
          trial: 1,
          reward: 1,
          instruction: 'You are u.',
          actions: [{ name: 'think', kwargs: { n: 1 } }],
          outputs: ['1000'],
          goldHash: 'abc',
          calls: [{ name: 'think', argumentsText: '{"thought": "hm"}', output: '' }],
          turns: [
            { kind: 'say', role: 'user', text: 'hello' },
            { kind: 'call', call: 0 },
            { kind: 'say', role: 'agent', text: 'it is 1,000' },
            { kind: 'say', role: 'user', text: 'thanks ###STOP###' },
          ],
          said: ['it is 1,000'],
          userStopped: true,
        },
      ],
    });
  });

  it('reads a replay', () => {
    const replay = {
      domain: 'airline',
      initial_hash: 'i',
      gold_hashes: { '3': 'g' },
      runs: [{ task_id: 3, trial: 1, final_hash: 'f' }],
    };
    expect(parseTauFile('replay.json', JSON.stringify(replay))).toEqual({
      kind: 'replay',
      replay: {
        file: 'replay.json',
        domain: 'airline',
        initialHash: 'i',
        goldHashes: { '3': 'g' },
        runs: [{ taskId: 3, trial: 1, finalHash: 'f' }],
      },
    });
  });

  it.each([
    ['a file cut short', text.slice(0, -20), /^runs\.json: not JSON/u],
    [
      'an object of something else',
      '{"orders": {}}',
      /^runs\.json: expected a JSON array of tau-bench runs/u,
    ],
    ['runs of version 2', '{"simulations": []}', /^runs\.json: these are runs of version 2/u],
    ['a list of numbers', '[1]', /^runs\.json: \[0\]: expected an object/u],
    ['a run without messages', JSON.stringify([{ ...run, traj: 4 }]), /\[0\]\.traj: expected a list/u],
    [
      'a run without a task',
      JSON.stringify([{ ...run, info: {} }]),
      /\[0\]\.info\.task: expected an object/u,
    ],
    ['a reward in words', JSON.stringify([{ ...run, reward: 'one' }]), /\[0\]\.reward: expected a number/u],
    [
      'an answer to no call',
      JSON.stringify([{ ...run, traj: [{ role: 'tool', tool_call_id: 'x', content: '' }] }]),
      /\[0\]\.traj\[0\]\.tool_call_id: expected the id of a call made before/u,
    ],
    ['a replay of wrong hashes', '{"gold_hashes": {"3": 4}}', /gold_hashes\.3: expected a text/u],
  ])('refuses %s', (_name, content, message) => {
    expect(refusalOf(content).describe()).toMatch(message);
  });

  it('gives a UsageError for anything else', () => {
    const mutated = fc.tuple(fc.nat(text.length - 1), fc.string({ maxLength: 3 })).map(([at, piece]) => {
      return text.slice(0, at) + piece + text.slice(at + piece.length + 1);
    });
    const anything = fc.oneof(mutated, fc.json(), fc.string());
    fc.assert(
      fc.property(anything, (content) => {
        try {
          parseTauFile('runs.json', content);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
