import { realpathSync } from 'node:fs';
import type { Json } from '../base/json.ts';
import type { HostedSession } from '../gateway/host/index.ts';
import type { RunningServer } from '../gateway/serve.ts';
import { printable } from '../runner/report/printable.ts';
import type { Service } from '../service/index.ts';
import { tokensOf } from './hosting.ts';
import type { KeptSessions } from './kept.ts';
import { counted } from './render/counted.ts';

/** What a server says once it is ready: where everything is, and what opens it. */
export interface Ready {
  readonly ready: true;
  readonly session: string;
  readonly environment: string;
  readonly control: { readonly url: string; readonly token: string };
  readonly services: Readonly<Record<string, ReadyService>>;
  /** `token` is the first actor's, `credentials` has all of them by actor. Null for a closed door. */
  readonly mcp: {
    readonly url: string;
    readonly token: string;
    readonly credentials: Readonly<Record<string, string>>;
  } | null;
  readonly openenv: { readonly url: string } | null;
}

/** What else a person wants to know of a server. */
export interface Surroundings {
  /** The words that name the session's environment again. */
  readonly target: readonly string[];
  /** What was named to be served, where that is scenarios, and how many these are. */
  readonly served: string;
  readonly scenarios: number;
  readonly isPermissive: boolean;
  /** Where sessions are kept, and what was found there. */
  readonly state?: KeptSessions & { readonly directory: string };
}

interface ReadyService {
  readonly baseUrl: string;
  /** Hosts that `exec`, or a Host header, reach it as. */
  readonly hosts: readonly string[];
  readonly credentials: Readonly<Record<string, string>>;
}

export function readyOf(
  server: RunningServer,
  session: HostedSession,
  doors: ReadonlySet<'rest' | 'mcp' | 'openenv'>,
): Ready {
  const tokens = tokensOf(session);
  const { environment } = session.episode;
  return {
    ready: true,
    session: session.id,
    environment: environment.name,
    control: server.control,
    services: Object.fromEntries(
      (doors.has('rest') ? environment.services : []).map(({ name, access }): [string, ReadyService] => [
        name,
        { baseUrl: server.url, hosts: access.hosts, credentials: tokens.services[name] ?? {} },
      ]),
    ),
    mcp: doors.has('mcp')
      ? {
          url: `${server.url}/mcp`,
          token: Object.values(tokens.session)[0] ?? '',
          credentials: tokens.session,
        }
      : null,
    openenv: doors.has('openenv') ? { url: server.url } : null,
  };
}

/** The same for people, with lines to copy. */
export function readyLines(ready: Ready, session: HostedSession, surroundings: Surroundings): string[] {
  const { environment } = session.episode;
  return [
    ...headLines(ready, session, surroundings),
    ...environment.services.flatMap((service) => serviceLines(service, ready)),
    ...mcpLines(ready, surroundings.target),
    ...(ready.openenv ? ['', `OpenEnv: ${ready.openenv.url}`] : []),
    '',
    `Control: ${ready.control.url}`,
    `  export GROUNDHOG_CONTROL_TOKEN=${ready.control.token}`,
  ];
}

const TASK_CHARACTERS_SHOWN = 100;

function headLines(ready: Ready, session: HostedSession, surroundings: Surroundings): string[] {
  const { served, scenarios, isPermissive, state } = surroundings;
  const { environment, session: id } = ready;
  const { task } = session.episode.environment;
  const { origin } = new URL(ready.control.url);
  const inside = [...(Object.keys(ready.services).length > 0 ? ['REST'] : []), ...(ready.mcp ? ['MCP'] : [])];
  const [line = ''] = task?.text.trim().split('\n') ?? [];
  return [
    ...(scenarios > 1
      ? [
          `Serving ${served} at ${origin}: ${counted(scenarios, 'scenario')}. Ctrl-C ends it.`,
          ...(inside.length > 0
            ? [
                `${inside.join(' and ')}: the tokens below are of ${environment}, session ${id}; ` +
                  'POST /sessions opens others.',
              ]
            : []),
        ]
      : [`Serving ${environment} at ${origin}, session ${id}. Ctrl-C ends it.`]),
    ...(line === '' ? [] : [`Task: ${printable(cut(line))}`]),
    ...(state && state.count > 0
      ? [`Going on with ${counted(state.count, 'session')} from ${state.directory}.`]
      : []),
    ...(state && state.elsewhere > 0
      ? [`Not served now, as of another world: ${counted(state.elsewhere, 'session')} of these.`]
      : []),
    ...(isPermissive ? ['Permissive: with one session open, any token, or none, is its first actor.'] : []),
  ];
}

function cut(line: string): string {
  return line.length > TASK_CHARACTERS_SHOWN ? `${line.slice(0, TASK_CHARACTERS_SHOWN).trimEnd()}…` : line;
}

function mcpLines({ mcp }: Ready, target: readonly string[]): string[] {
  if (!mcp) return [];
  const http = { type: 'http', url: mcp.url, headers: { Authorization: `Bearer ${mcp.token}` } };
  return [
    '',
    `MCP: ${mcp.url}`,
    ...tokenLines('GROUNDHOG_TOKEN', mcp.credentials),
    `  ${mcpConfiguration(http)}`,
    `  or as a program: ${mcpConfiguration(stdio(target))}`,
  ];
}

/** One actor's token is set; of several, each is said whose it is. */
function tokenLines(variable: string, credentials: Readonly<Record<string, string>>): string[] {
  const all = Object.entries(credentials);
  return all.flatMap(([actor, token]) => [
    ...(all.length > 1 ? [`  as ${printable(actor)}:`] : []),
    `  export ${variable}=${token}`,
  ]);
}

function serviceLines(service: Service, ready: Ready): string[] {
  const served = ready.services[service.name];
  const [variable = 'TOKEN'] = service.access.environment;
  const [first] = Object.entries(served?.credentials ?? {});
  if (!served || !first) return [];
  return [
    '',
    `${service.name}: ${served.baseUrl}, standing for ${served.hosts.join(', ')}`,
    ...tokenLines(variable, served.credentials),
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
