import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createFront, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { UsageError } from '../../base/errors.ts';
import { Authority } from './authority.ts';
import { CertificateAuthority } from './certificates.ts';
import { Forwarder, passThrough } from './forward.ts';

/** What an intercepting proxy is started with. */
export interface ProxyOptions {
  /** Where requests for modelled hosts are answered, their Host header kept: `http://127.0.0.1:4747`. */
  readonly target: string;
  /** The modelled hosts, such as `api.notes.example`. */
  readonly hosts: readonly string[];
  /** Hosts that are passed through to the network as they are; none when left out. */
  readonly allow?: readonly string[];
  /** Told of every request that is refused. */
  readonly onRefused?: (host: string) => void;
}

/** A host that a program asked for and did not get. */
export interface RefusedHost {
  readonly host: string;
  readonly count: number;
}

/** A proxy that is up. */
export interface RunningProxy {
  readonly port: number;
  /** Such as `http://127.0.0.1:41234`, for HTTP_PROXY. */
  readonly url: string;
  /** The certificates and the preload that programs need, in a folder that goes with the proxy. */
  readonly authority: Authority;
  /** What was refused so far, by host. */
  refused(): readonly RefusedHost[];
  /** Closes every connection and removes the certificates. */
  close(): Promise<void>;
}

/**
 * Starts a proxy on the loopback interface that answers modelled hosts, over HTTPS too, from `target`, and
 * refuses all others. Nothing of its authority but the certificate leaves this process's memory.
 * @throws UsageError when a host is both modelled and allowed.
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { hosts, allow = [] } = options;
  const both = allow.find((host) => hosts.includes(host));
  if (both !== undefined) {
    throw new UsageError('modelled-host', `${both} is modelled here: it cannot be passed through too`);
  }
  const certificates = await CertificateAuthority.create();
  const proxy = new InterceptingProxy(options, certificates);
  const port = await proxy.listen();
  const authority = new Authority({ certificate: certificates.certificate, port, allow });
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    authority,
    refused: () => proxy.refused(),
    close: async () => {
      authority.remove();
      await proxy.close();
    },
  };
}

/** The first byte of a TLS connection. */
const TLS_HANDSHAKE = 0x16;
/** Answered for a host that is not modelled, with a sentence for whoever reads the program's log. */
const REFUSED_STATUS = 403;
/** How a refused connection is listed that never said where it was going. */
const UNNAMED = '(a host that was not named)';
/** A connection that says nothing for so long is closed. */
const SILENCE_MS = 30_000;

/**
 * One port for everything: requests in the proxy's form, tunnels, and, for clients that are turned here
 * unawares, TLS and plain requests as their own host would get them. What a connection speaks is seen by its
 * first byte.
 */
class InterceptingProxy {
  readonly #hosts: ReadonlySet<string>;
  readonly #allow: ReadonlySet<string>;
  readonly #target: { readonly host: string; readonly port: number };
  readonly #onRefused: ProxyOptions['onRefused'];
  readonly #refused = new Map<string, number>();
  readonly #forwarder = new Forwarder();
  readonly #sockets = new Set<Socket>();
  readonly #certificates: CertificateAuthority;
  readonly #server: Server;
  /** Encrypted connections that came as far as a request. */
  readonly #heard = new WeakSet<object>();
  /** The connections that encrypted ones come by. */
  readonly #carriers = new WeakMap<Socket, Socket>();
  readonly #front = createFront((socket) => this.#accept(socket));

  constructor({ target, hosts, allow = [], onRefused }: ProxyOptions, certificates: CertificateAuthority) {
    const { hostname, port } = new URL(target);
    this.#hosts = new Set(hosts);
    this.#allow = new Set(allow);
    this.#target = { host: hostname, port: Number(port) };
    this.#onRefused = onRefused;
    this.#certificates = certificates;
    this.#server = createServer((request, response) => this.#answer(request, response));
    this.#server.on('connect', (request, socket, head) => this.#tunnel(request, socket as Socket, head));
    this.#server.on('clientError', (_error, socket) => socket.destroy());
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#front.once('error', reject);
      this.#front.listen(0, '127.0.0.1', resolve);
    });
    return (this.#front.address() as AddressInfo).port;
  }

  refused(): readonly RefusedHost[] {
    return [...this.#refused].map(([host, count]) => ({ host, count }));
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#forwarder.close();
    await new Promise<void>((resolve) => this.#front.close(() => resolve()));
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    this.#serve(socket, null);
  }

  /** Takes a connection, or what comes through a tunnel to `host`, for what its first byte says it is. */
  #serve(socket: Socket, host: string | null): void {
    const silent = setTimeout(() => socket.destroy(), SILENCE_MS).unref();
    socket.once('close', () => clearTimeout(silent));
    socket.once('data', (first: Buffer) => {
      clearTimeout(silent);
      socket.pause();
      socket.unshift(first);
      if (first[0] === TLS_HANDSHAKE) return this.#decrypt(socket, host);
      this.#server.emit('connection', socket);
      socket.resume();
    });
  }

  /** Speaks TLS as the host that is asked for: by the client's own word, or by the tunnel's. */
  #decrypt(socket: Socket, host: string | null): void {
    let named = host;
    const secure = new TLSSocket(socket, {
      isServer: true,
      secureContext: this.#certificates.contextFor(host ?? 'localhost'),
      ALPNProtocols: ['http/1.1'],
      SNICallback: (name, done) => {
        named = name.toLowerCase();
        done(null, this.#certificates.contextFor(named));
      },
    });
    this.#carriers.set(secure, socket);
    secure.on('error', () => secure.destroy());
    // A program that does not trust our certificate never gets as far as a request.
    secure.once('close', () => {
      if (!this.#heard.has(secure) && (named === null || !this.#hosts.has(named))) {
        this.#refuse(named ?? UNNAMED);
      }
    });
    this.#server.emit('connection', secure);
  }

  #tunnel({ url = '' }: IncomingMessage, socket: Socket, head: Buffer): void {
    const to = addressOf(url);
    if (this.#allow.has(to.host)) {
      passThrough(socket, head, to);
      return;
    }
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) socket.unshift(head);
    this.#serve(socket, to.host);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.#heard.add(request.socket);
    const [, origin, path = '/'] = /^(?:[a-z]+:\/\/([^/?#]*))?(.*)$/iu.exec(request.url ?? '/') ?? [];
    const to = addressOf(origin ?? request.headers.host ?? '', 80);
    const carrier = this.#carriers.get(request.socket) ?? request.socket;
    if (this.#hosts.has(to.host))
      this.#forwarder.forward(request, response, { ...this.#target, path, carrier });
    else if (this.#allow.has(to.host)) this.#forwarder.forward(request, response, { ...to, path, carrier });
    else this.#answerRefused(response, to.host);
  }

  #answerRefused(response: ServerResponse, host: string): void {
    this.#refuse(host);
    response.writeHead(REFUSED_STATUS, { 'content-type': 'text/plain', connection: 'close' });
    response.end(
      `groundhog: ${host} is not modelled in this world, and nothing else is reached (--allow ${host})\n`,
    );
  }

  #refuse(host: string): void {
    this.#refused.set(host, (this.#refused.get(host) ?? 0) + 1);
    this.#onRefused?.(host);
  }
}

/** `host:port`, `[::1]:port` or `host` in parts. */
function addressOf(authority: string, usualPort = 443): { readonly host: string; readonly port: number } {
  const [, host = '', port] = /^\[?([^\]]*?)\]?(?::(\d+))?$/u.exec(authority) ?? [];
  return { host: host.toLowerCase(), port: port === undefined ? usualPort : Number(port) };
}
