import { type Digest, digestText } from '../base/digest.ts';
import { nearestName, UsageError } from '../base/errors.ts';
import { deepFreeze } from '../base/json.ts';
import { type FaultRule, servicesUnder, startFaults } from '../faults/index.ts';
import type { Actor } from '../service/types.ts';
import type { ChangeRecord, EndReason, EndRecord, StepRecord, Trajectory } from '../trajectory/index.ts';
import type { WorldValue } from '../world/types.ts';
import { actorsAt, withAdditions } from './additions.ts';
import type { Episode } from './episode.ts';
import { endOf, type FinishRequest, finishedText, finishedTrajectory } from './finish.ts';
import { actorsOf, headerHash, headerOf, offeredNames } from './header.ts';
import { entriesInOrder, entryAfterSteps, type LogEntry, newestStepLine } from './log.ts';
import { assertPlan, scopeOf } from './plan.ts';
import { type PendingInputs, resumedEntry, type SessionSnapshot, snapshotOf, withPast } from './snapshot.ts';
import { acceptedWait, makeStep, messageEntry } from './step.ts';
import { type Callable, offersAll, type Toolbox, toolboxOf } from './toolbox.ts';
import type { CallRequest, Delivery, SessionOptions, SessionPort } from './types.ts';
import { checkWatches } from './watch.ts';

/**
 * Opens an episode on a world.
 * @throws UsageError when the overlay, a watch, an offered tool or two tool names do not fit.
 */
export function openSession(options: SessionOptions): Session {
  const episode = episodeOf(options);
  return new Session(episode, {
    kind: 'start',
    parent: null,
    jump: null,
    depth: 0,
    line: '',
    lastMessage: episode.headerHash,
    stepCount: 0,
    messageCount: 0,
    agentMessageCount: 0,
    world: episode.start,
    faults: startFaults(options.faults),
    clientValues: null,
    additions: null,
  });
}

/**
 * A session that goes on from a snapshot of one that these options opened, with the same step lines. It has
 * no past of its own: whoever asks for steps, the text, the end or an earlier step gets it from `past`, a
 * session that was brought to the very same place by its inputs.
 * @throws UsageError when the snapshot is of another start.
 */
export function resumeSession(
  options: SessionOptions,
  snapshot: SessionSnapshot,
  past: (() => Session) | null = null,
): Session {
  const episode = episodeOf(options);
  const session = new Session(episode, resumedEntry(episode, snapshot));
  session.goOnAs({ ended: snapshot.ended, pending: snapshot.pending, past });
  return session;
}

function episodeOf(given: SessionOptions): Episode {
  // A plan that its owner changes later must not strike otherwise than the header says.
  const faults = given.faults && deepFreeze(structuredClone(given.faults));
  const options = {
    ...given,
    services: servicesUnder(given.services, faults),
    ...(faults && { faults }),
  };
  const toolbox = toolboxOf(options.services);
  if (options.faults) assertPlan(options.faults, scopeOf(given.services, options));
  const overlaid = options.overlay?.length ? applyOverlay(options.world, options.overlay) : options.world;
  const start = overlaid.reseed(options.streamSeed);
  const offered = offeredNames(options, toolbox);
  for (const name of offered) {
    if (toolbox.byName.get(name)?.tool?.name !== name) throw unknownTool(name, toolbox);
  }
  checkWatches(options.watches ?? [], start);
  return {
    options,
    toolbox,
    offered,
    offersAll: offersAll(toolbox, offered),
    actors: actorsOf(options),
    headerHash: headerHash(headerOf(options, start, toolbox)),
    start,
    latencySeed: Number.parseInt(digestText(options.streamSeed).slice(0, 8), 16),
  };
}

const NOBODY: readonly Actor[] = [];
const NOTHING: readonly FaultRule[] = [];

/** A cursor on an episode's log. Forking copies the cursor, nothing else. */
export class Session implements SessionPort {
  readonly #episode: Episode;
  #head: LogEntry;
  #ended: EndReason | null = null;
  #finished: Trajectory | null = null;
  /** Waiting that the next call will begin with: it is recorded there, as an input. */
  #waitingMs = 0;
  /** Who and what joined since the last call: recorded with the next one. */
  #joining: readonly Actor[] = NOBODY;
  #injecting: readonly FaultRule[] = NOTHING;
  /** Of a resumed session that nobody asked for its past yet. */
  #past: (() => Session) | null = null;

