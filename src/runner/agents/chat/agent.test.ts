import { describe, expect, it } from 'vitest';
import type { Json } from '../../../base/json.ts';
import { ChatError, type ChatModel, type ChatReply, type ChatRequest } from '../../../llm/index.ts';
import type { AgentRun, AgentTask, HistoryEntry } from '../../types.ts';
import { chatAgent, type LoopSettings } from './agent.ts';

const TASK: AgentTask = {
  scenario: 'case-17',
  trial: 0,
  seed: 'f00d',
  text: 'When was order 10280 delivered?',
  intent: { kind: 'lookup-only' },
  policy: 'Be kind.',
  tools: [
    { name: 'look', description: 'Looks.', inputSchema: { type: 'object' }, effect: 'read' },
    { name: 'pay', description: 'Pays.', inputSchema: { type: 'object' }, effect: 'write' },
  ],
  conversational: false,
  now: '2026-01-05T09:00:00.000Z',
};
const CHAT: AgentTask = { ...TASK, conversational: true };

const USAGE = { inputTokens: 10, outputTokens: 3, cachedInputTokens: 4 };
type Turn = Partial<ChatReply> | ChatError;

function calling(...calls: readonly (readonly [name: string, text: string])[]): Turn {
  const made = calls.map(([name, text], index) => ({ id: `id-${index}`, name, arguments: text }));
  return { calls: made, finish: 'tool-calls' };
}

/** A run with a model that gives these turns, and what it was asked. */
function start(
  turns: readonly Turn[],
  { task = TASK, ...settings }: Partial<LoopSettings> & { readonly task?: AgentTask } = {},
): { readonly run: AgentRun; readonly asked: ChatRequest[] } {
  const asked: ChatRequest[] = [];
  const model: ChatModel = {
    name: 'openai:tiny',
    config: { model: 'tiny' },
    complete: (request) => {
      const turn = turns[asked.length];
      asked.push(request);
      if (turn instanceof ChatError) return Promise.reject(turn);
      const usual = { text: '', calls: [], finish: 'stop', usage: USAGE, model: 'tiny-1' } as const;
      return Promise.resolve({ ...usual, ...turn });
    },
  };
  const all = { maxOutputTokens: 500, maxSteps: 9, ...settings };
  const agent = chatAgent(model, all, { modelFor: () => model, costOf: () => 0.25 });
  return { run: agent.start(task) as AgentRun, asked };
}

function made(tool: string, result: Partial<HistoryEntry & { type: 'call' }>['result'], input: Json = {}) {
  return { type: 'call', call: { tool, arguments: input }, result } as HistoryEntry;
}

const fine = { ok: true, status: 200, body: { total: 5 } };

