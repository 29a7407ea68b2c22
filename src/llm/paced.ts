import { type Budget, withBudget } from './budget.ts';
import { type Limiter, withConcurrency } from './concurrency.ts';
import { type RetryOptions, withRetries } from './retry.ts';
import type { ChatModel } from './types.ts';

export interface PaceOptions extends RetryOptions {
  /** Slots of the provider; any number of requests at once when left out. */
  readonly limiter?: Limiter | undefined;
  /** What the run may still use; without end when left out. */
  readonly budget?: Budget | undefined;
}

/**
 * A model with retries, slots and a budget, in the order that keeps each promise: a wait for another try
 * holds no slot, and the budget is looked at once there is a slot, so that a run spends at most the replies
 * in flight beyond it, however many requests wait.
 * @throws UsageError where the budget limits cost and the model has no price
 */
export function paced(model: ChatModel, options: PaceOptions): ChatModel {
  const { limiter, budget } = options;
  const counted = budget ? withBudget(model, budget) : model;
  return withRetries(limiter ? withConcurrency(counted, limiter) : counted, options);
}
