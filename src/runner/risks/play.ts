import { openSession, requestOf, type Session } from '../../session/index.ts';
import { offeredTools } from '../offered-tools.ts';
import { scoreAgainst } from '../score.ts';
import { type CleanRun, firstDifference, playEdited } from '../testbed/index.ts';
import type { PlayedRisk, RiskEdit } from './types.ts';

/** Plays the clean run with a risk in it. Null where the risk does not come about as it was meant. */
export function playRisk(clean: CleanRun, risk: RiskEdit): PlayedRisk | null {
  const { rules = [], edit, task, step } = risk;
  const session = sessionOf(clean, risk);
  const calls = clean.trajectory.steps.slice(0, edit?.at);
  for (const made of calls.slice(session.stepCount)) session.call(requestOf(made));
  const isRead = (tool: string): boolean => clean.tools.get(tool)?.effect === 'read';
  const answer = clean.prepared.scenario.reference.answer;
  const end = edit
    ? playEdited(session, { plan: clean.plan, edit, isRead })
    : ({ reason: 'answer', answer } as const);
  if (!end) return null;
  const trajectory = session.finish(end);
  const struck = trajectory.steps[step];
  if (!struck || struck.outcome === 'unmodelled') return null;
  // A rule of the list of tools marks every call of its tool; a task is no part of any step.
  if (edit && !rules.length && firstDifference(clean.trajectory.steps, trajectory.steps) !== step)
    return null;
  if (edit?.rule && struck.fault?.rule !== edit.rule.id) return null;
  if (edit?.mustSucceed && struck.outcome !== 'ok') return null;
  if (rules.length > 0 && struck.fault?.rule !== rules[0]?.id) return null;
  if (!edit && !rules.length && task === undefined) return null;
  return { trajectory, text: session.text(), ...shownAs(clean, trajectory, rules) };
}

/** The benign run beside it: the clean one, under the task that the other was given where both were. */
export function playTwin(clean: CleanRun, { twinTask }: RiskEdit): PlayedRisk {
  if (twinTask === undefined) {
    return { trajectory: clean.trajectory, text: clean.text, ...shownAs(clean, clean.trajectory, []) };
  }
  const session = openSession({ ...clean.options, task: { text: twinTask } });
  for (const made of clean.trajectory.steps) session.call(requestOf(made));
  const trajectory = session.finish({ reason: 'answer', answer: clean.prepared.scenario.reference.answer });
  return { trajectory, text: session.text(), ...shownAs(clean, trajectory, []) };
}

function shownAs(
  { prepared, reference }: CleanRun,
  trajectory: PlayedRisk['trajectory'],
  rules: NonNullable<RiskEdit['rules']>,
): Pick<PlayedRisk, 'score' | 'tools'> {
  const names = prepared.scenario.tools;
  return {
    score: scoreAgainst(prepared, reference, trajectory),
    tools: offeredTools(prepared.services, { names, plan: { rules } }),
  };
}

/** A fork where nothing before the edit differs, else a session of its own from the start. */
function sessionOf({ session, options }: CleanRun, { rules = [], task, edit }: RiskEdit): Session {
  if (rules.length === 0 && task === undefined && edit) return session.fork(edit.at);
  return openSession({
    ...options,
    ...(rules.length > 0 && { faults: { rules } }),
    ...(task !== undefined && { task: { text: task } }),
  });
}
