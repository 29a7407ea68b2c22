import { realpathSync } from 'node:fs';
import type { Json } from '../base/json.ts';
import type { HostedSession } from '../gateway/host/index.ts';
import type { RunningServer } from '../gateway/serve.ts';
import type { Service } from '../service/index.ts';
import { tokensOf } from './hosting.ts';

/** What a server says once it is ready: where everything is, and what opens it. */
export interface Ready {
  readonly ready: true;
  readonly session: string;
  readonly environment: string;
  readonly control: { readonly url: string; readonly token: string };
  readonly services: Readonly<Record<string, ReadyService>>;
  /** `token` is the first actor's, `credentials` has all of them by actor. */
  readonly mcp: {
    readonly url: string;
    readonly token: string;
    readonly credentials: Readonly<Record<string, string>>;
  };
  readonly openenv: { readonly url: string };
}

interface ReadyService {
  readonly baseUrl: string;
  /** Hosts that `exec`, or a Host header, reach it as. */
  readonly hosts: readonly string[];
  readonly credentials: Readonly<Record<string, string>>;
}

export function readyOf(server: RunningServer, session: HostedSession): Ready {
  const tokens = tokensOf(session);
  const { environment } = session.episode;
  return {
    ready: true,
    session: session.id,
    environment: environment.name,
    control: server.control,
    services: Object.fromEntries(
      environment.services.map(({ name, access }): [string, ReadyService] => [
        name,
        { baseUrl: server.url, hosts: access.hosts, credentials: tokens.services[name] ?? {} },
      ]),
    ),
    mcp: {
      url: `${server.url}/mcp`,
      token: Object.values(tokens.session)[0] ?? '',
      credentials: tokens.session,
    },
    openenv: { url: server.url },
  };
}

/** The same for people, with lines to copy. `target` is how the session's environment is named again. */
export function readyLines(ready: Ready, session: HostedSession, target: readonly string[]): string[] {
  const { environment } = session.episode;
  const http = { type: 'http', url: ready.mcp.url, headers: { Authorization: `Bearer ${ready.mcp.token}` } };
  return [
    `Serving ${ready.environment} at ${ready.openenv.url}, session ${ready.session}. Ctrl-C ends it.`,
    ...environment.services.flatMap((service) => serviceLines(service, ready)),
    '',
    `MCP: ${ready.mcp.url}`,
    `  export GROUNDHOG_TOKEN=${ready.mcp.token}`,
    ...Object.entries(ready.mcp.credentials)
      .slice(1)
      .map(([actor, token]) => `  as ${actor}: ${token}`),
    `  ${mcpConfiguration(http)}`,
    `  or as a program: ${mcpConfiguration(stdio(target))}`,
    '',
    `OpenEnv: ${ready.openenv.url}`,
    '',
    `Control: ${ready.control.url}`,
    `  export GROUNDHOG_CONTROL_TOKEN=${ready.control.token}`,
  ];
}

function serviceLines(service: Service, ready: Ready): string[] {
  const served = ready.services[service.name];
  const [variable = 'TOKEN'] = service.access.environment;
  const [first, ...others] = Object.entries(served?.credentials ?? {});
  if (!served || !first) return [];
  return [
    '',
    `${service.name}: ${served.baseUrl}, standing for ${served.hosts.join(', ')}`,
    `  export ${variable}=${first[1]}`,
    ...others.map(([actor, token]) => `  as ${actor}: ${token}`),
    ...curlLine(service, served.baseUrl, first[1]).map((line) => `  ${line}`),
  ];
}

/** A read of the service that can be typed; none where its token has no place on a command line. */
function curlLine(service: Service, baseUrl: string, token: string): string[] {
  const operation = service.operations.find(
    ({ effect, http }) => effect === 'read' && http?.method === 'GET',
  );
  const [place] = service.access.places;
  if (!operation?.http || !place) return [];
  const path = operation.http.path.replace(/\{(\w+)\*?\}/gu, (_all, name: string) =>
    encodeURIComponent(String(operation.example[name] ?? '')),
  );
  const url = `${baseUrl}${path}`;
  switch (place.in) {
    case 'authorization':
      return [`curl -s -H 'Authorization: ${place.scheme} ${token}' ${url}`];
    case 'basic':
      return [`curl -s -u '${place.part === 'user' ? `${token}:` : `x:${token}`}' ${url}`];
    case 'header':
      return [`curl -s -H '${place.name}: ${token}' ${url}`];
    case 'query':
      return [`curl -s '${url}?${place.name}=${token}'`];
    default:
      return [];
  }
}

function mcpConfiguration(server: Json): string {
  return JSON.stringify({ mcpServers: { groundhog: server } });
}

/** How an MCP client starts this same program with the stdio door, whatever Node it would find by itself. */
function stdio(target: readonly string[]): Json {
  const script = realpathSync(process.argv[1] ?? '');
  return { command: process.execPath, args: [script, 'mcp', ...target] };
}