  constructor(episode: Episode, head: LogEntry) {
    this.#episode = episode;
    this.#head = head;
  }

  get world(): WorldValue {
    return this.#head.world;
  }

  get stepCount(): number {
    return this.#head.stepCount;
  }

  get messageCount(): number {
    return this.#head.messageCount;
  }

  get actors(): readonly Actor[] {
    const known = actorsAt(this.#episode, this.#head);
    return this.#joining.length > 0 ? [...known, ...this.#joining] : known;
  }

  get ended(): EndReason | null {
    return this.#ended;
  }

  /** SHA-256 of the header's line: it names world, behaviour and everything else that fixes the start. */
  get startHash(): Digest {
    return this.#episode.headerHash;
  }

  callableNamed(name: string): Callable | undefined {
    return this.#episode.toolbox.byName.get(name);
  }

  call(request: CallRequest): Delivery {
    this.#assertOpen();
    const over = this.#budgetReached();
    if (over) return this.#end(over);
    const standing = { head: this.#head, entryAfter: (steps: number) => this.#entryAfter(steps) };
    const made = makeStep(this.#episode, standing, this.#withPending(request));
    this.#head = made.entry;
    this.#dropPending();
    return made.delivery;
  }

  callBatch(requests: readonly CallRequest[]): readonly Delivery[] {
    this.#assertOpen();
    const batch = `batch-${this.#head.stepCount}`;
    const deliveries: Delivery[] = [];
    for (const request of requests) {
      if (this.#ended) break;
      deliveries.push(this.call({ ...request, batch: request.batch ?? batch }));
    }
    return deliveries;
  }

  wait(durationMs: number): void {
    this.#assertOpen();
    this.#waitingMs = acceptedWait(this.#waitingMs + acceptedWait(durationMs));
  }

  join(actors: readonly Actor[]): void {
    this.#assertOpen();
    const joining = [...this.#joining, ...actors];
    withAdditions(this.#episode, this.#head, { joined: joining });
    this.#joining = joining;
  }

  inject(rules: readonly FaultRule[]): void {
    this.#assertOpen();
    const injecting = [...this.#injecting, ...rules];
    withAdditions(this.#episode, this.#head, { injected: injecting });
    this.#injecting = injecting;
  }

  say(message: { readonly role: 'user' | 'agent'; readonly actor?: string; readonly text: string }): boolean {
    this.#assertOpen();
    const limit = this.#episode.options.budgets?.messages;
    if (message.role === 'agent' && limit !== undefined && this.#head.agentMessageCount >= limit) {
      this.#ended = 'budget-messages';
      return false;
    }
    this.#head = messageEntry(this.#head, message, this.#episode.actors[0]?.id ?? 'agent');
    return true;
  }

  fork(atStep: number = this.#head.stepCount): Session {
    this.#assertStep(atStep);
    const head = this.#entryAfter(atStep);
    const forked = new Session(this.#episode, head);
    forked.#past = this.#past;
    if (head === this.#head) {
      forked.#waitingMs = this.#waitingMs;
      forked.#joining = this.#joining;
      forked.#injecting = this.#injecting;
    }
    return forked;
  }

  rollback(atStep: number): void {
    if (this.#finished)
      throw new UsageError('finished', 'a finished episode cannot be rolled back, fork it instead');
    this.#assertStep(atStep);
    this.#head = this.#entryAfter(atStep);
    this.#ended = null;
    this.#dropPending();
  }

  steps(): readonly StepRecord[] {
    return entriesInOrder(this.#whole())
      .filter((entry) => entry.kind === 'step')
      .map((entry) => JSON.parse(entry.line) as StepRecord);
  }

  /** The line of the newest step as it will stand in the file; null before the first. */
  lastStepLine(): string | null {
    return newestStepLine(this.#head);
  }

  finish(end: FinishRequest): Trajectory {
    if (this.#finished) throw new UsageError('finished', 'the episode is finished already');
    const record = this.endRecord(end);
    this.#finished = finishedTrajectory(this.#episode, this.#whole(), record);
    this.#ended = record.reason;
    return this.#finished;
  }

  /** The end that `finish` would record. */
  endRecord(end: FinishRequest): EndRecord {
    // A budget that ended the episode before its answer is its end, and then there is no answer.
    const cut = this.#ended !== null && this.#ended !== end.reason;
    const reason = this.#ended ?? end.reason;
    return endOf(this.#episode, this.#head, cut ? { ...end, reason, answer: null } : end);
  }

  /** The trajectory file of a finished episode, byte for byte. @throws UsageError before `finish`. */
  text(): string {
    if (!this.#finished?.end) throw new UsageError('not-finished', 'finish the episode before writing it');
    return finishedText(this.#episode, this.#whole(), this.#finished.end);
  }

  /**
   * Where the session stands, to be resumed from; null when only a replay leads here: a finished episode, or
   * a world that its changes do not tell.
   */
  snapshot(): SessionSnapshot | null {
    if (this.#finished) return null;
    const pending = { waitingMs: this.#waitingMs, joining: this.#joining, injecting: this.#injecting };
    return snapshotOf(this.#episode, this.#head, { pending, ended: this.#ended });
  }

  /** False for a resumed session that nobody asked for its past yet. */
  get isWhole(): boolean {
    return this.#past === null;
  }

  /** For whoever resumes a session: what does not stand in its log, and where its past is to be had. */
  goOnAs(from: {
    readonly ended?: EndReason | null;
    readonly pending?: PendingInputs;
    readonly past: (() => Session) | null;
  }): void {
    if (from.ended !== undefined) this.#ended = from.ended;
    if (from.pending) {
      this.#waitingMs = from.pending.waitingMs;
      this.#joining = from.pending.joining;
      this.#injecting = from.pending.injecting;
    }
    this.#past = from.past;
  }

  /** The newest entry, its past with it. */
  #whole(): LogEntry {
    if (this.#past) {
      this.#head = withPast(this.#head, this.#past().#head);
      this.#past = null;
    }
    return this.#head;
  }

  /** The newest entry with so many steps. */
  #entryAfter(atStep: number): LogEntry {
    if (atStep === this.#head.stepCount) return this.#head;
    let root = this.#head;
    while (this.#past && root.parent) root = root.parent;
    const known = root.kind !== 'resumed' || atStep >= root.stepCount;
    return entryAfterSteps(known ? this.#head : this.#whole(), atStep);
  }

  /** The request with what waited for it. */
  #withPending(request: CallRequest): CallRequest {
    const waitedMs = this.#waitingMs + (request.waitedMs ?? 0);
    const waits = waitedMs !== (request.waitedMs ?? 0);
    if (!waits && this.#joining.length === 0 && this.#injecting.length === 0) return request;
    return {
      ...request,
      waitedMs,
      joined: [...this.#joining, ...(request.joined ?? [])],
      injected: [...this.#injecting, ...(request.injected ?? [])],
    };
  }

  #dropPending(): void {
    this.#waitingMs = 0;
    this.#joining = NOBODY;
    this.#injecting = NOTHING;
  }

  #budgetReached(): EndReason | null {
    const { budgets } = this.#episode.options;
    if (budgets?.calls !== undefined && this.#head.stepCount >= budgets.calls) return 'budget-calls';
    if (budgets?.clockMs !== undefined && this.#head.world.clockMs >= budgets.clockMs) return 'budget-clock';
    return null;
  }

  #end(reason: EndReason): Delivery {
    this.#ended = reason;
    return { step: -1, ok: false, status: 0, body: null, ended: reason };
  }

  #assertStep(atStep: number): void {
    const { stepCount } = this.#head;
    if (Number.isSafeInteger(atStep) && atStep >= 0 && atStep <= stepCount) return;
    throw new UsageError('no-step', `there is no step ${atStep}: the session has made ${stepCount}`, {
      hint: `0 is the starting world, ${stepCount} is now`,
    });
  }

  #assertOpen(): void {
    if (this.#ended) {
      throw new UsageError(
        'episode-over',
        `the episode is over (${this.#ended}), nothing more can happen in it`,
        {
          hint: 'fork an earlier step to go on from there',
        },
      );
    }
  }
}

function applyOverlay(world: WorldValue, overlay: readonly ChangeRecord[]): WorldValue {
  return world.apply(overlay as Parameters<WorldValue['apply']>[0]);
}

function unknownTool(name: string, toolbox: Toolbox): UsageError {
  const near = nearestName(name, toolbox.byName.keys());
  return new UsageError('unknown-tool', `there is no tool named ${name} to offer`, {
    ...(near !== undefined && { hint: `did you mean ${near}?` }),
  });
}
