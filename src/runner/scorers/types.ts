import type { Json, JsonObject } from '../../base/json.ts';
import type { Estimate } from '../../stats/index.ts';
import type { TraceRun } from '../../traces/index.ts';

/** The word by which both sides know which form a request has. */
export const SCORER_PROTOCOL = 'groundhog.scorer/1';

/** What a scorer is asked: a run as its trace tells it. Plain JSON, one object a request. */
export interface ScorerRequest extends JsonObject {
  readonly protocol: typeof SCORER_PROTOCOL;
  readonly id: string;
  readonly run: string;
  readonly task: string | null;
  /** `arguments` is null where the trace does not hold them, a text where they are no JSON. */
  readonly calls: readonly JsonObject[];
  readonly messages: readonly JsonObject[];
  readonly answer: string | null;
}

/** What a scorer answers. */
export interface ScorerReply {
  readonly score: number | null;
  readonly label: string | null;
  readonly explanation: string | null;
  /** Which scorer of which version said so; null where it does not say. */
  readonly version: string | null;
  /** What the verdict cost, in currency units; null where it does not say. */
  readonly cost: number | null;
}

/** Something that scores runs, wherever it lives. */
export interface Scorer {
  readonly name: string;
  /** @throws ScorerFailure when there is no reply that can be read */
  score(request: ScorerRequest): Promise<ScorerReply>;
  close(): Promise<void> | void;
}

/** A scorer gave no score; it says nothing about the run. */
export class ScorerFailure extends Error {
  override readonly name = 'ScorerFailure';
  /** True where another try may help: a time-out, a broken connection, a status of 429 or 5xx. */
  readonly isTransient: boolean;

  constructor(message: string, isTransient: boolean) {
    super(message);
    this.isTransient = isTransient;
  }
}

/** One run scored by one scorer; `score` is null with a reason where there is none. */
export interface ScoredRun extends Omit<ScorerReply, 'version'> {
  readonly file: string;
  readonly run: string;
  /** Requests that were made. */
  readonly attempts: number;
  readonly reason?: string;
}

export interface ScorerReport {
  /** Versions that replied, in the order in which they first did. */
  readonly versions: readonly string[];
  readonly mean: Estimate;
  readonly labels: Readonly<Record<string, number>>;
  readonly scored: number;
  /** Runs without a score: they are in no mean. */
  readonly failed: number;
  /** Summed over replies that tell; null where none does. */
  readonly cost: number | null;
  readonly runs: readonly ScoredRun[];
}

/** The request for a run. */
export function requestOf(id: string, run: TraceRun): ScorerRequest {
  return {
    protocol: SCORER_PROTOCOL,
    id,
    run: run.name,
    task: run.task,
    calls: run.calls.map(({ tool, arguments: given, result, failed }) => ({
      tool,
      arguments: given.kind === 'json' ? given.value : given.kind === 'malformed' ? given.text : null,
      result: (result?.value ?? null) as Json,
      failed,
    })),
    messages: run.messages.map(({ role, text, afterCall }) => ({ role, text, afterCall })),
    answer: run.end.kind === 'answer' ? run.end.text : null,
  };
}
