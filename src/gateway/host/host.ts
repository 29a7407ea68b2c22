import { UsageError } from '../../base/errors.ts';
import { isJsonObject, type Json } from '../../base/json.ts';
import type { CallRequest, Delivery } from '../../session/index.ts';
import type { Trajectory } from '../../trajectory/index.ts';
import { withStrings } from './aliases.ts';
import { HostedEpisode } from './episode.ts';
import { drawToken, SESSION_TOKEN, TokenIndex } from './tokens.ts';
import type {
  Credential,
  DoorName,
  EnvironmentSource,
  OpenRequest,
  SayOutcome,
  SessionInput,
  SessionSummary,
  TraceContext,
} from './types.ts';

/** A value, or one that comes once the log is safe. */
export type Soon<T> = T | Promise<T>;

/** How a call came in, besides what it asks. */
export interface Via {
  readonly door: DoorName;
  readonly trace?: TraceContext;
  /** The credential that the request was let in by. */
  readonly credential?: Credential;
}

/** One session of the host. */
export interface HostedSession {
  readonly id: string;
  readonly request: OpenRequest;
  /** The episode, brought back from its log where it is not in memory. */
  readonly episode: HostedEpisode;
  readonly credentials: readonly Credential[];
  readonly forkOf?: { readonly session: string; readonly at: number };
}

export interface HostOptions {
  readonly source: EnvironmentSource;
  /** How many sessions may be open at once. */
  readonly sessionsMost: number;
  /** The wall clock, milliseconds since 1970. */
  readonly nowMs: () => number;
  /** `anchored`: virtual time starts at the wall clock instead of the scenario's own moment. */
  readonly clock?: 'fixed' | 'anchored';
}

interface Held {
  id: string;
  request: OpenRequest;
  episode: HostedEpisode;
  credentials: Credential[];
  forkOf?: { readonly session: string; readonly at: number };
  /** World's token → alias of the client, and back. */
  aliases: Map<string, string>;
  worldTokens: Map<string, string>;
}

/** All sessions of a server, by id and by token. Everything that changes one is an input, applied here. */
export class SessionHost {
  readonly source: EnvironmentSource;
  readonly #options: HostOptions;
  readonly #sessions = new Map<string, Held>();
  readonly #tokens = new TokenIndex();

