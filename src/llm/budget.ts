import { UsageError } from '../base/errors.ts';
import { costOf, type PriceTable, priceOf } from './prices.ts';
import { ChatError, type ChatModel, type ChatReply, type ChatRequest, type ChatUsage } from './types.ts';

export interface BudgetLimits {
  /** Input and output tokens together. */
  readonly tokens?: number | undefined;
  /** In the currency of the prices. */
  readonly cost?: number | undefined;
  /** Needed for a limit of cost. */
  readonly prices?: PriceTable | undefined;
}

/** What a run has used so far. */
export interface BudgetSpent {
  readonly replies: number;
  readonly tokens: number;
  /** In the currency of the prices; 0 while nothing has a price. */
  readonly cost: number;
  /** Replies whose tokens the provider did not count: their upper bounds are in `tokens` and `cost`. */
  readonly estimated: number;
}

/**
 * What a whole run may use: its trials share one. The reply that crosses a limit is kept, the request after
 * it is refused, so a run spends at most the replies in flight beyond its limit.
 */
export class Budget {
  readonly #limits: BudgetLimits;
  #spent: BudgetSpent;

  /** `spent` is what the run used before it was resumed. */
  constructor(limits: BudgetLimits, spent: BudgetSpent = { replies: 0, tokens: 0, cost: 0, estimated: 0 }) {
    this.#limits = limits;
    this.#spent = spent;
  }

  get spent(): BudgetSpent {
    return this.#spent;
  }

  /** @throws UsageError where cost is limited and the model has no price. */
  assertPriced(model: string): void {
    const { cost, prices } = this.#limits;
    if (cost === undefined || (prices && priceOf(prices, [model]))) return;
    throw new UsageError('no-price', `a budget of cost needs the price of ${model}`, {
      hint: 'name it in the file that --prices gives, or limit tokens instead',
    });
  }

  /** @throws ChatError of kind `budget` once nothing is left. */
  assertLeft(): void {
    const { tokens, cost } = this.#limits;
    const { spent } = this;
    if (tokens !== undefined && spent.tokens >= tokens) {
      throw exhausted(`${tokens} tokens is used up: ${spent.tokens} in ${spent.replies} replies`);
    }
    if (cost !== undefined && spent.cost >= cost) {
      throw exhausted(`${cost} is used up: replies cost ${spent.cost} so far`);
    }
  }

  /** Takes a reply into account. */
  charge(model: string, request: ChatRequest, reply: ChatReply): void {
    const usage = atMost(request, reply.usage);
    const price = priceOf(this.#limits.prices ?? new Map(), [model, reply.model]);
    const { replies, tokens, cost, estimated } = this.#spent;
    const { inputTokens, outputTokens } = reply.usage;
    this.#spent = {
      replies: replies + 1,
      tokens: tokens + usage.inputTokens + usage.outputTokens,
      cost: cost + (costOf(usage, price) ?? 0),
      estimated: estimated + (inputTokens === null || outputTokens === null ? 1 : 0),
    };
  }
}

interface CountedUsage extends ChatUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Upper bounds where the provider did not count: a token stands for at least one byte of text. */
function atMost(request: ChatRequest, usage: ChatUsage): CountedUsage {
  return {
    inputTokens: usage.inputTokens ?? new TextEncoder().encode(JSON.stringify(request)).length,
    outputTokens: usage.outputTokens ?? request.maxOutputTokens,
    cachedInputTokens: usage.cachedInputTokens,
  };
}

function exhausted(what: string): ChatError {
  return new ChatError('budget', `the budget of ${what}`, {
    hint: 'the same command with a larger budget goes on where this one stopped',
  });
}

/**
 * A model whose replies are taken from a budget, which is looked at before every request. It stands inside
 * `withConcurrency`, as `paced` has it: requests that wait for a slot have passed whatever stands outside.
 * @throws UsageError where the budget limits cost and the model has no price
 */
export function withBudget(model: ChatModel, budget: Budget): ChatModel {
  budget.assertPriced(model.name);
  return {
    name: model.name,
    config: model.config,
    async complete(request, given) {
      budget.assertLeft();
      const reply = await model.complete(request, given);
      budget.charge(model.name, request, reply);
      return reply;
    },
  };
}
