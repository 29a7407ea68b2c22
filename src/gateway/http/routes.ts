import findMyWay, { type HTTPMethod } from 'find-my-way';
import type { HttpBinding, Operation, Service } from '../../service/types.ts';
import { type Conversion, conversionFor } from './conversion.ts';

/** What stands at a method and path of a service. */
export interface Route {
  /** What to call: the operation's id, also for one that the replica does not model. */
  readonly tool: string;
  /** Turns texts into the types that the operation wants; null for one that is not modelled. */
  readonly conversion: (() => Conversion) | null;
  /** The parameter that takes the rest of the path; null where there is none. */
  readonly rest: string | null;
  /** The inputs that a path gives instead of its parameters; null where those are the inputs. */
  readonly values: Values | null;
  /** The inputs that take a body which is no JSON object, and one as it came. */
  readonly bareBody?: string;
  readonly rawBody?: string;
}

type Values = Readonly<Record<string, string>>;

export interface FoundRoute {
  readonly route: Route;
  /** Percent-decoded. */
  readonly params: Readonly<Record<string, string | undefined>>;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The routes of one service: one table for all sessions. */
export class RouteTable {
  readonly #router = findMyWay({
    // Bounded by the size of the headers already.
    maxParamLength: Number.MAX_SAFE_INTEGER,
    // Queries are read elsewhere.
    querystringParser: () => NO_QUERY,
  });

  constructor(service: Service) {
    const taken = new Set<string>();
    for (const operation of service.operations) {
      if (!operation.http) continue;
      const { method, path, aliases = [] } = operation.http;
      const route = modelled(operation, operation.http);
      this.#add({ method, path }, route, taken);
      for (const alias of aliases) {
        const { values } = alias;
        this.#add({ method, path: alias.path }, { ...route, rest: restOf(alias.path), values }, taken);
      }
    }
    for (const { operation, http, status } of service.coverage) {
      if (http && status === 'absent')
        this.#add(http, { tool: operation, conversion: null, rest: restOf(http.path), values: null }, taken);
    }
  }

  /** The route of a method and path, or null; also for a path that is not well percent-encoded. */
  find(method: string, path: string): FoundRoute | null {
    // A question mark or hash cannot stand in a path; the router would cut there.
    const found = this.#router.find(method as HTTPMethod, path);
    if (!found) return null;
    const route = found.store as Route;
    const params = route.rest === null ? found.params : withRest(found.params, route.rest);
    return { route, params: route.values === null ? params : filled(route.values, params) };
  }

  /** The methods that a path has, `HEAD` and `OPTIONS` with them; empty for a path that does not exist. */
  allowed(path: string): readonly string[] {
    const found: string[] = METHODS.filter((method) => this.#router.find(method, path) !== null);
    if (found.length === 0) return found;
    return [...(found[0] === 'GET' ? ['GET', 'HEAD', ...found.slice(1)] : found), 'OPTIONS'];
  }

  #add({ method, path }: Pick<HttpBinding, 'method' | 'path'>, route: Route, taken: Set<string>): void {
    const key = `${method} ${path.replaceAll(/\{\w+/gu, '{')}`;
    // Two operations at one place: the first has it.
    if (taken.has(key)) return;
    taken.add(key);
    this.#router.on(method, patternOf(path), () => {}, route);
  }
}

const NO_QUERY = {};

function withRest(params: FoundRoute['params'], name: string): FoundRoute['params'] {
  const { [REST]: rest, ...others } = params;
  return { ...others, [name]: rest };
}

const PLACEHOLDER = /\{(\w+)\}/gu;

/** The inputs of an alias: what its values say, and the parameters that no value is made of. */
function filled(values: Values, params: FoundRoute['params']): FoundRoute['params'] {
  const inputs: Record<string, string | undefined> = { ...params };
  const texts = Object.values(values);
  for (const [, used = ''] of texts.flatMap((text) => [...text.matchAll(PLACEHOLDER)])) delete inputs[used];
  for (const name of Object.keys(values)) {
    inputs[name] = (values[name] ?? '').replaceAll(PLACEHOLDER, (_whole, used: string) => params[used] ?? '');
  }
  return inputs;
}

/** The wildcard has no name of its own in the router. */
const REST = '*';

/** `/repos/{owner}/contents/{path*}` in the router's words: `/repos/:owner/contents/*`. */
function patternOf(path: string): string {
  return path
    .replaceAll(':', '::')
    .replace(/\{\w+\*\}$/u, REST)
    .replaceAll(/\{(\w+)\}/gu, ':$1');
}

function restOf(path: string): string | null {
  return /\{(\w+)\*\}$/u.exec(path)?.[1] ?? null;
}

function modelled(operation: Operation, { path, bareBody, rawBody }: HttpBinding): Route {
  let conversion: Conversion | null = null;
  return {
    tool: operation.id,
    rest: restOf(path),
    values: null,
    ...(bareBody !== undefined && { bareBody }),
    ...(rawBody !== undefined && { rawBody }),
    conversion: () => {
      conversion ??= conversionFor(operation.input);
      return conversion;
    },
  };
}
