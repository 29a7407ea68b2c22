import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BodyProblem, DEFAULT_LIMITS, type Door, type DoorRequest, type ListenerLimits } from './types.ts';

/** A listener that is up. */
export interface Listening {
  readonly port: number;
  /** Such as `http://127.0.0.1:4747`. */
  readonly url: string;
  /** Stops taking requests, lets those under way end, and closes every connection. */
  close(): Promise<void>;
}

/** Starts one HTTP listener for all doors; the first one that takes a request answers it. */
export async function listen(
  doors: readonly Door[],
  {
    host = '127.0.0.1',
    port = 0,
    limits = DEFAULT_LIMITS,
  }: {
    readonly host?: string;
    readonly port?: number;
    readonly limits?: ListenerLimits;
  } = {},
): Promise<Listening> {
  const server = createServer({ maxHeaderSize: limits.headerBytesMost }, (raw, response) => {
    const request = doorRequest(raw, response, limits);
    const answered = doors.reduce<Promise<void> | null>((done, door) => done ?? door.handle(request), null);
    if (!answered) {
      response.statusCode = 404;
      response.end();
      return;
    }
    answered.catch((error: unknown) => {
      if (response.headersSent) return raw.destroy();
      response.statusCode = error instanceof BodyProblem ? error.status : 500;
      response.setHeader('connection', 'close');
      response.end();
      return;
    });
  });
  server.on('upgrade', (request, socket, head) => {
    if (!doors.some((door) => door.upgrade?.(request, socket, head))) socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    url: `http://${host}:${bound}`,
    close: async () => {
      for (const door of doors) await door.close?.();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function doorRequest(raw: IncomingMessage, response: ServerResponse, limits: ListenerLimits): DoorRequest {
  const url = raw.url ?? '/';
  const mark = url.indexOf('?');
  const authorization = raw.headers.authorization ?? '';
  return {
    raw,
    response,
    method: raw.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    host: (raw.headers.host ?? '').replace(/:\d+$/u, '').toLowerCase(),
    bearer: /^bearer /iu.test(authorization) ? authorization.slice(7).trim() : null,
    body: async () => {
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of raw as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > limits.bodyBytesMost) throw new BodyProblem(413, 'the body is too large');
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    },
  };
}
