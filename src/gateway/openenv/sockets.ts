import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import type { Reply } from './connection.ts';

/** Largest message, in bytes. */
const MESSAGE_BYTES_MOST = 10 * 1024 * 1024;

/** Messages that may wait for their turn before nothing more is read. */
const WAITING_MOST = 32;

/** How often connections are asked whether they still live. */
const HEARTBEAT_MS = 30_000;

/** What serves one connection. */
export interface Speaker {
  /** Answers a message; never throws. */
  readonly answer: (text: string) => Promise<Reply>;
  readonly close: () => Promise<void>;
}

/** WebSockets of a server: accepted, answered in order, cleaned up. */
export class Sockets {
  readonly #server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MESSAGE_BYTES_MOST,
  });
  readonly #silent = new WeakSet<WebSocket>();
  #heartbeat: NodeJS.Timeout | null = null;

  /** Accepts a connection. `begin` gives its speaker, or what it is told before it is closed. */
  accept(
    upgrade: { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer },
    begin: () => Speaker | Reply,
  ): void {
    this.#heartbeat ??= setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
    this.#server.handleUpgrade(upgrade.request, upgrade.socket, upgrade.head, (socket) => {
      socket.on('error', () => socket.terminate());
      const begun = begin();
      if ('text' in begun) {
        if (begun.text !== null) socket.send(begun.text);
        return socket.close(1000);
      }
      socket.on('pong', () => this.#silent.delete(socket));
      serve(socket, begun);
    });
  }

  close(): void {
    if (this.#heartbeat) clearInterval(this.#heartbeat);
    for (const socket of this.#server.clients) socket.close(1001);
    this.#server.close();
  }

  #beat(): void {
    for (const socket of this.#server.clients) {
      if (this.#silent.has(socket)) socket.terminate();
      else {
        this.#silent.add(socket);
        socket.ping();
      }
    }
  }
}

/** Answers one message after the other: an answer stands at the place of its question. */
function serve(socket: WebSocket, speaker: Speaker): void {
  let busy = false;
  let waiting: string[] | null = null;
  // Answers never throw; should one, its connection ends and no other.
  const start = (first: string): void => {
    work(first).catch(() => {
      busy = false;
      socket.terminate();
    });
  };
  const work = async (first: string): Promise<void> => {
    busy = true;
    for (let text: string | undefined = first; text !== undefined; text = waiting?.shift()) {
      const { text: answer, close } = await speaker.answer(text);
      if (socket.readyState !== WebSocket.OPEN) break;
      if (answer !== null) socket.send(answer);
      if (close) {
        socket.close(1000);
        break;
      }
    }
    waiting = null;
    busy = false;
    if (socket.readyState === WebSocket.CLOSED) await speaker.close();
    else if (socket.isPaused) socket.resume();
  };
  socket.on('message', (data, isBinary) => {
    if (isBinary) return socket.close(1003, 'text messages only');
    const text = data.toString();
    if (!busy) return start(text);
    waiting ??= [];
    waiting.push(text);
    if (waiting.length >= WAITING_MOST) socket.pause();
  });
  socket.on('close', () => {
    if (!busy) speaker.close().catch(() => undefined);
  });
}
