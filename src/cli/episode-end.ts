import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import type { HostedSession, SessionHost, SessionInput, Verdict } from '../gateway/host/index.ts';
import { findingsOf } from '../runner/report/findings.ts';
import { printable } from '../runner/report/printable.ts';
import type { TrialScore } from '../scoring/index.ts';
import { writeWhole } from '../store/run-folder.ts';
import type { Trajectory } from '../trajectory/index.ts';
import type { RowChange } from '../world/index.ts';
import type { ExitCode } from './command.ts';
import { counted } from './render/counted.ts';

/** An episode that is over, as the commands show it that hosted it themselves. */
export interface EndedEpisode {
  readonly trajectory: Trajectory;
  /** The trajectory file, byte for byte. */
  readonly text: string;
  /** Null where no scenario says what is right. */
  readonly verdict: Verdict | null;
  /** What became of the world's rows. */
  readonly changes: readonly RowChange[];
}

/** Ends the episode, unless it is over already. */
export async function endEpisode(
  host: SessionHost,
  session: HostedSession,
  input: Omit<Extract<SessionInput, { type: 'end' }>, 'type'>,
): Promise<EndedEpisode> {
  const trajectory = session.episode.finished ?? (await host.end(session, input));
  const { session: cursor, verdict } = session.episode;
  return {
    trajectory,
    text: cursor.text(),
    verdict,
    changes: cursor.fork(0).world.diff(cursor.world),
  };
}

const SUFFIX = '.traj.jsonl';

/**
 * Where an episode's trajectory is to go: the file that was named, or the next free one of this name.
 * @throws UsageError when the named file is there already, or has another ending.
 */
export function trajectoryFile(out: string | undefined, folder: string, name: string): string {
  if (out === undefined) {
    const stem = `${folder}/${name.replaceAll('/', '-')}`;
    let index = 0;
    while (existsSync(`${stem}.${index}${SUFFIX}`)) index += 1;
    return `${stem}.${index}${SUFFIX}`;
  }
  assertEnding(out);
  if (existsSync(out)) {
    throw new UsageError('out-exists', `${out} is there already`, { hint: 'name another file with --out' });
  }
  return out;
}

/**
 * The named file, or where it is there already the next free one beside it: `mine.1.traj.jsonl`.
 * @throws UsageError when it has another ending.
 */
export function freeTrajectoryFile(out: string): string {
  if (!existsSync(out)) return trajectoryFile(out, '', '');
  assertEnding(out);
  const stem = out.slice(0, -SUFFIX.length);
  let index = 1;
  while (existsSync(`${stem}.${index}${SUFFIX}`)) index += 1;
  return `${stem}.${index}${SUFFIX}`;
}

function assertEnding(out: string): void {
  if (!out.endsWith(SUFFIX)) throw new UsageError('bad-out', `${out} should end in ${SUFFIX}`);
}

/** Writes a trajectory, with the folders above it. */
export function writeTrajectory(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeWhole(path, text);
}

const ROWS_SHOWN = 10;
/** Beyond so many steps, only the first and the last are shown. */
const STEPS_SHOWN = 40;
const STEPS_FIRST = 20;
const STEPS_LAST = 10;

/** The steps with their status, and the rows that differ from the start. */
export function episodeLines({ trajectory, changes }: EndedEpisode): string[] {
  const { steps } = trajectory;
  const rows = changes.slice(0, ROWS_SHOWN).map((change) => `  ${rowLine(change)}`);
  const more = changes.length > ROWS_SHOWN ? [`  … and ${changes.length - ROWS_SHOWN} more`] : [];
  const { inserts, updates, deletes } = diffCounts(changes);
  return [
    `${counted(steps.length, 'step')}${steps.length > 0 ? ':' : ''}`,
    ...stepLines(steps),
    `Rows: ${inserts} inserted, ${updates} updated, ${deletes} deleted${changes.length > 0 ? ':' : ''}`,
    ...rows,
    ...more,
  ];
}

function stepLines(steps: Trajectory['steps']): string[] {
  const lines = steps.map(({ index, tool, status, delivered }) => {
    const given =
      delivered === undefined ? '' : delivered.lost ? ', lost' : `, delivered as ${delivered.status}`;
    return `  ${index} ${printable(tool)} → ${status}${given}`;
  });
  if (lines.length <= STEPS_SHOWN) return lines;
  const left = lines.length - STEPS_FIRST - STEPS_LAST;
  return [...lines.slice(0, STEPS_FIRST), `  … ${left} more …`, ...lines.slice(-STEPS_LAST)];
}

function rowLine(change: RowChange): string {
  const key = printable(JSON.stringify(change.key));
  if (change.op !== 'update') return `${change.op === 'insert' ? '+' : '-'} ${change.table} ${key}`;
  return `~ ${change.table} ${key}: ${Object.keys(change.cells).join(', ')}`;
}

/** How many rows differ from the start, by how. */
export function diffCounts(changes: readonly RowChange[]): {
  readonly inserts: number;
  readonly updates: number;
  readonly deletes: number;
} {
  const count = (op: RowChange['op']): number => changes.filter((change) => change.op === op).length;
  return { inserts: count('insert'), updates: count('update'), deletes: count('delete') };
}

/** What an episode is said to be worth. */
export function verdictLines(verdict: Verdict | null): string[] {
  if (!verdict) return [`Verdict: none, ${NO_SCENARIO}`];
  if (verdict.void) return [`Verdict: void (${verdict.void.reason}): ${printable(verdict.void.detail)}`];
  const findings = findingsOf(verdict.report as unknown as TrialScore);
  return [
    `Verdict: ${verdict.success ? 'pass' : 'fail'}`,
    ...findings.map(({ check, message }) => printable(`  ✗ ${check}: ${message}`)),
  ];
}

const NO_SCENARIO = 'as no scenario says what is right';

/** The same as members of a command's JSON. */
export function verdictJson(verdict: Verdict | null): {
  readonly success: boolean | null;
  readonly score: Json;
  readonly void: Json;
} {
  if (!verdict) return { success: null, score: { value: null, reason: NO_SCENARIO }, void: null };
  const { success, report } = verdict;
  if (verdict.void) {
    return {
      success,
      score: { value: null, reason: `void: ${verdict.void.reason}` },
      void: { ...verdict.void },
    };
  }
  return { success, score: { value: success ? 1 : 0, report }, void: null };
}

/** 0 where the scenario was solved or none is set, 1 where it was not, 4 (or 3) where nothing is known. */
export function exitOfVerdict(verdict: Verdict | null): ExitCode {
  if (!verdict) return 0;
  if (verdict.void) return verdict.void.reason === 'infrastructure' ? 3 : 4;
  return verdict.success ? 0 : 1;
}
