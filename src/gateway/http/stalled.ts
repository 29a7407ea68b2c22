import type { Socket } from 'node:net';

/** How far a connection was when it was last looked at. */
interface Standing {
  /** Bytes that went out. */
  readonly sent: number;
  readonly sinceMs: number;
}

/** Looks so often within the time that a client may take nothing. */
const LOOKS = 4;

/**
 * Closes connections whose client takes nothing of what is there for it: an answer that nobody reads stays in
 * memory, and nothing else ends such a connection.
 */
export class StalledConnections {
  readonly #stalledMs: number;
  readonly #sockets = new Set<Socket>();
  /** Of those alone that had something waiting. */
  readonly #standing = new WeakMap<Socket, Standing>();
  readonly #timer: NodeJS.Timeout;

  /** @param stalledMs how long one may take nothing, in milliseconds */
  constructor(stalledMs: number) {
    this.#stalledMs = stalledMs;
    this.#timer = setInterval(() => this.#look(), Math.ceil(stalledMs / LOOKS)).unref();
  }

  watch(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const nowMs = performance.now();
    for (const socket of this.#sockets) {
      if (socket.writableLength === 0) {
        this.#standing.delete(socket);
        continue;
      }
      // What still waits counts as written.
      const sent = socket.bytesWritten - socket.writableLength;
      const last = this.#standing.get(socket);
      if (last?.sent !== sent) this.#standing.set(socket, { sent, sinceMs: nowMs });
      else if (nowMs - last.sinceMs >= this.#stalledMs) socket.destroy();
    }
  }
}
