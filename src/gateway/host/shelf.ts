import { invariant } from '../../base/errors.ts';
import type { SessionLog } from '../../store/session-log.ts';
import { takeCredentials } from './drawing.ts';
import type { HostedEpisode } from './episode.ts';
import type { About, Held, Shelf, Warm } from './held.ts';
import { HotSet } from './hot-set.ts';
import { type LoggedSession, readSession, runSession } from './rebuild.ts';
import { loggedCredential, type SnapshotRecord } from './records.ts';
import type { EnvironmentSource } from './types.ts';

export interface ShelfOptions {
  readonly source: EnvironmentSource;
  readonly nowMs: () => number;
  /** How many logged sessions are kept in memory at most. */
  readonly hotMost: number;
  /** A snapshot is written after so many inputs. */
  readonly snapshotInputs: number;
}

/** A session that is evicted leaves a snapshot when more inputs than this lie behind the last one. */
const EVICTION_INPUTS = 32;

/** Keeps sessions in memory, lets go those that nobody asks for, and brings them back from the log. */
export class SessionShelf implements Shelf {
  readonly #options: ShelfOptions;
  readonly #hot: HotSet;
  /** Set once the log is open; null where nothing is logged. */
  log: SessionLog | null = null;
  evictions = 0;
  rebuilds = 0;
  resumes = 0;

  constructor(options: ShelfOptions) {
    this.#options = options;
    this.#hot = new HotSet(options.hotMost);
  }

  get hotSize(): number {
    return this.#hot.size;
  }

  /** What of a session is in memory, brought back where it is not. */
  warm(held: Held): Warm {
    held.touchedMs = this.#options.nowMs();
    held.warm ??= this.#bringBack(held);
    if (held.last === null) return held.warm;
    this.#hot.touch(held);
    const { warm } = held;
    for (const other of this.#hot.surplus()) this.evict(other);
    return warm;
  }

  about(held: Held): About {
    return held.warm ?? this.#read(held);
  }

  /** Takes what is in memory of a session away, without a word to the log: it comes back as that has it. */
  forget(held: Held): void {
    held.warm = null;
    this.#hot.delete(held);
  }

  /** Lets a session go to its log. */
  evict(held: Held): void {
    const { warm, last } = held;
    if (!warm || last === null || !this.log?.isSafe(last)) return;
    if (warm.inputsBehind > Math.max(EVICTION_INPUTS, warm.snapshotRows)) this.writeSnapshot(held, warm);
    this.forget(held);
    this.evictions += 1;
  }

  evictIdle(sinceMs: number): void {
    for (const held of this.#hot.idleSince(sinceMs)) this.evict(held);
  }

  /** Counts an input, and writes a snapshot where one is due. */
  countInput(held: Held, warm: Warm): void {
    warm.inputsBehind += 1;
    // A snapshot of many rows waits for as many inputs: all of them together stay as long as the inputs are.
    const due = Math.max(this.#options.snapshotInputs, warm.snapshotRows);
    if (warm.inputsBehind >= due) this.writeSnapshot(held, warm);
  }

  /** Writes where the session stands, unless only its inputs can tell, or the log cannot be written. */
  writeSnapshot(held: Held, warm: Warm): void {
    const { request, createdMs, forkOf, credentials } = warm;
    const episode = warm.episode.snapshot();
    // Not tried again for each input that follows.
    warm.inputsBehind = 0;
    if (!episode || !this.log) return;
    warm.snapshotRows = episode.session.changes.length;
    const record: SnapshotRecord = {
      request,
      createdMs,
      credentials: credentials.map(loggedCredential),
      ...(forkOf && { forkOf }),
      episode,
    };
    try {
      held.last = this.log.append({ kind: 's', session: held.id, previous: held.last }, record);
    } catch {
      // The inputs are in the log, a snapshot only saves time: whoever changes something next is told.
    }
  }

  #bringBack(held: Held): Warm {
    const { id } = held;
    const logged = this.#read(held);
    const episode = runSession(logged, this.#options.source, (position) => this.#whole(id, position));
    this.rebuilds += 1;
    if (logged.snapshot) this.resumes += 1;
    const warm: Warm = {
      episode,
      request: logged.request,
      createdMs: logged.createdMs,
      forkOf: logged.forkOf,
      credentials: [],
      aliases: null,
      worldTokens: null,
      inputsBehind: logged.changes.length,
      snapshotRows: logged.snapshot?.record.episode.session.changes.length ?? 0,
    };
    takeCredentials(warm, logged.credentials);
    return warm;
  }

  /** What leads to where the session is, from its newest snapshot on. */
  #read({ id, last }: Held): LoggedSession {
    invariant(this.log && last !== null, 'a session without a log is always in memory', { id });
    return readSession(this.log, id, { position: last, whole: false });
  }

  /** The whole episode up to a position, by its inputs from the start. */
  #whole(id: string, position: number): HostedEpisode {
    invariant(this.log, 'a session without a log is always whole', { id });
    const logged = readSession(this.log, id, { position, whole: true });
    return runSession(logged, this.#options.source, (before) => this.#whole(id, before));
  }
}
