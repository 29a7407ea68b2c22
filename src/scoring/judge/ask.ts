import { digestJson } from '../../base/digest.ts';
import type { Json } from '../../base/json.ts';
import type { ChatMessage, ChatModel, ChatReply, ChatUsage } from '../../llm/types.ts';
import { type JudgePrompt, judgePrompt, PROMPT_VERSION } from './prompts.ts';
import { type ReadVerdict, readVerdict } from './reply.ts';
import type { JudgeQuestion, JudgeRecord, JudgeSettings } from './types.ts';

/** What an answer costs, and who gives it. */
export interface Asking {
  readonly model: ChatModel;
  readonly settings?: JudgeSettings;
  /** In some currency; null where the model has no price. */
  readonly costOf?: (usage: ChatUsage, answeredBy: string) => number | null;
}

const NO_USAGE: ChatUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: null };

/** What a verdict is stored under: the same prompt to the same model configuration has the same key. */
export function promptKey(model: ChatModel, { request }: JudgePrompt): string {
  return digestJson({
    promptVersion: PROMPT_VERSION,
    model: model.config,
    request: request as unknown as Json,
  });
}

/**
 * Asks a judge one question. A reply that cannot be read is sent back once with what is wrong; then there is
 * no verdict.
 * @throws ChatError where the model gives no reply
 */
export async function askJudge(question: JudgeQuestion, asking: Asking): Promise<JudgeRecord> {
  const { model, settings } = asking;
  const { kind, view = 'steps', run, step } = question;
  const about = { kind, view, run: run.name, step: kind === 'choice' ? step : null };
  // Whoever sees the outcome alone also judges that there is none.
  if (kind === 'support' && view === 'steps' && run.reply === null) {
    const reason = 'the run has no reply that could be supported';
    return { ...about, ...nothingAsked(model.name), verdict: null, confidence: null, reason, pointsTo: null };
  }
  const prompt = judgePrompt(question, settings);
  const form = { verdicts: ['yes', 'no'] as const, steps: run.calls.length };
  return { ...about, ...(await askPrompt(prompt, { ...asking, form })) };
}

function nothingAsked(judge: string) {
  return {
    judge,
    model: null,
    promptVersion: PROMPT_VERSION,
    key: null,
    usage: NO_USAGE,
    cost: 0,
    requests: 0,
    cached: false,
    fewShot: { examples: 0, share: 0 },
  } as const;
}

interface FormAsking<Verdict extends string> extends Asking {
  readonly form: { readonly verdicts: readonly Verdict[]; readonly steps: number };
}

/** Asks with a prompt that is put together already. */
export async function askPrompt<Verdict extends string>(
  prompt: JudgePrompt,
  { model, costOf, form }: FormAsking<Verdict>,
) {
  const first = await model.complete(prompt.request);
  let answer = answerOf(first, form);
  const replies = [first];
  if ('problem' in answer && first.finish !== 'refusal') {
    const messages = [...prompt.request.messages, ...askedAgain(first, answer.problem)];
    const second = await model.complete({ ...prompt.request, messages });
    replies.push(second);
    answer = answerOf(second, form);
  }
  const usage = replies.map((reply) => reply.usage).reduce(sumUsage, NO_USAGE);
  const { model: answeredBy } = replies.at(-1) ?? first;
  return {
    ...('problem' in answer
      ? { verdict: null, confidence: null, reason: answer.problem, pointsTo: null }
      : answer),
    judge: model.name,
    model: answeredBy,
    promptVersion: PROMPT_VERSION,
    key: promptKey(model, prompt),
    usage,
    cost: costOf?.(usage, answeredBy) ?? null,
    requests: replies.length,
    cached: false,
    fewShot: prompt.fewShot,
  };
}

function answerOf<Verdict extends string>(
  { text, finish }: ChatReply,
  form: { readonly verdicts: readonly Verdict[]; readonly steps: number },
): ReadVerdict<Verdict> | { readonly problem: string } {
  if (finish === 'refusal') {
    return { problem: `the model refused to judge${text.trim() === '' ? '' : `: ${text.trim()}`}` };
  }
  const answer = readVerdict(text, form);
  if (finish !== 'length' || !('problem' in answer)) return answer;
  return { problem: 'the reply was cut off before its end' };
}

function askedAgain({ text }: ChatReply, problem: string): ChatMessage[] {
  return [
    // Some endpoints take no empty message.
    { role: 'assistant', text: text.trim() === '' ? '(nothing)' : text, calls: [] },
    {
      role: 'user',
      text: `Your answer could not be read: ${problem}. Give the JSON object alone, in the form that was asked for.`,
    },
  ];
}

/** Tokens of two exchanges; null as soon as one was not counted. */
export function sumUsage(left: ChatUsage, right: ChatUsage): ChatUsage {
  const sum = (one: number | null, other: number | null): number | null =>
    one === null || other === null ? null : one + other;
  const { cachedInputTokens: before } = left;
  const { cachedInputTokens: after } = right;
  return {
    inputTokens: sum(left.inputTokens, right.inputTokens),
    outputTokens: sum(left.outputTokens, right.outputTokens),
    // Providers that have no cache say nothing of it: what one of the two said stands.
    cachedInputTokens: before === null && after === null ? null : (before ?? 0) + (after ?? 0),
  };
}
