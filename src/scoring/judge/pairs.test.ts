import { describe, expect, it } from 'vitest';
import { type ScriptedModel, said, scripted, textOf, threeSteps } from './judge.test-kit.ts';
import { askPair, familyOf, judgePair, pairHabits, pairPrompt, type WeighedPair } from './pairs.ts';
import type { JudgedRun } from './types.ts';

const named = (name: string, reply = `reply-${name}`): JudgedRun => ({ ...threeSteps(name), reply });
const [left, right] = [named('left'), named('right')];

/** Answers by which of the replies stands first in the prompt. */
function reading(answer: (firstReply: string) => string): ScriptedModel {
  return scripted(({ messages }) => {
    const asked = messages.at(-1);
    const shown = asked !== undefined && 'text' in asked ? asked.text : '';
    return said(answer(/"reply":"(.*?)"/u.exec(shown)?.[1] ?? ''));
  });
}

async function judged(model: ScriptedModel, kind: 'plan' | 'support' = 'support') {
  return await judgePair({ kind, first: left, second: right }, (question) => askPair(question, { model }));
}

describe('a pair', () => {
  it('is asked in both orders, and won by the run that wins both', async () => {
    const model = reading((first) => (first === 'reply-left' ? 'first' : 'second'));
    expect(await judged(model)).toMatchObject({ winner: 'first', consistent: true, first: 'left' });
    expect(model.sent).toHaveLength(2);
    const [one, other] = model.sent.map(textOf);
    expect(one?.indexOf('reply-left')).toBeLessThan(one?.indexOf('reply-right') ?? 0);
    expect(other?.indexOf('reply-right')).toBeLessThan(other?.indexOf('reply-left') ?? 0);
  });

  it('is a tie where the judge takes whichever stands first', async () => {
    const judgement = await judged(reading(() => 'first'));
    expect(judgement).toMatchObject({ winner: 'tie', consistent: false });
    expect(judgement.records.map(({ first, verdict }) => [first, verdict])).toEqual([
      ['left', 'first'],
      ['right', 'first'],
    ]);
  });

  it('is a tie where one order says so, and open where one gives no verdict', async () => {
    const half = reading((first) => (first === 'reply-left' ? 'first' : 'tie'));
    expect(await judged(half)).toMatchObject({ winner: 'tie', consistent: false });
    const mute = reading((first) => (first === 'reply-left' ? 'first' : 'neither'));
    expect(await judged(mute)).toMatchObject({ winner: null, consistent: null });
  });

  it('shows neither name of the runs, and replies for support alone', () => {
    const prompt = (kind: 'plan' | 'support') =>
      textOf(pairPrompt({ kind, first: left, second: right }).request);
    expect(prompt('plan')).not.toMatch(/reply-left|"left"/u);
    expect(prompt('support')).toContain('reply-left');
  });

  it('takes worked examples, one for each slot', () => {
    const { request, fewShot } = pairPrompt({ kind: 'plan', first: left, second: right }, { fewShot: 2 });
    const replies = request.messages.flatMap((message) =>
      message.role === 'assistant' ? [message.text] : [],
    );
    expect(replies.map((text) => (JSON.parse(text) as { verdict: string }).verdict)).toEqual([
      'second',
      'first',
    ]);
    expect(fewShot).toMatchObject({ examples: 2 });
    expect(fewShot.share).toBeGreaterThan(0.3);
  });
});

describe('habits of a judge', () => {
  const weighed = async (
    answer: (first: string) => string,
    instance: string,
    more: Partial<Pick<WeighedPair, 'lengths' | 'models'>> = {},
  ): Promise<WeighedPair> => ({
    judgement: await judged(reading(answer)),
    instance,
    lengths: [100, 200],
    models: [null, null],
    ...more,
  });
  const leftWins = (first: string): string => (first === 'reply-left' ? 'first' : 'second');
  const rightWins = (first: string): string => (first === 'reply-left' ? 'second' : 'first');

  it('are counted over both orders and over pairs that are won', async () => {
    const pairs = [
      await weighed(leftWins, 'a'),
      await weighed(rightWins, 'b'),
      await weighed(rightWins, 'c', { lengths: [50, 50] }),
      await weighed(() => 'first', 'd'),
      await weighed(() => 'nonsense', 'e'),
    ];
    const habits = pairHabits(pairs);
    expect(habits).toMatchObject({ pairs: 5, unjudged: 1 });
    // Three of four pairs say the same in both orders.
    expect(habits.consistency.value).toBeCloseTo(3 / 4);
    // Each consistent pair has one verdict for the first slot, the swayed one two: 3 + 2 of 8.
    expect(habits.firstSlot.value).toBeCloseTo(5 / 8);
    // Of the two pairs that are won and differ in length one is won by the longer run.
    expect(habits.longer.value).toBeCloseTo(1 / 2);
    expect(habits.ownFamily).toEqual({ value: null, reason: expect.stringContaining('own family') });
  });

  it('tell whether the run of the own family wins', async () => {
    const own = (pair: WeighedPair): WeighedPair => ({
      ...pair,
      judgement: {
        ...pair.judgement,
        records: [{ ...pair.judgement.records[0], model: 'gpt-4.1-mini' }, pair.judgement.records[1]],
      },
    });
    const models = ['chat:openai:gpt-4o', 'anthropic:claude-opus-4'] as const;
    const pairs = [
      own(await weighed(leftWins, 'a', { models })),
      own(await weighed(leftWins, 'b', { models })),
      own(await weighed(rightWins, 'c', { models })),
      own(await weighed(rightWins, 'd', { models: ['openai:gpt-4o', 'openai:gpt-5'] })),
    ];
    expect(pairHabits(pairs).ownFamily.value).toBeCloseTo(2 / 3);
  });

  it('of no pair are undefined, each with its reason', () => {
    const { consistency, firstSlot, longer } = pairHabits([]);
    for (const figure of [consistency, firstSlot, longer]) {
      expect(figure).toEqual({ value: null, reason: expect.any(String) });
    }
  });

  it.each([
    ['openai:gpt-4.1-mini', 'openai'],
    ['o3-mini', 'openai'],
    ['anthropic:claude-sonnet-4', 'anthropic'],
    ['openai:qwen2.5:14b', 'qwen'],
    ['openai:llama3.1:8b', 'meta'],
    ['openai:meta-llama/Llama-3-8b', 'meta'],
    ['mixtral-8x7b', 'mistral'],
    ['openai:tiny', null],
  ])('the family of %s is %s', (model, family) => {
    expect(familyOf(model)).toBe(family);
  });
});
