import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerProblem, answerSocket } from './answers.ts';
import { announcedLength, readBody } from './body.ts';
import { StalledConnections } from './stalled.ts';
import {
  ANSWERED,
  BodyProblem,
  DEFAULT_LIMITS,
  type Door,
  type DoorRequest,
  type ListenerLimits,
} from './types.ts';

/** A listener that is up. */
export interface Listening {
  readonly port: number;
  /** Such as `http://127.0.0.1:4747`. */
  readonly url: string;
  /** Answers so far, by door and status: `rest 200`. Requests that no door took are the listener's. */
  readonly counts: ReadonlyMap<string, number>;
  readonly connections: number;
  /** Stops accepting, lets what is under way end, then closes every connection. */
  close(): Promise<void>;
}

export interface ListenOptions {
  /** The address; 127.0.0.1 when left out. */
  readonly host?: string;
  /** A free one when left out or 0. */
  readonly port?: number;
  readonly limits?: ListenerLimits;
  /** Takes errors that a door threw: faults of ours, since what a client sends is never one. */
  readonly failed?: (error: unknown, door: string) => void;
  /** Told of each request once its door is done with it. Tokens may stand in the path. */
  readonly answered?: (entry: AnsweredRequest) => void;
}

/** A request that was answered; status 0 for one whose answer was lost on purpose. */
export interface AnsweredRequest {
  readonly door: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** How long a connection is still read, and thrown away, after an answer that came before the body's end. */
const LINGER_MS = 1_000;
/** How long requests under way may take once the server closes. */
const CLOSING_MS = 5_000;
const CLOSING_STEP_MS = 10;

/** Starts one HTTP listener for all doors; the first one that takes a request answers it. */
export async function listen(doors: readonly Door[], options: ListenOptions = {}): Promise<Listening> {
  const { host = '127.0.0.1', port = 0, limits = DEFAULT_LIMITS } = options;
  const listener = new Listener(doors, limits, options);
  await listener.start(host, port);
  return listener;
}

class Listener implements Listening {
  readonly #doors: readonly Door[];
  readonly #limits: ListenerLimits;
  readonly #options: ListenOptions;
  readonly #server: Server;
  readonly #counts = new Map<string, Map<number, number>>();
  /** Connections that are WebSockets now: they are no longer the server's. */
  readonly #upgraded = new Set<Duplex>();
  readonly #stalled: StalledConnections;
  readonly #known = new WeakSet<Duplex>();
  /** Requests of a connection that wait behind an unfinished answer. */
  readonly #pipelined = new WeakMap<Socket, number>();
  #connections = 0;
  #closing: Promise<void> | null = null;
  #host = '';
  #port = 0;

