import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';

/** The real server, killed in the middle of an episode: its clients go on with what they were given. */

const BIN = new URL('../../bin/groundhog.js', import.meta.url).pathname;
const root = mkdtempSync(join(tmpdir(), 'groundhog-serve-'));
afterAll(() => rmSync(root, { recursive: true }));

interface Ready {
  readonly session: string;
  readonly control: { readonly url: string; readonly token: string };
  readonly services: Readonly<Record<string, { baseUrl: string; credentials: { agent: string } }>>;
}

interface Running {
  readonly ready: Ready;
  readonly child: ChildProcess;
  readonly gone: Promise<number | null>;
}

async function serve(): Promise<Running> {
  const argv = [
    'serve',
    '--services',
    'notes',
    '--state',
    root,
    '--durability',
    'strict',
    '--port',
    '0',
    '--json',
  ];
  const child = spawn(process.execPath, [BIN, ...argv], { stdio: ['ignore', 'pipe', 'ignore'] });
  const gone = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  for await (const line of createInterface({ input: child.stdout })) {
    return { ready: JSON.parse(line) as Ready, child, gone };
  }
  throw new Error(`the server did not start: it ended with ${await gone}`);
}

async function notes({ ready }: Running, method: 'GET' | 'POST', body?: object): Promise<unknown> {
  const { baseUrl = '', credentials } = ready.services.notes ?? {};
  const response = await fetch(`${baseUrl}/notes`, {
    method,
    headers: { authorization: `Bearer ${credentials?.agent}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.ok).toBe(true);
  return response.json();
}

async function state({ ready }: Running): Promise<Record<string, unknown>> {
  const response = await fetch(`${ready.control.url}/sessions/${ready.session}`, {
    headers: { authorization: `Bearer ${ready.control.token}` },
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

describe('a server with a state folder', () => {
  it('that is killed after an answer goes on where it was, with the same tokens', async () => {
    let server = await serve();
    const first = server.ready;
    for (let round = 0; round < 3; round += 1) {
      await notes(server, 'POST', { notebook_id: 'book_1', title: `note ${round}`, body: 'x' });
      const before = await state(server);
      expect(before).toMatchObject({ steps: 1 + 2 * round });
      server.child.kill('SIGKILL');
      await server.gone;
      server = await serve();
      expect(server.ready.session).toBe(first.session);
      expect(server.ready.control.token).toBe(first.control.token);
      expect(server.ready.services.notes?.credentials).toEqual(first.services.notes?.credentials);
      const { content, full, steps, clockMs } = await state(server);
      expect(before).toMatchObject({ content, full, steps, clockMs });
      expect(JSON.stringify(await notes(server, 'GET'))).toContain(`note ${round}`);
    }
    server.child.kill('SIGTERM');
    await server.gone;
    expect(readdirSync(root).filter((name) => /lock|tmp/u.test(name))).toEqual([]);
  });
});
