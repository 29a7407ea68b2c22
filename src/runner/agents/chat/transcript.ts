import type { ChatMessage, ChatToolCall } from '../../../llm/index.ts';
import type { AgentTask, HistoryEntry } from '../../types.ts';
import { NOTES, toldResult } from './words.ts';

type CallEntry = Extract<HistoryEntry, { type: 'call' }>;

/** What a model was told and said, as the next request carries it. */
export class Transcript {
  readonly #messages: ChatMessage[] = [];
  readonly #ids = new Set<string>();
  /** How much of the history stands in the messages. */
  #seen: readonly HistoryEntry[] = [];
  /** Calls of the last turn that were handed on, and still have no result. */
  #open: readonly ChatToolCall[] = [];
  /** Results that the loop gave by itself, for calls that no world sees. */
  #own: readonly { readonly call: ChatToolCall; readonly text: string }[] = [];
  /** True when the last turn was said to a user. */
  #said = false;

  /** A transcript made from a history that its model has not lived through: call ids are made up. */
  constructor(task: AgentTask, history: readonly HistoryEntry[] = []) {
    // In a conversation, the first words are the user's, and stand in the history.
    if (!task.conversational) this.#messages.push({ role: 'user', text: task.text });
    for (const entry of history) this.#retell(entry);
    // Models answer what somebody said to them: a list that ends with their own words asks nothing.
    if (this.#messages.length === 0) this.tell(task.text);
    else if (this.#messages.at(-1)?.role === 'assistant') this.tell(NOTES.nobodyThere);
    this.#seen = [...history];
  }

  get messages(): readonly ChatMessage[] {
    return [...this.#messages];
  }

  /** Takes in what has happened since the last turn; false when that is not what the last turn asked for. */
  extend(history: readonly HistoryEntry[]): boolean {
    if (!this.#seen.every((entry, index) => entry === history[index])) return false;
    const fresh = history.slice(this.#seen.length);
    const made = fresh.slice(0, this.#open.length);
    if (!this.#open.every((call, index) => isCallOf(made[index], call))) return false;
    const rest = fresh.slice(this.#open.length);
    if (this.#said && rest.shift()?.type !== 'say') return false;
    if (rest.some(({ type }) => type !== 'user')) return false;
    this.#answerCalls(made as CallEntry[]);
    for (const entry of rest) this.tell((entry as Extract<HistoryEntry, { type: 'user' }>).text);
    if (this.#said && rest.length === 0) this.tell(NOTES.nobodyThere);
    this.#said = false;
    this.#seen = [...history];
    return true;
  }

  /** A message in the user's place. */
  tell(text: string): void {
    this.#messages.push({ role: 'user', text });
  }

  /**
   * A turn of the model: its words, the calls that are handed on, and those that the loop answers by itself.
   */
  turn(
    text: string,
    calls: readonly ChatToolCall[],
    own: readonly { readonly call: ChatToolCall; readonly text: string }[] = [],
  ): void {
    const all = [...calls, ...own.map(({ call }) => call)];
    this.#messages.push({ role: 'assistant', text, calls: all.map(spelled) });
    this.#open = calls;
    this.#own = own;
    if (calls.length === 0) this.#answerCalls([]);
  }

  /** The last turn was words, and they are said to a user. */
  saidIt(): void {
    this.#said = true;
  }

  /** An id that no other call of this transcript has: some servers give none, or one twice. */
  idFor(given: string): string {
    let id = given;
    for (let count = this.#ids.size; id === '' || this.#ids.has(id); count += 1) id = `call-${count}`;
    this.#ids.add(id);
    return id;
  }

  #answerCalls(made: readonly CallEntry[]): void {
    const results = [
      ...made.map((entry, index) => resultOf(this.#open[index] as ChatToolCall, toldResult(entry))),
      ...this.#own.map(({ call, text }) => resultOf(call, { text, isError: true })),
    ];
    if (results.length > 0) this.#messages.push({ role: 'tool', results });
    this.#open = [];
    this.#own = [];
  }

  #retell(entry: HistoryEntry): void {
    if (entry.type === 'user') {
      this.tell(entry.text);
      return;
    }
    if (entry.type === 'say') {
      this.#messages.push({ role: 'assistant', text: entry.text, calls: [] });
      return;
    }
    const { tool, arguments: input, malformed } = entry.call;
    const call = { id: this.idFor(''), name: tool, arguments: malformed ?? JSON.stringify(input ?? {}) };
    this.#messages.push({ role: 'assistant', text: '', calls: [spelled(call)] });
    this.#messages.push({ role: 'tool', results: [resultOf(call, toldResult(entry))] });
  }
}

function isCallOf(entry: HistoryEntry | undefined, call: ChatToolCall): boolean {
  return entry?.type === 'call' && entry.call.tool === call.name;
}

const NAME_MOST = 64;

/** A call as providers take it back: they refuse names that no tool could have, and models make them up. */
function spelled(call: ChatToolCall): ChatToolCall {
  const name = call.name.replace(/[^\w-]/gu, '_').slice(0, NAME_MOST);
  // Clients look names up in plain objects, where every object has a `constructor`.
  if (name in Object.prototype) return { ...call, name: `${name.slice(0, NAME_MOST - 5)}_tool` };
  return name === call.name && name !== '' ? call : { ...call, name: name || 'unnamed' };
}

function resultOf(
  call: ChatToolCall,
  told: { readonly text: string; readonly isError: boolean },
): { readonly id: string; readonly name: string; readonly text: string; readonly isError: boolean } {
  const { id, name } = spelled(call);
  return { id, name, ...told };
}
