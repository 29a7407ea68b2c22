import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';

/** A server on standard input and output in a process of its own, spoken to by the official client. */

const SRC = new URL('../..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'groundhog-mcp-'));
const program = join(folder, 'server.ts');
const stepsFile = join(folder, 'steps.json');

writeFileSync(
  program,
  `import { writeFileSync } from 'node:fs';
import { SessionHost } from '${SRC}gateway/host/index.ts';
import { serveMcpStdio } from '${SRC}gateway/mcp/index.ts';
import { servedSource } from '${SRC}runner/served.ts';

const source = await servedSource({ services: ['notes'] });
const host = new SessionHost({ source, sessionsMost: 1, nowMs: Date.now });
const rule = { id: 'lost', match: { tool: 'delete_note' }, effect: { kind: 'response-lost' }, label: 'lost' };
const reset = { id: 'reset', match: { tool: 'share_note' }, effect: { kind: 'connection-reset' }, label: 'x' };
const session = host.open({ services: ['notes'], faults: { rules: [rule, reset] } });
const { closed } = await serveMcpStdio(host, session);
await closed;
writeFileSync(process.argv[2], JSON.stringify(session.episode.session.steps()));
`,
);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('passes the official client’s handshake, calls, errors, resources and lost answers', async () => {
  const transport = new StdioClientTransport({ command: process.execPath, args: [program, stepsFile] });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  expect(client.getServerVersion()).toMatchObject({ name: 'groundhog' });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('create_note');
  const created = await client.callTool({
    name: 'create_note',
    arguments: { notebook_id: 'book_1', title: 'One', body: 'Two' },
  });
  expect(created).toMatchObject({ structuredContent: { title: 'One' } });
  expect(await client.callTool({ name: 'get_note', arguments: { id: 'none' } })).toMatchObject({
    isError: true,
  });
  await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32602 });
  const lost = client.callTool({ name: 'delete_note', arguments: { id: 'note_seed0001' } });
  await expect(lost).rejects.toMatchObject({ code: -32001 });
  const broken = client.callTool({ name: 'share_note', arguments: { id: 'note_seed0002' } });
  await expect(broken).rejects.toMatchObject({ code: -32000 });
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toContain('groundhog://tables/notes.notes');
  await client.request({ method: 'groundhog/wait', params: { durationMs: 1000 } }, z.looseObject({}));
  await client.close();
  const steps = JSON.parse(readFileSync(stepsFile, 'utf8')) as { tool: string; outcome: string }[];
  expect(steps.map(({ tool, outcome }) => `${tool} ${outcome}`)).toEqual([
    'create_note ok',
    'get_note error',
    'nothing unknown-tool',
    'delete_note ok',
    'share_note error',
  ]);
});
