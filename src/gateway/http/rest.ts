import { UsageError } from '../../base/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Protocol } from '../../service/types.ts';
import type { CallRequest, Delivery } from '../../session/index.ts';
import { newestLatencyMs } from '../host/episode-tools.ts';
import type { Credential, HostedSession, SessionHost, Via } from '../host/index.ts';
import { answerProblem, breakOff } from './answers.ts';
import { type Arguments, bodyArguments, queryArguments } from './arguments.ts';
import { announcesBody } from './body.ts';
import { type Contents, type Entrance, Entrances, type Served } from './entrance.ts';
import { addMembers, setMember } from './members.ts';
import { originsOf, type Rebased } from './origins.ts';
import { Pacing, type PacingOptions } from './pacing.ts';
import { answerDelivery } from './respond.ts';
import { type FoundRoute, type Route, RouteTable } from './routes.ts';
import { traceOf } from './trace.ts';
import { trickleOf } from './trickle.ts';
import { ANSWERED, type Door, type DoorRequest } from './types.ts';

export interface RestOptions extends PacingOptions {
  /** With exactly one open session, any token or none is taken as its first actor's. */
  readonly permissive?: boolean;
  /** Shared with other doors; the door's own when left out. */
  readonly pacing?: Pacing;
}

/** The vendors' own HTTP interfaces, all sessions and services behind one listener. */
export function restDoor(host: SessionHost, options: RestOptions = {}): Door {
  return new RestDoor(host, options);
}

class RestDoor implements Door {
  readonly name = 'rest';
  readonly #host: SessionHost;
  readonly #entrances: Entrances;
  readonly #pacing: Pacing;

  constructor(host: SessionHost, options: RestOptions) {
    const all = host.source.services.map(
      (service): Served => ({ service, routes: new RouteTable(service), origins: originsOf(service) }),
    );
    this.#host = host;
    this.#entrances = new Entrances(host, all, options.permissive ?? false);
    this.#pacing = options.pacing ?? new Pacing(options);
  }

  handle(request: DoorRequest): Promise<void> | null {
    if (Entrances.isReserved(request.path)) return null;
    const { response } = request;
    try {
      const done = this.#answer(request, new RequestContents(request));
      return done ? done.catch((error: unknown) => answerUsageError(response, error)) : ANSWERED;
    } catch (error) {
      answerUsageError(response, error);
      return ANSWERED;
    }
  }

  close(): void {
    this.#pacing.close();
  }

  #answer(request: DoorRequest, contents: RequestContents): Promise<void> | undefined {
    const { raw, response } = request;
    const entrance = this.#entrances.find(request, contents);
    if (entrance?.needsBody) return contents.read().then(() => this.#answer(request, contents));
    if (!entrance) {
      answerProblem(response, 404, { code: 'no-service', message: 'no such service is served here' });
      return undefined;
    }
    if (request.method === 'OPTIONS') {
      const allow = entrance.served.routes.allowed(entrance.path).join(', ') || 'OPTIONS';
      return answerDelivery(raw, response, { delivery: { status: 204, body: null, headers: { allow } } });
    }
    const { credential } = entrance;
    const session = credential && this.#host.session(credential.session);
    if (!credential || !session) return unauthenticated(request, entrance);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const found = entrance.served.routes.find(method, entrance.path);
    const at = { entrance, credential, session, found, method };
    // Nobody's body is read before it is known who sends it; nothing is awaited that is there already.
    if (contents.said !== null) return this.#call(request, contents, at);
    return contents.read(found?.route.rawBody !== undefined).then(() => {
      // The session may have been closed while its client was still sending.
      if (this.#host.session(session.id) === session) return this.#call(request, contents, at);
      return unauthenticated(request, { ...entrance, shown: true });
    });
  }

  /** Makes the call of a request whose body has been read, and answers it. */
  #call(request: DoorRequest, contents: RequestContents, at: Called): Promise<void> | undefined {
    const { entrance, credential, session, found, method } = at;
    const { routes, service } = entrance.served;
    const headers = service.protocol.requestHeaders?.(request.raw.headers as Parameters<PickHeaders>[0]);
    const call: CallRequest = {
      service: service.name,
      tool: found?.route.tool ?? `${method} ${entrance.path}`,
      ...argumentsOf(entrance, found, contents),
      ...(headers && { headers }),
    };
    const allow = found ? NO_METHODS : routes.allowed(entrance.path);
    try {
      return this.#make(request, { session, credential, call, allow, entrance });
    } catch (error) {
      if (!(error instanceof UsageError) || error.code !== 'unknown-actor') throw error;
      // The session went back to before this actor joined: the token is nobody's until it joins again.
      return unauthenticated(request, { ...entrance, shown: true });
    }
  }

