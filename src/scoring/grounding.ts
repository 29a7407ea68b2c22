import type { Json } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { StepRecord, Trajectory } from '../trajectory/types.ts';
import type { Finding } from './invariants.ts';
import type { Invariant, Witness } from './types.ts';

/**
 * Every value that the answer names (group 1 of the pattern, or the whole match) must stand in what the agent
 * was given before: delivered results of successful calls (of failed ones too with `attempts: all`), and with
 * `results-and-task` also the task and the user's messages. Case does not count.
 */
export function checkGrounding(
  rule: Extract<Invariant, { kind: 'grounding' }>,
  trajectory: Trajectory,
): Finding {
  const answer = finalText(trajectory);
  const named = answer === null ? [] : namedValues(rule.match, answer);
  if (named.length === 0) return { verdict: 'skipped', witnesses: [] };
  const witnesses = neverGiven(named, rule, trajectory).map((value): Witness => {
    const where = rule.from === 'results' ? 'no tool result' : 'neither a tool result nor the task';
    return { steps: [], message: `the answer names ${value}, which ${where} has given`, got: value };
  });
  return { verdict: witnesses.length === 0 ? 'pass' : 'fail', witnesses };
}

/** What the agent said in the end: its answer, or its last message when the user ended the conversation. */
export function finalText(trajectory: Trajectory): string | null {
  const { end, messages } = trajectory;
  if (end === null || end.answer !== null) return end?.answer ?? null;
  if (end.reason !== 'user-ended') return null;
  return messages.findLast((message) => message.role === 'agent')?.text ?? null;
}

function namedValues(pattern: string, answer: string): string[] {
  const matches = answer.matchAll(new RegExp(pattern, 'giu'));
  const values = [...matches].map((match) => match[1] ?? match[0]);
  return [...new Set(values.filter((value) => value !== ''))];
}

/** The values that stand in nothing the agent was given; looks no further than to the last one found. */
function neverGiven(
  values: readonly string[],
  rule: Extract<Invariant, { kind: 'grounding' }>,
  { steps, header, messages }: Trajectory,
): string[] {
  let missing = [...values];
  const look = (text: string): void => {
    const lowered = text.toLowerCase();
    missing = missing.filter((value) => !hasToken(lowered, value));
  };
  if (rule.from === 'results-and-task') {
    look(header.task?.text ?? '');
    for (const message of messages) if (message.role === 'user') look(message.text);
  }
  for (const step of steps) {
    if (missing.length === 0) break;
    if (rule.attempts !== 'all' && step.outcome !== 'ok') continue;
    const body = deliveredBody(step);
    if (body !== undefined) eachText(body, look);
  }
  return missing;
}

/** What the agent was given for a step; undefined when nothing came. */
function deliveredBody(step: StepRecord): Json | undefined {
  if (step.delivered?.lost) return undefined;
  return step.delivered ? step.delivered.body : step.response;
}

/** Visits texts, numbers and member names of a JSON value. */
function eachText(value: Json, look: (text: string) => void): void {
  if (typeof value === 'string') look(value);
  else if (typeof value === 'number') look(String(value));
  else if (Array.isArray(value)) for (const item of value as readonly Json[]) eachText(item, look);
  else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      look(name);
      if (member !== undefined) eachText(member, look);
    }
  }
}

const WORD = /[\p{L}\p{N}_]/u;
const JOINT = /[-.,]/u;

/**
 * True when the value stands in the text as a token of its own: no letter, digit or underscore touches it,
 * nor a hyphen, point or comma that joins it to one, so `8821` is neither in `88213` nor in `ORD-8821` nor in
 * `8821.50`.
 * @param text lower-cased already
 */
export function hasToken(text: string, value: string): boolean {
  const wanted = value.toLowerCase();
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const before = joins(text.charAt(at - 1), text.charAt(at - 2));
    if (!before && !joins(text.charAt(end), text.charAt(end + 1))) return true;
  }
  return false;
}

function joins(near: string, far: string): boolean {
  return WORD.test(near) || (JOINT.test(near) && WORD.test(far));
}
