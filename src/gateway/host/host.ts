import { invariant, UsageError } from '../../base/errors.ts';
import { type CallRequest, type Delivery, LONGEST_WAIT_MS } from '../../session/index.ts';
import { type LogRecord, SessionLog } from '../../store/session-log.ts';
import type { Trajectory } from '../../trajectory/index.ts';
import { withStrings } from './aliases.ts';
import { drawAliases, drawCredentials, drawSessionId, takeCredentials } from './drawing.ts';
import { HostedEpisode } from './episode.ts';
import { Held, type HostedSession, type Warm } from './held.ts';
import type { HostCounters, HostOptions, Soon, StateOptions, Via } from './options.ts';
import { readSession } from './rebuild.ts';
import {
  type CallNote,
  checkOf,
  type ForkPoint,
  type InputRecord,
  loggedCredential,
  type OpenRecord,
} from './records.ts';
import { RegistryReader, SessionRegistry } from './registry.ts';
import { assertDistinct, assertPlausible } from './request.ts';
import { SessionShelf } from './shelf.ts';
import type {
  Credential,
  DoorName,
  EnvironmentSource,
  OpenRequest,
  SayOutcome,
  SessionInput,
  SessionSummary,
} from './types.ts';

export type { HostedSession } from './held.ts';
export type { HostCounters, HostOptions, Soon, StateOptions, Via } from './options.ts';

const HOT_MOST = 10_000;
const IDLE_MS = 3_600_000;
const SNAPSHOT_INPUTS = 2_048;

/** One change of a session: what is said of it in the log, and to the caller. */
interface Change<T> {
  readonly value: T;
  readonly input: SessionInput;
  readonly step?: number;
  readonly credentials?: readonly Credential[];
}

/** All sessions of a server, by id and by token. Everything that changes one is an input, applied here. */
export class SessionHost {
  readonly source: EnvironmentSource;
  readonly #options: HostOptions;
  readonly #registry = new SessionRegistry();
  readonly #shelf: SessionShelf;
  readonly #log: SessionLog | null;
  readonly #sweep: NodeJS.Timeout | null;
  readonly #calls: Record<DoorName, number> = { rest: 0, mcp: 0, openenv: 0, control: 0 };
  #unlogged = 0;
  #opened = 0;
  #closed = 0;

