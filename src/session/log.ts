import { type Digest, digestText } from '../base/digest.ts';
import { invariant } from '../base/errors.ts';
import type { FaultPlan, FaultProgress } from '../faults/index.ts';
import type { Actor } from '../service/types.ts';
import type { WorldValue } from '../world/types.ts';
import type { ClientValues } from './client-values.ts';

/**
 * One entry of a session's log: an immutable list from newest to oldest, so that a fork shares its past and a
 * rollback is a walk. Invariants: `stepCount` and `messageCount` count this entry and everything before it;
 * `jump` is an ancestor (Myers' skew-binary jump pointers), so that any earlier entry is O(log n) away.
 */
export interface LogEntry {
  /** `resumed` stands for everything up to it: its past is not there, its line is the newest step's. */
  readonly kind: 'start' | 'step' | 'message' | 'resumed';
  readonly parent: LogEntry | null;
  readonly jump: LogEntry | null;
  /** Entries before this one. */
  readonly depth: number;
  /** The line as it will stand in the file; empty for the start, whose header is written on demand. */
  readonly line: string;
  /** SHA-256 of the line of the last message, this entry included; of the header's where there is none. */
  readonly lastMessage: Digest;
  readonly stepCount: number;
  readonly messageCount: number;
  readonly agentMessageCount: number;
  /** The world after this entry. */
  readonly world: WorldValue;
  readonly faults: FaultProgress;
  /** The client's own values so far; null while there are none. */
  readonly clientValues: ClientValues | null;
  /** Actors and fault rules that came while the episode went on; null while there are none. */
  readonly additions: Additions | null;
}

/** What joined an episode after its start, all of it so far. */
export interface Additions {
  readonly actors: readonly Actor[];
  /** The plan of the start with the rules that were added. */
  readonly faults: FaultPlan;
}

/** An entry behind `parent`. */
export function appendEntry(parent: LogEntry, entry: Omit<LogEntry, 'parent' | 'jump' | 'depth'>): LogEntry {
  const { jump } = parent;
  const far = jump?.jump ?? null;
  const skip = jump !== null && far !== null && parent.depth - jump.depth === jump.depth - far.depth;
  return {
    kind: entry.kind,
    parent,
    jump: skip ? far : parent,
    depth: parent.depth + 1,
    line: entry.line,
    lastMessage: entry.lastMessage,
    stepCount: entry.stepCount,
    messageCount: entry.messageCount,
    agentMessageCount: entry.agentMessageCount,
    world: entry.world,
    faults: entry.faults,
    clientValues: entry.clientValues,
    additions: entry.additions,
  };
}

/** The newest entry with exactly `stepCount` steps: messages said after the last of them included. */
export function entryAfterSteps(entry: LogEntry, stepCount: number): LogEntry {
  invariant(stepCount >= 0 && stepCount <= entry.stepCount, 'no such step in the log', { stepCount });
  let current = entry;
  while (current.stepCount > stepCount) {
    const { jump, parent } = current;
    const next = jump !== null && jump.stepCount > stepCount ? jump : parent;
    invariant(next !== null, 'the log ends before its first step');
    current = next;
  }
  return current;
}

/**
 * Entries from the first to this one, the start left out.
 * @throws InvariantError where the past is not there.
 */
export function entriesInOrder(entry: LogEntry): LogEntry[] {
  const entries: LogEntry[] = [];
  let current = entry;
  while (current.parent) {
    entries.push(current);
    current = current.parent;
  }
  invariant(current.kind !== 'resumed', 'a resumed session has no past of its own');
  return entries.reverse();
}

/**
 * SHA-256 of the newest step's line, which the next step is chained to; of the header's before the first.
 * Computed when it is asked for, about once a step: kept, it would be 88 bytes in every entry.
 */
export function lastStepHash(entry: LogEntry, headerHash: Digest): Digest {
  const line = newestStepLine(entry);
  return line === null ? headerHash : digestText(line);
}

/** The line of the newest step at or before this entry; null when there is none. */
export function newestStepLine(entry: LogEntry): string | null {
  let current: LogEntry | null = entry;
  while (current && current.kind === 'message') current = current.parent;
  return current === null || current.line === '' ? null : current.line;
}
