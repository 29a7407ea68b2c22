import type { JsonObject } from '../../../base/json.ts';
import { ScenarioSeeder } from '../../../fidelity/seeding.ts';
import type { CorpusRecord } from '../../../fidelity/types.ts';
import { openSession } from '../../../session/index.ts';
import { PUBLISHED } from '../coverage.ts';
import { github } from '../index.ts';
import type { Scene } from '../scene.test-kit.ts';

export type Call = readonly [operation: string, input: JsonObject];

/** What a scene answers, as a recording holds it. */
export function recorded(scene: Scene, calls: readonly Call[]): CorpusRecord[] {
  return calls.map(([operation, input], seq) => {
    const { status, body, headers } = scene.call(operation, input);
    const { method = 'GET', path: template = '' } = PUBLISHED.get(operation) ?? {};
    const path = template.replaceAll(/\{(\w+)\}/gu, (_, name) => String(input[name]));
    const rest = Object.fromEntries(
      Object.entries(input).filter(([name]) => !template.includes(`{${name}}`)),
    );
    const isRead = method === 'GET';
    const request = {
      method,
      path,
      query: isRead ? rest : {},
      headers: {},
      auth: 'token',
      body: isRead ? null : rest,
    };
    const response = { status, headers, body, cuts: [] };
    return {
      operation,
      endpoint: `${method} ${template}`,
      seq,
      request,
      response,
    } as unknown as CorpusRecord;
  });
}

/** What an exchange was answered with: a list. */
export function listIn(records: readonly CorpusRecord[], operation: string): JsonObject[] {
  const record = records.find((one) => one.operation === operation);
  return (record?.response.body ?? []) as JsonObject[];
}

/** A scene in the world that these records tell of. */
export function rebuilt(records: readonly CorpusRecord[]): Scene {
  const { world, actor } = new ScenarioSeeder(github).seed({ name: 'told', records });
  const session = openSession({
    services: [github],
    world,
    actors: [actor],
    seeds: {},
    streamSeed: 'told',
    epochMs: github.epochMs,
    behaviour: { engine: '', services: {} },
  });
  return {
    session,
    call(tool, input = {}, headers = {}) {
      const { status, body, headers: told = {} } = session.call({ tool, input, headers });
      return { status, body, headers: told };
    },
  };
}
