import { UsageError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import {
  answerMcp,
  isAnswerable,
  LostAnswer,
  problemFor,
  problemOf,
  RPC,
  type RpcProblem,
  type RpcResponse,
  resultOf,
  toolList,
  traceOf,
} from '../mcp/index.ts';
import type { EnvInstance } from './instance.ts';

/**
 * Answers a JSON-RPC message on an environment: the dialect of the reference server for the methods that it
 * has, the Model Context Protocol for all others. There is always an answer, also to what needs none.
 * @throws what is a fault of ours, as it comes.
 */
export async function answerDialect(instance: EnvInstance, message: unknown): Promise<RpcResponse> {
  const id = idOf(message);
  try {
    if (isJsonObject(message) && message.jsonrpc === '2.0' && isJsonObject(message.params ?? {})) {
      const params = (message.params ?? {}) as JsonObject;
      if (message.method === 'tools/list') return resultOf(id, toolList(instance.tools()));
      if (message.method === 'tools/call') return await called(instance, id, params);
    }
    const answered = await answerMcp(await instance.mcpTarget(), message);
    return answered ?? resultOf(id, {});
  } catch (error) {
    if (error instanceof LostAnswer) return problemOf(id, { code: RPC.timeout, message: error.message });
    if (!isAnswerable(error)) throw error;
    return problemOf(id, failureOf(error, instance));
  }
}

/** What went wrong with an environment, in the words of both dialects. */
export function failureOf(error: unknown, { room }: EnvInstance): RpcProblem {
  if (error instanceof UsageError && error.code === 'no-room') return fullProblem(room);
  return problemFor(error);
}

/** There is no room for another environment. */
export function fullProblem({ active, most }: EnvInstance['room']): RpcProblem {
  return {
    code: RPC.server,
    message: `Session capacity reached: ${active}/${most} sessions active`,
    data: { active_sessions: active, max_sessions: most },
  };
}

/** The id that an answer to this message carries. */
export function idOf(message: unknown): string | number | null {
  const id = isJsonObject(message) ? message.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

const CODES: Readonly<Record<string, number>> = {
  timeout: RPC.timeout,
  tool_not_found: RPC.invalidParams,
  invalid_args: RPC.invalidParams,
};

async function called(
  instance: EnvInstance,
  id: string | number | null,
  { name, arguments: input = {}, _meta: meta }: JsonObject,
): Promise<RpcResponse> {
  if (typeof name !== 'string' || name === '') {
    return problemOf(id, { code: RPC.invalidParams, message: "Missing 'name' in params" });
  }
  const action = { type: 'call_tool', tool: name, arguments: input } as const;
  const { observation } = await instance.step(action, traceOf(meta));
  const { error, result } = observation;
  if (isJsonObject(error)) {
    const code = CODES[String(error.error_type)] ?? RPC.server;
    return problemOf(id, { code, message: String(error.message) });
  }
  const given = result as JsonObject;
  return resultOf(id, {
    ...given,
    // Clients hold structured content to the output schema, which an error does not fit.
    ...(!given.is_error &&
      given.structured_content !== null && { structuredContent: given.structured_content }),
    isError: given.is_error,
  });
}
