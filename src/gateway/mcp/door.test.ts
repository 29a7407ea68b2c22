import { expect, it } from 'vitest';
import { startTestServer, tokenOf } from '../../../test/servers.ts';
import { InvariantError } from '../../base/errors.ts';
import { servedSource } from '../../runner/served.ts';
import type { EnvironmentSource } from '../host/index.ts';
import { openEnvDoor } from '../openenv/index.ts';
import { hasOwnMcp, mcpDoor } from './door.ts';

const HEADERS = { 'content-type': 'application/json' };
const ANSWER = { name: 'submit_answer', arguments: { text: 'Done.' } };

function rpc(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

it('leaves the path to a vendor that has it', async () => {
  const [notes] = (await servedSource({ services: ['notes'] })).services;
  if (!notes) throw new Error('no service');
  const [operation] = notes.operations;
  if (!operation?.http) throw new Error('no operation');
  expect(hasOwnMcp(notes)).toBe(false);
  for (const path of ['/mcp', '/{anything}', '/{path*}']) {
    const own = { ...operation, http: { ...operation.http, path } };
    expect(hasOwnMcp({ ...notes, operations: [own] })).toBe(true);
  }
});

it('hands faults of ours to the log, and nothing of them to the client', async () => {
  const source = await servedSource({ scenarios: ['helpdesk/refund-88213'] });
  const broken: EnvironmentSource = {
    ...source,
    open: (request) => ({
      ...source.open(request),
      score: () => {
        throw new InvariantError('the grader is wrong');
      },
    }),
  };
  const lines: object[] = [];
  const server = await startTestServer(broken, {
    doors: (host) => [mcpDoor(host), openEnvDoor(host)],
    log: (line) => lines.push(line),
  });
  const body = rpc('tools/call', ANSWER);
  const authorization = `Bearer ${tokenOf(server.host.open(), null)}`;
  const ofToken = { ...HEADERS, authorization };
  for (const headers of [ofToken, HEADERS]) {
    const answer = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body });
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('grader');
  }
  const failure = { event: 'failure', error: 'InvariantError', message: 'the grader is wrong' };
  const failures = lines.filter((line) => 'event' in line && line.event === 'failure');
  expect(failures).toMatchObject([
    { ...failure, door: 'mcp' },
    { ...failure, door: 'openenv' },
  ]);
  await server.close();
});

it('tells a client without a token where it is, and how it gets elsewhere', async () => {
  const server = await startTestServer(
    { services: ['notes'] },
    { doors: (host) => [mcpDoor(host), openEnvDoor(host)] },
  );
  const told = async (headers: Record<string, string>): Promise<string> => {
    const init = { method: 'POST', headers: { ...HEADERS, ...headers }, body: rpc('initialize', {}) };
    return (await fetch(`${server.url}/mcp`, init)).text();
  };
  expect(await told({})).toContain('a world of its own');
  const session = server.host.open();
  expect(await told({ authorization: `Bearer ${tokenOf(session, null)}` })).not.toContain('of its own');
  await server.close();
});