  /** @throws UsageError when the session cannot go on. */
  #make(request: DoorRequest, making: Making): Promise<void> | undefined {
    const { session, credential, call, allow, entrance } = making;
    const { episode } = session;
    // An end that came before this call is the same to a client as one that this call reaches.
    if (episode.ended) return answerEnded(request.response, episode.ended);
    const waitedMs = this.#pacing.waitedMs(session.id);
    const trace = traceOf(request.raw.headers);
    const via: Via = trace ? { door: 'rest', credential, trace } : { door: 'rest', credential };
    const beforeMs = episode.session.world.clockMs;
    const soon = this.#host.call(session, waitedMs > 0 ? { ...call, waitedMs } : call, via);
    // The moment of this answer, before calls that come while it is written down.
    const { clockMs } = episode.session.world;
    const atMs = episode.environment.options.epochMs + clockMs;
    const tookMs = this.#pacing.isReal ? newestLatencyMs(episode, beforeMs) : 0;
    const rebased = rebasedFor(request, entrance);
    const made: Made = { session: session.id, allow, atMs, tookMs, rebased };
    if (!(soon instanceof Promise)) return this.#deliver(request, soon, made);
    return soon.then((delivery) => this.#deliver(request, delivery, made));
  }

  /** Answers with what a call delivered. */
  #deliver(request: DoorRequest, delivery: Delivery, made: Made): Promise<void> | undefined {
    if (delivery.ended !== undefined) return answerEnded(request.response, delivery.ended);
    const held = this.#pacing.hold(made.tookMs - (delivery.trickleMs ?? 0));
    return held
      ? held.then(() => this.#write(request, delivery, made))
      : this.#write(request, delivery, made);
  }

  #write(
    { raw, response }: DoorRequest,
    delivery: Delivery,
    { session, allow, atMs, rebased }: Made,
  ): Promise<void> | undefined {
    this.#pacing.answered(session);
    if (delivery.lost) {
      breakOff(raw.socket, delivery);
      return undefined;
    }
    const trickle = trickleOf(delivery, this.#pacing);
    if (allow.length === 0) return answerDelivery(raw, response, { delivery, atMs, rebased, trickle });
    const headers = { allow: allow.join(', '), ...delivery.headers };
    return answerDelivery(raw, response, { delivery: { ...delivery, headers }, atMs, rebased, trickle });
  }
}

type PickHeaders = NonNullable<Protocol['requestHeaders']>;

function unauthenticated(request: DoorRequest, entrance: Entrance): Promise<void> | undefined {
  const { served, shown, path } = entrance;
  const { protocol } = served.service;
  const error = protocol.unauthenticated(shown ? 'unknown' : 'missing');
  const { status, headers } = error;
  const found = served.routes.find(request.method === 'HEAD' ? 'GET' : request.method, path);
  const body = protocol.errorBody(error, found?.route.tool);
  const delivery = { status, body, ...(headers && { headers }) };
  return answerDelivery(request.raw, request.response, { delivery, rebased: rebasedFor(request, entrance) });
}

/** What the client calls the service; null where it came by a name that is the vendor's own. */
function rebasedFor(request: DoorRequest, { served, prefix }: Entrance): Rebased | null {
  const { origins, service } = served;
  if (!origins || (prefix === '' && service.access.hosts.includes(request.host))) return null;
  return { origins, base: request.origin + prefix };
}

/** Whose call it is, and of what. */
interface Called {
  readonly entrance: Entrance;
  readonly credential: Credential;
  readonly session: HostedSession;
  readonly found: FoundRoute | null;
  readonly method: string;
}

/** A call that is to be made. */
interface Making {
  readonly session: HostedSession;
  readonly credential: Credential;
  readonly call: CallRequest;
  readonly allow: readonly string[];
  readonly entrance: Entrance;
}

/** A call that was made, besides what it delivered. */
interface Made {
  /** Its session's id. */
  readonly session: string;
  /** The methods that the path has, where it has not this one. */
  readonly allow: readonly string[];
  /** The world's moment after it, milliseconds since 1970, and how long it took, in virtual milliseconds. */
  readonly atMs: number;
  readonly tookMs: number;
  readonly rebased: Rebased | null;
}

const NO_METHODS: readonly string[] = [];

