import { SeededRandom } from '../base/random.ts';
import { ChatError, type ChatModel } from './types.ts';

/** How long to wait before another try, in real milliseconds; null when none is worth waiting for. */
export type RetryWait = (attempt: number, error: ChatError) => number | null;

export interface RetryOptions {
  /** Tries in all, the first one included. */
  readonly attempts: number;
  /** `attempt` counts the tries that failed, from 1. `growingWait()` when left out. */
  readonly waitMs?: RetryWait;
  /** Waits for real; rejects with the signal's reason when that ends it. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/**
 * A model that is asked again after a failure that may pass by itself. Failures that somebody must mend are
 * thrown at once. A slot of `withConcurrency` is free during a wait when that layer stands inside this one.
 */
export function withRetries(model: ChatModel, options: RetryOptions): ChatModel {
  const { attempts, sleep, waitMs = growingWait() } = options;
  if (!(attempts >= 1)) throw new RangeError(`needs at least one attempt, got ${attempts}`);
  return {
    name: model.name,
    config: model.config,
    async complete(request, given) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await model.complete(request, given);
        } catch (error) {
          if (!(error instanceof ChatError) || !error.isTransient) throw error;
          const pauseMs = attempt < attempts ? waitMs(attempt, error) : null;
          if (pauseMs === null) throw givenUp(error, attempt);
          await sleep(pauseMs, given?.signal);
        }
      }
    },
  };
}

function givenUp(error: ChatError, attempt: number): ChatError {
  const { kind, retryAfterMs, message } = error;
  const asked = retryAfterMs === null ? '' : `; it asks for a wait of ${retryAfterMs / 1000} s`;
  return new ChatError(kind, `${message} (given up after ${countOf(attempt)}${asked})`, {
    hint: error.hint ?? 'it may pass: the same command goes on where this one stopped',
    retryAfterMs,
    cause: error,
  });
}

function countOf(attempts: number): string {
  return attempts === 1 ? '1 attempt' : `${attempts} attempts`;
}

/**
 * Waits that double from `firstMs`, each shortened by up to half at random so that many trials do not come
 * back at once. What the provider asks for comes first; null where that is more than `mostMs`.
 */
export function growingWait({
  firstMs = 500,
  mostMs = 60_000,
  seed = 'retries',
}: {
  readonly firstMs?: number;
  readonly mostMs?: number;
  readonly seed?: string;
} = {}): RetryWait {
  const random = SeededRandom.from(seed);
  return (attempt, { retryAfterMs }) => {
    if (retryAfterMs !== null) return retryAfterMs <= mostMs ? retryAfterMs : null;
    let longestMs = firstMs;
    for (let failed = 1; failed < attempt && longestMs < mostMs; failed += 1) longestMs *= 2;
    return Math.round(Math.min(longestMs, mostMs) * (1 - random.next() / 2));
  };
}
