import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SessionHost } from '../host/index.ts';
import type { Door, DoorRequest } from '../http/index.ts';
import { originAllowed, problemFor, problemOf, RPC, sendJson } from '../mcp/index.ts';
import { answerMessage, capacityReached, type Reply, sessionProblem } from './connection.ts';
import { docsPage, metadata, openApi, schema } from './documents.ts';
import { HttpEpisodes } from './http.ts';
import type { EnvInstance } from './instance.ts';
import { answerDialect, idOf } from './mcp.ts';
import { McpEndpoint } from './mcp-endpoint.ts';
import type { OpenEnvOptions } from './options.ts';
import { Registry } from './registry.ts';
import { Sockets, type Speaker } from './sockets.ts';

type Answer = (request: DoorRequest) => Promise<void> | void;

type Methods = Readonly<Record<string, Answer>>;

/** The environment protocol of OpenEnv: `/ws`, and beside it HTTP and JSON-RPC. */
export function openEnvDoor(host: SessionHost, options: OpenEnvOptions = {}): Door {
  return new OpenEnvDoor(host, options);
}

class OpenEnvDoor implements Door {
  readonly name = 'openenv';
  readonly #host: SessionHost;
  readonly #options: OpenEnvOptions;
  readonly #registry: Registry;
  readonly #sockets = new Sockets();
  readonly #vendorHosts: ReadonlySet<string>;
  readonly #routes: Readonly<Record<string, Methods>>;

  constructor(host: SessionHost, options: OpenEnvOptions) {
    this.#host = host;
    this.#options = options;
    this.#registry = new Registry(host, options);
    this.#vendorHosts = new Set(host.source.services.flatMap(({ access }) => access.hosts));
    this.#routes = routesOf(host, this.#registry, options);
  }

