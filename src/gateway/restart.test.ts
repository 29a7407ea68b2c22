import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tokenOf } from '../../test/servers.ts';
import { servedSource } from '../runner/served.ts';
import { ControlClient } from './control/client.ts';
import { type EnvironmentSource, SessionHost } from './host/index.ts';
import { type RunningServer, startServer } from './serve.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'groundhog-restart-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Runs a server on the state folder, and stops it. */
async function during<T>(source: EnvironmentSource, run: (server: RunningServer) => Promise<T>): Promise<T> {
  const state = { directory, durability: 'batch' } as const;
  const host = new SessionHost({ source, sessionsMost: 10, nowMs: Date.now, state });
  const server = await startServer(host);
  try {
    return await run(server);
  } finally {
    await server.close();
    await host.stop();
  }
}

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('a server that keeps its sessions', () => {
  it('goes on with the same credentials, and knows the door and trace of each step', async () => {
    const source = await servedSource({ services: ['notes'] });
    const opened = await during(source, async ({ control, url }) => {
      const session = await new ControlClient(control).open();
      const token = session.credentials.find(({ service }) => service === 'notes')?.token ?? '';
      const headers = { authorization: `Bearer ${token}`, traceparent: TRACE };
      await (await fetch(`${url}/notes`, { headers })).text();
      return { id: session.id, token };
    });
    await during(source, async ({ control, url }) => {
      const client = new ControlClient(control);
      const wrongTrace = { authorization: `Bearer ${opened.token}`, traceparent: 'made-up' };
      expect((await fetch(`${url}/notes`, { headers: wrongTrace })).status).toBe(200);
      expect(await client.calls(opened.id)).toEqual({
        calls: [
          { step: 0, door: 'rest', trace: { traceparent: TRACE } },
          { step: 1, door: 'rest' },
        ],
        next: null,
      });
      expect(await client.calls(opened.id, { limit: 1 })).toMatchObject({ calls: [{ step: 0 }], next: '1' });
      expect(await client.metrics()).toMatch(/^groundhog_calls_total\{door="rest"\} 1$/mu);
    });
  });

  it('says so, over REST and the control plane, when a session cannot come back', async () => {
    const source = await servedSource({ services: ['notes'] });
    const { id, token, own } = await during(source, async ({ host }) => {
      const session = host.open();
      await host.safe();
      return { id: session.id, token: tokenOf(session, 'notes'), own: tokenOf(session, null) };
    });
    // The same services at another moment: another world.
    const changed: EnvironmentSource = {
      ...source,
      open: (request) => source.open({ ...request, epochMs: 1 }),
    };
    await during(changed, async ({ url, control }) => {
      const ways = [
        { path: '/notes', headers: { authorization: `Bearer ${token}` } },
        { path: '/notes', headers: { 'x-groundhog-session': own } },
        { path: `/_groundhog/s/${own}/notes/notes`, headers: {} },
      ];
      for (const { path, headers } of ways) {
        const response = await fetch(`${url}${path}`, { headers: headers as Record<string, string> });
        expect(response.status).toBe(503);
        expect(await response.json()).toMatchObject({ error: { code: 'world-changed' } });
      }
      await expect(new ControlClient(control).summary(id)).rejects.toMatchObject({ code: 'world-changed' });
    });
  });

  it('refuses calls that it cannot keep, and tells no agent where its files are', async () => {
    const source = await servedSource({ services: ['notes'] });
    const state = { directory, durability: 'strict' } as const;
    const host = new SessionHost({ source, sessionsMost: 10, nowMs: Date.now, state });
    const server = await startServer(host);
    const session = host.open();
    await host.safe();
    rmSync(directory, { recursive: true });
    const headers = { authorization: `Bearer ${tokenOf(session, 'notes')}` };
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const answer = await fetch(`${server.url}/notes`, { headers });
      const text = await answer.text();
      expect([answer.status, JSON.parse(text)]).toMatchObject([503, { error: { code: 'log-unavailable' } }]);
      expect(text).not.toContain(directory);
    }
    await server.close();
    await expect(host.stop()).rejects.toThrow();
  });
});