  constructor(doors: readonly Door[], limits: ListenerLimits, options: ListenOptions) {
    this.#doors = doors;
    this.#limits = limits;
    this.#options = options;
    this.#stalled = new StalledConnections(limits.stalledTimeoutMs);
    this.#server = createServer({
      maxHeaderSize: limits.headerBytesMost,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.idleTimeoutMs,
      connectionsCheckingInterval: Math.min(5_000, Math.max(25, Math.ceil(limits.headersTimeoutMs / 4))),
      // The answer to a request without one would have no body: it is given here.
      requireHostHeader: false,
      // A request without a body has no stream to drain.
      optimizeEmptyRequests: true,
      // A Node that does not know this option takes every upgrade for one: those come back from there.
      shouldUpgradeCallback: asksForWebSocket,
    });
    this.#server.on('request', (raw, response) => this.#request(raw, response));
    this.#server.on('checkContinue', (raw, response) => {
      if (announcedLength(raw) <= limits.bodyBytesMost) response.writeContinue();
      this.#request(raw, response);
    });
    this.#server.on('checkExpectation', (_raw, response: ServerResponse) =>
      answerProblem(response, 417, { code: 'expectation-failed', message: 'this is not expected here' }),
    );
    this.#server.on('upgrade', (raw, socket, head) => this.#upgrade(raw, socket, head));
    this.#server.on('connect', (_raw, socket) =>
      answerSocket(socket, 405, { code: 'no-proxy', message: 'this server is no proxy' }),
    );
    this.#server.on('clientError', (error, socket) => this.#badHttp(error, socket));
    this.#server.on('connection', (socket) => this.#connected(socket));
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    const name = this.#host.includes(':') ? `[${this.#host}]` : this.#host;
    return `http://${name}:${this.port}`;
  }

  get counts(): ReadonlyMap<string, number> {
    const all = [...this.#counts].flatMap(([door, byStatus]) =>
      [...byStatus].map(([status, count]): [string, number] => [`${door} ${status}`, count]),
    );
    return new Map(all);
  }

  get connections(): number {
    return this.#connections;
  }

  async start(host: string, port: number): Promise<void> {
    this.#host = host;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, resolve);
    });
    // A connection that could not be accepted, for want of memory or files, is no end of all others.
    this.#server.on('error', (error) => this.#options.failed?.(error, 'listener'));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    // Doors let go of what waits for nothing but time: paced answers, open streams, WebSockets.
    for (const door of this.#doors) await door.close?.();
    let open = true;
    const ended = closed.then(() => {
      open = false;
    });
    // Connections are closed as they fall idle, which nothing says; those that never do are cut.
    for (let waited = 0; open && waited < CLOSING_MS; waited += CLOSING_STEP_MS) {
      this.#server.closeIdleConnections();
      await Promise.race([ended, sleep(CLOSING_STEP_MS)]);
    }
    for (const socket of this.#upgraded) socket.destroy();
    this.#server.closeAllConnections();
    await closed;
    this.#stalled.stop();
  }

  #connected(socket: Socket): void {
    if (this.#known.has(socket)) return;
    this.#known.add(socket);
    this.#connections += 1;
    this.#stalled.watch(socket);
    socket.once('close', () => {
      this.#connections -= 1;
    });
    if (this.#connections <= this.#limits.socketsMost) return;
    answerSocket(socket, 503, { code: 'too-many-connections', message: 'too many connections are open' });
  }

  #request(raw: IncomingMessage, response: ServerResponse): void {
    // The date of an answer is its world's, so that a replay is the same to the last byte.
    response.sendDate = false;
    const refused = this.#refusal(raw, response);
    if (refused) {
      if (refused.status === 413) linger(raw);
      answerProblem(response, refused.status, { ...refused.problem, close: true });
      this.#note('listener', raw, response);
      return;
    }
    const request = new IncomingRequest(raw, response, this.#limits);
    for (const door of this.#doors) {
      let answered: Promise<void> | null;
      try {
        answered = door.handle(request);
      } catch (error) {
        answered = Promise.reject(error);
      }
      if (!answered) continue;
      if (answered === ANSWERED) this.#note(door.name, raw, response);
      else this.#whenAnswered(answered, { raw, response, door: door.name });
      return;
    }
    answerProblem(response, 404, { code: 'not-found', message: `nothing is served at ${request.path}` });
    this.#note('listener', raw, response);
  }

  #whenAnswered(
    answered: Promise<void>,
    at: { readonly raw: IncomingMessage; readonly response: ServerResponse; readonly door: string },
  ): void {
    answered.then(
      () => this.#note(at.door, at.raw, at.response),
      (error: unknown) => this.#broken(error, at),
    );
  }

  #refusal(raw: IncomingMessage, response: ServerResponse): ReturnType<typeof refusal> | null {
    const { headers, httpVersion } = raw;
    // An answer has no connection as long as it is not its turn.
    if (response.socket === null && !this.#mayWait(raw.socket, response)) {
      return refusal(503, 'too-many-requests', 'too many requests were sent before their answers were read');
    }
    if (headers.host === undefined && httpVersion === '1.1') {
      return refusal(400, 'no-host', 'a request names its host');
    }
    const { bodyBytesMost } = this.#limits;
    if (headers['content-length'] !== undefined && Number(headers['content-length']) > bodyBytesMost) {
      return refusal(413, 'body-too-large', `the body has more than ${bodyBytesMost} bytes`);
    }
    return null;
  }

  /** Whether one more request of this connection may wait for its turn. */
  #mayWait(socket: Socket, response: ServerResponse): boolean {
    const waiting = this.#pipelined.get(socket) ?? 0;
    if (waiting >= this.#limits.pipelinedMost) return false;
    this.#pipelined.set(socket, waiting + 1);
    response.once('close', () => this.#pipelined.set(socket, (this.#pipelined.get(socket) ?? 1) - 1));
    return true;
  }

  #note(door: string, { method = '', url = '' }: IncomingMessage, response: ServerResponse): void {
    const status = response.headersSent ? response.statusCode : 0;
    this.#count(door, status);
    const { answered } = this.#options;
    if (answered) answered({ door, method, path: url.split('?', 1)[0] ?? '', status });
  }

  #count(door: string, status: number): void {
    const byStatus = this.#counts.get(door) ?? new Map<number, number>();
    if (byStatus.size === 0) this.#counts.set(door, byStatus);
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  }

  /** A door threw: the body could not be had, or the fault is ours. */
  #broken(
    error: unknown,
    { raw, response, door }: { raw: IncomingMessage; response: ServerResponse; door: string },
  ): void {
    // A client that went away before its request was whole needs no answer.
    if (raw.destroyed && !raw.complete) return;
    if (error instanceof BodyProblem) {
      linger(raw);
      answerProblem(response, error.status, {
        code: BODY_CODES[error.status],
        message: error.message,
        close: true,
      });
    } else {
      this.#options.failed?.(error, door);
      if (response.headersSent) raw.destroy();
      else
        answerProblem(response, 500, {
          code: 'internal',
          message: 'the server failed at this request',
          close: true,
        });
    }
    this.#note(door, raw, response);
  }

  #upgrade(raw: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Node no longer listens to errors of this socket; one without a listener would end the process.
    socket.on('error', () => socket.destroy());
    if (!asksForWebSocket(raw)) {
      socket.unshift(Buffer.concat([headWithoutUpgrade(raw), head]));
      this.#server.emit('connection', socket);
      return;
    }
    this.#upgraded.add(socket);
    socket.once('close', () => this.#upgraded.delete(socket));
    try {
      if (this.#closing) {
        answerSocket(socket, 503, { code: 'closing', message: 'the server is closing' });
        return;
      }
      if (this.#doors.some((door) => door.upgrade?.(raw, socket, head))) return;
      answerSocket(socket, 404, { code: 'no-websocket', message: 'there is no WebSocket at this path' });
    } catch (error) {
      this.#options.failed?.(error, 'upgrade');
      answerSocket(socket, 500, { code: 'internal', message: 'the server failed at this request' });
    }
  }

  /** What came is no HTTP, is too large in its head, or came too slowly. */
  #badHttp(error: NodeJS.ErrnoException, socket: Duplex): void {
    const known = BAD_HTTP[error.code ?? ''];
    const { status, problem } = known ?? refusal(400, 'bad-http', 'this is not HTTP');
    if (error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    this.#count('listener', status);
    answerSocket(socket, status, problem);
  }
}

