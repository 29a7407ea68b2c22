import type { z } from 'zod';
import { UsageError } from '../base/errors.ts';
import type { Operation, Service, Tool } from '../service/types.ts';

/** A name that can be called: a tool, or an operation that no tool covers alone. */
export interface Callable {
  /** The name that steps record, the same over every door. */
  readonly name: string;
  readonly service: Service;
  readonly effect: 'read' | 'write';
  /** The operation, when the name is exactly one. */
  readonly operation: Operation | null;
  /** The tool that agents know it by, if any. */
  readonly tool: Tool | null;
  /** What the arguments must look like. */
  readonly input: z.ZodType;
  /** Members of the arguments that are left out of digests. */
  readonly unhashed: readonly string[];
}

/** Everything that can be called in a set of services. */
export interface Toolbox {
  /** Of two operations with one id, that of the first service. */
  readonly byName: ReadonlyMap<string, Callable>;
  /** The same within each service. */
  readonly byService: ReadonlyMap<string, ReadonlyMap<string, Callable>>;
  readonly operations: ReadonlyMap<string, { readonly service: Service; readonly operation: Operation }>;
  /** Names that a vendor has and the replica does not model: calling one voids the trial. */
  readonly unmodelled: ReadonlyMap<string, readonly Service[]>;
  /** The tools that agents can be offered, in declared order. */
  readonly tools: readonly { readonly tool: Tool; readonly callable: Callable }[];
  /** The names of those that are on offer unless a session says otherwise: one set for all such sessions. */
  readonly toolNames: ReadonlySet<string>;
}

/** Whether at least everything is on offer that is so by itself. */
export function offersAll({ toolNames }: Toolbox, offered: ReadonlySet<string>): boolean {
  return offered === toolNames || [...toolNames].every((name) => offered.has(name));
}

/** Toolboxes by the services in them, one after the other; kept as long as these are. */
class Compiled {
  toolbox: Toolbox | null = null;
  readonly #longer = new WeakMap<Service, Compiled>();

  with(service: Service): Compiled {
    const known = this.#longer.get(service);
    if (known) return known;
    const made = new Compiled();
    this.#longer.set(service, made);
    return made;
  }
}

const compiled = new WeakMap<readonly Service[], Toolbox>();
const shared = new Compiled();

/**
 * The toolbox of these services, built once for them. An operation's id and the tool that is nothing but that
 * operation are one callable under the tool's name: so a call has the same step over REST and MCP.
 * @throws UsageError when two services offer a tool of one name.
 */
export function toolboxOf(services: readonly Service[]): Toolbox {
  const known = compiled.get(services);
  if (known) return known;
  const place = services.reduce((so, service) => so.with(service), shared);
  place.toolbox ??= compile(services);
  compiled.set(services, place.toolbox);
  return place.toolbox;
}

function compile(services: readonly Service[]): Toolbox {
  const byName = new Map<string, Callable>();
  const byService = new Map<string, Map<string, Callable>>();
  const operations = new Map<string, { service: Service; operation: Operation }>();
  const unmodelled = new Map<string, Service[]>();
  const tools: { tool: Tool; callable: Callable }[] = [];
  for (const service of services) {
    for (const operation of service.operations) operations.set(operation.id, { service, operation });
    const own = new Map<string, Callable>();
    byService.set(service.name, own);
    for (const tool of service.tools) {
      if (byName.get(tool.name)?.tool || own.has(tool.name)) throw sameName(tool.name, services);
      const callable = callableOf(service, tool);
      own.set(tool.name, callable);
      tools.push({ tool, callable });
    }
    for (const { callable } of tools) {
      const id = callable.service === service ? callable.operation?.id : undefined;
      if (id !== undefined && !own.has(id)) own.set(id, callable);
    }
    for (const operation of service.operations) {
      if (!own.has(operation.id)) own.set(operation.id, bareOperation(service, operation));
    }
    // A tool's name is what agents call: it stands before an operation of another service.
    for (const [name, callable] of own) {
      if (callable.tool?.name === name || !byName.has(name)) byName.set(name, callable);
    }
    for (const entry of service.coverage) {
      if (entry.status !== 'absent') continue;
      unmodelled.set(entry.operation, [...(unmodelled.get(entry.operation) ?? []), service]);
    }
  }
  const toolNames = new Set(tools.filter(({ tool }) => !tool.optional).map(({ tool }) => tool.name));
  return { byName, byService, operations, unmodelled, tools, toolNames };
}

function callableOf(service: Service, tool: Tool): Callable {
  const parts = tool.operations.map((id) => service.operations.find((operation) => operation.id === id));
  const effect = parts.some((operation) => operation?.effect === 'write') ? 'write' : 'read';
  const operation = tool.compose ? null : (parts[0] ?? null);
  // A composed tool hands such a member on under the operation's name for it.
  const unhashed = [...new Set(parts.flatMap((part) => part?.unhashedInputs ?? []))];
  return {
    name: tool.name,
    service,
    effect,
    operation,
    tool,
    input: operation?.input ?? tool.input,
    unhashed,
  };
}

function bareOperation(service: Service, operation: Operation): Callable {
  const { id, effect, input, unhashedInputs = [] } = operation;
  return { name: id, service, effect, operation, tool: null, input, unhashed: unhashedInputs };
}

function sameName(name: string, services: readonly Service[]): UsageError {
  const owners = services.filter((service) => service.tools.some((tool) => tool.name === name));
  return new UsageError(
    'tool-name-taken',
    `${owners.map((service) => service.name).join(' and ')} both offer a tool named ${name}`,
    { hint: 'put only one of them into this world' },
  );
}
