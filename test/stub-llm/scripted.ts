/** What the stub server answers, apart from the protocol that it is asked in. */

export interface ScriptedCall {
  readonly name: string;
  /** An object, or a text as a model may write it: then it need not be JSON. */
  readonly arguments: Readonly<Record<string, unknown>> | string;
  /** Made up from the request and the place among the calls when left out. */
  readonly id?: string;
}

export interface ScriptedUsage {
  readonly input: number;
  readonly output: number;
  /** Part of `input` that was cached. */
  readonly cached?: number;
}

export interface ScriptedReply {
  readonly kind: 'reply';
  readonly text: string;
  readonly calls: readonly ScriptedCall[];
  readonly finish: 'stop' | 'tool-calls' | 'length' | 'refusal';
  /** OpenAI only: the refusal stands in a member of its own, and the reply ends in order. */
  readonly isRefusalMember?: boolean;
  /** Counted from the texts when left out; null for a provider that does not count (OpenAI only). */
  readonly usage?: ScriptedUsage | null;
  /** The model that says it answered; the one that was asked when left out. */
  readonly model?: string;
  /** Real milliseconds between two events of a stream. */
  readonly eventMs?: number;
  /** The connection breaks after so many events of a stream. */
  readonly cutAfter?: number;
  /** The stream ends in order, but after so many events. */
  readonly endAfter?: number;
  /** An error in the protocol's own shape after so many events of a stream. */
  readonly errorAfter?: { readonly events: number; readonly type: string; readonly message: string };
}

export type Scripted =
  | ScriptedReply
  | {
      readonly kind: 'error';
      readonly status: number;
      /** `error.type` of Anthropic, `error.type` and `error.code` of OpenAI. */
      readonly type: string;
      readonly message: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'raw'; readonly status: number; readonly type: string; readonly body: string }
  /** Nothing comes, not even headers, until the other side goes. */
  | { readonly kind: 'hang' };

export function says(text: string): ScriptedReply {
  return { kind: 'reply', text, calls: [], finish: 'stop' };
}

export function asksFor(...calls: readonly ScriptedCall[]): ScriptedReply {
  return { kind: 'reply', text: '', calls, finish: 'tool-calls' };
}

export function refuses(text: string): ScriptedReply {
  return { ...says(text), finish: 'refusal' };
}

export function isCutShort(text: string): ScriptedReply {
  return { ...says(text), finish: 'length' };
}

export function failsWith(
  status: number,
  { type = TYPES[status] ?? 'api_error', message = `status ${status}`, headers = {} } = {},
): Scripted {
  return { kind: 'error', status, type, message, headers };
}

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

export function answersRaw(body: string, type = 'text/event-stream', status = 200): Scripted {
  return { kind: 'raw', status, type, body };
}

export const hangs: Scripted = { kind: 'hang' };

/** The text of a call's arguments on the wire. */
export function argumentsText({ arguments: given }: ScriptedCall): string {
  return typeof given === 'string' ? given : JSON.stringify(given);
}

/** A text in pieces, as a model streams it: cut within words and calls. */
export function pieces(text: string, size = 7): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}

/** A quarter of the characters, for usage that nobody scripted. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
