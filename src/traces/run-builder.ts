import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import type { UsageRecord } from '../trajectory/index.ts';
import type {
  LossKind,
  TraceArguments,
  TraceCall,
  TraceEnd,
  TraceFormat,
  TraceLoss,
  TraceMessage,
  TraceRun,
} from './types.ts';

type OpenCall = { -readonly [Key in keyof TraceCall]: TraceCall[Key] };

/** A call as a reader finds it, before its result is known. */
export interface FoundCall {
  readonly tool: string;
  readonly id?: string | null;
  readonly actor?: string;
  readonly turn?: string | null;
  readonly arguments: TraceArguments;
  /** Where the format says of the call itself how it went, result or not. */
  readonly failed?: boolean | null;
}

/** A result as a reader finds it; `failed` where the format says so. */
export interface FoundResult {
  readonly id?: string | null;
  readonly tool?: string | null;
  readonly value: Json;
  readonly failed?: boolean | null;
}

const EXAMPLE_CHARACTERS = 120;

/**
 * Collects one run: pairs results with calls, by id or, where there is none, by order within a name; counts
 * what is lost on the way.
 */
export class RunBuilder {
  readonly #format: TraceFormat;
  readonly #calls: OpenCall[] = [];
  readonly #byId = new Map<string, OpenCall[]>();
  /** Calls without an id that no result has answered yet. */
  #waiting: OpenCall[] = [];
  readonly #messages: TraceMessage[] = [];
  readonly #losses = new Map<LossKind, { count: number; example: string }>();
  readonly #usage: { cost?: number; inputTokens?: number; outputTokens?: number } = {};
  #task: string | null = null;

  constructor(format: TraceFormat) {
    this.#format = format;
  }

  get callCount(): number {
    return this.#calls.length;
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0 && this.#messages.length === 0;
  }

  hasCall(id: string): boolean {
    return this.#byId.has(id);
  }

  call(found: FoundCall): void {
    const id = found.id ?? null;
    if (id !== null && this.hasCall(id)) this.lose('id-repeated', `${found.tool} ${id}`);
    const call: OpenCall = {
      tool: found.tool,
      id,
      actor: found.actor ?? 'agent',
      turn: found.turn ?? null,
      arguments: found.arguments,
      result: null,
      failed: found.failed ?? null,
    };
    this.#calls.push(call);
    if (id === null) this.#waiting.push(call);
    else this.#byId.set(id, [...(this.#byId.get(id) ?? []), call]);
  }

  /** Gives a result to the call that it answers: the last open one of its id, else the first of its name. */
  result(found: FoundResult): void {
    const call = this.#answered(found);
    if (call === undefined) {
      this.lose('result-without-call', found.id ?? found.tool ?? shown(found.value));
      return;
    }
    call.result = { value: found.value };
    call.failed = found.failed ?? call.failed;
  }

  #answered({ id, tool }: FoundResult): OpenCall | undefined {
    const named = id === undefined || id === null ? undefined : this.#byId.get(id);
    if (named !== undefined) return named.findLast((call) => call.result === null);
    // A result without an id answers a call without one; where it names no tool, the first that waits.
    const place = this.#waiting.findIndex((call) => (tool ?? call.tool) === call.tool);
    if (place !== -1) return this.#waiting.splice(place, 1)[0];
    // Some logs keep the ids of calls and lose those of results.
    const isUnnamed = (id ?? null) === null && (tool ?? null) !== null;
    return isUnnamed ? this.#calls.find((call) => call.tool === tool && call.result === null) : undefined;
  }

  say(role: 'user' | 'agent', text: string): void {
    if (text.trim() === '') return;
    if (role === 'user' && this.#task === null && this.#calls.length === 0) this.#task = text;
    this.#messages.push({ afterCall: this.#calls.length, role, text });
  }

  /** The text of the last message, where the agent said it. */
  get lastWord(): string | null {
    const last = this.#messages.at(-1);
    return last?.role === 'agent' ? last.text : null;
  }

  /** The task where the format states it apart from the messages. */
  task(text: string): void {
    this.#task ??= text;
  }

  lose(kind: LossKind, example: string, count = 1): void {
    const known = this.#losses.get(kind);
    if (known) known.count += count;
    else this.#losses.set(kind, { count, example: shortened(example) });
  }

  /** Members of an object that no reader looks at. */
  ignore(value: JsonObject, known: ReadonlySet<string>, where: string): void {
    for (const [name, member] of Object.entries(value)) {
      if (!known.has(name) && !isNothing(member)) this.lose('field-ignored', `${where}.${name}`);
    }
  }

  /** Adds to what the run used; anything but a number that is not negative counts as not told. */
  use(usage: { readonly [Name in keyof UsageRecord]: Json | undefined }): void {
    for (const name of ['cost', 'inputTokens', 'outputTokens'] as const) {
      const amount = numberOf(usage[name]);
      if (amount !== null) this.#usage[name] = (this.#usage[name] ?? 0) + amount;
    }
  }

  finish(name: string, end: TraceEnd): TraceRun {
    for (const call of this.#calls) {
      if (call.result === null) this.lose('call-without-result', `${call.tool} ${call.id ?? ''}`.trim());
      const { kind } = call.arguments;
      if (kind === 'not-captured') this.lose('arguments-not-captured', call.tool);
      if (call.arguments.kind === 'malformed')
        this.lose('arguments-malformed', `${call.tool} ${call.arguments.text}`);
    }
    const answered = this.#calls.filter((call) => call.result !== null && call.failed === null);
    if (answered.length > 0) this.lose('error-not-told', answered[0]?.tool ?? '', answered.length);
    if (end.kind === 'unknown') this.lose('end-not-told', end.detail);
    const losses = [...this.#losses].map(([kind, loss]): TraceLoss => ({ kind, ...loss }));
    return {
      name,
      format: this.#format,
      task: this.#task,
      calls: this.#calls,
      messages: this.#messages,
      end,
      usage: { ...this.#usage },
      losses,
    };
  }
}

/** A number that is not negative, also where a format writes it as text; null for anything else. */
export function numberOf(value: Json | undefined): number | null {
  const number = typeof value === 'string' && /^\d+(\.\d+)?$/u.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
}

/** A text that is not empty; null for anything else. */
export function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function isNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function shown(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function shortened(text: string): string {
  const line = text.replace(/\s+/gu, ' ');
  return line.length > EXAMPLE_CHARACTERS ? `${line.slice(0, EXAMPLE_CHARACTERS)}…` : line;
}
