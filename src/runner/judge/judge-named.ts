import { UsageError } from '../../base/errors.ts';
import { type ChatModel, costOf, priceOf } from '../../llm/index.ts';
import { MOST_EXAMPLES } from '../../scoring/index.ts';
import { ownFailure } from '../agents/chat/failures.ts';
import { openModel } from '../agents/chat/opened-model.ts';
import type { ChatSettings } from '../agents/chat/settings.ts';
import { RunStop } from '../agents/chat/stop.ts';
import { Judge } from './judge.ts';
import type { SealedGuard } from './sealed-guard.ts';
import { VerdictCache } from './verdict-cache.ts';

interface NamedJudgeOptions {
  /** As for a model agent; 0 is the usual temperature of a judge, and steps are none of its business. */
  readonly chat: ChatSettings;
  /** JSONL of verdicts that were given before. */
  readonly cache: string | null;
  readonly fewShot: number;
  readonly guard: SealedGuard;
}

/** What a judge has in a folder of cassettes: one file, as its questions hang on no trial. */
const CASSETTE = 'judge';
/** All questions are put at once: without slots each of them would be a request at once, too. */
const USUAL_SLOTS = 4;
const PREFIX = 'chat:';

/**
 * The judge that `chat:SPEC` names.
 * @throws UsageError for settings that are none, ChatError without a key that is needed
 */
export async function judgeNamed(spec: string, options: NamedJudgeOptions): Promise<Judge> {
  const { chat, cache, fewShot, guard } = options;
  if (!spec.startsWith(PREFIX)) {
    throw new UsageError('unknown-judge', `${JSON.stringify(spec)} is no judge`, {
      hint: 'a judge is a chat model, such as chat:openai:gpt-4.1-mini',
    });
  }
  if (fewShot > MOST_EXAMPLES) {
    throw new UsageError('bad-option', `there are ${MOST_EXAMPLES} worked examples, not ${fewShot}`);
  }
  const opened = await openModel(spec.slice(PREFIX.length), { concurrency: USUAL_SLOTS, ...chat });
  const prices = opened.prices ?? new Map();
  // An outage ends the questions that wait, too.
  const model = refusing(new RunStop().watch(guard.watch(opened.model)));
  const cassette = opened.cassettes?.forTrial(CASSETTE, 0);
  const { temperature, seed, maxOutputTokens } = chat;
  return new Judge({
    model,
    settings: {
      fewShot,
      ...(temperature !== undefined && { temperature }),
      ...(seed !== undefined && { seed }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    },
    cache: new VerdictCache(cache),
    // Each question is a conversation of its own, which begins with turn 0.
    ...(cassette && { modelFor: () => cassette(model) }),
    costOf: (usage, answeredBy) => costOf(usage, priceOf(prices, [model.name, answeredBy])),
  });
}

/** A prompt that has outgrown the model, or that a filter refuses, is one without a verdict; others go on. */
function refusing(model: ChatModel): ChatModel {
  return {
    name: model.name,
    config: model.config,
    async complete(request, given) {
      try {
        return await model.complete(request, given);
      } catch (error) {
        const failure = ownFailure(error);
        if (failure === null) throw error;
        const usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: null };
        return { text: failure.message, calls: [], finish: 'refusal', usage, model: model.name };
      }
    },
  };
}
