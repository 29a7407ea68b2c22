import { UsageError } from '../../base/errors.ts';
import { Authority } from './authority.ts';

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

/** Answered to a request for a host that is not modelled: a sentence for whoever reads the program's log. */
const REFUSED_STATUS = 403;

/**
 * Starts a proxy on the loopback interface that answers modelled hosts, over HTTPS too, from `target`, and
 * refuses all others. The key of its authority is in this process's memory alone.
 * @throws UsageError when the library is not installed, or a host is both modelled and allowed.
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { hosts, allow = [], target } = options;
  const modelled = allow.find((host) => hosts.includes(host));
  if (modelled !== undefined) {
    throw new UsageError('modelled-host', `${modelled} is modelled here: it cannot be passed through too`);
  }
  const { generateCACertificate, getLocal } = await library();
  const pair = await generateCACertificate({ subject: { commonName: 'Groundhog, for one run only' } });
  const refusals = refusalCounter(options.onRefused);
  const server = getLocal({
    https: { ...pair, tlsPassthrough: allow.map((hostname) => ({ hostname })) },
    http2: 'fallback',
    cors: false,
    recordTraffic: false,
    suggestChanges: false,
  });
  const { host: targetHost } = new URL(target);
  for (const host of hosts) {
    // A lost answer reaches the program as a broken connection, not as a 502 of ours.
    await server
      .forAnyRequest()
      .forHostname(host)
      .always()
      .thenPassThrough({
        simulateConnectionErrors: true,
        transformRequest: { setProtocol: 'http', replaceHost: { targetHost, updateHostHeader: false } },
      });
  }
  for (const host of allow) await server.forAnyRequest().forHostname(host).always().thenPassThrough();
  await server.forUnmatchedRequest().thenCallback(({ destination: { hostname } }) => {
    refusals.add(hostname);
    return {
      statusCode: REFUSED_STATUS,
      headers: { 'content-type': 'text/plain' },
      body: sentence(hostname),
    };
  });
  // A program that does not trust our certificate never gets as far as a request.
  await server.on('tls-client-error', ({ destination, tlsMetadata }) => {
    const host = tlsMetadata.sniHostname ?? destination?.hostname ?? 'unknown';
    if (!hosts.includes(host)) refusals.add(host);
  });
  await server.start();
  const authority = new Authority({ certificate: pair.cert, port: server.port, hosts, allow });
  return {
    port: server.port,
    url: `http://127.0.0.1:${server.port}`,
    authority,
    refused: refusals.list,
    close: async () => {
      authority.remove();
      await server.stop();
    },
  };
}

function sentence(host: string): string {
  return `groundhog: ${host} is not modelled in this world, and nothing else is reached (--allow ${host})\n`;
}

function refusalCounter(onRefused: ProxyOptions['onRefused']): {
  add(host: string): void;
  list(): readonly RefusedHost[];
} {
  const counts = new Map<string, number>();
  return {
    add(host) {
      counts.set(host, (counts.get(host) ?? 0) + 1);
      onRefused?.(host);
    },
    list: () => [...counts].map(([host, count]) => ({ host, count })),
  };
}

/** Loaded on demand: it is large, and only programs behind the proxy need it. */
async function library(): Promise<typeof import('mockttp')> {
  try {
    return await import('mockttp');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError('no-proxy-library', 'the intercepting proxy needs the package mockttp', {
      hint: 'npm install mockttp@4',
    });
  }
}
