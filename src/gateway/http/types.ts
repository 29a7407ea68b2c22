import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A request as the listener hands it to the doors: looked at once, read on demand. */
export interface DoorRequest {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** The path as it came, percent-encoded, without the query; always starts with a slash. */
  readonly path: string;
  /** The query as it came, without its question mark; empty when there is none. */
  readonly query: string;
  /** Lower-case host name of the Host header, without the port; empty when there is none. */
  readonly host: string;
  /** The scheme and host by which the client came, as it wrote them: `http://127.0.0.1:4747`. */
  readonly origin: string;
  /** The token of `Authorization: Bearer …`; null when there is none. */
  readonly bearer: string | null;
  /**
   * The whole body, unpacked where it came compressed.
   * @throws BodyProblem when it is larger than the limit, or cannot be unpacked; the connection then closes.
   */
  body(): Promise<Buffer>;
}

/** What a door gives back that has answered already: spares the listener a wait. */
export const ANSWERED: Promise<void> = Promise.resolve();

/** A door: takes the requests that are its own. */
export interface Door {
  readonly name: string;
  /** Answers the request, or says at once that it is not its own. Errors that it throws become a 500. */
  handle(request: DoorRequest): Promise<void> | null;
  /** Takes over a connection that asks to be a WebSocket; false when the path is not its own. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Releases what the door holds as the server stops. */
  close?(): Promise<void> | void;
}

/** Bounds of the listener; a request beyond one gets 413, 431 or 408 and its connection is closed. */
export interface ListenerLimits {
  /** Of a body, packed and unpacked, in bytes. */
  readonly bodyBytesMost: number;
  readonly headerBytesMost: number;
  /** How long the headers, and the whole request, may take to arrive. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** How long an idle connection is kept. */
  readonly idleTimeoutMs: number;
  readonly socketsMost: number;
  /** Requests that a client may send on one connection before the first of them is answered. */
  readonly pipelinedMost: number;
  /** How long a client may take nothing of an answer that is there for it. */
  readonly stalledTimeoutMs: number;
}

export const DEFAULT_LIMITS: ListenerLimits = {
  bodyBytesMost: 10 * 1024 * 1024,
  headerBytesMost: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  idleTimeoutMs: 75_000,
  socketsMost: 10_000,
  pipelinedMost: 32,
  stalledTimeoutMs: 60_000,
};

/** The body of a request cannot be had; the listener answers with this status. */
export class BodyProblem extends Error {
  override readonly name = 'BodyProblem';
  readonly status: 400 | 413 | 415;

  constructor(status: 400 | 413 | 415, message: string) {
    super(message);
    this.status = status;
  }
}
