import { z } from 'zod';
import { ProviderError } from '../base/errors.ts';
import { holdsAll } from '../base/predicate.ts';
import type { Operation } from '../service/types.ts';
import { bindingProblems, routeProblems } from './laws-routes.ts';
import type { Subject } from './subject.ts';

/** Names are unique, tools bind operations that exist, and everything has what it must have. */
export function declarationProblems({ service, options }: Subject): string[] {
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
  return [...problems, ...refusalProblems(service), ...doorProblems(service)];
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

/** The answers under stress exist and are declared as such. */
function refusalProblems(service: Subject['service']): string[] {
  return ([429, 503] as const).flatMap((status) => {
    const error = service.protocol.refusal({ status, retryAfterSeconds: 7 });
    if (!(error instanceof ProviderError) || error.status !== status)
      return [`no answer with status ${status}`];
    const spec = service.errors[error.code];
    if (!spec) return [`the answer ${status} has the undeclared error ${error.code}`];
    return spec.reach === 'fault' ? [] : [`${error.code} comes from faults only: declare reach 'fault'`];
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
