import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadTrajectory } from '../../src/runner/recorded.ts';

/** `examples/agents/model.py` against a stub of a chat endpoint that plays a fixed model. */

const ROOT = new URL('../..', import.meta.url).pathname;
const BIN = join(ROOT, 'bin/groundhog.js');
const folder = mkdtempSync(join(tmpdir(), 'groundhog-model-'));
const ORDER = '10280';

interface Asked {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content?: string; tool_call_id?: string }[];
  readonly tools: readonly { readonly function: { readonly name: string; readonly parameters: object } }[];
}

const asked: { readonly key: string | undefined; readonly body: Asked }[] = [];
let server: Server;

function toolCall(id: string, name: string, text: string): object {
  return { id, type: 'function', function: { name, arguments: text } };
}

/** Two turns: two calls at once, the second with arguments that are no JSON; then the answer. */
const TURNS: readonly object[] = [
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      toolCall('a', 'lookup_order', `{"order_id": "${ORDER}"}`),
      toolCall('b', 'check_policy', '{"order_id": '),
    ],
  },
  { role: 'assistant', content: `Order ${ORDER} was delivered on 2025-12-20; it cost 434.40 in all.` },
];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const turn = TURNS[asked.length % TURNS.length];
      asked.push({
        key: request.headers.authorization,
        body: JSON.parse(Buffer.concat(chunks).toString()) as Asked,
      });
      const usage = { prompt_tokens: 100, completion_tokens: 7 };
      response.end(JSON.stringify({ choices: [{ message: turn }], usage }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Not `spawnSync`: the stub answers from this very thread. */
function run(...args: readonly string[]): Promise<number | null> {
  const { port } = server.address() as AddressInfo;
  const env = {
    ...process.env,
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1/`,
    OPENAI_API_KEY: 'sk-none',
    MODEL: 'stub',
    no_proxy: '127.0.0.1',
  };
  const child = spawn(process.execPath, [BIN, 'run', ...args], { cwd: ROOT, env, stdio: 'ignore' });
  return new Promise((resolve) => child.on('close', resolve));
}

describe('examples/agents/model.py', () => {
  it('solves a scenario with a model that calls tools', async () => {
    const out = join(folder, 'run');
    const agent = 'command:python3 examples/agents/model.py';
    expect(await run('helpdesk/status-lookup', '--agent', agent, '--out', out)).toBe(0);
    const { steps, end } = loadTrajectory(join(out, 'trajectories/status-lookup.0.traj.jsonl'));
    expect(steps.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['lookup_order', 'ok'],
      ['check_policy', 'invalid-input'],
    ]);
    expect(end).toMatchObject({ reason: 'answer', usage: { inputTokens: 200, outputTokens: 14 } });
  });

  it('showed the model policy, text and tools, and nothing that gives the case away', () => {
    const [first, second] = asked;
    expect(first?.key).toBe('Bearer sk-none');
    expect(first?.body.model).toBe('stub');
    expect(first?.body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(first?.body.messages[0]?.content).toContain('How this desk works');
    const lookup = first?.body.tools.find((tool) => tool.function.name === 'lookup_order');
    expect(lookup?.function.parameters).toMatchObject({ type: 'object', required: ['order_id'] });
    expect(second?.body.messages.slice(3).map((message) => message.tool_call_id)).toEqual(['a', 'b']);
    expect(JSON.stringify(second?.body.messages)).not.toMatch(/status-lookup|"intent"|"seed"/u);
  });
});
