import { describe, expect, it } from 'vitest';
import { askJudge, promptKey } from './ask.ts';
import { said, scripted, threeSteps } from './judge.test-kit.ts';
import { judgePrompt } from './prompts.ts';
import { readVerdict } from './reply.ts';

const run = threeSteps();
const plan = { kind: 'plan', run, step: null } as const;

describe('a reply', () => {
  const form = { verdicts: ['yes', 'no'] as const, steps: 3 };
  const read = (text: string) => readVerdict(text, form);

  it.each([
    said('no', { step: 2 }),
    `\n  ${said('no', { step: 2 })}\n`,
    `Here it is:\n\`\`\`json\n${said('no', { step: 2 })}\n\`\`\`\nThat is all.`,
    `\`\`\`\n${JSON.stringify(JSON.parse(said('no', { step: 2 })), null, 2)}\n\`\`\``,
  ])('is read bare or in a fenced block: %j', (text) => {
    expect(read(text)).toEqual({ verdict: 'no', confidence: 0.8, reason: 'because no', pointsTo: 2 });
  });

  it.each([
    ['', 'no JSON'],
    ['The plan is sensible: yes.', 'no JSON'],
    [`${said('yes')} as I said`, 'no JSON'],
    [`\`\`\`json\n${said('yes')}\n\`\`\`\n\`\`\`json\n${said('no')}\n\`\`\``, 'more than one'],
    ['["yes"]', 'no object'],
    [said('YES'), '"verdict"'],
    [said('maybe'), '"verdict"'],
    ['{"confidence": 0.5, "reason": "x"}', '"verdict"'],
    ['{"verdict": "yes", "confidence": "high", "reason": "x"}', '"confidence"'],
    [said('yes', { confidence: 1.2 }), '"confidence"'],
    ['{"verdict": "yes", "confidence": 0.5}', '"reason"'],
    ['{"verdict": "yes", "confidence": 0.5, "reason": " "}', '"reason"'],
    [said('no', { step: 3 }), '"step"'],
    [said('no', { step: 0.5 }), '"step"'],
  ])('that says %j is no verdict: %s', (text, problem) => {
    expect(read(text)).toEqual({ problem: expect.stringContaining(problem) });
  });
});

describe('a judge', () => {
  it('gives a record with who answered, under which prompt, at what price', async () => {
    const model = scripted(() => said('no', { step: 1 }));
    const costOf = ({
      inputTokens,
      outputTokens,
    }: {
      inputTokens: number | null;
      outputTokens: number | null;
    }) => (inputTokens ?? 0) + 5 * (outputTokens ?? 0);
    const record = await askJudge({ kind: 'choice', run, step: 1 }, { model, costOf });
    expect(record).toEqual({
      kind: 'choice',
      view: 'steps',
      run: run.name,
      step: 1,
      verdict: 'no',
      confidence: 0.8,
      reason: 'because no',
      pointsTo: 1,
      judge: 'openai:scripted',
      model: 'scripted-2031',
      promptVersion: 'judge-1',
      key: expect.stringMatching(/[0-9a-f]{64}$/u),
      usage: { inputTokens: 100, outputTokens: 10, cachedInputTokens: null },
      cost: 150,
      requests: 1,
      cached: false,
      fewShot: { examples: 0, share: 0 },
    });
    expect(model.sent).toEqual([expect.objectContaining({ temperature: 0, tools: [] })]);
  });

  it('is told once what is wrong with a reply, and both requests are paid for', async () => {
    const model = scripted((_, index) => (index === 0 ? 'It is fine.' : said('yes')));
    expect(await askJudge(plan, { model })).toMatchObject({
      verdict: 'yes',
      requests: 2,
      usage: { inputTokens: 200, outputTokens: 20 },
    });
    expect(model.sent[1]?.messages.slice(1)).toEqual([
      { role: 'assistant', text: 'It is fine.', calls: [] },
      { role: 'user', text: expect.stringContaining('no JSON object') },
    ]);
  });

  it.each([
    ['prose twice', () => 'yes, surely', 2, 'no JSON'],
    [
      'a reply that was cut off',
      () => ({ text: '{"verdict": "ye', finish: 'length' as const }),
      2,
      'cut off',
    ],
    ['nothing', () => '', 2, 'no JSON'],
    ['a refusal', () => ({ text: said('no'), finish: 'refusal' as const }), 1, 'refused'],
  ])('that gives %s gives no verdict', async (_, answer, requests, reason) => {
    const record = await askJudge(plan, { model: scripted(answer) });
    expect(record).toMatchObject({ verdict: null, confidence: null, requests });
    expect(record.reason).toContain(reason);
  });

  it('is not asked about a reply that there is not, but about an outcome', async () => {
    const model = scripted(() => said('no'));
    const silent = { ...run, reply: null, ended: 'no-answer' as const };
    const record = await askJudge({ kind: 'support', run: silent, step: null }, { model });
    expect(record).toMatchObject({ verdict: null, requests: 0, reason: expect.stringContaining('no reply') });
    expect(model.sent).toEqual([]);
    const outcome = { kind: 'support', view: 'outcome', run: silent, step: null } as const;
    expect(await askJudge(outcome, { model })).toMatchObject({ verdict: 'no', requests: 1 });
  });

  it('stores verdicts under prompt and model: another of either is another key', () => {
    const [one, other] = [scripted(() => ''), scripted(() => '', 'openai:other')];
    const keys = [
      promptKey(one, judgePrompt(plan)),
      promptKey(other, judgePrompt(plan)),
      promptKey(one, judgePrompt({ ...plan, kind: 'support' })),
      promptKey(one, judgePrompt(plan, { fewShot: 1 })),
      promptKey(one, judgePrompt(plan, { seed: 3 })),
    ];
    expect(new Set(keys).size).toBe(5);
    expect(promptKey(one, judgePrompt({ ...plan, run: threeSteps('another name') }))).toBe(keys[0]);
  });
});
