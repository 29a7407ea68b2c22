import { type JsonObject, jsonEqual } from '../../../base/json.ts';
import type { AgentAction, HistoryEntry, ToolResult } from '../../types.ts';

/** What a script does next: one call, or something said to the user. */
export type Move =
  | { readonly do: 'call'; readonly tool: string; readonly arguments: JsonObject; readonly waitMs?: number }
  | { readonly do: 'say'; readonly text: string };

/** What comes back: the result of a call, or the user's reply. */
export type Heard = ToolResult | string;

/**
 * A script: yields moves and returns its final answer. It may depend on the task and on what it hears only.
 */
export type Script = Generator<Move, string, Heard>;

/** A part of a script that gives a value to the part that asked for it. */
export type Part<T> = Generator<Move, T, Heard>;

/** Free text never decides whether a call was made already. */
const FREE_TEXT = new Set(['subject', 'body', 'reason']);

/**
 * The next action of a script, computed from the history alone: the script runs from its start, and each of
 * its calls that the history holds already is answered from there, wherever it stands. So the same script
 * goes on from histories that it did not make (step-wise scoring), and needs no state between calls.
 */
export function nextMove(start: (opening: string) => Script, history: readonly HistoryEntry[]): AgentAction {
  const past = new Past(history);
  const script = start(past.opening);
  let step = script.next();
  while (!step.done) {
    const heard = past.take(step.value);
    if (heard === undefined) return actionOf(step.value);
    step = script.next(heard);
  }
  return { type: 'answer', text: step.value };
}

function actionOf(move: Move): AgentAction {
  if (move.do === 'say') return { type: 'say', text: move.text };
  return {
    type: 'call',
    tool: move.tool,
    arguments: move.arguments,
    ...(move.waitMs === undefined ? {} : { waitMs: move.waitMs }),
  };
}

/** The history as a store that moves take their answers from, each entry once. */
class Past {
  readonly opening: string;
  readonly #calls: Extract<HistoryEntry, { type: 'call' }>[];
  readonly #replies: string[];
  #taken = new Set<number>();
  #first = 0;

  constructor(history: readonly HistoryEntry[]) {
    this.#calls = history.filter((entry) => entry.type === 'call');
    const said = history.findIndex((entry) => entry.type === 'say');
    const before = said === -1 ? history : history.slice(0, said);
    this.opening = userTexts(before).join(' ');
    this.#replies = said === -1 ? [] : repliesFrom(history.slice(said));
  }

  take(move: Move): Heard | undefined {
    if (move.do === 'say') return this.#replies.shift();
    while (this.#taken.has(this.#first)) this.#first += 1;
    for (let index = this.#first; index < this.#calls.length; index += 1) {
      const entry = this.#calls[index];
      if (!entry || this.#taken.has(index) || !sameCall(move, entry.call)) continue;
      this.#taken.add(index);
      return entry.result;
    }
    return undefined;
  }
}

/** One text for each thing the agent said that has been answered. */
function repliesFrom(history: readonly HistoryEntry[]): string[] {
  const replies: string[] = [];
  let texts: string[] | undefined;
  for (const entry of history) {
    if (entry.type === 'say') {
      if (texts?.length) replies.push(texts.join(' '));
      texts = [];
    } else if (entry.type === 'user') texts?.push(entry.text);
  }
  if (texts?.length) replies.push(texts.join(' '));
  return replies;
}

function userTexts(history: readonly HistoryEntry[]): string[] {
  return history.filter((entry) => entry.type === 'user').map((entry) => entry.text);
}

function sameCall(
  move: Extract<Move, { do: 'call' }>,
  call: Extract<HistoryEntry, { type: 'call' }>['call'],
): boolean {
  if (move.tool !== call.tool) return false;
  return jsonEqual(withoutFreeText(move.arguments), withoutFreeText((call.arguments ?? {}) as JsonObject));
}

function withoutFreeText(value: JsonObject): JsonObject {
  const names = Object.keys(value);
  if (!names.some((name) => FREE_TEXT.has(name))) return value;
  return Object.fromEntries(names.filter((name) => !FREE_TEXT.has(name)).map((name) => [name, value[name]]));
}
