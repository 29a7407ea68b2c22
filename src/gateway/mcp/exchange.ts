import { breakOff, type DoorRequest } from '../http/index.ts';
import { answer, PROTOCOL_VERSIONS } from './core.ts';
import { problemOf, RPC, type RpcResponse } from './json-rpc.ts';
import type { McpTarget } from './target.ts';
import { LostAnswer } from './tools.ts';

/** What came of a request's body: one message or a batch, or the answer to a body that is neither. */
export type ReadBody = { readonly message: unknown } | { readonly problem: RpcResponse };

/** Reads the body of a POST. */
export async function readBody(request: DoorRequest): Promise<ReadBody> {
  const body = await request.body();
  try {
    return { message: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    return { problem: problemOf(null, { code: RPC.parse, message: 'Parse error: the body is not JSON' }) };
  }
}

/** Answers with JSON, or with an event stream of one event where the client takes nothing else. */
export function sendJson(request: DoorRequest, status: number, body: unknown): void {
  const { response, raw } = request;
  const text = JSON.stringify(body);
  const { accept = '' } = raw.headers;
  if (accept !== '' && !takesJson(accept) && accept.includes('text/event-stream')) {
    response.writeHead(status, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.end(`event: message\ndata: ${text}\n\n`);
    return;
  }
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

export function sendNothing(request: DoorRequest, status: number): void {
  request.response.writeHead(status, { 'content-length': 0 });
  request.response.end();
}

function takesJson(accept: string): boolean {
  return accept.includes('application/json') || accept.includes('*/*') || accept.includes('application/*');
}

/** Why the headers of a POST cannot be taken, with the status that says so; null when they can. */
export function headerProblem({ raw }: DoorRequest): { status: number; message: string } | null {
  const { accept = '' } = raw.headers;
  if (accept !== '' && !takesJson(accept) && !accept.includes('text/event-stream')) {
    return { status: 406, message: 'Not Acceptable: accept application/json and text/event-stream' };
  }
  const type = raw.headers['content-type'];
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\b/iu.test(type)) {
    return { status: 415, message: 'Unsupported Media Type: send application/json' };
  }
  const version = raw.headers['mcp-protocol-version'];
  if (typeof version === 'string' && !PROTOCOL_VERSIONS.includes(version)) {
    const spoken = PROTOCOL_VERSIONS.join(', ');
    return { status: 400, message: `Bad Request: protocol version ${version} is not one of ${spoken}` };
  }
  return null;
}

/** Answers a read body: one message, or a batch of them in order. */
export async function exchange(request: DoorRequest, target: McpTarget, message: unknown): Promise<void> {
  try {
    const batch = Array.isArray(message) && message.length > 0;
    const answers: RpcResponse[] = [];
    for (const one of batch ? message : [message]) {
      const answered = await answer(target, one);
      if (answered) answers.push(answered);
    }
    const [first] = answers;
    if (first === undefined) return sendNothing(request, 202);
    sendJson(request, 'error' in first && first.id === null ? 400 : 200, batch ? answers : first);
  } catch (error) {
    if (!(error instanceof LostAnswer)) throw error;
    // A lost answer is a connection that breaks: nothing is sent, and nobody may take it for an answer.
    breakOff(request.raw.socket, error);
  }
}

/** Whether a page of this origin may speak to us: no foreign page is to reach a local server. */
export function originAllowed(origin: string | undefined, allowed: readonly string[]): boolean {
  if (origin === undefined) return true;
  if (allowed.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  return /^(?:localhost|(?:.*\.)localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u.test(hostname);
}

/** Lets the page of an allowed origin read the answer, and send what clients send. */
export function allowOrigin({ response }: DoorRequest, origin: string): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('vary', 'origin');
  response.setHeader('access-control-expose-headers', 'mcp-session-id');
  response.setHeader('access-control-allow-methods', 'POST, DELETE, OPTIONS');
  response.setHeader(
    'access-control-allow-headers',
    'authorization, content-type, mcp-session-id, mcp-protocol-version, x-groundhog-session',
  );
}
