import { type JsonObject, jsonEqual } from '../../../base/json.ts';
import type { AgentAction, AgentTask, HistoryEntry, ToolResult } from '../../types.ts';

/** What a script does next: one call, or something said to the user. */
type Move =
  | { readonly do: 'call'; readonly tool: string; readonly arguments: JsonObject; readonly waitMs?: number }
  | { readonly do: 'say'; readonly text: string };

/** What comes back: the result of a call, or the user's reply. */
type Heard = ToolResult | string;

/**
 * A script: yields moves and returns its final answer. It may depend on the task and on what it hears only.
 */
export type Script = Generator<Move, string, Heard>;

/** A part of a script that gives a value to the part that asked for it. */
export type Part<T> = Generator<Move, T, Heard>;

/** Free text never decides whether a call was made already. */
const FREE_TEXT = new Set(['subject', 'body', 'reason']);

/** The script for a task, given what the user said before anything else (empty when there is no user). */
export type ScriptOf = (task: AgentTask, opening: string) => Script;

/** A script in the middle of its work, and how much of which history it has seen. */
interface Running {
  readonly history: readonly HistoryEntry[];
  readonly past: Past;
  readonly script: Script;
  seen: number;
  last: HistoryEntry | undefined;
  step: IteratorResult<Move, string>;
}

/**
 * An agent from a script: the next action is a function of the history alone. Each call of the script that
 * the history holds already is answered from there, wherever it stands, so the script goes on from histories
 * that it did not make (step-wise scoring). A script that is asked again with the same history, grown, is not
 * run anew.
 */
export function scripted(
  scriptOf: ScriptOf,
): (history: readonly HistoryEntry[], task: AgentTask) => AgentAction {
  const running = new WeakMap<AgentTask, Running>();
  return (history, task) => {
    const known = running.get(task);
    const one = known && goesOn(known, history) ? known : begin(scriptOf, history, task);
    running.set(task, one);
    return advance(one);
  };
}

function goesOn({ history, seen, last }: Running, now: readonly HistoryEntry[]): boolean {
  return history === now && now.length >= seen && (seen === 0 || now[seen - 1] === last);
}

function begin(scriptOf: ScriptOf, history: readonly HistoryEntry[], task: AgentTask): Running {
  const past = new Past();
  for (const entry of history) past.add(entry);
  const script = scriptOf(task, past.opening);
  return { history, past, script, seen: history.length, last: history.at(-1), step: script.next() };
}

function advance(one: Running): AgentAction {
  for (const entry of one.history.slice(one.seen)) one.past.add(entry);
  one.seen = one.history.length;
  one.last = one.history.at(-1);
  while (!one.step.done) {
    const heard = one.past.take(one.step.value);
    if (heard === undefined) return actionOf(one.step.value);
    one.step = one.script.next(heard);
  }
  return { type: 'answer', text: one.step.value };
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
  readonly #calls: Extract<HistoryEntry, { type: 'call' }>[] = [];
  readonly #opening: string[] = [];
  /** What the user answered to each thing the agent said; the last may have no answer yet. */
  readonly #replies: string[][] = [];
  readonly #taken = new Set<number>();
  #first = 0;
  #heard = 0;

  get opening(): string {
    return this.#opening.join(' ');
  }

  add(entry: HistoryEntry): void {
    if (entry.type === 'call') this.#calls.push(entry);
    else if (entry.type === 'user') (this.#replies.at(-1) ?? this.#opening).push(entry.text);
    else if (this.#replies.at(-1)?.length !== 0) this.#replies.push([]);
  }

  take(move: Move): Heard | undefined {
    if (move.do === 'say') return this.#reply();
    while (this.#taken.has(this.#first)) this.#first += 1;
    for (let index = this.#first; index < this.#calls.length; index += 1) {
      const entry = this.#calls[index];
      if (!entry || this.#taken.has(index) || !sameCall(move, entry.call)) continue;
      this.#taken.add(index);
      return entry.result;
    }
    return undefined;
  }

  #reply(): string | undefined {
    const texts = this.#replies[this.#heard];
    if (texts === undefined || texts.length === 0) return undefined;
    this.#heard += 1;
    return texts.join(' ');
  }
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
