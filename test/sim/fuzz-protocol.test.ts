import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentFailure } from '../../src/runner/agent-failure.ts';
import { parseMessage } from '../../src/runner/agents/protocol.ts';
import { loadBank } from '../../src/runner/bank.ts';
import { runTrial } from '../../src/runner/execute.ts';
import type { PreparedScenario } from '../../src/runner/prepare.ts';
import type { Agent } from '../../src/runner/types.ts';
import { WorldCache } from '../../src/runner/worlds.ts';
import { replayTrajectory } from '../../src/session/index.ts';
import { readTrajectory } from '../../src/trajectory/index.ts';
import { TINY, writeTinyBank } from '../tiny-bank.ts';
import { damagedBytes, damagedJson } from './mutations.ts';

const RUNS = Number(process.env.FUZZ_RUNS ?? 2_000);

const MESSAGES: readonly object[] = [
  { type: 'call', id: 1, tool: 'lookup_order', arguments: { order_id: '10034' }, waitMs: 10 },
  { type: 'call', id: 'x', tool: 'check_policy', arguments: '{"order_id": "10034"}' },
  {
    type: 'calls',
    id: null,
    calls: [
      { tool: 'lookup_order', arguments: {} },
      { tool: 'refund', arguments: { amount: 1 } },
    ],
  },
  { type: 'say', text: 'hello' },
  { type: 'final', answer: 'done', usage: { cost: 1, inputTokens: 2, outputTokens: 3 } },
];

const line = fc.oneof(
  damagedBytes(MESSAGES.map((message) => JSON.stringify(message))).map((bytes) =>
    Buffer.from(bytes).toString('utf8'),
  ),
  fc
    .constantFrom(...MESSAGES)
    .chain((message) => damagedJson(message).map((value) => JSON.stringify(value) ?? '')),
);

let root = '';
let prepared: PreparedScenario;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-protocol-'));
  const { chosen } = await loadBank([writeTinyBank(root, TINY.slice(0, 1))], new WorldCache());
  prepared = chosen[0] as PreparedScenario;
});
afterAll(() => rmSync(root, { recursive: true }));

/** An agent that says these lines and then falls silent, as a program over a pipe would. */
function speaker(lines: readonly string[]): Agent {
  return {
    name: 'speaker',
    config: {},
    start: () => {
      const left = [...lines];
      return {
        next: () => {
          const next = left.shift();
          if (next === undefined) throw new AgentFailure('agent-crashed', 'silent');
          return parseMessage(next).action;
        },
      };
    },
  };
}

describe('what an agent writes', () => {
  it('never breaks a trial: it ends with a reason, its file reads back, and it replays', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 3 }), async (lines) => {
        const { score, text, trajectory } = await runTrial(prepared, speaker(lines), { seed: '1', trial: 0 });
        expect(score.void).toBeNull();
        const read = readTrajectory(text ?? '');
        expect(read).toEqual(trajectory);
        expect(['answer', 'agent-protocol', 'agent-crashed', 'budget-calls', 'budget-messages']).toContain(
          read.end?.reason,
        );
        expect(replayTrajectory(read, prepared)).toMatchObject({ identical: true });
      }),
      { numRuns: RUNS },
    );
  });
});
