import type { Service, TokenPlace } from '../../service/types.ts';
import type { Credential, HostedSession, SessionHost } from '../host/index.ts';
import type { Arguments } from './arguments.ts';
import type { Origins } from './origins.ts';
import type { RouteTable } from './routes.ts';
import type { DoorRequest } from './types.ts';

/** A service as the door knows it. */
export interface Served {
  readonly service: Service;
  readonly routes: RouteTable;
  /** Null for a service that never speaks of itself by a URL. */
  readonly origins: Origins | null;
}

/** Where a request goes. Without a credential it is refused, in the words of the service. */
export interface Entrance {
  readonly served: Served;
  /** The vendor's path, without any prefix of ours. */
  readonly path: string;
  /** That prefix; empty where there is none. */
  readonly prefix: string;
  readonly credential: Credential | null;
  /** Whether a token was shown that nobody was given. */
  readonly shown: boolean;
  /** Whether a token may stand in the body, which has not been read: to be read, and then asked again. */
  readonly needsBody?: boolean;
  /** The member of the query or body that held the token: it is no argument. */
  readonly tokenMember?: { readonly in: 'query' | 'body'; readonly name: string };
}

/** What of a request is read only where a vendor's token may stand there. */
export interface Contents {
  query(): Arguments;
  /** What the body says; null while it has not been read. */
  readonly said: Arguments | null;
}

type Place = Pick<Entrance, 'served' | 'path' | 'prefix'>;
type Shown = Pick<Entrance, 'credential' | 'shown' | 'tokenMember' | 'needsBody'>;

const PREFIX = '/_groundhog/s/';
const SESSION_HEADER = 'x-groundhog-session';
const ACTOR_HEADER = 'x-groundhog-actor';

/** Finds the session, the service and the actor of a request. Creates nothing. */
export class Entrances {
  readonly #host: SessionHost;
  readonly #byName: ReadonlyMap<string, Served>;
  readonly #byHost: ReadonlyMap<string, Served>;
  readonly #all: readonly Served[];
  readonly #permissive: boolean;
  readonly #lastShown = new WeakMap<object, Credential>();

