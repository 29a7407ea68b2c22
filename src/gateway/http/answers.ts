import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** What the server itself has to say, where no vendor's envelope fits: about HTTP, or about Groundhog. */
export interface Problem {
  /** Kebab-case, such as `body-too-large`. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers with `{error: {code, message, hint?}}`. `close` ends the connection after it. */
export function answerProblem(
  response: ServerResponse,
  status: number,
  { close = false, headers, ...problem }: Problem & AnswerOptions,
): void {
  answerJson(response, status, {
    body: { error: problem },
    headers: { ...headers, ...(close && { connection: 'close' }) },
  });
}

interface AnswerOptions {
  readonly close?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Breaks a connection in place of an answer: it is closed without one or, with `reset`, reset (TCP RST). */
export function breakOff(socket: Socket, { reset = false }: { readonly reset?: boolean }): void {
  if (reset) socket.resetAndDestroy();
  else socket.destroy();
}

/** Answers with a JSON body of our own. */
export function answerJson(
  response: ServerResponse,
  status: number,
  { body, headers }: { readonly body: unknown; readonly headers?: Readonly<Record<string, string>> },
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...headers,
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** Answers on a socket that has no response object, as after bad HTTP or a refused upgrade, and closes it. */
export function answerSocket(socket: Duplex, status: number, problem: Problem): void {
  // A client that is gone already is no error of the server.
  socket.on('error', () => {});
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ error: problem });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`,
    'connection: close',
    `content-type: ${JSON_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
