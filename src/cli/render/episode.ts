import type { Json } from '../../base/json.ts';
import { findingsByStep, findingsOf } from '../../runner/report/findings.ts';
import { printable } from '../../runner/report/printable.ts';
import { usageText } from '../../runner/run-usage.ts';
import type { TrialScore } from '../../scoring/index.ts';
import type { StepRecord, Trajectory } from '../../trajectory/index.ts';
import { counted } from './counted.ts';

const SHORT_CHARACTERS = 160;
const ANSWER_CHARACTERS = 2_000;

/**
 * A trajectory for people: messages and steps in order, what each changed, what broke where, how it ended.
 */
export function episodeLines(
  trajectory: Trajectory,
  options: { readonly full: boolean; readonly score: TrialScore | null },
): string[] {
  const { header, steps, messages, end } = trajectory;
  const broke = findingsByStep(options.score ? findingsOf(options.score) : []);
  const lines: string[] = [];
  const scenario = header.scenario ? `${header.scenario.id}, trial ${header.trial ?? 0}` : 'no scenario';
  lines.push(
    `${scenario}, agent ${header.agent?.name ?? 'unnamed'}`,
    ...(header.task ? [`Task: ${header.task.text.trim()}`] : []),
    '',
  );
  const sayAfter = (step: number): void => {
    for (const { afterStep, role, text } of messages)
      if (afterStep === step) lines.push(`      ${role}: ${text}`);
  };
  for (const step of steps) {
    sayAfter(step.index);
    lines.push(...stepLines(step, options.full));
    for (const { check, message } of broke.get(step.index) ?? []) lines.push(`      ✗ ${check}: ${message}`);
  }
  sayAfter(steps.length);
  const used = end && usageText(end.usage, end.usage.model ?? '');
  const ending = [endLine(end, options.full), ...(used ? [`Used: ${used}`] : [])];
  lines.push('', ...ending, ...verdictLine(options.score));
  for (const { check, message } of broke.get(null) ?? []) lines.push(`✗ ${check}: ${message}`);
  return lines.map(printable);
}

function stepLines(step: StepRecord, full: boolean): string[] {
  const cut = (value: Json): string => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return full || text.length <= SHORT_CHARACTERS ? text : `${text.slice(0, SHORT_CHARACTERS)}…`;
  };
  const number = String(step.index).padStart(4);
  const wait = step.waited ? ` after waiting ${step.waited} ms` : '';
  const lines = [`${number}  ${step.tool} ${cut(step.malformed ?? step.input)}${wait}`];
  if (step.fault) lines.push(`      fault: ${step.fault.label}`);
  lines.push(`      ${step.outcome} ${step.status}: ${cut(step.response)}`);
  if (step.delivered)
    lines.push(
      `      delivered: ${step.delivered.lost ? 'nothing, the answer was lost' : cut(step.delivered.body)}`,
    );
  if (step.diff.length > 0) lines.push(...diffLines(step, full));
  return lines;
}

function diffLines(step: StepRecord, full: boolean): string[] {
  if (!full) {
    const tables = [...new Set(step.diff.map(({ op, table }) => `${op} ${table}`))];
    return [`      changed ${counted(step.diff.length, 'row')}: ${tables.join(', ')}`];
  }
  return step.diff.map((change) => {
    const cells = JSON.stringify('row' in change ? change.row : change.cells);
    return `      ${change.op} ${change.table} ${JSON.stringify(change.key)} ${cells}`;
  });
}

function endLine(end: Trajectory['end'], full: boolean): string {
  if (!end) return 'The file ends here: the episode was cut short.';
  const { answer, reason } = end;
  const detail = end.detail === undefined ? '' : ` (${end.detail})`;
  if (answer === null) return `Ended: ${reason}${detail}`;
  if (full || answer.length <= ANSWER_CHARACTERS) return `Answer: ${answer}${detail}`;
  return `Answer: ${answer.slice(0, ANSWER_CHARACTERS)}… (${answer.length} characters, --full prints all)`;
}

function verdictLine(score: TrialScore | null): string[] {
  if (!score) return [];
  if (score.void) return [`Verdict: void (${score.void.reason}): ${score.void.detail}`];
  return [`Verdict: ${score.success ? 'pass' : 'fail'}`];
}
