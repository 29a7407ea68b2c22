import type { ChatReply } from '../../../llm/index.ts';
import type { UsageRecord } from '../../../trajectory/index.ts';

/** Nine places: what a token of the cheapest models costs, and no digits that adding made. */
const COST_STEPS = 1e9;

/** What the turns of one trial have cost. A figure that any turn does not know is not known of the whole. */
export class Spent {
  readonly #costOf: (usage: ChatReply['usage']) => number | null;
  readonly #models = new Set<string>();
  readonly #ignored = new Set<string>();
  #turns = 0;
  #inputTokens: number | null = 0;
  #outputTokens: number | null = 0;
  #cachedInputTokens: number | null = 0;
  #cost: number | null = 0;

  constructor(costOf: (usage: ChatReply['usage']) => number | null) {
    this.#costOf = costOf;
  }

  get turns(): number {
    return this.#turns;
  }

  add({ usage, model, ignored = [] }: ChatReply): void {
    this.#turns += 1;
    this.#models.add(model);
    for (const name of ignored) this.#ignored.add(name);
    this.#inputTokens = sum(this.#inputTokens, usage.inputTokens);
    this.#outputTokens = sum(this.#outputTokens, usage.outputTokens);
    this.#cachedInputTokens = sum(this.#cachedInputTokens, usage.cachedInputTokens);
    this.#cost = sum(this.#cost, this.#costOf(usage));
  }

  record(): UsageRecord {
    const cost = this.#cost === null ? null : Math.round(this.#cost * COST_STEPS) / COST_STEPS;
    return {
      ...known('cost', this.#turns === 0 ? null : cost),
      ...known('inputTokens', this.#inputTokens),
      ...known('outputTokens', this.#outputTokens),
      ...known('cachedInputTokens', this.#turns === 0 ? null : this.#cachedInputTokens),
      turns: this.#turns,
      ...(this.#models.size > 0 && { model: [...this.#models].join(', ') }),
      ...(this.#ignored.size > 0 && { ignored: [...this.#ignored].sort() }),
    };
  }
}

function sum(total: number | null, more: number | null): number | null {
  return total === null || more === null ? null : total + more;
}

function known(name: Exclude<keyof UsageRecord, 'model' | 'ignored'>, value: number | null): UsageRecord {
  return value === null ? {} : { [name]: value };
}
