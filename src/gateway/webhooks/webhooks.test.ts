import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.ts';
import { servedSource } from '../../runner/served.ts';
import { SessionHost } from '../host/index.ts';
import { Webhooks } from './index.ts';

const notice = (step: number) => ({
  session: 's1',
  step,
  tool: 'share_note',
  events: [{ type: 'note.shared', data: { step } }],
});

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A listener that keeps what it is sent; it answers with `status` after `delayMs`, or never. */
async function listener(
  answer: { readonly status: number; readonly delayMs?: (count: number) => number } | null,
) {
  const bodies: unknown[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    if (!answer) return;
    setTimeout(() => response.writeHead(answer.status).end(), answer.delayMs?.(bodies.length) ?? 0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return { bodies, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

it('the events of a hosted session reach their listener, steps without any send nothing', async () => {
  const { bodies, url } = await listener({ status: 200 });
  const hooks = new Webhooks({ targets: [url] });
  const host = new SessionHost({
    source: await servedSource({ services: ['notes'] }),
    sessionsMost: 9,
    nowMs: Date.now,
    onStep: (session, line) => hooks.step(session, line),
  });
  const session = host.open();
  await host.call(session, { tool: 'list_notes', input: {} }, { door: 'rest' });
  await host.call(session, { tool: 'share_note', input: { id: 'note_seed0001' } }, { door: 'rest' });
  await hooks.settled();
  expect(bodies).toEqual([
    {
      session: session.id,
      step: 1,
      tool: 'share_note',
      events: [{ type: 'note.shared', data: { id: 'note_seed0001' } }],
    },
  ]);
});

describe('webhooks', () => {
  it('bring notices in the order of the steps, however long each takes', async () => {
    const { bodies, url } = await listener({ status: 200, delayMs: (count) => 20 - 6 * count });
    const hooks = new Webhooks({ targets: [url] });
    for (const step of [0, 1, 2]) hooks.send(notice(step));
    await hooks.settled();
    expect(bodies).toEqual([0, 1, 2].map(notice));
  });

  it('tell what failed and go on with the next', async () => {
    const failures: string[] = [];
    const refusing = await listener({ status: 500 });
    const fine = await listener({ status: 204 });
    const hooks = new Webhooks({
      targets: [refusing.url, 'http://127.0.0.1:1/', fine.url],
      failed: (target, reason) => failures.push(`${target} ${reason}`),
    });
    hooks.send(notice(0));
    hooks.send(notice(1));
    await hooks.settled();
    expect(failures).toHaveLength(4);
    expect(failures.some((text) => text.includes('answered with 500'))).toBe(true);
    expect(fine.bodies).toHaveLength(2);
  });

  it('do not wait for ever', async () => {
    const failures: string[] = [];
    const silent = await listener(null);
    const hooks = new Webhooks({
      targets: [silent.url],
      timeoutMs: 50,
      failed: (target) => failures.push(target),
    });
    hooks.send(notice(0));
    await hooks.settled();
    expect(failures).toEqual([silent.url]);
  });

  it('let go of what still waits as the server stops', async () => {
    const failures: string[] = [];
    const silent = await listener(null);
    const options = { timeoutMs: 50, failed: (target: string) => failures.push(target) };
    const hooks = new Webhooks({ targets: [silent.url], ...options });
    for (let step = 0; step < 1000; step += 1) hooks.send(notice(step));
    await hooks.close();
    expect(failures).toHaveLength(1000);
  });

  it.each([
    'https://127.0.0.1/hook',
    'http://10.0.0.1/hook',
    'http://localhost.example/hook',
    'http://127.0.0.1.example/',
    'http://user@127.0.0.1/',
    'ftp://127.0.0.1/',
    'hook',
  ])('never go to another machine: %s', (target) => {
    expect(() => new Webhooks({ targets: [target] })).toThrow(UsageError);
  });

  it.each(['http://localhost:9000/hook', 'http://[::1]:9000/', 'http://127.1:9000/'])(
    'go to this one: %s',
    (target) => {
      expect(new Webhooks({ targets: [target] })).toBeInstanceOf(Webhooks);
    },
  );
});
