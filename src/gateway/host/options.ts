import type { LogDurability } from '../../store/session-log.ts';
import type { Credential, DoorName, EnvironmentSource, TraceContext } from './types.ts';

/** A value, or one that comes once the log is safe. */
export type Soon<T> = T | Promise<T>;

/** How a call came in, besides what it asks. */
export interface Via {
  readonly door: DoorName;
  readonly trace?: TraceContext;
  /** The credential that the request was let in by. */
  readonly credential?: Credential;
}

/** Where a server keeps its sessions. */
export interface StateOptions {
  readonly directory: string;
  readonly durability: LogDurability;
  readonly segmentBytes?: number;
  readonly compactBytes?: number;
  /** Takes what a person should know, such as a torn end of the log that was dropped. */
  readonly note?: (text: string) => void;
}

export interface HostOptions {
  readonly source: EnvironmentSource;
  /** How many sessions may be open at once. */
  readonly sessionsMost: number;
  /** The wall clock, milliseconds since 1970. */
  readonly nowMs: () => number;
  /** `anchored`: virtual time starts at the wall clock instead of the scenario's own moment. */
  readonly clock?: 'fixed' | 'anchored';
  /** Sessions live in memory alone when left out, and none is evicted. */
  readonly state?: StateOptions;
  /** How many logged sessions are kept in memory; 10,000 when left out. */
  readonly hotMost?: number;
  /** A logged session that nobody asked for anything for so long leaves memory; an hour when left out. */
  readonly idleMs?: number;
  /** A snapshot is written after so many inputs; 2,048 when left out. */
  readonly snapshotInputs?: number;
  /** Told of every step once it is safe: the session and the step's line. Replays tell nothing. */
  readonly onStep?: (session: string, line: string) => void;
}

/** What a server counts, since it started but for what it holds now. */
export interface HostCounters {
  readonly sessionsOpen: number;
  readonly sessionsHot: number;
  readonly sessionsCold: number;
  readonly opened: number;
  readonly closed: number;
  readonly calls: Readonly<Record<DoorName, number>>;
  readonly evictions: number;
  /** Sessions brought back from the log, and how many of them from a snapshot. */
  readonly rebuilds: number;
  readonly resumes: number;
  readonly logBytes: number;
  readonly syncs: number;
}
