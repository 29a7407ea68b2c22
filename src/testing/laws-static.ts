import { z } from 'zod';
import { ProviderError } from '../base/errors.ts';
import { holdsAll } from '../base/predicate.ts';
import type { Operation, Refusal, RefusedCall } from '../service/types.ts';
import { bindingProblems, routeProblems } from './laws-routes.ts';
import type { Subject } from './subject.ts';

/** Names are unique, tools bind operations that exist, and everything has what it must have. */
export function declarationProblems(subject: Subject): string[] {
  const { service, options } = subject;
  const ids = service.operations.map((operation) => operation.id);
  const problems = [
    ...repeated(ids).map((id) => `two operations are named ${id}`),
    ...repeated(service.tools.map((tool) => tool.name)).map((name) => `two tools are named ${name}`),
  ];
  for (const operation of service.operations) problems.push(...operationProblems(operation, service.errors));
  for (const tool of service.tools) {
    for (const id of tool.operations) {
      if (!ids.includes(id))
        problems.push(`tool ${tool.name} uses the operation ${id}, which does not exist`);
    }
    if (tool.description.trim() === '') problems.push(`tool ${tool.name} has no description`);
    problems.push(...schemaProblems(`tool ${tool.name}`, tool.input));
  }
  const described = new Map(service.coverage.map((entry) => [entry.operation, entry]));
  problems.push(
    ...repeated(service.coverage.map((entry) => entry.operation)).map((id) => `coverage lists ${id} twice`),
  );
  for (const id of ids) {
    const entry = described.get(id);
    if (!entry) problems.push(`${id} has no coverage entry`);
    else if (entry.status === 'absent') problems.push(`coverage calls ${id} absent, which exists`);
    const probed = options.probes.some((probe) => probe.operation === id);
    if (!probed && !options.unprobed?.[id]) problems.push(`${id} has no probe`);
  }
  for (const { operation, status } of service.coverage) {
    if (status !== 'absent' && !ids.includes(operation)) {
      problems.push(`coverage calls ${operation} ${status}, which does not exist`);
    }
  }
  return [...problems, ...refusalProblems(subject), ...doorProblems(service)];
}

function operationProblems(operation: Operation, errors: Readonly<Record<string, unknown>>): string[] {
  const problems = schemaProblems(operation.id, operation.input);
  if (operation.summary.trim() === '') problems.push(`${operation.id} has no summary`);
  for (const code of operation.errors) {
    if (!Object.hasOwn(errors, code)) problems.push(`${operation.id} declares the unknown error ${code}`);
  }
  return operation.http ? [...problems, ...bindingProblems(operation, operation.http)] : problems;
}

/** What an agent is told is JSON Schema; a schema that has none cannot be offered. */
function schemaProblems(owner: string, schema: z.ZodType): string[] {
  try {
    const described = z.toJSONSchema(schema, { io: 'input' });
    return described.type === 'object' || described.anyOf || described.oneOf
      ? []
      : [`${owner}: the input is no object`];
  } catch (error) {
    return [
      `${owner}: the input has no JSON Schema: ${error instanceof Error ? error.message : String(error)}`,
    ];
  }
}

/** Everything that a fault plan can have a service say in place of an answer. */
const REFUSALS: readonly Refusal[] = [
  { status: 429 },
  { status: 429, reason: 'rate-limit' },
  { status: 429, reason: 'quota' },
  { status: 500 },
  { status: 502 },
  { status: 503 },
  { status: 503, reason: 'maintenance' },
];

/** The answers under stress exist, are declared, and say when to come again where the plan does. */
function refusalProblems({ service, world }: Subject): string[] {
  const { name, protocol } = service;
  const table: RefusedCall['table'] = (short) => world.table(`${name}.${short}`);
  const call: RefusedCall = { actor: { id: 'nobody' }, nowMs: 0, table };
  return REFUSALS.flatMap((asked) => {
    const title = `the answer ${[asked.status, asked.reason].filter(Boolean).join(' for ')}`;
    const error = protocol.refusal({ ...asked, retryAfterSeconds: 4_711 }, call);
    // Some refuse a flood with 403.
    const statuses = asked.status === 429 ? [429, 403] : [asked.status];
    if (!(error instanceof ProviderError) || !statuses.includes(error.status))
      return [`${title} has the status ${error.status}`];
    const spec = service.errors[error.code];
    if (!spec) return [`${title} has the undeclared error ${error.code}`];
    // A limit may be one that calls use up by themselves.
    const isCounted = asked.reason === 'rate-limit' || asked.reason === 'quota';
    if (spec.reach !== 'fault' && !isCounted)
      return [`${error.code} comes from faults only: declare reach 'fault'`];
    return /4711/u.test(error.message + JSON.stringify([error.details, error.headers]))
      ? []
      : [`${title} does not say when to come again`];
  });
}

