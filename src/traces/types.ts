import type { Json } from '../base/json.ts';
import type { Trajectory, UsageRecord } from '../trajectory/index.ts';

/** Formats that `groundhog score` reads. */
export const TRACE_FORMATS = ['openai-chat', 'openai-responses', 'anthropic', 'otlp', 'groundhog'] as const;
export type TraceFormat = (typeof TRACE_FORMATS)[number];

/**
 * The arguments of a call: JSON; a text that is none; or not in the trace at all, which is not the same as
 * empty.
 */
export type TraceArguments =
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'malformed'; readonly text: string }
  | { readonly kind: 'not-captured' };

/** One tool call as the trace tells it. */
export interface TraceCall {
  readonly tool: string;
  readonly id: string | null;
  /** Who made it: `agent`, or a name where several agents share a trace. */
  readonly actor: string;
  /** Calls of one model turn share it; null where the trace does not say which turn a call is of. */
  readonly turn: string | null;
  readonly arguments: TraceArguments;
  /** Null where the trace has no result. */
  readonly result: { readonly value: Json } | null;
  /** Whether the format says that the call failed; null where it says neither. */
  readonly failed: boolean | null;
}

/** What was said, after how many calls. */
export interface TraceMessage {
  readonly afterCall: number;
  readonly role: 'user' | 'agent';
  readonly text: string;
}

/** How a trace ends: by an answer, without one, or in a way that it does not tell. */
export type TraceEnd =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'no-answer'; readonly detail: string }
  /** The user spoke last, as simulated users do that end a conversation. */
  | { readonly kind: 'user-ended'; readonly detail: string }
  | { readonly kind: 'unknown'; readonly detail: string };

/** What reading a trace cost, by kind; `docs/scoring-traces.md` says what each means. */
export const LOSS_KINDS = {
  'call-without-result': 'the result of a call is not in the trace',
  'result-without-call': 'a result belongs to no call of the trace: left out',
  'arguments-not-captured': 'the arguments of a call are not in the trace (they are not taken as empty)',
  'arguments-malformed': 'the arguments of a call are no JSON: compared as text',
  'error-not-told': 'nothing says whether a result is an error: it counts as a success',
  'value-truncated': 'a value was cut by the exporter: taken as not captured',
  'call-not-made': 'a call waits for an approval: not counted as made',
  'unknown-content': 'a part of a kind that is not read: left out',
  'content-not-text': 'an image, sound or file: left out of the text',
  'field-ignored': 'a member that says nothing about calls, results or messages: left out',
  'span-dropped': 'a span or event that tells of no agent: left out',
  'span-merged': 'two spans tell of one call: taken as one',
  'call-of-history':
    'a call in an earlier part of the conversation that this trace did not make: not counted',
  'id-repeated': 'two calls have one id: the second is a call of its own',
  'end-not-told': 'whether the run went on is not told: rules about its end are not run',
} as const;
export type LossKind = keyof typeof LOSS_KINDS;

export interface TraceLoss {
  readonly kind: LossKind;
  readonly count: number;
  /** The first one, in short. */
  readonly example: string;
}

/** One run of an agent, read from a trace of any format. */
export interface TraceRun {
  /** Unique in its file: the trace id, the line, or the place in the list. */
  readonly name: string;
  readonly format: TraceFormat;
  readonly task: string | null;
  readonly calls: readonly TraceCall[];
  readonly messages: readonly TraceMessage[];
  readonly end: TraceEnd;
  readonly usage: UsageRecord;
  readonly losses: readonly TraceLoss[];
  /** For our own format: the trajectory as it is, with states and breaches. */
  readonly trajectory?: Trajectory;
}
