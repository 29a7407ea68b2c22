import { describe, expect, it } from 'vitest';
import { askJudge } from './ask.ts';
import { said, scripted, textOf, threeSteps } from './judge.test-kit.ts';
import { type Ask, outcomeView, stepView, verdictOf } from './views.ts';

const run = threeSteps();

/** Answers by what stands in the question: `no` where a pattern fits, prose where `mute` does. */
function asking(no: RegExp, mute = /(?!)/u): { readonly ask: Ask; readonly sent: () => number } {
  const model = scripted((request) => {
    const text = textOf(request);
    if (mute.test(text)) return 'I cannot say.';
    return no.test(text) ? said('no', { confidence: 0.9 }) : said('yes', { confidence: 0.7 });
  });
  return { ask: (question) => askJudge(question, { model }), sent: () => model.sent.length };
}

describe('the step view', () => {
  it('asks for plan, every choice and the reply, and finds nothing where all is well', async () => {
    const { ask, sent } = asking(/(?!)/u);
    const judgement = await stepView(run, ask);
    expect(sent()).toBe(5);
    expect(judgement.records.map(({ kind, step }) => [kind, step])).toEqual([
      ['plan', null],
      ['choice', 0],
      ['choice', 1],
      ['choice', 2],
      ['support', null],
    ]);
    expect(judgement).toMatchObject({ faulty: false, step: null, reason: null });
    expect(judgement.confidence).toBeCloseTo(0.7);
  });

  it('names the first step whose choice is not defensible', async () => {
    const judgement = await stepView(run, asking(/that of step [12]\./u).ask);
    expect(judgement).toMatchObject({ faulty: true, step: 1, confidence: 0.9 });
    expect(verdictOf(judgement, 'r7')).toEqual({
      id: 'r7',
      judge: 'steps:openai:scripted',
      faulty: true,
      step: 1,
      kind: null,
      confidence: 0.9,
    });
  });

  it('is open where an answer is missing, unless another one says no', async () => {
    const open = await stepView(run, asking(/(?!)/u, /that of step 2\./u).ask);
    expect(open).toMatchObject({
      faulty: null,
      confidence: null,
      reason: expect.stringContaining('no JSON'),
    });
    expect(verdictOf(open, 'r7')).toBeNull();
    const decided = await stepView(run, asking(/that of step 0\./u, /that of step 2\./u).ask);
    expect(decided).toMatchObject({ faulty: true, step: 0 });
  });

  it('names the place behind the last step where the reply is not supported, and none for the plan', async () => {
    const reply = await stepView(run, asking(/is the reply supported/u).ask);
    expect(reply).toMatchObject({ faulty: true, step: 3 });
    const plan = await stepView(run, asking(/is the plan behind/u).ask);
    expect(plan).toMatchObject({ faulty: true, step: null });
  });

  it('leaves the reply out where there is none', async () => {
    const { ask, sent } = asking(/(?!)/u);
    expect(await stepView({ ...run, reply: null, ended: 'no-answer' }, ask)).toMatchObject({ faulty: false });
    expect(sent()).toBe(4);
  });
});

it('the outcome view asks once, and names no step', async () => {
  const { ask, sent } = asking(/the-reply/u);
  expect(await outcomeView(run, ask)).toMatchObject({ view: 'outcome', faulty: true, step: null });
  expect(sent()).toBe(1);
});
