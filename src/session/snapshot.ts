import type { Digest } from '../base/digest.ts';
import { InvariantError, UsageError } from '../base/errors.ts';
import type { FaultProgress, FaultRule } from '../faults/index.ts';
import type { Actor } from '../service/types.ts';
import type { EndReason } from '../trajectory/index.ts';
import type { RowChange, WorldStreams, WorldValue } from '../world/types.ts';
import type { ClientValues } from './client-values.ts';
import type { Episode } from './episode.ts';
import { appendEntry, type LogEntry, newestStepLine } from './log.ts';

/** What waits for the next call of a session. */
export interface PendingInputs {
  readonly waitingMs: number;
  readonly joining: readonly Actor[];
  readonly injecting: readonly FaultRule[];
}

/**
 * Where a session stands, as plain JSON: enough to go on from there with the same step lines, not to look
 * back.
 */
export interface SessionSnapshot {
  /** Of the header: the start that the changes are against. */
  readonly start: Digest;
  readonly steps: number;
  readonly messages: number;
  readonly agentMessages: number;
  readonly lastMessage: Digest;
  /** The newest step as it stands in the file, which the next one is chained to; empty before the first. */
  readonly line: string;
  readonly faults: FaultProgress;
  /** The client's own values, the first one first. */
  readonly clientValues: readonly string[];
  readonly joined: readonly Actor[];
  readonly injected: readonly FaultRule[];
  readonly pending: PendingInputs;
  readonly ended: EndReason | null;
  readonly changes: readonly RowChange[];
  readonly streams: WorldStreams;
}

/**
 * The snapshot of a session at this entry; null when the world cannot be told by its changes against the
 * start, so that only a replay leads here.
 */
export function snapshotOf(
  episode: Episode,
  head: LogEntry,
  at: { readonly pending: PendingInputs; readonly ended: EndReason | null },
): SessionSnapshot | null {
  const changes = episode.start.diff(head.world);
  const streams = head.world.streams();
  if (!leadsTo(episode.start, head.world, { changes, streams })) return null;
  const ruleCount = episode.options.faults?.rules.length ?? 0;
  return {
    start: episode.headerHash,
    steps: head.stepCount,
    messages: head.messageCount,
    agentMessages: head.agentMessageCount,
    lastMessage: head.lastMessage,
    line: newestStepLine(head) ?? '',
    faults: head.faults,
    clientValues: valuesInOrder(head.clientValues),
    joined: head.additions?.actors ?? [],
    injected: head.additions?.faults.rules.slice(ruleCount) ?? [],
    pending: at.pending,
    ended: at.ended,
    changes,
    streams,
  };
}

/**
 * The entry that a resumed session goes on from.
 * @throws UsageError when the snapshot is of another start.
 */
export function resumedEntry(episode: Episode, snapshot: SessionSnapshot): LogEntry {
  assertSameStart(snapshot.start, episode.headerHash);
  const { joined, injected } = snapshot;
  const rules = episode.options.faults?.rules ?? [];
  return {
    kind: 'resumed',
    parent: null,
    jump: null,
    depth: 0,
    line: snapshot.line,
    lastMessage: snapshot.lastMessage,
    stepCount: snapshot.steps,
    messageCount: snapshot.messages,
    agentMessageCount: snapshot.agentMessages,
    world: episode.start.apply(snapshot.changes).withStreams(snapshot.streams),
    faults: snapshot.faults,
    clientValues: snapshot.clientValues.reduce<ClientValues | null>(
      (older, value, index) => ({ value, name: `unhashed-${index + 1}`, position: index + 1, older }),
      null,
    ),
    additions:
      joined.length > 0 || injected.length > 0
        ? { actors: joined, faults: { rules: [...rules, ...injected] } }
        : null,
  };
}

/**
 * Holds that a session comes back in the world that it was opened in.
 * @throws UsageError when code, seed or scenario make it another one by now.
 */
export function assertSameStart(recorded: Digest, opened: Digest): void {
  if (recorded === opened) return;
  throw new UsageError('world-changed', 'the world that this session was opened in is another one by now', {
    hint: 'its services or its scenario changed: open a new session, or start the version that opened it',
  });
}

/**
 * The same entries behind a whole past instead of a resumed root.
 * @throws InvariantError when the past leads somewhere else.
 */
export function withPast(head: LogEntry, past: LogEntry): LogEntry {
  const later: LogEntry[] = [];
  let root = head;
  while (root.parent) {
    later.push(root);
    root = root.parent;
  }
  const same =
    newestStepLine(root) === newestStepLine(past) &&
    root.stepCount === past.stepCount &&
    root.lastMessage === past.lastMessage &&
    root.world.fullDigest() === past.world.fullDigest();
  if (!same) throw new InvariantError('the replayed past of a session is not the one it was resumed from');
  return later.reduceRight((parent, entry) => appendEntry(parent, entry), past);
}

/** True when changes and streams make exactly this world of the start: digests, and the bytes of the rows. */
function leadsTo(
  start: WorldValue,
  world: WorldValue,
  { changes, streams }: Pick<SessionSnapshot, 'changes' | 'streams'>,
): boolean {
  const stored = JSON.parse(JSON.stringify({ changes, streams })) as Pick<
    SessionSnapshot,
    'changes' | 'streams'
  >;
  let made: WorldValue;
  try {
    made = start.apply(stored.changes).withStreams(stored.streams);
  } catch (error) {
    if (error instanceof InvariantError) return false;
    throw error;
  }
  if (made.fullDigest() !== world.fullDigest()) return false;
  return changes.every(({ table, key }) => {
    const row = (of: WorldValue): string | undefined => JSON.stringify(of.table(table).get(key));
    return row(made) === row(world);
  });
}

function valuesInOrder(newest: ClientValues | null): string[] {
  const values: string[] = [];
  for (let entry = newest; entry; entry = entry.older) values.push(entry.value);
  return values.reverse();
}
