import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';

/** Id of a request; null in an answer to something whose id could not be read. */
export type RequestId = string | number | null;

/** An answer of JSON-RPC 2.0. */
export type RpcResponse =
  | { readonly jsonrpc: '2.0'; readonly id: RequestId; readonly result: JsonObject }
  | { readonly jsonrpc: '2.0'; readonly id: RequestId; readonly error: RpcProblem };

export interface RpcProblem {
  readonly code: number;
  readonly message: string;
  readonly data?: Json;
}

/** A request that a server can answer. */
export interface RpcRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
}

export const RPC = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  server: -32000,
  /** The SDK's own number for a connection that broke: that of any failure of a server. */
  closed: -32000,
  timeout: -32001,
  resourceNotFound: -32002,
} as const;

/** A request that is answered by an error of the protocol. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: Json | undefined;

  constructor(code: number, message: string, data?: Json) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export function resultOf(id: RequestId, result: JsonObject): RpcResponse {
  return { jsonrpc: '2.0', id, result };
}

export function problemOf(id: RequestId, problem: RpcProblem): RpcResponse {
  return { jsonrpc: '2.0', id, error: problem };
}

/** What a message is: a request, something that needs no answer, or the answer to what is none of these. */
export function readMessage(message: unknown): RpcRequest | null | RpcResponse {
  const bad = (text: string, id: RequestId = null): RpcResponse =>
    problemOf(id, { code: RPC.invalidRequest, message: `Invalid Request: ${text}` });
  if (!isJsonObject(message)) return bad('a message is an object');
  const { jsonrpc, method, id, params } = message;
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  if (jsonrpc !== '2.0') return bad('jsonrpc is "2.0"', known);
  if (method === undefined && ('result' in message || 'error' in message)) return null;
  if (typeof method !== 'string') return bad('method is a text', known);
  if (id === undefined || method.startsWith('notifications/')) return null;
  if (known === null) return bad('id is a text or a number');
  if (params !== undefined && !isJsonObject(params)) {
    return problemOf(known, { code: RPC.invalidParams, message: 'Invalid params: params is an object' });
  }
  return { id: known, method, params: params ?? {} };
}

/** Whether a read message is a request. */
export function isRequest(read: RpcRequest | RpcResponse): read is RpcRequest {
  return 'method' in read;
}
