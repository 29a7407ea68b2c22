import { setTimeout as sleep } from 'node:timers/promises';
import type { Answered } from './types.ts';

/** How requests to a real service are spaced. */
export interface ThrottleOptions {
  /** Least time between two requests, in milliseconds. */
  readonly intervalMs: number;
  /** Told why and how long nothing is sent, where that is more than the interval. */
  readonly waiting?: (reason: string, durationMs: number) => void;
  /** Stands in for the wall clock and for sleeping in tests. */
  readonly nowMs?: () => number;
  readonly sleep?: (durationMs: number) => Promise<unknown>;
}

const TRIES_MOST = 3;
const LONGEST_WAIT_MS = 3_600_000;

/** Sends one request after another, never faster than allowed, and waits where the service asks for it. */
export class Throttle {
  readonly #options: ThrottleOptions;
  readonly #nowMs: () => number;
  readonly #sleep: (durationMs: number) => Promise<unknown>;
  #nextMs = 0;

  constructor(options: ThrottleOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? Date.now;
    this.#sleep = options.sleep ?? sleep;
  }

  /** Sends when it may be sent; again, a few times, where the answer is that it came too early. */
  async send(request: () => Promise<Answered>): Promise<Answered> {
    for (let attempt = 1; ; attempt += 1) {
      const earlyMs = this.#nextMs - this.#nowMs();
      if (earlyMs > 0) await this.#sleep(earlyMs);
      const answer = await request();
      const { reason, waitMs } = this.#asked(answer);
      this.#nextMs = this.#nowMs() + Math.max(this.#options.intervalMs, waitMs);
      if (waitMs > this.#options.intervalMs) this.#options.waiting?.(reason, waitMs);
      const refused = answer.status === 429 || (answer.status === 403 && waitMs > 0);
      if (!refused || attempt >= TRIES_MOST) return answer;
    }
  }

  /** How long the service asks to wait, and why. */
  #asked({ headers }: Answered): { readonly reason: string; readonly waitMs: number } {
    const after = Number(headers['retry-after']);
    if (headers['retry-after'] !== undefined && Number.isFinite(after)) {
      return { reason: 'the service says retry-after', waitMs: bounded(after * 1_000) };
    }
    const left = headers['x-ratelimit-remaining'] ?? headers['x-rate-limit-remaining'];
    const reset = Number(headers['x-ratelimit-reset'] ?? headers['x-rate-limit-reset']);
    if (left === undefined || Number(left) > 0 || !Number.isFinite(reset)) return { reason: '', waitMs: 0 };
    return { reason: 'the rate limit is used up', waitMs: bounded(reset * 1_000 - this.#nowMs() + 1_000) };
  }
}

function bounded(durationMs: number): number {
  return Math.min(LONGEST_WAIT_MS, Math.max(0, durationMs));
}