/** Reads query and body once, when first asked. */
class RequestContents implements Contents {
  readonly #request: DoorRequest;
  #query: Arguments | null = null;
  /** Null while it has not been read. */
  said: Arguments | null;
  /** The body as it came, once it has been read. */
  bytes: Buffer = NO_BYTES;

  constructor(request: DoorRequest) {
    this.#request = request;
    this.said = announcesBody(request.raw) ? null : NO_ARGUMENTS;
  }

  query(): Arguments {
    this.#query ??= queryArguments(this.#request.query);
    return this.#query;
  }

  get type(): string | undefined {
    return this.#request.raw.headers['content-type'];
  }

  /** Reads the body; where it is taken as it came, nothing in it is looked at. */
  async read(asItCame = false): Promise<void> {
    this.bytes = await this.#request.body();
    this.said = asItCame ? NO_ARGUMENTS : await bodyArguments(this.bytes, this.type);
  }
}

const NO_BYTES = Buffer.alloc(0);

const NO_ARGUMENTS: Arguments = { kind: 'none' };

/**
 * The arguments of a call: those of the body, over those of the query, under those of the path. A body that
 * is JSON but no object is the input that its route names for it; all there is where it names none.
 */
function argumentsOf(
  entrance: Entrance,
  found: FoundRoute | null,
  contents: RequestContents,
): Pick<CallRequest, 'input' | 'malformed'> {
  const { tokenMember } = entrance;
  const query = contents.query();
  const body = bodyOf(found, contents);
  if (body.kind === 'malformed') return { malformed: body.text };
  if (query.kind === 'malformed') return { malformed: query.text };
  if (body.kind === 'json' && !isJsonObject(body.value)) return { input: body.value };
  const texts: Record<string, Json> = {};
  if (query.kind === 'texts') addMembers(texts, withoutToken(query.value, tokenMember, 'query'));
  if (body.kind === 'texts') addMembers(texts, withoutToken(body.value, tokenMember, 'body'));
  const { params = NO_PARAMS } = found ?? {};
  for (const name of Object.keys(params)) setMember(texts, name, params[name] ?? '');
  const typed = found?.route.conversion?.()(texts) ?? texts;
  if (body.kind !== 'json') return { input: typed };
  const input: Record<string, Json> = {};
  if (query.kind === 'texts') addMembers(input, typed);
  addMembers(input, withoutToken(body.value as JsonObject, tokenMember, 'body'));
  for (const name of Object.keys(params)) setMember(input, name, typed[name] ?? '');
  return { input };
}

/** What the body says, in the inputs that its route has for it. */
function bodyOf(found: FoundRoute | null, contents: RequestContents): Arguments {
  const { bareBody, rawBody } = found?.route ?? NO_BODIES;
  if (rawBody !== undefined) {
    const { bytes, type } = contents;
    const value = { [rawBody]: bytes.toString('base64'), ...(type !== undefined && { content_type: type }) };
    return { kind: 'json', value };
  }
  const body = contents.said ?? NO_ARGUMENTS;
  if (body.kind !== 'json' || bareBody === undefined || isJsonObject(body.value)) return body;
  return { kind: 'json', value: { [bareBody]: body.value } };
}

const NO_BODIES: Pick<Route, 'bareBody' | 'rawBody'> = {};

const NO_PARAMS: FoundRoute['params'] = {};

function withoutToken(
  members: JsonObject,
  token: Entrance['tokenMember'],
  place: 'query' | 'body',
): JsonObject {
  if (token?.in !== place) return members;
  const { [token.name]: _token, ...others } = members;
  return others;
}

/**
 * This server cannot go on with the session: no vendor has words for that.
 * @throws what is no UsageError, as it came: a fault of ours.
 */
function answerUsageError(response: DoorRequest['response'], error: unknown): void {
  if (!(error instanceof UsageError)) throw error;
  const { code, hint } = error;
  // Where the server keeps its files is nothing for an agent.
  if (code === 'log-damaged' || code === 'log-unavailable') {
    answerProblem(response, 503, { code, message: 'the server cannot keep what happens in this session' });
    return;
  }
  answerProblem(response, 503, { code, message: error.message, ...(hint !== undefined && { hint }) });
}

function answerEnded(response: DoorRequest['response'], reason: string): undefined {
  answerProblem(response, 503, {
    code: 'episode-over',
    message: `the episode is over (${reason}): nothing more can happen in it`,
    headers: { 'x-groundhog-ended': reason },
  });
  return undefined;
}
