import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';

/** Headers of one connection, which are no business of the next one. */
const HOP_BY_HOP = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]);

/** Sends requests on as they are, and answers as they come. */
export class Forwarder {
  readonly #agent = new Agent({ keepAlive: true });

  /**
   * The headers stay as they are, Host too. An answer that does not come breaks the program's connection, by
   * a reset where a reset kept it from coming. `carrier` is what the program is connected by.
   */
  forward(from: IncomingMessage, response: ServerResponse, { carrier, ...to }: ForwardTarget): void {
    const upstream = request({
      ...to,
      method: from.method,
      headers: kept(from.rawHeaders),
      agent: this.#agent,
      setHost: false,
    });
    const broken = (): void => {
      from.socket.destroy();
      upstream.destroy();
    };
    upstream.on('response', (answer) => {
      response.sendDate = false;
      const headers = kept(answer.rawHeaders).filter((_text, index, all) => !isFraming(all, index));
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, headers);
      answer.on('error', broken);
      answer.on('aborted', broken);
      answer.pipe(response);
    });
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      if (isReset(error)) carrier.resetAndDestroy();
      broken();
    });
    response.on('close', () => {
      if (!response.writableFinished) upstream.destroy();
    });
    from.on('error', broken);
    from.pipe(upstream);
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Where a request goes, and the connection that it came by. */
interface ForwardTarget {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly carrier: Socket;
}

/** A connection that was reset, not one that was closed: Node has one code for both. */
function isReset({ code, syscall }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNRESET' && syscall === 'read';
}

/** A flat list of names and values without those of the connection. */
function kept(raw: readonly string[]): string[] {
  return raw.filter((_text, index) => !HOP_BY_HOP.has((raw[index - (index % 2)] ?? '').toLowerCase()));
}

/** Whether this is part of the header that says how the body was framed: our own connection frames anew. */
function isFraming(raw: readonly string[], index: number): boolean {
  return raw[index - (index % 2)]?.toLowerCase() === 'transfer-encoding';
}

/** Joins a tunnel to its host, unread. */
export function passThrough(
  socket: Socket,
  head: Buffer,
  to: { readonly host: string; readonly port: number },
): void {
  const upstream = connect(to.port, to.host);
  upstream.once('connect', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    upstream.write(head);
    upstream.pipe(socket);
    socket.pipe(upstream);
  });
  upstream.on('error', () => socket.destroy());
  socket.on('error', () => upstream.destroy());
  socket.on('close', () => upstream.destroy());
}