/** What the doors need: tokens that cannot be guessed, an answer for strangers, one route per operation. */
function doorProblems(service: Subject['service']): string[] {
  const problems: string[] = [];
  const { access, operations, errors, protocol } = service;
  const letters = access.token.alphabet?.length ?? ALPHANUMERIC;
  if (access.token.length * Math.log2(letters) < TOKEN_BITS_LEAST) problems.push('its tokens can be guessed');
  if (access.places.length === 0) problems.push('its requests have no place for a token');
  for (const reason of ['missing', 'unknown'] as const) {
    const { code } = protocol.unauthenticated(reason);
    if (errors[code]?.reach !== 'door') problems.push(`${code} comes from doors only: declare reach 'door'`);
  }
  problems.push(...routeProblems(service), ...recordedHeaderProblems(protocol));
  for (const { id, issuedTokens = [], output } of operations) {
    const { properties = {} } = z.toJSONSchema(output, { unrepresentable: 'any' });
    for (const member of issuedTokens) {
      if (!Object.hasOwn(properties, member))
        problems.push(`${id} issues ${member}, which its output has not`);
    }
  }
  return problems;
}

/** Whatever a request shows as proof of who it is stays out of records. */
function recordedHeaderProblems(protocol: Subject['service']['protocol']): string[] {
  if (!protocol.requestHeaders) return [];
  const proofs = { authorization: 'Bearer x', cookie: 'x=y', 'proxy-authorization': 'Basic eDp5' };
  const picked = Object.entries(protocol.requestHeaders(proofs) ?? {})
    .filter(([name, value]) => Object.hasOwn(proofs, name) || Object.values(proofs).includes(value))
    .map(([name]) => name);
  const upper = Object.keys(protocol.requestHeaders({ accept: 'x/y' }) ?? {});
  return [
    ...picked.map((name) => `the request header ${name} would be recorded, a secret`),
    ...upper.filter((name) => name !== name.toLowerCase()).map((name) => `${name} is not in lower case`),
  ];
}

const ALPHANUMERIC = 62;
const TOKEN_BITS_LEAST = 100;

/** Every operation's example succeeds on the small seed. */
export function exampleProblems(subject: Subject): string[] {
  return subject.exampleScripts().flatMap(({ title, calls }) => {
    const { outcomes, crash } = subject.play(title, calls);
    if (crash) return [`${title}: ${crash.message}`];
    return outcomes
      .filter(({ step }) => step.outcome !== 'ok')
      .map(
        ({ step }) => `${title} ends with ${step.error?.code ?? step.outcome}: ${step.error?.message ?? ''}`,
      );
  });
}

/** Every probe's answer shows its facts. */
export function probeProblems(subject: Subject): string[] {
  const scripts = subject.probeScripts();
  return subject.options.probes.flatMap((probe, index) => {
    const script = scripts[index];
    if (!script) return [];
    const { outcomes, crash } = subject.play(script.title, script.calls);
    const last = outcomes.at(-1);
    if (crash || !last) return [`${script.title}: ${crash?.message ?? 'made no call'}`];
    if (Object.keys(probe.expect.facts).length === 0) return [`${script.title} states no fact`];
    const { status, response } = last.step;
    const wanted = probe.expect.status ?? 200;
    if (status !== wanted) return [`${script.title}: status ${status} instead of ${wanted}`];
    if (holdsAll(probe.expect.facts, response)) return [];
    return [`${script.title}: the facts do not hold of ${JSON.stringify(response)}`];
  });
}

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