describe('the loop of a model', () => {
  it('asks for one action at a time, and keeps its transcript', async () => {
    const { run, asked } = start([
      calling(['look', '{"id": 1}'], ['pay', '{"id": 2}']),
      { text: 'On the 20th.' },
    ]);
    const history: HistoryEntry[] = [];
    expect(await run.next(history)).toEqual({
      type: 'calls',
      calls: [
        { tool: 'look', arguments: { id: 1 } },
        { tool: 'pay', arguments: { id: 2 } },
      ],
    });
    history.push(made('look', fine), made('pay', { ok: false, status: 404, body: { code: 'none' } }));
    expect(await run.next(history)).toEqual({ type: 'answer', text: 'On the 20th.' });
    expect(asked[1]?.messages).toEqual([
      { role: 'user', text: TASK.text },
      {
        role: 'assistant',
        text: '',
        calls: [
          { id: 'id-0', name: 'look', arguments: '{"id": 1}' },
          { id: 'id-1', name: 'pay', arguments: '{"id": 2}' },
        ],
      },
      {
        role: 'tool',
        results: [
          { id: 'id-0', name: 'look', text: '{"total":5}', isError: false },
          { id: 'id-1', name: 'pay', text: 'Status 404: {"code":"none"}', isError: true },
        ],
      },
    ]);
    expect(run.usage?.()).toEqual({
      cost: 0.5,
      inputTokens: 20,
      outputTokens: 6,
      cachedInputTokens: 8,
      turns: 2,
      model: 'tiny-1',
    });
  });

  it('tells policy, time and task, and nothing that gives the case away', async () => {
    for (const task of [TASK, CHAT]) {
      const { run, asked } = start([{ text: 'Done.' }], { task });
      await run.next([{ type: 'user', text: 'Hello.' }]);
      const [request] = asked;
      for (const part of ['Be kind.', TASK.now]) expect(request?.system).toContain(part);
      expect(JSON.stringify(request)).toContain(TASK.text);
      expect(JSON.stringify(request)).not.toMatch(/case-17|f00d|lookup-only|intent|effect/u);
    }
  });

  it('takes up a history that it has not lived through, with call ids of its own making', async () => {
    const { run, asked } = start([{ text: 'So it was.' }, { text: 'And so.' }]);
    await run.next([made('look', fine, { id: 1 })]);
    await run.next([made('pay', { ok: true, status: 201, body: null }, { id: 9 })]);
    expect(asked.map(({ messages }) => messages.slice(1))).toEqual(
      [
        ['look', '{"id":1}', '{"total":5}'],
        ['pay', '{"id":9}', 'null'],
      ].map(([name, text, result]) => [
        { role: 'assistant', text: '', calls: [{ id: 'call-0', name, arguments: text }] },
        { role: 'tool', results: [{ id: 'call-0', name, text: result, isError: false }] },
      ]),
    );
  });

  it('gives each call an id of its own where the server gives none, or one twice', async () => {
    const same = { id: '', name: 'look', arguments: '{}' };
    const { run, asked } = start([{ calls: [same, same] }, { calls: [same] }, { text: 'Done.' }]);
    const history: HistoryEntry[] = [];
    await run.next(history);
    history.push(made('look', fine), made('look', fine));
    await run.next(history);
    history.push(made('look', fine));
    await run.next(history);
    const ids = asked[2]?.messages.flatMap((message) =>
      message.role === 'tool' ? message.results.map(({ id }) => id) : [],
    );
    expect(new Set(ids).size).toBe(3);
  });

  it('sets temperature and seed, another seed for each trial, and says what was not taken', async () => {
    const settings = { temperature: 0.5, seed: 40, task: { ...TASK, trial: 2 } };
    const { run, asked } = start([{ text: 'Done.', ignored: ['seed'] }], settings);
    await run.next([]);
    expect(asked[0]).toMatchObject({ temperature: 0.5, seed: 42, maxOutputTokens: 500 });
    expect(run.usage?.()).toMatchObject({ ignored: ['seed'] });
  });
});

describe('what a model does wrong', () => {
  it('goes out as it came: arguments that are no JSON, tools that there are not', async () => {
    const { run, asked } = start([calling(['look', '{"id": '], ['sky.fly', '']), { text: 'Sorry.' }]);
    const history: HistoryEntry[] = [];
    const action = await run.next(history);
    expect(action).toEqual({
      type: 'calls',
      calls: [
        { tool: 'look', malformed: '{"id": ' },
        { tool: 'sky.fly', arguments: {} },
      ],
    });
    const refused = { ok: false, status: 400, body: { code: 'bad' } };
    history.push(
      { type: 'call', call: { tool: 'look', malformed: '{"id": ' }, result: refused },
      made('sky.fly', { ok: false, status: 404, body: { code: 'no such tool' } }),
    );
    await run.next(history);
    const told = JSON.stringify(asked[1]?.messages.at(-1));
    expect(told).toContain('could not be read as JSON. Status 400');
    // Providers refuse a request with a name that no tool could have.
    expect(told).toContain('"name":"sky_fly"');
  });

  it.each([
    ['a refusal', { text: 'I will not.', finish: 'refusal' }, 'I will not.', 'the model refused'],
    [
      'an answer that was cut off',
      { text: 'It was on', finish: 'length' },
      'It was on',
      'the answer was cut off after 500 output tokens',
    ],
  ] as const)('%s is its answer, and the detail says so', async (_name, turn, text, detail) => {
    const { run } = start([turn]);
    expect(await run.next([])).toEqual({ type: 'answer', text, detail });
  });

  it('an empty reply is told once; two in a row, or one that was cut off, end the trial', async () => {
    const once = start([{}, { text: 'Done.' }]);
    expect(await once.run.next([])).toEqual({ type: 'answer', text: 'Done.' });
    expect(JSON.stringify(once.asked[1]?.messages.at(-1))).toContain('Your reply was empty');
    await expect(start([{}, {}]).run.next([])).rejects.toThrow('two empty replies in a row');
    await expect(start([{ finish: 'length' }]).run.next([])).rejects.toThrow('before it wrote anything');
  });

  it('ends after so many turns', async () => {
    const { run } = start([calling(['look', '{}'])], { maxSteps: 1 });
    const history: HistoryEntry[] = [];
    await run.next(history);
    history.push(made('look', fine));
    await expect(run.next(history)).rejects.toThrow('no final answer in 1 turn (--max-steps)');
  });

  it('answers for a conversation that outgrew it, and for nothing else that a request fails by', async () => {
    const outgrown = new ChatError('bad-request', "this model's maximum context length is 8192 tokens");
    await expect(start([outgrown]).run.next([])).rejects.toMatchObject({ reason: 'agent-stopped' });
    const unknown = new ChatError('bad-request', 'temperature is not supported');
    await expect(start([unknown]).run.next([])).rejects.toBe(unknown);
  });
});

