import type { ChatModel } from './types.ts';

/** Lets so many tasks run at once; the others wait in the order in which they came. */
export class Limiter {
  readonly most: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** @throws RangeError unless `most` is a whole number of at least one. */
  constructor(most: number) {
    if (!Number.isInteger(most) || most < 1) throw new RangeError(`needs at least one slot, got ${most}`);
    this.most = most;
  }

  /** Tasks that run now. */
  get running(): number {
    return this.#running;
  }

  /** Tasks that wait for a slot. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs a task once there is a slot. A signal ends the wait with its reason; the task watches its own. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#enter(signal);
    try {
      return await task();
    } finally {
      this.#leave();
    }
  }

  #enter(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#running < this.most) {
      this.#running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(admit), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(admit);
    });
  }

  /** A slot is handed on: nobody who comes later slips in between. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }
}

/** A model that is asked so many things at once; models of one provider share a limiter. */
export function withConcurrency(model: ChatModel, limiter: Limiter): ChatModel {
  return {
    name: model.name,
    config: model.config,
    complete: (request, given) => limiter.run(() => model.complete(request, given), given?.signal),
  };
}
