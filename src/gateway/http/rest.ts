import { UsageError } from '../../base/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { CallRequest, Delivery } from '../../session/index.ts';
import type { Credential, HostedSession, SessionHost } from '../host/index.ts';
import { answerProblem } from './answers.ts';
import { type Arguments, bodyArguments, queryArguments } from './arguments.ts';
import { type Contents, type Entrance, Entrances, type Served } from './entrance.ts';
import { addMembers, setMember } from './members.ts';
import { Pacing, type PacingOptions } from './pacing.ts';
import { answerDelivery } from './respond.ts';
import { type FoundRoute, RouteTable } from './routes.ts';
import { traceOf } from './trace.ts';
import type { Door, DoorRequest } from './types.ts';

export interface RestOptions extends PacingOptions {
  /** With exactly one open session, any token or none is taken as its first actor's. */
  readonly permissive?: boolean;
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
    const all = host.source.services.map((service): Served => ({ service, routes: new RouteTable(service) }));
    this.#host = host;
    this.#entrances = new Entrances(host, all, options.permissive ?? false);
    this.#pacing = new Pacing(options);
  }

  handle(request: DoorRequest): Promise<void> | null {
    return Entrances.isReserved(request.path) ? null : this.#answer(request);
  }

  close(): void {
    this.#pacing.close();
  }

  async #answer(request: DoorRequest): Promise<void> {
    const { raw, response } = request;
    const contents = new RequestContents(request);
    const entrance = await this.#entrances.find(request, contents);
    if (!entrance) {
      answerProblem(response, 404, { code: 'no-service', message: 'no such service is served here' });
      return;
    }
    if (request.method === 'OPTIONS') {
      const allow = entrance.served.routes.allowed(entrance.path).join(', ') || 'OPTIONS';
      await answerDelivery(raw, response, { delivery: { status: 204, body: null, headers: { allow } } });
      return;
    }
    const { credential } = entrance;
    const session = credential && this.#host.session(credential.session);
    if (credential && session) await this.#call(request, contents, { entrance, credential, session });
    else await this.#unauthenticated(request, entrance);
  }

  async #unauthenticated({ raw, response }: DoorRequest, { served, shown }: Entrance): Promise<void> {
    const { protocol } = served.service;
    const error = protocol.unauthenticated(shown ? 'unknown' : 'missing');
    const { status, headers } = error;
    const delivery = { status, body: protocol.errorBody(error), ...(headers && { headers }) };
    await answerDelivery(raw, response, { delivery });
  }

  async #call(
    request: DoorRequest,
    contents: RequestContents,
    at: { readonly entrance: Entrance; readonly credential: Credential; readonly session: HostedSession },
  ): Promise<void> {
    const { entrance, credential, session } = at;
    const { routes } = entrance.served;
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const found = routes.find(method, entrance.path);
    const allow = found ? [] : routes.allowed(entrance.path);
    const call: CallRequest = {
      tool: found?.route.tool ?? `${method} ${entrance.path}`,
      ...(await argumentsOf(entrance, found, contents)),
    };
    await this.#make(request, { session, credential, call, allow });
  }

  /** Makes the call and answers with what it delivered. */
  async #make(
    { raw, response }: DoorRequest,
    made: {
      readonly session: HostedSession;
      readonly credential: Credential;
      readonly call: CallRequest;
      readonly allow: readonly string[];
    },
  ): Promise<void> {
    const { session, credential, allow } = made;
    const { episode } = session;
    const waitedMs = this.#pacing.waitedMs(session.id);
    const call = waitedMs > 0 ? { ...made.call, waitedMs } : made.call;
    const trace = traceOf(raw.headers);
    const beforeMs = episode.session.world.clockMs;
    let delivery: Delivery;
    let afterMs: number;
    try {
      const soon = this.#host.call(session, call, { door: 'rest', credential, ...(trace && { trace }) });
      // The moment of this answer, before calls that come while it is written down.
      afterMs = episode.session.world.clockMs;
      delivery = soon instanceof Promise ? await soon : soon;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      answerUsageError(response, error, session);
      return;
    }
    if (delivery.ended !== undefined) {
      answerEnded(response, delivery.ended);
      return;
    }
    await this.#pacing.hold(afterMs - beforeMs - waitedMs);
    if (delivery.lost) raw.socket.destroy();
    else {
      const atMs = episode.environment.options.epochMs + afterMs;
      const headers = allow.length > 0 ? { allow: allow.join(', '), ...delivery.headers } : delivery.headers;
      await answerDelivery(raw, response, { delivery: headers ? { ...delivery, headers } : delivery, atMs });
    }
    this.#pacing.answered(session.id);
  }
}

/** Reads query and body once, when first asked. */
class RequestContents implements Contents {
  readonly #request: DoorRequest;
  #query: Arguments | null = null;
  #body: Promise<Arguments> | null = null;

  constructor(request: DoorRequest) {
    this.#request = request;
  }

  query(): Arguments {
    this.#query ??= queryArguments(this.#request.query);
    return this.#query;
  }

  body(): Promise<Arguments> {
    this.#body ??= this.#read();
    return this.#body;
  }

  async #read(): Promise<Arguments> {
    return bodyArguments(await this.#request.body(), this.#request.raw.headers['content-type']);
  }
}

/**
 * The arguments of a call: those of the body, over those of the query, under those of the path. A body that
 * is JSON but no object is all there is.
 */
async function argumentsOf(
  { tokenMember }: Entrance,
  found: FoundRoute | null,
  contents: Contents,
): Promise<Pick<CallRequest, 'input' | 'malformed'>> {
  const query = contents.query();
  const body = await contents.body();
  if (body.kind === 'malformed') return { malformed: body.text };
  if (query.kind === 'malformed') return { malformed: query.text };
  if (body.kind === 'json' && !isJsonObject(body.value)) return { input: body.value };
  const texts: Record<string, Json> = {};
  if (query.kind === 'texts') addMembers(texts, withoutToken(query.value, tokenMember, 'query'));
  if (body.kind === 'texts') addMembers(texts, withoutToken(body.value, tokenMember, 'body'));
  const { params = NO_PARAMS } = found ?? {};
  for (const name of Object.keys(params)) setMember(texts, name, params[name] ?? '');
  const conversion = found?.route.conversion;
  const typed = conversion && Object.keys(texts).length > 0 ? conversion()(texts) : texts;
  if (body.kind !== 'json') return { input: typed };
  const input: Record<string, Json> = {};
  if (query.kind === 'texts') addMembers(input, typed);
  addMembers(input, withoutToken(body.value as JsonObject, tokenMember, 'body'));
  for (const name of Object.keys(params)) setMember(input, name, typed[name] ?? '');
  return { input };
}

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

/** The episode is over, or this server cannot go on with it: no vendor has words for that. */
function answerUsageError(
  response: DoorRequest['response'],
  error: UsageError,
  session: HostedSession,
): void {
  if (error.code === 'episode-over') {
    answerEnded(response, session.episode.ended ?? 'agent-stopped');
    return;
  }
  const { code, message, hint } = error;
  answerProblem(response, 503, { code, message, ...(hint !== undefined && { hint }) });
}

function answerEnded(response: DoorRequest['response'], reason: string): void {
  answerProblem(response, 503, {
    code: 'episode-over',
    message: `the episode is over (${reason}): nothing more can happen in it`,
    headers: { 'x-groundhog-ended': reason },
  });
}
