import type { IncomingMessage } from 'node:http';
import type { SessionHost } from '../host/index.ts';
import type { Door, DoorRequest } from '../http/index.ts';
import { originAllowed, problemOf, RPC, sendJson } from '../mcp/index.ts';
import { answerMessage, capacityReached, type Reply, sessionProblem } from './connection.ts';
import { docsPage, metadata, openApi, schema } from './documents.ts';
import { HttpEpisodes } from './http.ts';
import { EnvInstance } from './instance.ts';
import { answerDialect } from './mcp.ts';
import { McpEndpoint } from './mcp-endpoint.ts';
import type { OpenEnvOptions } from './options.ts';
import { Registry } from './registry.ts';
import { Sockets, type Speaker } from './sockets.ts';

type Answer = (request: DoorRequest) => Promise<void> | void;

/** The environment protocol of OpenEnv: `/ws`, and beside it HTTP and JSON-RPC. */
export function openEnvDoor(host: SessionHost, options: OpenEnvOptions = {}): Door {
  const registry = new Registry(host, options);
  const http = new HttpEpisodes(host, registry);
  const mcp = new McpEndpoint(registry, options);
  const sockets = new Sockets();
  const vendorHosts = new Set(host.source.services.flatMap(({ access }) => access.hosts));
  const routes: Readonly<Record<string, Readonly<Record<string, Answer>>>> = {
    '/reset': { POST: (request) => http.reset(request) },
    '/step': { POST: (request) => http.step(request) },
    '/state': { GET: (request) => http.state(request) },
    '/metadata': { GET: (request) => sendJson(request, 200, metadata(host, options)) },
    '/health': { GET: (request) => sendJson(request, 200, { status: 'healthy' }) },
    '/schema': { GET: (request) => sendJson(request, 200, schema()) },
    '/openapi.json': { GET: (request) => sendJson(request, 200, openApi(host, options)) },
    '/docs': { GET: (request) => sendPage(request, docsPage(host, options)) },
    '/mcp': {
      POST: (request) => mcp.post(request),
      DELETE: (request) => mcp.end(request),
      OPTIONS: (request) => mcp.options(request),
    },
  };

  function isOurs(hostName: string, bearer: string | null): boolean {
    if (vendorHosts.has(hostName)) return false;
    return bearer === null || (host.credential(bearer)?.service ?? null) === null;
  }

  return {
    name: 'openenv',
    handle(request) {
      const methods = Object.hasOwn(routes, request.path) ? routes[request.path] : undefined;
      if (!methods || !isOurs(request.host, request.bearer)) return null;
      const answer = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
      return answer ? run(answer, request) : run(() => wrongMethod(request, methods), request);
    },
    upgrade(request, socket, head) {
      const { path, query, hostName, bearer } = placeOf(request);
      if ((path !== '/ws' && path !== '/mcp') || !isOurs(hostName, bearer)) return false;
      if (!originAllowed(request.headers.origin, options.origins ?? [])) {
        socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
        return true;
      }
      const sessionId = query.get('session_id');
      sockets.accept({ request, socket, head }, () =>
        path === '/mcp' ? mcpSpeaker() : sessionId === null ? ownSpeaker() : attached(sessionId),
      );
      return true;
    },
    async close() {
      sockets.close();
      await registry.closeAll();
    },
  };

  /** A connection with an environment of its own, which ends with it. */
  function ownSpeaker(): Speaker | Reply {
    return connected((instance) => (text) => answerMessage(instance, text));
  }

  function mcpSpeaker(): Speaker | Reply {
    return connected((instance) => async (text) => {
      let message: unknown;
      try {
        message = JSON.parse(text);
      } catch {
        const parse = problemOf(null, { code: RPC.parse, message: 'Parse error: the message is not JSON' });
        return { text: JSON.stringify(parse), close: false };
      }
      return { text: JSON.stringify(await answerDialect(instance, message)), close: false };
    });
  }

  function connected(answerOf: (instance: EnvInstance) => Speaker['answer']): Speaker | Reply {
    if (!registry.hasRoom) return capacityReached(registry.room);
    registry.connected();
    const instance = new EnvInstance(host, options);
    return {
      answer: answerOf(instance),
      close: () => {
        registry.disconnected();
        return instance.close();
      },
    };
  }

  /** A connection to an environment that was made over `/mcp`, and outlives it. */
  function attached(id: string): Speaker | Reply {
    const kept = registry.find(id);
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
        if (kept.closing) await registry.close(id);
      },
    };
  }
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
} {
  const [path = '/', query = ''] = url.split('?', 2);
  const authorization = headers.authorization ?? '';
  return {
    path,
    query: new URLSearchParams(query),
    hostName: (headers.host ?? '').replace(/:\d+$/u, '').toLowerCase(),
    bearer: /^bearer /iu.test(authorization) ? authorization.slice(7).trim() : null,
  };
}
