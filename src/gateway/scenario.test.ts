import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer } from '../../test/servers.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { loadBank } from '../runner/bank.ts';
import { runReference } from '../runner/prepare.ts';
import { WorldCache } from '../runner/worlds.ts';
import type { Service } from '../service/index.ts';
import { replayTrajectory } from '../session/index.ts';
import { readTrajectory, type StepRecord } from '../trajectory/index.ts';
import { ControlClient, type OpenedSession } from './control/client.ts';
import type { RunningServer } from './serve.ts';

const SCENARIO = 'refund-88213';

let server: RunningServer;
let client: ControlClient;

beforeAll(async () => {
  server = await startTestServer({ scenarios: [`helpdesk/${SCENARIO}`] });
  client = new ControlClient(server.control);
});
afterAll(() => server.close());

/** The request that a program would send for a step, by the operation's binding. */
function requestFor(service: Service, { tool, input }: StepRecord): { path: string; init: RequestInit } {
  const ids = service.tools.find(({ name }) => name === tool)?.operations ?? [tool];
  const operation = service.operations.find(({ id }) => id === ids[0]);
  if (!operation?.http || !isJsonObject(input)) throw new Error(`${tool} has no route`);
  const { method, path } = operation.http;
  const rest: Record<string, unknown> = { ...input };
  const filled = path.replaceAll(/\{(\w+)\}/gu, (_whole, name: string) => {
    const { [name]: value } = rest;
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  if (method !== 'GET') return { path: filled, init: { method, body: JSON.stringify(rest) } };
  const query = new URLSearchParams(
    Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return { path: `${filled}?${query}`, init: { method } };
}

async function play(opened: OpenedSession, steps: readonly StepRecord[]): Promise<void> {
  const [service] = server.host.source.services;
  const token = opened.credentials.find((one) => one.service === service?.name)?.token;
  for (const step of steps) {
    if (!service) throw new Error('nothing is served');
    const { path, init } = requestFor(service, step);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${opened.baseUrl}${path}`, { ...init, headers });
    expect([step.tool, response.status]).toEqual([step.tool, step.status]);
    expect(await response.json()).toEqual(step.response as JsonObject);
  }
}

describe('a scenario over plain HTTP', () => {
  it('is solved by the calls of its reference, and the record replays', async () => {
    const { chosen } = await loadBank([`helpdesk/${SCENARIO}`], new WorldCache());
    const [prepared] = chosen;
    if (!prepared) throw new Error(`the bank has no ${SCENARIO}`);
    const opened = await client.open();
    const { streamSeed } = server.host.session(opened.id)?.episode.environment.options ?? {};
    const reference = runReference(prepared, streamSeed ?? '').session;
    await play(opened, reference.steps());
    const answer = prepared.scenario.reference.answer ?? '';
    expect(await client.score(opened.id, { answer })).toMatchObject({ verdict: { success: true } });
    expect(await client.answer(opened.id, answer)).toMatchObject({ verdict: { success: true, void: null } });
    const trajectory = readTrajectory(await client.trajectory(opened.id));
    const { options } = server.host.session(opened.id)?.episode.environment ?? {};
    expect(options && replayTrajectory(trajectory, options).identical).toBe(true);
    expect(trajectory.steps).toHaveLength(reference.stepCount);
  });
});
