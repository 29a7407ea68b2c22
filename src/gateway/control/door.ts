import findMyWay, { type HTTPMethod } from 'find-my-way';
import type { z } from 'zod';
import { InvariantError, UsageError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { inputProblem } from '../../session/index.ts';
import { type HostedSession, type SessionHost, sameSecret } from '../host/index.ts';
import {
  answerJson,
  answerProblem,
  type Conversion,
  conversionFor,
  type Door,
  type DoorRequest,
  queryArguments,
} from '../http/index.ts';
import { type ListenerFigures, metricsText } from './metrics.ts';
import { CONTROL_PREFIX, HEALTH_PATH, openApiDocument } from './openapi.ts';
import type { ControlRoute } from './route.ts';
import { controlRoutes } from './routes.ts';

export interface ControlOptions {
  /** The bearer token that opens the control plane. */
  readonly token: string;
  /** What the listener counts; null before it is up. */
  readonly listener?: () => ListenerFigures | null;
  /** Told of each answered request, by the name of its route: no path, since tokens may stand in one. */
  readonly log?: (line: {
    readonly route: string;
    readonly status: number;
    readonly session?: string;
  }) => void;
}

/** The door of the control plane: everything below its prefix, and the open health check. */
export function controlDoor(host: SessionHost, options: ControlOptions): Door {
  return new ControlDoor(host, options);
}

interface Stored {
  readonly route: ControlRoute;
  readonly conversion: Conversion | null;
}

class ControlDoor implements Door {
  readonly name = 'control';
  readonly #host: SessionHost;
  readonly #options: ControlOptions;
  readonly #router = findMyWay({ maxParamLength: 1_000, querystringParser: () => ({}) });
  #document: JsonObject | null = null;

  constructor(host: SessionHost, options: ControlOptions) {
    this.#host = host;
    this.#options = options;
    for (const route of controlRoutes) {
      const stored: Stored = { route, conversion: route.query && conversionFor(route.query) };
      this.#router.on(route.method, route.path.replaceAll(/\{(\w+)\}/gu, ':$1'), () => {}, stored);
    }
  }

  handle(request: DoorRequest): Promise<void> | null {
    const { path } = request;
    if (path === HEALTH_PATH) {
      answerJson(request.response, 200, { body: { status: 'healthy', sessions: this.#host.size } });
      return DONE;
    }
    if (path !== '/_groundhog/control' && !path.startsWith('/_groundhog/control/')) return null;
    if (request.bearer === null || !sameSecret(request.bearer, this.#options.token)) {
      answerProblem(request.response, 401, {
        code: 'control-token',
        message: 'the control plane needs its own token',
        hint: 'Authorization: Bearer and the token that the server printed as it started',
        headers: { 'www-authenticate': 'Bearer' },
      });
      return DONE;
    }
    return this.#routed(request);
  }

  async #routed(request: DoorRequest): Promise<void> {
    const { response, path } = request;
    const below = path.startsWith(`${CONTROL_PREFIX}/`) ? path.slice(CONTROL_PREFIX.length) : '';
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (method === 'GET' && below === '/openapi.json') {
      this.#document ??= openApiDocument();
      answerJson(response, 200, { body: this.#document });
      return;
    }
    if (method === 'GET' && below === '/metrics') {
      const text = metricsText(this.#host, this.#options.listener?.() ?? null);
      answerText(response, 'text/plain; version=0.0.4; charset=utf-8', text);
      return;
    }
    const found = below === '' ? null : this.#router.find(method as HTTPMethod, below);
    if (found) await this.#run(request, found.store as Stored, found.params);
    else this.#unknown(response, below);
  }

  #unknown(response: DoorRequest['response'], below: string): void {
    const allow = (['GET', 'POST', 'DELETE'] as const).filter(
      (method) => below !== '' && this.#router.find(method, below) !== null,
    );
    if (allow.length === 0) {
      answerProblem(response, 404, {
        code: 'no-route',
        message: 'the control plane has no such path',
        hint: `all are in ${CONTROL_PREFIX}/openapi.json`,
      });
      return;
    }
    answerProblem(response, 405, {
      code: 'wrong-method',
      message: `this path takes ${allow.join(', ')} only`,
      headers: { allow: allow.join(', ') },
    });
  }

  async #run(request: DoorRequest, { route, conversion }: Stored, params: Params): Promise<void> {
    const { response } = request;
    try {
      if (params.id !== undefined) this.#session(params.id);
      const query = route.query && checked(route.query, queryOf(request, conversion), 'query');
      const body = route.body && checked(route.body, await bodyOf(request), 'body');
      // Asked for anew: it may have been closed while the body came in.
      const session = params.id === undefined ? undefined : this.#session(params.id);
      const answer = await route.run({
        host: this.#host,
        baseUrl: `http://${request.raw.headers.host ?? ''}`,
        params,
        query,
        body,
        get session() {
          if (session) return session;
          throw new InvariantError(`the route ${route.name} has no session`);
        },
      });
      if (typeof route.answer === 'string') answerText(response, route.answer, String(answer));
      else answerJson(response, 200, { body: answer });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const { code, message, hint } = error;
      answerProblem(response, statusOf(code), { code, message, ...(hint !== undefined && { hint }) });
    }
  }

  #session(id: string): HostedSession {
    const session = this.#host.session(id);
    if (session) return session;
    throw new UsageError('no-session', 'there is no session of this id');
  }
}

type Params = Readonly<Record<string, string | undefined>>;

const DONE = Promise.resolve();

/** Statuses of what our caller got wrong; 400 for all others. */
const STATUSES: Readonly<Record<string, number>> = {
  'no-session': 404,
  'session-closed': 404,
  'no-table': 404,
  'no-step': 404,
  'no-checkpoint': 404,
  'unknown-scenario': 404,
  'episode-over': 409,
  finished: 409,
  'nobody-there': 409,
  'world-changed': 409,
  'no-room': 429,
  'log-unavailable': 503,
  'log-damaged': 503,
};

function statusOf(code: string): number {
  return Object.hasOwn(STATUSES, code) ? (STATUSES[code] ?? 400) : 400;
}

function answerText(response: DoorRequest['response'], type: string, text: string): void {
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

function queryOf({ query }: DoorRequest, conversion: Conversion | null): unknown {
  const read = queryArguments(query);
  if (read.kind === 'malformed') throw new UsageError('bad-query', 'the query is not one');
  const texts = read.kind === 'texts' ? read.value : {};
  return conversion ? conversion(texts) : texts;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The body as JSON; nothing at all is an empty object. */
async function bodyOf(request: DoorRequest): Promise<unknown> {
  const body = await request.body();
  if (body.length === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(UTF8.decode(body));
  } catch {
    throw new UsageError('bad-json', 'the body is not JSON', { hint: 'send one JSON object, in UTF-8' });
  }
  const problem = inputProblem(value);
  if (problem !== null) throw new UsageError('bad-json', `the body cannot be taken: ${problem}`);
  return value;
}

/** @throws UsageError with the first thing that is wrong, in one sentence. */
function checked(schema: z.ZodType, value: unknown, what: string): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = [what, ...(issue?.path ?? []).map(String)].join('.');
  throw new UsageError('bad-request', `${place}: ${issue?.message ?? 'not as it should be'}`, {
    hint: `the schema is in ${CONTROL_PREFIX}/openapi.json`,
  });
}
