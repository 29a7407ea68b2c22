import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BIN, groundhog, serve } from '../../../test/clients/groundhog.ts';

/** What `serve` says to people, and which of its doors are open. */

const folder = mkdtempSync(join(tmpdir(), 'groundhog-serve-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Told {
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a server, lets `visit` see what it said, and stops it. */
async function told(words: readonly string[], visit: (said: string) => Promise<void> | void): Promise<Told> {
  const child = spawn(process.execPath, [BIN, 'serve', ...words, '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const written = { stdout: '', stderr: '' };
  const ended = once(child, 'close');
  child.stderr.on('data', (chunk: Buffer) => {
    written.stderr += chunk.toString('utf8');
  });
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      written.stdout += chunk.toString('utf8');
      if (/CONTROL_TOKEN=\S+\n/u.test(written.stdout)) resolve();
    });
  });
  await Promise.race([ready, ended]);
  await visit(written.stdout);
  child.kill('SIGINT');
  await ended;
  return written;
}

/** Makes a call with the first token of the notes that was printed. */
async function listNotebooks(said: string): Promise<void> {
  const [, token = ''] = /NOTES_TOKEN=(\S+)/u.exec(said) ?? [];
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/u.exec(said) ?? [];
  const { status } = await fetch(`${url}/notebooks`, { headers: { authorization: `Bearer ${token}` } });
  expect(status).toBe(200);
}

describe('what serve says', () => {
  it('of several scenarios: how many, the task at hand, and that any token is taken', async () => {
    const { stdout, stderr } = await told(['--scenario', 'helpdesk', '--permissive'], () => {});
    expect(stdout).toMatch(/^Serving helpdesk at \S+: \d+ scenarios\. /u);
    expect(stdout).toMatch(/^REST and MCP: .* session \S+; POST \/sessions opens others\.$/mu);
    expect(stdout).toMatch(/^Task: \w/mu);
    expect(stdout).toMatch(/^Permissive: /mu);
    expect(stderr).toBe('');
  });

  it('whose each token is, and what is gone with it', async () => {
    const words = ['--services', 'notes', '--actor', 'ann', '--actor', 'ben'];
    const { stdout, stderr } = await told(words, listNotebooks);
    const labelled = stdout.match(/^ {2}as (?:ann|ben):\n {2}export (?:NOTES|GROUNDHOG)_TOKEN=\S+$/gmu);
    expect(labelled).toHaveLength(4);
    expect(stderr).toBe('1 session, 1 call are gone; --state DIR keeps them\n');
  });

  it('what it found in its folder', async () => {
    const state = ['--state', 'kept'];
    const first = await told(['--services', 'notes', ...state], listNotebooks);
    expect(first.stdout).not.toContain('Going on');
    expect(first.stderr).toBe('');
    const again = await told(['--services', 'notes', ...state], listNotebooks);
    expect(again.stdout).toContain('Going on with 1 session from kept.\n');
    expect(again.stdout).not.toContain('another world');
    const other = await told(['--services', 'helpdesk', ...state], () => {});
    expect(other.stdout).toContain('Not served now, as of another world: 1 session of these.');
  });

  it('that its port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { readonly port: number };
    const { exit, json } = await groundhog(['serve', '--services', 'notes', '--port', `${port}`, '--json']);
    other.close();
    const error = { code: 'port-taken', message: `port ${port} is taken`, hint: '--port 0 takes a free one' };
    expect({ exit, json: json() }).toEqual({ exit: 2, json: { error } });
  });
});

describe('serve --doors', () => {
  /** The status that each door gives a request of its own. */
  async function statuses(doors: string): Promise<{ readonly said: unknown; readonly found: unknown }> {
    const server = await serve('--services', 'notes', '--doors', doors, ...TOKEN);
    const { mcp, openenv, services, control } = server.ready;
    const base = new URL(control.url).origin;
    const token = (await openedToken(control.url)) ?? '';
    const ask = async (path: string, init: RequestInit): Promise<number> =>
      (await fetch(base + path, init)).status;
    const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const found = {
      rest: await ask('/notebooks', { headers: { 'x-groundhog-session': token } }),
      mcp: await ask(`/_groundhog/s/${token}/mcp`, { method: 'POST', headers: json, body: list }),
      openenv: await ask('/reset', { method: 'POST', headers: json, body: '{}' }),
    };
    expect(await server.stop()).toBe(0);
    return { said: { mcp: !!mcp, openenv: !!openenv, rest: 'notes' in services }, found };
  }

  async function openedToken(controlUrl: string): Promise<string | undefined> {
    const headers = { authorization: `Bearer ${TOKEN[1]}`, 'content-type': 'application/json' };
    const opened = await fetch(`${controlUrl}/sessions`, { method: 'POST', headers, body: '{}' });
    const { credentials } = (await opened.json()) as {
      readonly credentials: readonly { readonly service: string | null; readonly token: string }[];
    };
    return credentials.find(({ service }) => service === null)?.token;
  }

  // What no other door takes is REST's, which knows no such token.
  it('leaves a door closed that is not named', async () => {
    expect(await statuses('rest,mcp')).toEqual({
      said: { mcp: true, openenv: false, rest: true },
      found: { rest: 200, mcp: 200, openenv: 401 },
    });
    expect(await statuses('openenv')).toEqual({
      said: { mcp: false, openenv: true, rest: false },
      found: { rest: 404, mcp: 404, openenv: 200 },
    });
  });
});

const TOKEN = ['--control-token', 'a-token-of-this-test'];
