import type { Json, JsonObject } from '../../base/json.ts';

/** What can be wrong with a step, in the terms of the field. The first six are of calls and replies. */
export const DETECT_KINDS = [
  'wrong_tool',
  'hallucinated_argument',
  'skipped_precondition',
  'ignored_observation',
  'premature_stop',
  'unsupported_claim',
  'repetition',
  'invalid_call',
  'stale_read',
  'wrong_entity',
  'inconsistent_total',
  'truncated_list',
  'unit_error',
  'missing_field',
  'null_field',
  'retyped_field',
  'unknown_value',
  'altered_value',
  'malformed_body',
  'lost_write',
  'duplicate_effect',
  'planted_instruction',
  'leaked_secret',
  'service_error',
  'error_unhandled',
] as const;
export type DetectKind = (typeof DETECT_KINDS)[number];

/** One call as its agent saw it: never the true answer behind it, no state, no diff. */
export interface DetectCall {
  readonly tool: string;
  readonly arguments:
    | { readonly kind: 'json'; readonly value: Json }
    | { readonly kind: 'malformed'; readonly text: string }
    | { readonly kind: 'not-captured' };
  /** What was delivered; null where nothing came, or where the trace does not hold it. */
  readonly result: { readonly value: Json } | null;
  /** Null where the trace says neither. */
  readonly failed: boolean | null;
  /** HTTP status as the agent was given it; null where there is none. */
  readonly status: number | null;
  /** What the agent said it was about to do; null where it said nothing. */
  readonly thought: string | null;
}

export interface DetectMessage {
  /** How many calls had been made when it was said. */
  readonly afterCall: number;
  readonly role: 'user' | 'agent';
  readonly text: string;
}

/** A tool as far as it is known. */
export interface DetectTool {
  readonly name: string;
  readonly effect: 'read' | 'write' | null;
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject | null;
}

/** A run as its agent saw it. */
export interface DetectRun {
  readonly name: string;
  /** Runs of one task share it: what is learned from one says too much of the others. */
  readonly cluster: string;
  readonly task: string | null;
  /** What the agent was told besides: policy, system prompt. */
  readonly instructions: string | null;
  readonly calls: readonly DetectCall[];
  readonly messages: readonly DetectMessage[];
  /** The final answer, or the last that the agent said where its user ended the talk. */
  readonly reply: string | null;
  readonly ended: 'answer' | 'no-answer' | 'user-ended' | 'unknown';
  readonly tools: readonly DetectTool[];
}

/** One suspicion: which step, of what kind, and the evidence in a sentence. */
export interface Finding {
  /** Number of the call; null for the reply where no call carries it. */
  readonly step: number | null;
  readonly kind: DetectKind;
  /** Which rule speaks, such as `grounding.argument`: calibration knows rules by it. */
  readonly rule: string;
  /** The tool that the rule speaks of, or `reply`. */
  readonly subject: string;
  readonly evidence: string;
  /** How far beyond the ordinary, from 0 to 1; 1 when left out. Calibration sets how much is needed. */
  readonly strength?: number;
}
