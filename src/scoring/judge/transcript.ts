import type { Json, JsonObject } from '../../base/json.ts';
import type { DetectCall, DetectMessage } from '../detect/types.ts';
import type { JudgedRun } from './types.ts';

/**
 * A run for a judge's prompt, one JSON object a line between `<run>` and `</run>`. Only what is named here
 * gets in: not the name of the run, which may tell of a label. Nothing in it can close the bracket.
 */
function bracketed(lines: readonly Json[]): string {
  const text = lines.map((line) => JSON.stringify(line).replaceAll('<', '\\u003c'));
  return ['<run>', ...text, '</run>'].join('\n');
}

/** What the agent was asked and told. */
function settingOf({ task, instructions, tools }: JudgedRun): Json[] {
  return [
    { task },
    ...(instructions === null ? [] : [{ policy: instructions }]),
    ...(tools.length === 0
      ? []
      : [
          {
            tools: tools.map(({ name, effect, inputSchema }) => ({
              name,
              ...(effect !== null && { effect }),
              ...(inputSchema !== null && { arguments: inputSchema }),
            })),
          },
        ]),
  ];
}

/** The whole run: calls with their results; the reply where it is asked about. */
export function wholeRun(run: JudgedRun, { withReply }: { readonly withReply: boolean }): string {
  const lines = settingOf(run);
  for (const [index, call] of run.calls.entries()) {
    lines.push(...saidBefore(run, index), callLine(call, index), ...resultLine(call, index));
  }
  const last = run.calls.length;
  const closing = saidBefore(run, last);
  if (withReply) lines.push(...closing, run.reply === null ? { ended: run.ended } : { reply: run.reply });
  else lines.push(...closing.filter(({ by }) => by === 'user'));
  return bracketed(lines);
}

/** Characters of a whole run as a judge is shown it. */
export function shownLength(run: JudgedRun, shown: { readonly withReply: boolean }): number {
  return wholeRun(run, shown).length;
}

/**
 * What was known when step `step` was chosen, and the choice: no result of it nor of other calls of its turn,
 * no later step, no reply.
 */
export function untilChoice(run: JudgedRun, step: number): string {
  const lines = settingOf(run);
  const turnOf = (index: number): string | null => run.turns?.[index] ?? null;
  for (const [index, call] of run.calls.slice(0, step + 1).entries()) {
    lines.push(...saidBefore(run, index), callLine(call, index));
    const sameTurn = turnOf(index) !== null && turnOf(index) === turnOf(step);
    if (index !== step && !sameTurn) lines.push(...resultLine(call, index));
  }
  return bracketed(lines);
}

/** What whoever gave the task sees in the end. */
export function outcomeOnly({ task, instructions, reply, ended }: JudgedRun): string {
  return bracketed([
    { task },
    ...(instructions === null ? [] : [{ policy: instructions }]),
    reply === null ? { ended } : { reply },
  ]);
}

interface SaidLine extends JsonObject {
  readonly said: string;
  readonly by: DetectMessage['role'];
}

/** What was said right before a call, or at the end; neither the task nor the reply once more. */
function saidBefore(run: JudgedRun, index: number): readonly SaidLine[] {
  const { messages, calls, task, reply } = run;
  const thought = calls[index]?.thought ?? null;
  return messages
    .filter(({ afterCall, role, text }) => {
      if (afterCall !== index) return false;
      if (role === 'user') return !(index === 0 && text === task);
      // A thought stands with its call.
      return thought === null && !(index === calls.length && text === reply);
    })
    .map(({ role, text }) => ({ said: text, by: role }));
}

function callLine({ tool, arguments: given, thought }: DetectCall, step: number): JsonObject {
  return {
    step,
    ...(thought !== null && { thought }),
    tool,
    ...(given.kind === 'json' && { arguments: given.value }),
    ...(given.kind === 'malformed' && { malformedArguments: given.text }),
    ...(given.kind === 'not-captured' && { arguments: 'not recorded' }),
  };
}

function resultLine({ result, failed, status }: DetectCall, step: number): readonly JsonObject[] {
  const told = { ...(failed !== null && { failed }), ...(status !== null && { status }) };
  return [
    { resultOf: step, ...told, ...(result === null ? { nothingCame: true } : { result: result.value }) },
  ];
}
