import fc from 'fast-check';
import qs from 'qs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isJsonObject, type Json, type JsonObject, jsonEqual } from '../../src/base/json.ts';
import { SERVICES } from '../../src/catalog/index.ts';
import { EFFECTS, type EffectKind } from '../../src/faults/index.ts';
import { queryArguments } from '../../src/gateway/http/arguments.ts';
import { conversionFor } from '../../src/gateway/http/conversion.ts';
import type { RunningServer } from '../../src/gateway/serve.ts';
import type { HttpBinding, Operation, Service } from '../../src/service/types.ts';
import { openSession, replayTrajectory } from '../../src/session/index.ts';
import { arbitraryCall, arbitraryInput, filled, type OpenCall, poolsOf } from '../../src/testing/index.ts';
import { readTrajectory, type StepRecord } from '../../src/trajectory/index.ts';
import {
  inProcess,
  mcpHttp,
  mcpStdio,
  openEnv,
  type ParityCall,
  type Route,
  rest,
  startParityServer,
} from './parity-doors.ts';
import { parityPlan, twinOf } from './parity-plan.ts';

/** The same calls leave the same record, byte for byte, whichever door they come through. */

const CALLS = 60;

for (const service of SERVICES) {
  describe(service.name, () => {
    let server: RunningServer;
    beforeAll(async () => {
      const faults = parityPlan(service) as unknown as JsonObject;
      server = await startParityServer({ services: [service.name] }, { faults });
    });
    afterAll(() => server.close());

    it('has one record of calls by name', async () => {
      const calls = callsByName(server, service);
      const expected = await inProcess(server, calls);
      expect(expected).toHaveLength(CALLS + 1);
      expect(JSON.parse(expected.at(-1) ?? '')).toMatchObject({ tool: twinOf(service) });
      // A plan that strikes nothing would prove nothing.
      expect(groupsOf(expected)).toEqual(
        expect.arrayContaining(['refusal', 'transport', 'world', 'answer', 'drift', 'adversarial']),
      );
      // Of any use only if calls succeed, fail and change something.
      const outcomes = new Set(expected.map((line) => (JSON.parse(line) as { outcome: string }).outcome));
      expect([...outcomes]).toEqual(expect.arrayContaining(['ok', 'error', 'invalid-input']));
      expect(firstDifference(await mcpHttp(server, calls), expected)).toBeNull();
      expect(firstDifference(await mcpStdio(server, calls), expected)).toBeNull();
      expect(firstDifference(await openEnv(server, calls), expected)).toBeNull();
    });

    it('has a record that replays byte for byte', () => {
      const { options } = server.host.source.open(server.host.source.defaults);
      const session = openSession(options);
      for (const call of callsByName(server, service)) session.call(call);
      session.finish({ reason: 'answer', answer: 'done' });
      expect(replayTrajectory(readTrajectory(session.text()), options)).toMatchObject({ identical: true });
    });

    const bound = service.operations.filter(({ http }) => http);
    it.runIf(bound.length > 0)('has one record of calls by route', async () => {
      const { calls, routes } = callsByRoute(server, service);
      const expected = await inProcess(server, calls);
      expect(expected.length).toBeGreaterThan(CALLS / 2);
      expect(firstDifference(await rest(routes, service.name)(server, calls), expected)).toBeNull();
      expect(firstDifference(await mcpHttp(server, calls), expected)).toBeNull();
      expect(firstDifference(await openEnv(server, calls), expected)).toBeNull();
    });
  });
}

/** The first step in which two records differ; null when they are the same. */
function firstDifference(given: readonly string[], expected: readonly string[]): object | null {
  const index = expected.findIndex((line, at) => line !== given[at]);
  if (index < 0 && given.length === expected.length) return null;
  return { index, expected: expected[index], given: given[index], steps: given.length };
}

/** The groups of the effects that struck these steps. */
function groupsOf(lines: readonly string[]): readonly string[] {
  const kinds = lines.flatMap((line) => (JSON.parse(line) as StepRecord).fault?.kind ?? []);
  return [...new Set(kinds.map((kind) => EFFECTS[kind as EffectKind].facts.group))];
}

/** Generated calls of tools and operations; ids are those that the world has when the call is made. */
function callsByName(server: RunningServer, service: Service): readonly ParityCall[] {
  const { source } = server.host;
  const session = openSession(source.open(source.defaults).options);
  const generated: readonly OpenCall[] = fc.sample(arbitraryCall(service, session.world), {
    numRuns: CALLS,
    seed: 7,
  });
  const calls = generated.map(({ tool, input }) => {
    const call = { tool, input: filled(input, poolsOf(session.world)) };
    session.call(call);
    return call;
  });
  return [...calls, { tool: twinOf(service), input: {} }];
}

/** Generated calls of operations as far as a URL and a body can say them. */
function callsByRoute(
  server: RunningServer,
  service: Service,
): { readonly calls: readonly ParityCall[]; readonly routes: ReadonlyMap<ParityCall, Route> } {
  const { source } = server.host;
  const session = openSession(source.open(source.defaults).options);
  const arbitraries = service.operations
    .filter(({ http }) => http)
    .map((operation) =>
      arbitraryInput(operation.input, session.world, operation.example).map((input) => ({
        operation,
        input,
      })),
    );
  const routes = new Map<ParityCall, Route>();
  for (const { operation, input } of fc.sample(fc.oneof(...arbitraries), { numRuns: CALLS * 10, seed: 11 })) {
    const { http } = operation;
    const route = http && isJsonObject(input) ? routeOf(operation, http, input) : null;
    if (route && routes.size < CALLS * 2) routes.set({ tool: operation.id, input }, route);
  }
  return { calls: [...routes.keys()], routes };
}

/** How a client would ask for this; null where the URL cannot say it. */
function routeOf(
  operation: Operation,
  { method, path, rawBody }: HttpBinding,
  input: JsonObject,
): Route | null {
  const left: Record<string, Json | undefined> = { ...input };
  const convert = conversionFor(operation.input);
  let sayable = rawBody === undefined;
  const filledPath = path.replaceAll(/\{(\w+)\*?\}/gu, (_all, name: string) => {
    const value = left[name];
    const text = String(value);
    delete left[name];
    sayable &&= /^[\w@ -]+$/u.test(text) && convert({ [name]: text })[name] === value;
    return encodeURIComponent(text);
  });
  if (!sayable) return null;
  if (method !== 'GET' && method !== 'DELETE')
    return { method, path: filledPath, body: JSON.stringify(left) };
  const query = qs.stringify(left, { arrayFormat: 'indices' });
  const read = queryArguments(query);
  const texts = read.kind === 'texts' ? read.value : {};
  if (read.kind === 'malformed' || !jsonEqual(convert({ ...texts }), left)) return null;
  return { method, path: query === '' ? filledPath : `${filledPath}?${query}`, body: null };
}
