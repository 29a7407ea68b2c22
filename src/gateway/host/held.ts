import type { HostedEpisode } from './episode.ts';
import type { ForkPoint } from './records.ts';
import type { Credential, OpenRequest } from './types.ts';

/** One session of the host. */
export interface HostedSession {
  readonly id: string;
  readonly request: OpenRequest;
  /** The episode, brought back from its log where it is not in memory. Ask for it anew after every wait. */
  readonly episode: HostedEpisode;
  readonly credentials: readonly Credential[];
  readonly forkOf?: ForkPoint | undefined;
  /** Wall clock, milliseconds since 1970. */
  readonly createdMs: number;
  /** When it was last asked for anything. */
  readonly touchedMs: number;
}

/** What of a session is in memory only while it is in use. */
export interface Warm {
  readonly episode: HostedEpisode;
  readonly request: OpenRequest;
  readonly createdMs: number;
  readonly forkOf: ForkPoint | undefined;
  credentials: readonly Credential[];
  /** Aliases of tokens that operations issued: world's → client's, and back. Null while there are none. */
  aliases: Map<string, string> | null;
  worldTokens: Map<string, string> | null;
  /** Inputs since the newest snapshot, and how many rows that one holds. */
  inputsBehind: number;
  snapshotRows: number;
}

/** What is known of a session also without its episode. */
export type About = Pick<Warm, 'request' | 'createdMs' | 'forkOf' | 'credentials'>;

/** Has sessions, in memory or in the log. */
export interface Shelf {
  /** Brings the session into memory. */
  warm(held: Held): Warm;
  /** Leaves the session where it is. */
  about(held: Held): About;
}

/**
 * A session as the host holds it. A cold one is this and its tokens: there may be 100,000. Invariant: one
 * without a place in the log has always been warm.
 */
export class Held implements HostedSession {
  readonly id: string;
  readonly #shelf: Shelf;
  /** Null while it is cold. */
  warm: Warm | null;
  /** Where its newest record stands in the log; null for one that is not logged. */
  last: number | null;
  touchedMs: number;

  constructor(
    id: string,
    shelf: Shelf,
    at: { readonly warm: Warm | null; readonly last: number | null; readonly touchedMs: number },
  ) {
    this.id = id;
    this.#shelf = shelf;
    this.warm = at.warm;
    this.last = at.last;
    this.touchedMs = at.touchedMs;
  }

  get episode(): HostedEpisode {
    return this.#shelf.warm(this).episode;
  }

  get request(): OpenRequest {
    return this.#shelf.about(this).request;
  }

  get credentials(): readonly Credential[] {
    return this.#shelf.about(this).credentials;
  }

  get createdMs(): number {
    return this.#shelf.about(this).createdMs;
  }

  get forkOf(): ForkPoint | undefined {
    return this.#shelf.about(this).forkOf;
  }
}