  constructor(options: HostOptions) {
    this.source = options.source;
    this.#options = options;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /**
   * Opens a session and draws its credentials. `ephemeral` ones live in memory alone, for connections that end
   * with the process anyway.
   * @throws UsageError when the source has no such environment, or too many sessions are open.
   */
  open(
    request: OpenRequest = this.source.defaults,
    _options: { readonly ephemeral?: boolean } = {},
  ): HostedSession {
    this.#assertRoom();
    const { clock, nowMs } = this.#options;
    const anchored = clock === 'anchored' && request.epochMs === undefined;
    const logged = anchored ? { ...request, epochMs: nowMs() } : request;
    return this.#add(logged, HostedEpisode.open(this.source.open(logged)));
  }

  /** An independent session that goes on from here, or from after the first `at` steps, with credentials of its own. */
  fork(session: HostedSession, at?: number): HostedSession {
    this.#assertRoom();
    const held = this.#held(session);
    const episode = held.episode.fork(at);
    return this.#add(held.request, episode, { session: held.id, at: episode.session.stepCount });
  }

  /** The session of this id; undefined when there is none. */
  session(id: string): HostedSession | undefined {
    return this.#sessions.get(id);
  }

  /** All sessions by id, `limit` of them after `after`. */
  list({ after, limit }: { readonly after?: string; readonly limit: number }): readonly HostedSession[] {
    const ids = [...this.#sessions.keys()];
    const start = after === undefined ? 0 : ids.indexOf(after) + 1;
    return ids.slice(start, start + limit).flatMap((id) => this.#sessions.get(id) ?? []);
  }

  /** What a token opens; undefined for one that nobody was given. */
  credential(token: string): Credential | undefined {
    return this.#tokens.find(token);
  }

  /** Makes one call. The only way from a door to a world. */
  call(session: HostedSession, call: CallRequest, via: Via): Soon<Delivery> {
    const held = this.#held(session);
    const { credential } = via;
    const request: CallRequest = {
      ...call,
      transport: via.door,
      ...(call.actor === undefined && credential && { actor: credential.actor }),
      ...(credential?.worldToken !== undefined && { credential: credential.worldToken }),
      ...(call.input !== undefined && { input: withStrings(call.input, held.worldTokens) }),
    };
    const delivery = held.episode.call(request);
    const issued = this.#issueAliases(held, request, delivery);
    void issued;
    return { ...delivery, body: withStrings(delivery.body, held.aliases) };
  }

  wait(session: HostedSession, durationMs: number): Soon<void> {
    this.#held(session).episode.session.wait(durationMs);
  }

  say(session: HostedSession, text: string): Soon<SayOutcome> {
    return this.#held(session).episode.say(text);
  }

  end(session: HostedSession, input: Omit<Extract<SessionInput, { type: 'end' }>, 'type'>): Soon<Trajectory> {
    return this.#held(session).episode.end({ type: 'end', ...input });
  }

  /** Back to the state after the first `at` steps, also when the episode is over. */
  rollback(session: HostedSession, at: number): Soon<void> {
    const held = this.#held(session);
    held.episode = held.episode.fork(at);
  }

  checkpoint(session: HostedSession, name: string): Soon<void> {
    const { episode } = this.#held(session);
    episode.checkpoints.set(name, episode.session.stepCount);
  }

  inject(session: HostedSession, rules: Extract<SessionInput, { type: 'inject' }>['rules']): Soon<void> {
    this.#held(session).episode.session.inject(rules);
  }

  /** Lets further actors in and draws credentials for them. */
  join(
    session: HostedSession,
    actors: Extract<SessionInput, { type: 'join' }>['actors'],
  ): Soon<readonly Credential[]> {
    const held = this.#held(session);
    held.episode.session.join(actors);
    return this.#drawFor(
      held,
      actors.map(({ id }) => id),
    );
  }

  /** Ends a session's life here: its tokens open nothing any more. */
  close(session: HostedSession): Soon<void> {
    const held = this.#held(session);
    for (const { token } of held.credentials) this.#tokens.remove(token);
    this.#sessions.delete(held.id);
  }

  summary(session: HostedSession): SessionSummary {
    const { id, episode, forkOf } = this.#held(session);
    const { world, stepCount } = episode.session;
    return {
      id,
      environment: episode.environment.name,
      steps: stepCount,
      messages: episode.session.messageCount,
      clockMs: world.clockMs,
      ended: episode.ended,
      actors: episode.session.actors.map((actor) => actor.id),
      checkpoints: Object.fromEntries(episode.checkpoints),
      content: world.contentDigest(),
      full: world.fullDigest(),
      ...(forkOf && { forkOf }),
    };
  }

  #held(session: HostedSession): Held {
    const held = this.#sessions.get(session.id);
    if (held) return held;
    throw new UsageError('session-closed', `the session ${session.id} is closed`);
  }

  #assertRoom(): void {
    const { sessionsMost } = this.#options;
    if (this.#sessions.size < sessionsMost) return;
    throw new UsageError('no-room', `${sessionsMost} sessions are open, which is the most`, {
      hint: 'close some, or start the server with a larger --max-sessions',
    });
  }

  #add(request: OpenRequest, episode: HostedEpisode, forkOf?: Held['forkOf']): HostedSession {
    const id = drawToken({ prefix: 's', length: 24, alphabet: 'abcdefghijklmnopqrstuvwxyz0123456789' });
    const held: Held = {
      id,
      request,
      episode,
      credentials: [],
      aliases: new Map(),
      worldTokens: new Map(),
      ...(forkOf && { forkOf }),
    };
    this.#sessions.set(id, held);
    this.#drawFor(
      held,
      episode.session.actors.map((actor) => actor.id),
    );
    return held;
  }

  /** One token per service and actor, and one per actor for the session itself. */
  #drawFor(held: Held, actors: readonly string[]): Credential[] {
    const { services } = held.episode.environment;
    const shapes = [
      { service: null, shape: SESSION_TOKEN },
      ...services.map(({ name, access }) => ({ service: name, shape: access.token })),
    ];
    const drawn = actors.flatMap((actor) =>
      shapes.map(
        ({ service, shape }): Credential => ({
          token: drawToken(shape),
          session: held.id,
          service,
          actor,
        }),
      ),
    );
    for (const credential of drawn) this.#addCredential(held, credential);
    return drawn;
  }

  #addCredential(held: Held, credential: Credential): void {
    held.credentials.push(credential);
    this.#tokens.add(credential);
  }

  /** Draws an alias for every token that the call's operation issued. */
  #issueAliases(
    held: Held,
    call: CallRequest,
    delivery: Delivery,
  ): Readonly<Record<string, string>> | undefined {
    const callable = held.episode.session.callableNamed(call.tool);
    const members = callable?.operation?.issuedTokens;
    if (!members || !callable || !delivery.ok || !isJsonObject(delivery.body)) return undefined;
    const drawn: [string, string][] = [];
    for (const member of members) {
      const token: Json | undefined = delivery.body[member];
      if (typeof token !== 'string' || held.aliases.has(token)) continue;
      const alias = drawToken(callable.service.access.token);
      held.aliases.set(token, alias);
      held.worldTokens.set(alias, token);
      const actor = call.actor ?? held.episode.session.actors[0]?.id ?? 'agent';
      this.#addCredential(held, {
        token: alias,
        session: held.id,
        service: callable.service.name,
        actor,
        worldToken: token,
      });
      drawn.push([token, alias]);
    }
    return drawn.length > 0 ? Object.fromEntries(drawn) : undefined;
  }
}
