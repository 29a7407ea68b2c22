import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scenarioText, writeTinyBank } from '../../test/tiny-bank.ts';
import { commandAgent } from './agents/command.ts';
import { scriptAgent } from './agents/script.ts';
import { loadBank } from './bank.ts';
import { runTrial } from './execute.ts';
import type { PreparedScenario } from './prepare.ts';
import type { Agent, AgentTask, ToolResult } from './types.ts';
import { WorldCache } from './worlds.ts';

/** What agents of each kind are told of calls that a fault struck, and of tools that drifted. */

const FAULTS = `faults:
  rules:
    - { id: lost, label: lost, match: { step: 0 }, effect: { kind: response-lost } }
    - { id: reset, label: reset, match: { step: 1 }, effect: { kind: connection-reset } }
    - { id: cut, label: cut, match: { step: 2 }, effect: { kind: body-truncated, keep: 9 } }
    - { id: twin, label: twin, match: {}, effect: { kind: tool-twin, tool: lookup_order, deprecated: twin } }
`;
const SEEN = [
  { ok: false, status: 504, body: null, lost: true },
  { ok: false, status: 504, body: null, lost: true, reset: true },
  { ok: true, status: 200, body: '{"order_i', broken: true },
  { ok: true, status: 200, body: { order_id: '10034' } },
];

let root = '';
let prepared: PreparedScenario;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-faulted-'));
  writeTinyBank(root, []);
  const text = scenarioText({ id: 'faulted', order: '10034', extra: FAULTS });
  writeFileSync(join(root, 'scenarios', 'faulted.yaml'), text);
  const { chosen } = await loadBank([root], new WorldCache());
  prepared = chosen[0] as PreparedScenario;
});
afterAll(() => rmSync(root, { recursive: true }));

const CALL = { type: 'call', tool: 'lookup_order_v2', arguments: { order_id: '10034' } } as const;

/** The results that an agent was given, as it says them in its answer. */
async function toldBy(agent: Agent): Promise<readonly ToolResult[]> {
  const { trajectory } = await runTrial(prepared, agent, { seed: '1', trial: 0 });
  const kinds = trajectory?.steps.map(({ fault }) => fault?.kind);
  expect(kinds).toEqual(['response-lost', 'connection-reset', 'body-truncated', 'tool-twin']);
  return JSON.parse(trajectory?.end?.answer ?? 'null') as readonly ToolResult[];
}

it('a function is told in its history, a twin among its tools', async () => {
  let tools: AgentTask['tools'] = [];
  const agent = scriptAgent('looks', (history, task) => {
    ({ tools } = task);
    const results = history.flatMap((entry) => (entry.type === 'call' ? [entry.result] : []));
    return results.length < SEEN.length ? CALL : { type: 'answer', text: JSON.stringify(results) };
  });
  expect(await toldBy(agent)).toMatchObject(SEEN);
  expect(tools.find(({ name }) => name === 'lookup_order_v2')?.description).toMatch(/^Deprecated: /u);
});

it('a program is told in its messages', async () => {
  const program = `
const lines = require('node:readline').createInterface({ input: process.stdin });
const tell = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const results = [];
lines.on('line', (line) => {
  const { type, id, ...result } = JSON.parse(line);
  if (type === 'result') results.push(result);
  if (results.length < 4) tell(${JSON.stringify(CALL)});
  else tell({ type: 'final', answer: JSON.stringify(results) });
});`;
  expect(await toldBy(commandAgent([process.execPath, '-e', program]))).toMatchObject(SEEN);
});