const BODY_CODES = { 400: 'bad-body', 413: 'body-too-large', 415: 'unsupported-encoding' } as const;

const BAD_HTTP: Readonly<Record<string, ReturnType<typeof refusal>>> = {
  HPE_HEADER_OVERFLOW: refusal(431, 'headers-too-large', 'the headers are too large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refusal(413, 'body-too-large', 'the chunk extensions are too large'),
  ERR_HTTP_REQUEST_TIMEOUT: refusal(408, 'too-slow', 'the request did not arrive in time'),
};

function refusal(status: number, code: string, message: string) {
  return { status, problem: { code, message } };
}

/**
 * Lets a client that is still sending read its answer: closing at once would reset the connection and take
 * the answer with it. What it sends meanwhile is thrown away, for a moment.
 */
function linger(raw: IncomingMessage): void {
  const { socket } = raw;
  raw.removeAllListeners('data');
  raw.resume();
  socket.destroySoon = () => {
    if (socket.writable) socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/** The head of a request as it came, as if it did not ask for another protocol: a server may not care. */
function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${value}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

class IncomingRequest implements DoorRequest {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly host: string;
  readonly bearer: string | null;
  readonly #limits: ListenerLimits;
  readonly #authority: string;
  #body: Promise<Buffer> | null = null;

  constructor(raw: IncomingMessage, response: ServerResponse, limits: ListenerLimits) {
    const { url = '/', method = 'GET', headers } = raw;
    const absolute = url.startsWith('/') ? null : targetOf(url);
    const target = absolute?.target ?? url;
    const mark = target.indexOf('?');
    this.raw = raw;
    this.response = response;
    this.method = method;
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? '' : target.slice(mark + 1);
    this.#authority = absolute?.host ?? headers.host ?? '';
    this.host = hostName(this.#authority);
    this.bearer = bearerOf(headers.authorization);
    this.#limits = limits;
  }

  get origin(): string {
    const isSafe = 'encrypted' in this.raw.socket || this.raw.headers['x-forwarded-proto'] === 'https';
    return `${isSafe ? 'https' : 'http'}://${this.#authority}`;
  }

  body(): Promise<Buffer> {
    this.#body ??= readBody(this.raw, this.#limits.bodyBytesMost);
    return this.#body;
  }
}

/** The path and the host of a request that came as one whole URL, or as a mere star. */
function targetOf(url: string): { readonly target: string; readonly host?: string } {
  const absolute = /^https?:\/\/([^/?#]*)([^#]*)/iu.exec(url);
  if (!absolute) return { target: `/${url}` };
  const [, host = '', rest = ''] = absolute;
  return { target: rest.startsWith('/') ? rest : `/${rest}`, host };
}

/** Lower case, without the port. */
function hostName(host: string): string {
  const colon = host.lastIndexOf(':');
  const name = colon >= 0 && !host.endsWith(']') ? host.slice(0, colon) : host;
  return name.toLowerCase();
}

function bearerOf(authorization: string | undefined): string | null {
  if (authorization === undefined || authorization.charCodeAt(6) !== SPACE) return null;
  return authorization.slice(0, 6).toLowerCase() === 'bearer' ? authorization.slice(7).trim() : null;
}

const SPACE = 0x20;
