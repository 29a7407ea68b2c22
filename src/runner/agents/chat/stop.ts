import { ChatError, type ChatModel } from '../../../llm/index.ts';
import { ownFailure } from './failures.ts';

/**
 * What stops a run for all its trials. The first failure that is nobody's answer ends the waits of the others
 * and is what each of them gets: an outage is found out once, not once for every trial in flight.
 */
export class RunStop {
  readonly #waits = new AbortController();
  #failure: unknown = null;

  get signal(): AbortSignal {
    return this.#waits.signal;
  }

  /** The model of one trial, until something stops the run. */
  watch(model: ChatModel): ChatModel {
    return {
      name: model.name,
      config: model.config,
      complete: async (request) => {
        if (this.#failure) throw this.#failure;
        try {
          return await model.complete(request, { signal: this.signal });
        } catch (error) {
          if (this.#failure) throw this.#failure;
          if (ownFailure(error) === null) this.#stop(error);
          throw error;
        }
      },
    };
  }

  /** Replies that are under way are paid for: where only the budget ended, they are waited for. */
  #stop(failure: unknown): void {
    this.#failure = failure;
    const isSpent = failure instanceof ChatError && failure.kind === 'budget';
    if (!isSpent) this.#waits.abort(failure);
  }
}
