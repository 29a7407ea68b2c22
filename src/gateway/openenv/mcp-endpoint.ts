import { UsageError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { DoorRequest } from '../http/index.ts';
import {
  allowOrigin,
  asksToInitialize,
  exchange,
  headerProblem,
  type McpTarget,
  originAllowed,
  problemOf,
  RPC,
  type RpcResponse,
  readMcpBody,
  resultOf,
  sendJson,
  sendNothing,
} from '../mcp/index.ts';
import type { EnvInstance } from './instance.ts';
import { answerDialect, failureOf, fullProblem, idOf } from './mcp.ts';
import type { OpenEnvOptions } from './options.ts';
import type { Registry } from './registry.ts';

/**
 * `POST /mcp` of clients that show no token. It speaks two dialects: a stock client opens with `initialize`
 * and is given an `Mcp-Session-Id` of its own; clients of the reference server send bare `tools/*` calls,
 * with a `session_id` from `openenv/session/create` or each to an environment of its own, and always get
 * HTTP 200.
 */
export class McpEndpoint {
  readonly #registry: Registry;
  readonly #options: OpenEnvOptions;

  constructor(registry: Registry, options: OpenEnvOptions) {
    this.#registry = registry;
    this.#options = options;
  }

  async post(request: DoorRequest): Promise<void> {
    if (!this.#allowed(request)) return;
    const read = await readMcpBody(request);
    const id = request.raw.headers['mcp-session-id'];
    if (typeof id === 'string') return this.#inSession(request, id, read);
    if ('problem' in read) return sendJson(request, 200, read.problem);
    if (asksToInitialize(read.message)) return this.#handshake(request, read.message);
    sendJson(request, 200, await this.#bare(read.message));
  }

  async end(request: DoorRequest): Promise<void> {
    if (!this.#allowed(request)) return;
    const id = request.raw.headers['mcp-session-id'];
    if (typeof id !== 'string' || !this.#registry.find(id)) {
      return sendJson(request, 404, problemOf(null, { code: RPC.server, message: 'Session not found' }));
    }
    await this.#registry.close(id);
    sendNothing(request, 204);
  }

  options(request: DoorRequest): void {
    if (this.#allowed(request)) sendNothing(request, 204);
  }

  #allowed(request: DoorRequest): boolean {
    const { origin } = request.raw.headers;
    if (originAllowed(origin, this.#options.origins ?? [])) {
      if (origin !== undefined) allowOrigin(request, origin);
      return true;
    }
    const message = 'Forbidden: this origin may not speak to this server';
    sendJson(request, 403, problemOf(null, { code: RPC.server, message }));
    return false;
  }

  async #inSession(
    request: DoorRequest,
    id: string,
    read: Awaited<ReturnType<typeof readMcpBody>>,
  ): Promise<void> {
    const kept = this.#registry.find(id);
    if (!kept) {
      return sendJson(request, 404, problemOf(null, { code: RPC.server, message: 'Session not found' }));
    }
    if (refusedByHeaders(request)) return;
    if ('problem' in read) return sendJson(request, 400, read.problem);
    await exchangeIn(request, kept.instance, read.message);
  }

  async #handshake(request: DoorRequest, message: unknown): Promise<void> {
    if (refusedByHeaders(request)) return;
    if (!this.#registry.hasRoom) return sendJson(request, 503, this.#full(message));
    const kept = await this.#registry.create();
    request.response.setHeader('mcp-session-id', kept.id);
    if (!(await exchangeIn(request, kept.instance, message))) await this.#registry.close(kept.id);
  }

  async #bare(message: unknown): Promise<RpcResponse> {
    const params = isJsonObject(message) && isJsonObject(message.params) ? message.params : {};
    const method = isJsonObject(message) ? message.method : undefined;
    const id = idOf(message);
    const { session_id: sessionId, ...rest } = params;
    if (method === 'openenv/session/create') {
      if (!this.#registry.hasRoom) return this.#full(message);
      const kept = await this.#registry.create();
      return resultOf(id, { session_id: kept.id });
    }
    if (method === 'openenv/session/close') return this.#close(id, sessionId);
    if (sessionId === undefined || sessionId === null) return this.#temporary(message);
    const kept = typeof sessionId === 'string' ? this.#registry.find(sessionId) : undefined;
    if (!kept) return unknownSession(id, sessionId);
    return await answerDialect(kept.instance, { ...(message as JsonObject), params: rest });
  }

  async #close(id: string | number | null, sessionId: unknown): Promise<RpcResponse> {
    if (typeof sessionId !== 'string' || sessionId === '') {
      const message = "Invalid params - 'session_id' is required";
      return problemOf(id, { code: RPC.invalidParams, message });
    }
    const kept = this.#registry.find(sessionId);
    if (!kept) return unknownSession(id, sessionId);
    if (kept.attached) {
      kept.closing = true;
      return resultOf(id, { session_id: sessionId, closed: false, closing: true });
    }
    await this.#registry.close(sessionId);
    return resultOf(id, { session_id: sessionId, closed: true });
  }

  /** An environment for this one message. */
  async #temporary(message: unknown): Promise<RpcResponse> {
    const instance = this.#registry.temporary();
    try {
      return await answerDialect(instance, message);
    } finally {
      await instance.close();
    }
  }

  #full(message: unknown): RpcResponse {
    return problemOf(idOf(message), fullProblem(this.#registry.room));
  }
}

/** Answers in an environment, or says why there is none; false for the latter. */
async function exchangeIn(request: DoorRequest, instance: EnvInstance, message: unknown): Promise<boolean> {
  let target: McpTarget;
  try {
    target = await instance.mcpTarget();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    request.response.removeHeader('mcp-session-id');
    sendJson(request, 503, problemOf(idOf(message), failureOf(error, instance)));
    return false;
  }
  await exchange(request, target, message);
  return true;
}

function unknownSession(id: string | number | null, sessionId: unknown): RpcResponse {
  return problemOf(id, {
    code: RPC.invalidParams,
    message: `Unknown session_id: ${typeof sessionId === 'string' ? sessionId : ''}`,
  });
}

/** Answers a request whose headers do not fit; false when they do. */
function refusedByHeaders(request: DoorRequest): boolean {
  const problem = headerProblem(request);
  if (!problem) return false;
  sendJson(request, problem.status, problemOf(null, { code: RPC.server, message: problem.message }));
  return true;
}