  constructor(host: SessionHost, all: readonly Served[], permissive: boolean) {
    this.#host = host;
    this.#all = all;
    this.#byName = new Map(all.map((served) => [served.service.name, served]));
    this.#byHost = new Map(
      all.flatMap((served) => served.service.access.hosts.map((name): [string, Served] => [name, served])),
    );
    this.#permissive = permissive;
  }

  /** Whether the path is one of ours that no service can have; the prefix of a session is not. */
  static isReserved(path: string): boolean {
    return (path.startsWith('/_groundhog/') || path === '/_groundhog') && !path.startsWith(PREFIX);
  }

  /** Null when the request names a service that is not served, or none is. */
  find(request: DoorRequest, contents: Contents): Entrance | null {
    if (request.path.startsWith(PREFIX)) return this.#byPrefix(request, contents);
    const header = request.raw.headers[SESSION_HEADER];
    if (typeof header === 'string') return this.#byHeader(request, header, contents);
    return this.#byToken(request, contents);
  }

  #byPrefix(request: DoorRequest, contents: Contents): Entrance | null {
    const [token = '', name = '', ...rest] = request.path.slice(PREFIX.length).split('/');
    const served = this.#byName.get(name);
    if (!served) return null;
    const path = `/${rest.join('/')}`;
    const at: Place = { served, path, prefix: `${PREFIX}${token}/${name}` };
    const session = this.#host.credential(token);
    if (session?.service !== null) return { ...at, credential: null, shown: true };
    if (!sessionHas(this.#host.session(session.session), name)) return null;
    return this.#within(session, at, { request, contents });
  }

  #byHeader(request: DoorRequest, token: string, contents: Contents): Entrance | null {
    const { path } = request;
    const session = this.#host.credential(token);
    const hosted = session?.service === null ? this.#host.session(session.session) : undefined;
    const candidates = hosted
      ? this.#all.filter(({ service }) => sessionHas(hosted, service.name))
      : this.#all;
    const served = this.#serviceOf(request, candidates);
    if (!served) return null;
    const at: Place = { served, path, prefix: '' };
    if (!session || !hosted) return { ...at, credential: null, shown: true };
    return this.#within(session, at, { request, contents });
  }

  /**
   * A session is chosen already; a token of it that is shown besides says which actor it is. Without one it
   * is the session's first, unless the request asks to be taken for what its own token, or none, makes it.
   */
  #within(
    session: Credential,
    at: Place,
    { request, contents }: { readonly request: DoorRequest; readonly contents: Contents },
  ): Entrance | null {
    const found = this.#shownTo(at.served, request, contents);
    if (found.credential?.session === session.session) return { ...at, ...found, shown: true };
    const needsBody = found.needsBody ?? false;
    const asItself = request.raw.headers[ACTOR_HEADER] === 'anonymous' && !needsBody;
    if (!asItself) return { ...at, credential: session, shown: true, needsBody };
    const { anonymous } = at.served.service.protocol;
    if (found.shown || !anonymous) return { ...at, credential: null, shown: found.shown };
    return { ...at, credential: { ...session, actor: anonymous.id }, shown: false };
  }

  #byToken(request: DoorRequest, contents: Contents): Entrance | null {
    const { path } = request;
    const byHost = this.#byHost.get(request.host);
    let shown = false;
    let needsBody = false;
    for (const served of byHost ? [byHost] : this.#all) {
      const found = this.#shownTo(served, request, contents);
      if (found.credential) return { served, path, prefix: '', ...found };
      shown ||= found.shown;
      needsBody ||= found.needsBody ?? false;
    }
    const served = byHost ?? this.#serviceOf(request, this.#all);
    if (!served) return null;
    const permitted = this.#permissive ? this.#onlyActor(served) : undefined;
    return { served, path, prefix: '', credential: permitted ?? null, shown, needsBody };
  }

  /** With one session only, its first actor: for programs whose token cannot be set. */
  #onlyActor({ service }: Served): Credential | undefined {
    if (this.#host.size !== 1) return undefined;
    const [session] = this.#host.list({ limit: 1 });
    return session?.credentials.find((credential) => credential.service === service.name);
  }

  #serviceOf({ host, path, method }: DoorRequest, candidates: readonly Served[]): Served | undefined {
    const byHost = this.#byHost.get(host);
    if (byHost && candidates.includes(byHost)) return byHost;
    if (candidates.length === 1) return candidates[0];
    return (
      candidates.find(({ routes }) => routes.find(method, path)) ??
      candidates.find(({ routes }) => routes.allowed(path).length > 0) ??
      candidates[0]
    );
  }

  /** The credential that a request shows where the vendor looks for one. */
  #shownTo({ service }: Served, request: DoorRequest, contents: Contents): Shown {
    let shown = false;
    let needsBody = false;
    for (const place of service.access.places) {
      needsBody ||= place.in === 'body' && contents.said === null;
      const token = tokenAt(place, request, contents);
      if (token === null) continue;
      shown = true;
      const credential = this.#credential(token, request);
      if (credential?.service !== service.name) continue;
      if (place.in !== 'query' && place.in !== 'body') return { credential, shown };
      return { credential, shown, tokenMember: { in: place.in, name: place.name } };
    }
    return { credential: null, shown, needsBody };
  }

  /** What a token opens. A client shows the same one on all requests of a connection: hashed once there. */
  #credential(token: string, { raw: { socket } }: DoorRequest): Credential | undefined {
    const last = this.#lastShown.get(socket);
    if (last && sameText(token, last.token) && this.#host.session(last.session)) return last;
    const credential = this.#host.credential(token);
    if (credential && credential.worldToken === undefined) this.#lastShown.set(socket, credential);
    return credential;
  }
}

/** Whether two texts are equal, in a time that does not depend on where they differ. */
function sameText(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let index = 0; index < one.length; index += 1) {
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  }
  return difference === 0;
}

function sessionHas(session: HostedSession | undefined, name: string): boolean {
  return session?.episode.environment.services.some((service) => service.name === name) ?? false;
}

function tokenAt(place: TokenPlace, request: DoorRequest, contents: Contents): string | null {
  switch (place.in) {
    case 'authorization':
      if (place.scheme === 'Bearer') return request.bearer;
      return schemeToken(request.raw.headers.authorization, place.scheme);
    case 'basic':
      return basicToken(schemeToken(request.raw.headers.authorization, 'Basic'), place.part);
    case 'header': {
      const value = request.raw.headers[place.name.toLowerCase()];
      return typeof value === 'string' ? value : null;
    }
    case 'query':
      return memberText(contents.query(), place.name);
    case 'body':
      return contents.said && memberText(contents.said, place.name);
  }
}

function schemeToken(authorization: string | undefined, scheme: string): string | null {
  if (authorization === undefined) return null;
  const space = authorization.indexOf(' ');
  if (space < 0 || authorization.slice(0, space).toLowerCase() !== scheme.toLowerCase()) return null;
  return authorization.slice(space + 1).trim();
}

function basicToken(encoded: string | null, part: 'user' | 'password'): string | null {
  if (encoded === null) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const token = part === 'user' ? text.slice(0, colon < 0 ? undefined : colon) : text.slice(colon + 1);
  return token === '' || (part === 'password' && colon < 0) ? null : token;
}

function memberText(from: Arguments, name: string): string | null {
  if (from.kind !== 'texts' && from.kind !== 'json') return null;
  const { value } = from;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const member = Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
  return typeof member === 'string' ? member : null;
}