describe('results that did not come as they should', () => {
  it.each([
    ['lost', { ok: false, status: 504, body: null, lost: true }, 'No answer came in time: the call may have'],
    ['reset', { ok: false, status: 504, body: null, lost: true, reset: true }, 'The connection broke before'],
    [
      'broken',
      { ok: false, status: 201, body: '{"id"', broken: true },
      '(status 201). What is left of it: {"id"',
    ],
    ['empty', { ok: false, status: 201, body: '', broken: true }, 'What is left of it: nothing'],
  ])('%s: told in words', async (_name, result, words) => {
    const { run, asked } = start([calling(['pay', '{}']), { text: 'Done.' }]);
    const history: HistoryEntry[] = [];
    await run.next(history);
    history.push(made('pay', result));
    await run.next(history);
    const last = asked[1]?.messages.at(-1);
    expect(last?.role === 'tool' && last.results[0]).toMatchObject({
      text: expect.stringContaining(words) as string,
      isError: true,
    });
  });
});

describe('in a conversation', () => {
  const opening: HistoryEntry = { type: 'user', text: 'Hello?' };

  it('what the model writes is said, and the tool finish ends it', async () => {
    const { run, asked } = start(
      [{ text: 'Your address?' }, calling(['finish', '{"answer": "Told her."}'])],
      { task: CHAT },
    );
    const history: HistoryEntry[] = [opening];
    expect(await run.next(history)).toEqual({ type: 'say', text: 'Your address?' });
    history.push({ type: 'say', text: 'Your address?' }, { type: 'user', text: 'a@b.c' });
    expect(await run.next(history)).toEqual({ type: 'answer', text: 'Told her.' });
    expect(asked[0]?.tools.at(-1)?.name).toBe('finish');
    expect(asked[1]?.messages).toEqual([
      { role: 'user', text: 'Hello?' },
      { role: 'assistant', text: 'Your address?', calls: [] },
      { role: 'user', text: 'a@b.c' },
    ]);
  });

  it('calls of the turn that ends it are made first', async () => {
    const { run, asked } = start([calling(['finish', '{"answer": "Paid."}'], ['pay', '{}'])], { task: CHAT });
    const history: HistoryEntry[] = [opening];
    expect(await run.next(history)).toEqual({ type: 'calls', calls: [{ tool: 'pay', arguments: {} }] });
    history.push(made('pay', fine));
    expect(await run.next(history)).toEqual({ type: 'answer', text: 'Paid.' });
    expect(asked).toHaveLength(1);
  });

  it('an end that says nothing is told, and a user who says nothing more', async () => {
    const { run, asked } = start(
      [{ text: 'Bye.' }, calling(['finish', '{']), calling(['finish', '{"answer": "Bye."}'])],
      { task: CHAT },
    );
    const history: HistoryEntry[] = [opening];
    await run.next(history);
    history.push({ type: 'say', text: 'Bye.' });
    expect(await run.next(history)).toEqual({ type: 'answer', text: 'Bye.' });
    expect(JSON.stringify(asked[1]?.messages.at(-1))).toContain('The user says nothing more');
    expect(JSON.stringify(asked[2]?.messages.at(-1))).toContain('could not be read');
  });

  it('the tool that ends it never takes the name of another', async () => {
    const own = { ...CHAT.tools[0], name: 'finish' } as AgentTask['tools'][number];
    const { run, asked } = start([{ text: 'Hi.' }], { task: { ...CHAT, tools: [own] } });
    await run.next([opening]);
    expect(asked[0]?.tools.map(({ name }) => name)).toEqual(['finish', 'finish_conversation']);
  });
});