  handle(request: DoorRequest): Promise<void> | null {
    const methods = Object.hasOwn(this.#routes, request.path) ? this.#routes[request.path] : undefined;
    if (!methods || !this.#isOurs(request.host, request.bearer)) return null;
    // `/mcp` says so itself, in its own words.
    if (request.path !== '/mcp' && !originAllowed(request.raw.headers.origin, this.#options.origins ?? [])) {
      return run(
        () => sendJson(request, 403, { detail: 'this origin may not speak to this server' }),
        request,
      );
    }
    const answer = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
    return run(answer ?? (() => wrongMethod(request, methods)), request);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const { path, query, hostName, bearer, header } = placeOf(request);
    if ((path !== '/ws' && path !== '/mcp') || !this.#isOurs(hostName, bearer)) return false;
    if (!originAllowed(request.headers.origin, this.#options.origins ?? [])) {
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      return true;
    }
    const sessionId = query.get('session_id');
    this.#sockets.accept({ request, socket, head }, () => {
      if (path === '/ws' && sessionId !== null) return this.#attached(sessionId);
      const adopted = this.#adopted(header, bearer);
      if (adopted === null) return sessionProblem('no session has the token in x-groundhog-session');
      return this.#connected(path === '/mcp' ? answerRpcText : answerMessage, adopted);
    });
    return true;
  }

  async close(): Promise<void> {
    this.#sockets.close();
    await this.#registry.closeAll();
  }

  /** Not on a vendor's own host, and not with the token of a service: that is a request to the service. */
  #isOurs(hostName: string, bearer: string | null): boolean {
    if (this.#vendorHosts.has(hostName)) return false;
    return bearer === null || (this.#host.credential(bearer)?.service ?? null) === null;
  }

  /** The session whose token a client shows; undefined where it shows none, null for a wrong header. */
  #adopted(header: string | undefined, bearer: string | null): EnvInstance | undefined | null {
    if (header !== undefined) return this.#registry.adopt(header) ?? null;
    return bearer === null ? undefined : this.#registry.adopt(bearer);
  }

  /** A connection to an adopted session, or with an environment of its own, which ends with it. */
  #connected(
    answer: (instance: EnvInstance, text: string) => Promise<Reply>,
    adopted: EnvInstance | undefined,
  ): Speaker | Reply {
    const registry = this.#registry;
    if (!registry.hasRoom) return capacityReached(registry.room);
    registry.connected();
    const instance = adopted ?? registry.temporary();
    return {
      answer: (text) => answer(instance, text),
      close: async () => {
        registry.disconnected();
        if (!adopted) await instance.close();
      },
    };
  }

  /** A connection to an environment that was made over `/mcp`, and outlives it. */
  #attached(id: string): Speaker | Reply {
    const kept = this.#registry.find(id);
    if (!kept) return sessionProblem(`Unknown session_id: ${id}`);
    if (kept.attached) return sessionProblem(`Session ${id} already has an attached WebSocket`);
    kept.attached = true;
    return {
      answer: (text) => {
        kept.usedAtMs = Date.now();
        return answerMessage(kept.instance, text);
      },
      close: async () => {
        kept.attached = false;
        if (kept.closing) await this.#registry.close(id);
      },
    };
  }
}

function routesOf(
  host: SessionHost,
  registry: Registry,
  options: OpenEnvOptions,
): Readonly<Record<string, Methods>> {
  const http = new HttpEpisodes(registry);
  const mcp = new McpEndpoint(registry, options);
  const get = (document: () => object): Methods => ({ GET: (request) => sendJson(request, 200, document()) });
  return {
    '/reset': { POST: (request) => http.reset(request) },
    '/step': { POST: (request) => http.step(request) },
    '/state': { GET: (request) => http.state(request) },
    '/metadata': get(() => metadata(host, options)),
    '/health': get(() => ({ status: 'healthy' })),
    '/schema': get(schema),
    '/openapi.json': get(() => openApi(host, options)),
    '/docs': { GET: (request) => sendPage(request, docsPage(host, options)) },
    '/mcp': {
      POST: (request) => mcp.post(request),
      DELETE: (request) => mcp.end(request),
      OPTIONS: (request) => mcp.options(request),
    },
  };
}

/** One JSON-RPC message on `/mcp` as a WebSocket. */
async function answerRpcText(instance: EnvInstance, text: string): Promise<Reply> {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    const parse = problemOf(null, { code: RPC.parse, message: 'Parse error: the message is not JSON' });
    return { text: JSON.stringify(parse), close: false };
  }
  const answered = await answerDialect(instance, message).catch((error: unknown) =>
    problemOf(idOf(message), problemFor(error)),
  );
  return { text: isNotification(message) ? null : JSON.stringify(answered), close: false };
}

/** What stock clients of the protocol send and expect no answer to. */
function isNotification(message: unknown): boolean {
  const { method } = (message ?? {}) as { readonly method?: unknown };
  return typeof method === 'string' && method.startsWith('notifications/');
}

async function run(answer: Answer, request: DoorRequest): Promise<void> {
  await answer(request);
}

function wrongMethod(request: DoorRequest, methods: Readonly<Record<string, Answer>>): void {
  request.response.setHeader('allow', Object.keys(methods).join(', '));
  sendJson(request, 405, { detail: 'Method Not Allowed' });
}

function sendPage({ response }: DoorRequest, text: string): void {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

function placeOf({ url = '/', headers }: IncomingMessage): {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly hostName: string;
  readonly bearer: string | null;
  readonly header: string | undefined;
} {
  const [path = '/', query = ''] = url.split('?', 2);
  const authorization = headers.authorization ?? '';
  return {
    path,
    query: new URLSearchParams(query),
    hostName: (headers.host ?? '').replace(/:\d+$/u, '').toLowerCase(),
    header: typeof headers['x-groundhog-session'] === 'string' ? headers['x-groundhog-session'] : undefined,
    bearer: /^bearer /iu.test(authorization) ? authorization.slice(7).trim() : null,
  };
}
