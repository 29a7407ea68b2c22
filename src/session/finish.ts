import type {
  EndReason,
  EndRecord,
  MessageRecord,
  StepRecord,
  Trajectory,
  UsageRecord,
} from '../trajectory/index.ts';
import { writeEnd, writeRecord } from '../trajectory/index.ts';
import type { Episode } from './episode.ts';
import { headerOf } from './header.ts';
import { entriesInOrder, type LogEntry, lastStepHash } from './log.ts';

/** How an episode ends. */
export interface FinishRequest {
  readonly reason: EndReason;
  readonly answer?: string | null;
  readonly detail?: string;
  readonly usage?: UsageRecord;
}

/** The whole trajectory of an episode that ends at this entry. */
export function finishedTrajectory(episode: Episode, head: LogEntry, end: EndRecord): Trajectory {
  const entries = entriesInOrder(head);
  const linesOf = (kind: LogEntry['kind']): unknown[] =>
    entries.filter((entry) => entry.kind === kind).map((entry) => JSON.parse(entry.line) as unknown);
  return {
    header: headerOf(episode.options, episode.start, episode.toolbox),
    steps: linesOf('step') as StepRecord[],
    messages: linesOf('message') as MessageRecord[],
    end,
  };
}

/** The file: header, lines in order, end; each on a line of its own. */
export function finishedText(episode: Episode, head: LogEntry, end: EndRecord): string {
  const { seal: _seal, ...open } = end;
  const header = writeRecord(headerOf(episode.options, episode.start, episode.toolbox));
  const lines = entriesInOrder(head).map((entry) => entry.line);
  return `${[header.line, ...lines, writeEnd(open).line].join('\n')}\n`;
}

/** The end of an episode at this entry. */
export function endOf(episode: Episode, head: LogEntry, request: FinishRequest): EndRecord {
  const { world } = head;
  return writeEnd({
    type: 'end',
    reason: request.reason,
    answer: request.reason === 'answer' ? (request.answer ?? '') : (request.answer ?? null),
    ...(request.detail !== undefined && { detail: request.detail }),
    usage: request.usage ?? {},
    clock: world.clockMs,
    steps: head.stepCount,
    messages: head.messageCount,
    content: world.contentDigest(),
    full: world.fullDigest(),
    merkle: world.merkleRoot(),
    lastStep: lastStepHash(head, episode.headerHash),
    lastMessage: head.lastMessage,
  }).record;
}
