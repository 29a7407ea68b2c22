import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startTestServer, tokenOf } from '../../../test/servers.ts';
import { LONGEST_WAIT_MS, replayTrajectory } from '../../session/index.ts';
import { readTrajectory } from '../../trajectory/index.ts';
import { callAgentTool } from '../host/episode-tools.ts';
import type { HostedSession } from '../host/index.ts';
import { Pacing } from './pacing.ts';

/** Refuses every call until two virtual seconds have passed: only who waits gets through. */
const HOLDS = {
  id: 'busy',
  label: 'busy for two seconds',
  match: {},
  effect: { kind: 'reject', status: 429, retryAfterSeconds: 2, holds: true },
  hits: 1,
} as const;

function replays({ episode }: HostedSession): boolean {
  const trajectory = readTrajectory(episode.asIfEnded(null).text);
  return replayTrajectory(trajectory, episode.environment.options).identical;
}

describe('observed time', () => {
  it('lets a client through that honours Retry-After by sleeping, and its replay is exact', async () => {
    // A hundred virtual milliseconds for each real one: two seconds are over in twenty.
    const server = await startTestServer({ services: ['notes'] }, { time: { observed: true, scale: 100 } });
    const session = await server.host.open({ services: ['notes'], faults: { rules: [HOLDS] } });
    const headers = { authorization: `Bearer ${tokenOf(session, 'notes')}` };
    const statuses: number[] = [];
    for (;;) {
      const response = await fetch(`${server.url}/notes`, { headers });
      statuses.push(response.status);
      await response.text();
      if (response.ok) break;
      await sleep((Number(response.headers.get('retry-after')) * 1000) / 100 + 1);
    }
    expect(statuses).toEqual([429, 200]);
    const waited = session.episode.session.steps().map((step) => step.waited ?? 0);
    expect(waited[1]).toBeGreaterThanOrEqual(2_000);
    expect(replays(session)).toBe(true);
    await server.close();
  });

  it('does not let one through that hammers', async () => {
    const server = await startTestServer({ services: ['notes'] }, { time: { observed: true, scale: 0.001 } });
    const session = await server.host.open({ services: ['notes'], faults: { rules: [HOLDS] } });
    const headers = { authorization: `Bearer ${tokenOf(session, 'notes')}` };
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const response = await fetch(`${server.url}/notes`, { headers });
      expect(response.status).toBe(429);
      await response.text();
    }
    expect(replays(session)).toBe(true);
    await server.close();
  });

  it('beyond what one call can wait lets the call through, with the time that was asked for', async () => {
    const server = await startTestServer({ services: ['notes'] }, { time: { observed: true, scale: 1e9 } });
    const session = await server.host.open();
    const headers = { authorization: `Bearer ${tokenOf(session, 'notes')}` };
    await (await fetch(`${server.url}/notes`, { headers })).text();
    await server.host.wait(session, LONGEST_WAIT_MS);
    await sleep(5);
    expect((await fetch(`${server.url}/notes`, { headers })).status).toBe(200);
    expect(session.episode.session.steps().at(-1)?.waited).toBe(LONGEST_WAIT_MS);
    expect(replays(session)).toBe(true);
    await server.close();
  });

  it('is not looked at where time is fixed: the digests do not depend on it', async () => {
    const server = await startTestServer({ services: ['notes'] });
    const session = await server.host.open();
    const headers = { authorization: `Bearer ${tokenOf(session, 'notes')}` };
    await (await fetch(`${server.url}/notes`, { headers })).text();
    await sleep(20);
    await (await fetch(`${server.url}/notes`, { headers })).text();
    expect(session.episode.session.steps().every((step) => step.waited === undefined)).toBe(true);
    await server.close();
  });
});

describe('a pacing', () => {
  function at(scale: number): { pacing: Pacing; clock: { nowMs: number } } {
    const clock = { nowMs: 0 };
    const pacing = new Pacing({ time: { observed: true, scale }, nowMs: () => clock.nowMs });
    return { pacing, clock };
  }

  it('counts from the last answer of the same session, once', () => {
    const { pacing, clock } = at(2);
    expect(pacing.waitedMs('a')).toBe(0);
    pacing.answered('a');
    clock.nowMs = 1_000;
    expect(pacing.waitedMs('b')).toBe(0);
    expect(pacing.waitedMs('a')).toBe(2_000);
    expect(pacing.waitedMs('a')).toBe(0);
  });

  it('never gives a wait that a session does not take', () => {
    const { pacing, clock } = at(1_000_000);
    pacing.answered('a');
    clock.nowMs = 1e12;
    expect(pacing.waitedMs('a')).toBe(366 * 86_400_000);
    pacing.answered('a');
    clock.nowMs = 0;
    expect(pacing.waitedMs('a')).toBe(0);
  });
});

describe('real pace', () => {
  it('holds answers back for their latency, and lets go of them as the server closes', async () => {
    const server = await startTestServer({ services: ['notes'] }, { pace: 'real' });
    const session = await server.host.open();
    const headers = { authorization: `Bearer ${tokenOf(session, 'notes')}` };
    const start = performance.now();
    await (await fetch(`${server.url}/notes`, { headers })).text();
    expect(performance.now() - start).toBeGreaterThanOrEqual(session.episode.session.world.clockMs - 1);
    await server.close();
  });

  it('lets nobody wait for time that the control plane let pass', async () => {
    const server = await startTestServer({ services: ['notes'] }, { pace: 'real' });
    const session = await server.host.open();
    const headers = { authorization: `Bearer ${tokenOf(session, 'notes')}` };
    await server.host.wait(session, 3_600_000);
    expect((await fetch(`${server.url}/notes`, { headers })).status).toBe(200);
    const mcp = { host: server.host, session, pacing: new Pacing({ pace: 'real' }) };
    await server.host.wait(session, 3_600_000);
    const call = { tool: 'list_notes', via: { door: 'mcp' }, pacing: mcp.pacing } as const;
    expect(await callAgentTool(mcp.host, session, call)).toMatchObject({ kind: 'step' });
    await server.close();
  });

  it('holds nothing back any more once it is closed', async () => {
    const pacing = new Pacing({ pace: 'real' });
    const held = pacing.hold(1e9);
    pacing.close();
    await held;
  });
});
