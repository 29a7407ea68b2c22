import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OpenEnvClient } from '../../../test/openenv-client.ts';
import { startTestServer, tokenOf } from '../../../test/servers.ts';
import type { JsonObject } from '../../base/json.ts';
import { mcpDoor } from '../mcp/index.ts';
import type { RunningServer } from '../serve.ts';
import { openEnvDoor } from './index.ts';

/** A scenario whose user is talked to, from the opening to the verdict, over the doors that have one. */

const SCENARIO = 'partial-line-chat';
const ORDER = { order_id: '10212' };
const EMAIL = { to: 'quill.yarrow@example.com', subject: 'Your refund', body: 'We paid 65.00 back.' };
const CALLS: readonly (readonly [string, JsonObject])[] = [
  ['message_user', { text: 'Which e-mail address is your account under?' }],
  ['message_user', { text: 'And which order is it?' }],
  ['lookup_order', ORDER],
  ['check_policy', { ...ORDER, line: 3 }],
  ['message_user', { text: 'I would refund 65.00 for the socks. Is that right?' }],
  ['refund', { ...ORDER, amount: 65 }],
  ['send_email', EMAIL],
  ['message_user', { text: 'It is done.' }],
  [
    'submit_answer',
    { text: 'I refunded 65.00 for the merino socks of order 10212 and confirmed it by e-mail.' },
  ],
];

let server: RunningServer;

beforeAll(async () => {
  server = await startTestServer(
    { scenarios: [`helpdesk/${SCENARIO}`] },
    { doors: (host) => [mcpDoor(host), openEnvDoor(host)] },
  );
});
afterAll(() => server.close());

it('is solved over OpenEnv and over MCP by the same words, which leave the same file', async () => {
  const trainer = await OpenEnvClient.connect(server.url);
  const start = await trainer.reset({ trial: 0 });
  expect(start.observation.user_message).toMatch(/Merino socks/u);
  const replies: unknown[] = [];
  let last = start;
  for (const [tool, given] of CALLS) {
    last = await trainer.call(tool, given);
    if (tool === 'message_user') replies.push(last.observation.user_message);
  }
  expect(last).toMatchObject({ reward: 1, done: true });
  expect(replies.at(-1)).toBe('Wonderful, nothing else. Bye!');
  const [trained] = server.host.list({ limit: 1 });

  const own = server.host.open({ ...server.host.source.defaults, trial: 0 });
  const headers = { authorization: `Bearer ${tokenOf(own, null)}` };
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    requestInit: { headers },
  });
  await client.connect(transport as Transport);
  const said: unknown[] = [];
  for (const [name, given] of CALLS) {
    const { structuredContent, isError } = await client.callTool({ name, arguments: given });
    expect([name, isError ?? false]).toEqual([name, false]);
    if (name === 'message_user') said.push((structuredContent as { reply: string }).reply);
  }
  await client.close();
  expect(said).toEqual(replies);
  expect(own.episode.verdict).toMatchObject({ success: true, void: null });
  expect(own.episode.session.text()).toBe(trained?.episode.session.text());
  await trainer.close();
});
