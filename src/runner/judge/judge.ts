import type { ChatModel, ChatUsage } from '../../llm/index.ts';
import {
  askJudge,
  askPair,
  type JudgePrompt,
  type JudgeQuestion,
  type JudgeRecord,
  type JudgeSettings,
  judgePrompt,
  type PairQuestion,
  type PairRecord,
  pairPrompt,
  promptKey,
  sumUsage,
} from '../../scoring/index.ts';
import type { VerdictCache } from './verdict-cache.ts';

/** What a judge has used, apart from any agent. */
export interface JudgeSpent {
  /** Questions that a verdict was wanted for. */
  readonly questions: number;
  /** Of these, answered from the cache, and without any request. */
  readonly fromCache: number;
  /** Of these, without a verdict. */
  readonly withoutVerdict: number;
  /** Requests to the model, and what they used; null where the provider did not count. */
  readonly requests: number;
  readonly usage: ChatUsage;
  /** In the currency of the prices; null where a request has no price. */
  readonly cost: number | null;
}

export interface JudgeParts {
  readonly model: ChatModel;
  readonly settings: JudgeSettings;
  readonly cache: VerdictCache;
  /** The model for one question, such as with a cassette around it; the model itself when left out. */
  readonly modelFor?: () => ChatModel;
  readonly costOf?: (usage: ChatUsage, answeredBy: string) => number | null;
}

type Answer = JudgeRecord | PairRecord;

/** A judge at work: what was asked before is not asked again, and what it spends is summed up. */
export class Judge {
  readonly #parts: JudgeParts;
  /** Questions under way: the same one is asked once. */
  readonly #asked = new Map<string, Promise<Answer>>();
  #spent: JudgeSpent = {
    questions: 0,
    fromCache: 0,
    withoutVerdict: 0,
    requests: 0,
    usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: null },
    cost: 0,
  };

  constructor(parts: JudgeParts) {
    this.#parts = parts;
  }

  get name(): string {
    return this.#parts.model.name;
  }

  get spent(): JudgeSpent {
    return this.#spent;
  }

  /** @throws ChatError where the model gives no reply */
  readonly ask = async (question: JudgeQuestion): Promise<JudgeRecord> => {
    const { run, kind, view = 'steps', step } = question;
    const about = { kind, view, run: run.name, step: kind === 'choice' ? step : null };
    const isAsked = kind !== 'support' || view === 'outcome' || run.reply !== null;
    const prompt = isAsked ? judgePrompt(question, this.#parts.settings) : null;
    const answer = await this.#answer(prompt, (asking) => askJudge(question, asking));
    // The same prompt may have been asked of another run.
    return { ...answer, ...about };
  };

  /** @throws ChatError where the model gives no reply */
  readonly askPair = async (question: PairQuestion): Promise<PairRecord> => {
    const prompt = pairPrompt(question, this.#parts.settings);
    const answer = await this.#answer(prompt, (asking) => askPair(question, asking));
    return { ...answer, kind: question.kind, first: question.first.name, second: question.second.name };
  };

  async #answer<T extends Answer>(
    prompt: JudgePrompt | null,
    ask: (asking: JudgeParts) => Promise<T>,
  ): Promise<T> {
    const { cache, model, modelFor } = this.#parts;
    const key = prompt === null ? null : promptKey(model, prompt);
    const known = key === null ? null : cache.find<T>(key);
    if (known !== null) return this.#count(known);
    const underWay = key === null ? undefined : (this.#asked.get(key) as Promise<T> | undefined);
    if (underWay !== undefined) return this.#count({ ...(await underWay), cached: true });
    const asked = ask({ ...this.#parts, model: modelFor?.() ?? model });
    if (key !== null) this.#asked.set(key, asked);
    try {
      const record = await asked;
      cache.add(record);
      return this.#count(record);
    } finally {
      if (key !== null) this.#asked.delete(key);
    }
  }

  #count<T extends Answer>(record: T): T {
    const { questions, fromCache, withoutVerdict, requests, usage, cost } = this.#spent;
    const fresh = !record.cached;
    this.#spent = {
      questions: questions + 1,
      fromCache: fromCache + (fresh ? 0 : 1),
      withoutVerdict: withoutVerdict + (record.verdict === null ? 1 : 0),
      requests: requests + (fresh ? record.requests : 0),
      usage: fresh ? sumUsage(usage, record.usage) : usage,
      cost: fresh ? (cost === null || record.cost === null ? null : cost + record.cost) : cost,
    };
    return record;
  }
}