  /**
   * A host, with the sessions of its state folder where it has one.
   * @throws UsageError when another process has the folder, or its log is damaged.
   */
  constructor(options: HostOptions) {
    this.source = options.source;
    this.#options = options;
    const { state, source, nowMs, idleMs = IDLE_MS } = options;
    this.#shelf = new SessionShelf({
      source,
      nowMs,
      hotMost: options.hotMost ?? HOT_MOST,
      snapshotInputs: options.snapshotInputs ?? SNAPSHOT_INPUTS,
    });
    this.#log = state ? this.#openLog(state) : null;
    this.#shelf.log = this.#log;
    this.#sweep = this.#log && setInterval(() => this.evictIdle(), Math.min(idleMs, 30_000)).unref();
  }

  get size(): number {
    return this.#registry.size;
  }

  /**
   * Opens a session and draws its credentials. `ephemeral` ones live in memory alone, for connections that
   * end with the process anyway. Answer your own caller once `safe()` says that the log has it.
   * @throws UsageError when the request makes no sense or the source has no such environment, too many
   * sessions are open, or the log cannot be written.
   */
  open(
    request: OpenRequest = this.source.defaults,
    { ephemeral = false }: { readonly ephemeral?: boolean } = {},
  ): HostedSession {
    this.#assertRoom();
    assertPlausible(request);
    const { clock, nowMs } = this.#options;
    const anchored = clock === 'anchored' && request.epochMs === undefined;
    const logged = anchored ? { ...request, epochMs: nowMs() } : request;
    const environment = this.source.open(logged);
    assertDistinct(environment.options);
    return this.#add(logged, HostedEpisode.open(environment), { ephemeral, previous: null });
  }

  /**
   * An independent session that goes on from here, or from after the first `at` steps, with credentials of
   * its own. The log of both shares the past.
   */
  fork(session: HostedSession, at?: number): HostedSession {
    this.#assertRoom();
    const held = this.#held(session);
    const warm = this.#shelf.warm(held);
    const episode = warm.episode.fork(at);
    return this.#add(warm.request, episode, {
      ephemeral: held.last === null,
      previous: held.last,
      forkOf: { session: held.id, at: episode.session.stepCount },
    });
  }

  /** The session of this id; undefined when there is none. */
  session(id: string): HostedSession | undefined {
    return this.#registry.get(id);
  }

  /** All sessions in the order of their opening, `limit` of them after `after`. */
  list({ after, limit }: { readonly after?: string; readonly limit: number }): readonly HostedSession[] {
    return this.#registry.list(after, limit);
  }

  /** What a token opens; undefined for one that nobody was given. */
  credential(token: string): Credential | undefined {
    return this.#registry.credential(token);
  }

  /** Makes one call. The only way from a door to a world. */
  call(session: HostedSession, call: CallRequest, via: Via): Soon<Delivery> {
    this.#calls[via.door] += 1;
    const { onStep } = this.#options;
    let line: string | null = null;
    const soon = this.#change(session, (warm, held) => {
      const { trace, door, credential } = via;
      invariant(!credential || credential.session === held.id, 'a credential opens its own session alone');
      const { request, delivery } = callInTime(warm.episode, requestOf(call, via, warm.worldTokens), door);
      const credentials = drawAliases(held.id, warm, { call: request, delivery });
      takeCredentials(warm, credentials);
      if (onStep && delivery.step >= 0) line = warm.episode.session.lastStepLine();
      return {
        value: { ...delivery, body: withStrings(delivery.body, warm.aliases) },
        input: { type: 'call', call: request, door, ...(trace && { trace }) },
        ...(delivery.step >= 0 && { step: delivery.step }),
        credentials,
      };
    });
    if (!onStep || line === null) return soon;
    const told = (delivery: Delivery): Delivery => {
      onStep(session.id, line ?? '');
      return delivery;
    };
    return soon instanceof Promise ? soon.then(told) : told(soon);
  }

  wait(session: HostedSession, durationMs: number): Soon<void> {
    return this.#apply(session, { type: 'wait', durationMs });
  }

  say(session: HostedSession, text: string): Soon<SayOutcome> {
    return this.#change(session, ({ episode }) => {
      const input = { type: 'say', text } as const;
      return { value: episode.apply<'say'>(input), input };
    });
  }

  end(session: HostedSession, end: Omit<Extract<SessionInput, { type: 'end' }>, 'type'>): Soon<Trajectory> {
    return this.#change(session, ({ episode }) => {
      const input = { type: 'end', ...end } as const;
      return { value: episode.apply<'end'>(input), input };
    });
  }

  /** Back to the state after the first `at` steps, also when the episode is over. */
  rollback(session: HostedSession, at: number): Soon<void> {
    return this.#apply(session, { type: 'rollback', at });
  }

  checkpoint(session: HostedSession, name: string): Soon<void> {
    return this.#apply(session, { type: 'checkpoint', name });
  }

  inject(session: HostedSession, rules: Extract<SessionInput, { type: 'inject' }>['rules']): Soon<void> {
    return this.#apply(session, { type: 'inject', rules });
  }

  /** Lets further actors in and draws credentials for them. */
  join(
    session: HostedSession,
    actors: Extract<SessionInput, { type: 'join' }>['actors'],
  ): Soon<readonly Credential[]> {
    return this.#change(session, (warm, held) => {
      const input = { type: 'join', actors } as const;
      warm.episode.apply<'join'>(input);
      const ids = actors.map(({ id }) => id);
      const credentials = drawCredentials(held.id, warm.episode, ids);
      takeCredentials(warm, credentials);
      return { value: credentials, input, credentials };
    });
  }

  /** Ends a session's life here: its tokens open nothing any more. */
  close(session: HostedSession): Soon<void> {
    const held = this.#held(session);
    const { credentials } = held;
    if (held.last !== null) this.#append({ kind: 'c', session: held.id, previous: held.last }, {});
    this.#registry.remove(held, credentials);
    if (held.last === null) this.#unlogged -= 1;
    else this.#shelf.forget(held);
    this.#closed += 1;
    return this.#whenSafe(held, undefined);
  }

  summary(session: HostedSession): SessionSummary {
    const held = this.#held(session);
    const { episode, forkOf } = this.#shelf.warm(held);
    const { world, stepCount } = episode.session;
    return {
      id: held.id,
      environment: episode.environment.name,
      steps: stepCount,
      messages: episode.session.messageCount,
      clockMs: world.clockMs,
      ended: episode.ended,
      actors: episode.session.actors.map((actor) => actor.id),
      checkpoints: Object.fromEntries(episode.checkpoints),
      content: world.contentDigest(),
      full: world.fullDigest(),
      ...(forkOf && { forkOf: { session: forkOf.session, at: forkOf.at } }),
    };
  }

  /** Through which door each step of a session came; empty for one that is not logged. */
  callsOf(session: HostedSession): readonly CallNote[] {
    const { id, last } = this.#held(session);
    if (!this.#log || last === null) return [];
    return readSession(this.#log, id, { position: last, whole: true }).calls;
  }

  /** When everything that happened up to now is as safe as promised. Rejects when it could not be made so. */
  safe(): Soon<void> {
    return this.#log?.safe();
  }

  /** Lets the sessions go that nobody asked for anything for `idleMs`. */
  evictIdle(): void {
    const { nowMs, idleMs = IDLE_MS } = this.#options;
    this.#shelf.evictIdle(nowMs() - idleMs);
  }

  counters(): HostCounters {
    const hot = this.#shelf.hotSize + this.#unlogged;
    const { evictions, rebuilds, resumes } = this.#shelf;
    return {
      sessionsOpen: this.size,
      sessionsHot: hot,
      sessionsCold: this.size - hot,
      opened: this.#opened,
      closed: this.#closed,
      calls: { ...this.#calls },
      evictions,
      rebuilds,
      resumes,
      logBytes: this.#log?.bytes ?? 0,
      syncs: this.#log?.syncs ?? 0,
    };
  }

  /** Writes what is left and gives the state folder back. Nothing can be changed after it. */
  async stop(): Promise<void> {
    if (this.#sweep) clearInterval(this.#sweep);
    await this.#log?.stop();
  }

  #held(session: HostedSession): Held {
    const held = this.#registry.get(session.id);
    if (held) return held;
    throw new UsageError('session-closed', `the session ${session.id} is closed`);
  }

  #assertRoom(): void {
    const { sessionsMost } = this.#options;
    if (this.size < sessionsMost) return;
    throw new UsageError('no-room', `${sessionsMost} sessions are open, which is the most`, {
      hint: 'close some, or start the server with a larger --max-sessions',
    });
  }

  #add(
    request: OpenRequest,
    episode: HostedEpisode,
    from: { readonly ephemeral: boolean; readonly previous: number | null; readonly forkOf?: ForkPoint },
  ): HostedSession {
    const id = drawSessionId();
    const { forkOf } = from;
    const createdMs = this.#options.nowMs();
    const actors = episode.session.actors.map((actor) => actor.id);
    const credentials = drawCredentials(id, episode, actors);
    const logged = this.#log !== null && !from.ephemeral;
    const record: OpenRecord = {
      request,
      createdMs,
      start: episode.session.startHash,
      credentials: credentials.map(loggedCredential),
      ...(forkOf && { forkOf }),
    };
    const last = logged ? this.#append({ kind: 'o', session: id, previous: from.previous }, record) : null;
    const behind = { aliases: null, worldTokens: null, inputsBehind: 0, snapshotRows: 0 };
    const warm: Warm = { episode, request, createdMs, forkOf, credentials, ...behind };
    const held = new Held(id, this.#shelf, { warm, last, touchedMs: createdMs });
    this.#registry.add(held, credentials);
    this.#opened += 1;
    if (logged) this.#shelf.warm(held);
    else this.#unlogged += 1;
    return held;
  }

  #apply(
    session: HostedSession,
    input: Extract<SessionInput, { type: 'wait' | 'rollback' | 'checkpoint' | 'inject' }>,
  ): Soon<void> {
    return this.#change(session, ({ episode }) => ({ value: episode.apply(input) as undefined, input }));
  }

  /**
   * Changes a session and says so in its log. What goes wrong after the episode changed makes the host forget
   * it: it comes back as the log has it.
   */
  #change<T>(session: HostedSession, make: (warm: Warm, held: Held) => Change<T>): Soon<T> {
    const held = this.#held(session);
    const logged = held.last !== null;
    if (logged) this.#log?.assertWritable();
    const warm = this.#shelf.warm(held);
    let change: Change<T>;
    try {
      change = make(warm, held);
    } catch (error) {
      if (logged && !(error instanceof UsageError)) this.#shelf.forget(held);
      throw error;
    }
    const { value, input, step, credentials = [] } = change;
    if (logged) {
      const record: InputRecord = {
        input,
        ...(step !== undefined && { step, check: checkOf(warm.episode) }),
        ...(credentials.length > 0 && { credentials: credentials.map(loggedCredential) }),
      };
      const kind = credentials.length > 0 ? 'j' : 'i';
      try {
        held.last = this.#append({ kind, session: held.id, previous: held.last }, record);
      } catch (error) {
        this.#shelf.forget(held);
        throw error;
      }
      this.#shelf.countInput(held, warm);
    }
    this.#registry.addCredentials(held, credentials);
    return this.#whenSafe(held, value);
  }

  #append(record: Omit<LogRecord, 'body'>, data: unknown): number {
    if (!this.#log) throw new UsageError('log-unavailable', 'this host keeps no log');
    return this.#log.append(record, data);
  }

  #whenSafe<T>(held: Held, value: T): Soon<T> {
    const safe = held.last === null ? undefined : this.#log?.safe();
    return safe ? safe.then(() => value) : value;
  }

  #openLog({ directory, note, ...options }: StateOptions): SessionLog {
    const reader = new RegistryReader(this.#registry, this.#shelf);
    const log = SessionLog.open(directory, {
      ...options,
      note: note ?? (() => undefined),
      lost: (sessions) => this.#lose(sessions),
      revisit: () => reader.startAnew(),
      visit: (record) => reader.visit(record),
    });
    reader.finish();
    return log;
  }

  /** Records could not be made safe: their sessions are again what the log has of them. */
  #lose(sessions: ReadonlyMap<string, number | null>): void {
    for (const [id, last] of sessions) {
      const known = this.#registry.get(id);
      if (known) {
        this.#registry.remove(known, known.warm?.credentials ?? []);
        this.#shelf.forget(known);
      }
      if (last === null) continue;
      const held = known ?? new Held(id, this.#shelf, { warm: null, last, touchedMs: 0 });
      held.last = last;
      this.#registry.add(held, held.credentials);
    }
  }
}

/**
 * Makes a call. Where someone let time pass already, a door's own measure of the waiting may exceed what one
 * call can wait: then what was asked for stands alone. That is no fault of the agent's.
 */
function callInTime(episode: HostedEpisode, request: CallRequest, door: DoorName) {
  try {
    return { request, delivery: episode.apply<'call'>({ type: 'call', call: request, door }) };
  } catch (error) {
    const tooLong =
      error instanceof UsageError && error.code === 'bad-wait' && request.waitedMs !== undefined;
    if (!tooLong || request.waitedMs > LONGEST_WAIT_MS) throw error;
    const { waitedMs: _measured, ...rest } = request;
    return { request: rest, delivery: episode.apply<'call'>({ type: 'call', call: rest, door }) };
  }
}

function requestOf(
  call: CallRequest,
  via: Via,
  worldTokens: ReadonlyMap<string, string> | null,
): CallRequest {
  const { credential } = via;
  return {
    ...call,
    transport: via.door,
    ...(call.actor === undefined && credential && { actor: credential.actor }),
    ...(credential?.worldToken !== undefined && { credential: credential.worldToken }),
    ...(call.input !== undefined && { input: withStrings(call.input, worldTokens) }),
  };
}
