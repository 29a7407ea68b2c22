import type { TrialScore } from '../../scoring/index.ts';
import type { StepRecord, Trajectory } from '../../trajectory/index.ts';
import { scoreAgainst } from '../score.ts';
import type { CleanRun } from './clean.ts';
import { playEdited } from './play.ts';
import type { Edit } from './types.ts';

/** An edited run. */
export interface Mutant {
  readonly edit: Edit;
  readonly trajectory: Trajectory;
  readonly text: string;
  readonly score: TrialScore;
  /** Whether the answer is still that of the clean run, letter for letter. */
  readonly silent: boolean;
  readonly outcomeChanged: boolean;
}

/**
 * Makes an edit in a fork of the clean run and plays on from there. Null where the edit is none: it changes
 * nothing, does not strike, or changes something else than it should.
 */
export function mutantOf(clean: CleanRun, edit: Edit): Mutant | null {
  const session = clean.session.fork(edit.at);
  const isRead = (tool: string): boolean => clean.tools.get(tool)?.effect === 'read';
  const end = playEdited(session, { plan: clean.plan, edit, isRead });
  if (!end) return null;
  const trajectory = session.finish(end);
  if (!isAsMeant(clean, edit, trajectory)) return null;
  const score = scoreAgainst(clean.prepared, clean.reference, trajectory);
  const answer = trajectory.end?.answer ?? null;
  return {
    edit,
    trajectory,
    text: session.text(),
    score,
    silent: answer !== null && answer === clean.trajectory.end?.answer,
    outcomeChanged: verdictsOf(score) !== verdictsOf(clean.score),
  };
}

function isAsMeant(clean: CleanRun, edit: Edit, { steps, end }: Trajectory): boolean {
  const twin = clean.trajectory;
  const differs = firstDifference(twin.steps, steps);
  const { at, step, side, rule } = edit;
  if (side === 'reply') return differs === null && end?.answer !== twin.end?.answer;
  if (edit.cut) return steps.length === at && differs === at;
  const struck = steps[step];
  if (!struck || differs === null || steps.some(({ outcome }) => outcome === 'unmodelled')) return false;
  // What an effect does may show only later, as with a write that reads do not see yet.
  if (rule) return struck.fault?.rule === rule.id;
  if (differs !== step) return false;
  if (edit.kind !== 'wrong_tool') return true;
  // A run that makes the right call after all has made one call more, and none wrong.
  const right = JSON.stringify([twin.steps[step]?.tool, twin.steps[step]?.input]);
  return !steps.slice(step).some(({ tool, input }) => JSON.stringify([tool, input]) === right);
}

/** The first step that was asked or answered otherwise; null where none was. */
export function firstDifference(one: readonly StepRecord[], other: readonly StepRecord[]): number | null {
  const most = Math.max(one.length, other.length);
  for (let index = 0; index < most; index += 1) {
    if (viewOf(one[index]) !== viewOf(other[index])) return index;
  }
  return null;
}

/** What a step was asked, what was answered, and what it did. */
function viewOf(step: StepRecord | undefined): string {
  if (!step) return '';
  const { tool, input, malformed, status, response, delivered, events, diff } = step;
  return JSON.stringify([tool, input, malformed, delivered ?? { status, body: response }, events, diff]);
}

function verdictsOf({ success, graders, end }: TrialScore): string {
  return JSON.stringify([success, graders.map(({ kind, verdict }) => [kind, verdict]), end?.reason]);
}
