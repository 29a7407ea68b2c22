import type { Service } from '../../service/types.ts';
import type { Credential, SessionHost } from '../host/index.ts';
import type { Door, DoorRequest } from '../http/index.ts';
import {
  allowOrigin,
  exchange,
  headerProblem,
  originAllowed,
  readBody,
  sendJson,
  sendNothing,
} from './exchange.ts';
import { problemOf, RPC } from './json-rpc.ts';
import { SessionIds } from './session-ids.ts';
import type { McpOptions, McpTarget } from './target.ts';

const PREFIXED = /^\/_groundhog\/s\/([^/]+)\/mcp\/?$/u;

/**
 * Streamable HTTP of the Model Context Protocol. A session is found by its token: in the path, as bearer, or
 * in the header `x-groundhog-session`. `/mcp` without any token is left to the next door.
 */
export function mcpDoor(host: SessionHost, options: McpOptions = {}): Door {
  const ids = new SessionIds();
  const vendors = new Set(host.source.services.filter(hasOwnMcp).map(({ name }) => name));
  const vendorHosts = new Set(host.source.services.flatMap(({ access }) => access.hosts));
  return {
    name: 'mcp',
    handle(request) {
      const prefixed = PREFIXED.exec(request.path)?.[1];
      if (prefixed !== undefined) return handleWith(prefixed, request);
      if (request.path !== '/mcp' || vendorHosts.has(request.host)) return null;
      const header = request.raw.headers['x-groundhog-session'];
      const token = typeof header === 'string' ? header : request.bearer;
      if (token === null) return null;
      // The token of a service is a request to that service, unless it can only be a slip for the session's.
      const service = host.credential(token)?.service ?? null;
      if (service !== null && (request.method !== 'POST' || vendors.has(service))) return null;
      return handleWith(token, request);
    },
  };

  async function handleWith(token: string, request: DoorRequest): Promise<void> {
    const { raw, response } = request;
    const { origin } = raw.headers;
    if (!originAllowed(origin, options.origins ?? [])) {
      return refuse(request, 403, 'Forbidden: this origin may not speak to this server');
    }
    if (origin !== undefined) allowOrigin(request, origin);
    if (request.method === 'OPTIONS') return sendNothing(request, 204);
    const target = targetOf(host.credential(token));
    if (!target) {
      response.setHeader('www-authenticate', 'Bearer realm="groundhog", error="invalid_token"');
      return refuse(
        request,
        401,
        `Unauthorized: ${whyNot(host.credential(token))} (use the session's token, GROUNDHOG_TOKEN)`,
      );
    }
    const id = raw.headers['mcp-session-id'];
    if (typeof id === 'string' && !ids.holds(id, token)) return refuse(request, 404, 'Session not found');
    if (request.method === 'DELETE') {
      if (typeof id === 'string') ids.end(id);
      return sendNothing(request, 204);
    }
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST, DELETE, OPTIONS');
      return refuse(request, 405, 'Method Not Allowed: this server sends nothing unasked');
    }
    return post(request, target, token);
  }

  async function post(request: DoorRequest, target: McpTarget, token: string): Promise<void> {
    const problem = headerProblem(request);
    if (problem) return refuse(request, problem.status, problem.message);
    const read = await readBody(request);
    if ('problem' in read) return sendJson(request, 400, read.problem);
    if (asksToInitialize(read.message)) request.response.setHeader('mcp-session-id', ids.issue(token));
    await exchange(request, target, read.message);
  }

  function targetOf(credential: Credential | undefined): McpTarget | null {
    if (!credential || credential.service !== null) return null;
    const session = host.session(credential.session);
    if (!session) return null;
    const { tables = false, pacing } = options;
    return { host, session, credential, door: 'mcp', tables, ...(pacing && { pacing }) };
  }
}

function whyNot(credential: Credential | undefined): string {
  const service = credential?.service ?? null;
  return service === null ? 'no session has this token' : `this token opens ${service} alone`;
}

/** Whether a vendor has something at the path that is ours: exactly there, or anything at its place. */
export function hasOwnMcp({ operations, coverage }: Service): boolean {
  return [...operations, ...coverage].some(({ http }) => http && OWN_MCP.test(http.path));
}

const OWN_MCP = /^\/(?:mcp|\{\w+\*?\})$/u;

/** Whether a message, or one of a batch, opens the protocol. */
export function asksToInitialize(message: unknown): boolean {
  const messages: readonly unknown[] = Array.isArray(message) ? message : [message];
  return messages.some((one) => (one as { readonly method?: unknown } | null)?.method === 'initialize');
}

function refuse(request: DoorRequest, status: number, message: string): void {
  sendJson(request, status, problemOf(null, { code: RPC.server, message }));
}
