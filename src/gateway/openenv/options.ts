import type { Pace } from '../host/episode-tools.ts';

/** Penalties added to the reward of a step, each a number of at most 0; what is left out is 0. */
export interface Shaping {
  /** A call that the service refused: an error of the vendor, an unknown tool. */
  readonly refused?: number;
  /** A call whose arguments fit no schema. */
  readonly invalid?: number;
  /** Each state invariant that a call newly breaks. */
  readonly broken?: number;
}

/** What the OpenEnv endpoints may be told. */
export interface OpenEnvOptions {
  /** Connections and HTTP sessions at once; the host's own limit on sessions holds besides. */
  readonly sessionsMost?: number;
  /**
   * Rewards between the first and the last step. Without it a step's reward is null until the episode ends
   * with the verdict.
   */
  readonly shaping?: Shaping;
  /** Name and description in `/metadata`. */
  readonly name?: string;
  readonly description?: string;
  /** Real time after which an HTTP session that nobody uses is closed, in milliseconds. */
  readonly idleMs?: number;
  /** As for MCP: origins of web pages that may connect, and tables as resources in sessions with a task. */
  readonly origins?: readonly string[];
  readonly tables?: boolean;
  /** How real and virtual time go together; left out, only calls take time. */
  readonly pacing?: Pace;
}

/** Half an hour. */
export const DEFAULT_IDLE_MS = 30 * 60_000;

export const DEFAULT_SESSIONS_MOST = 100_000;
