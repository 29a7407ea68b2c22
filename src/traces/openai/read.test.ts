import { describe, expect, it } from 'vitest';
import { readTraces } from '../index.ts';

const read = (value: unknown) => readTraces('trace.json', JSON.stringify(value));
const lines = (...values: unknown[]) =>
  readTraces('trace.jsonl', values.map((value) => JSON.stringify(value)).join('\n'));
const asks = (id: string, name: string, args: string) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const lossesOf = (run: { losses: readonly { kind: string; count: number }[] } | undefined) =>
  Object.fromEntries((run?.losses ?? []).map(({ kind, count }) => [kind, count]));

const TALK = [
  { role: 'system', content: 'be kind' },
  { role: 'user', content: 'Refund order 7.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [asks('a', 'lookup', '{"order":7}'), asks('b', 'policy', '{}')],
  },
  { role: 'tool', tool_call_id: 'b', content: '{"days": 30}' },
  { role: 'tool', tool_call_id: 'a', content: 'order 7: 20.00' },
  { role: 'assistant', tool_calls: [asks('c', 'refund', '{"order": 7')] },
  { role: 'tool', tool_call_id: 'c', content: 'bad arguments' },
  { role: 'assistant', content: 'It did not work.' },
];

describe('chat messages', () => {
  it('gives calls, results by id, turns, task, messages and answer', () => {
    const [run] = read(TALK);
    expect(run?.format).toBe('openai-chat');
    expect(
      run?.calls.map(({ tool, turn, arguments: given, result }) => [tool, turn, given, result?.value]),
    ).toEqual([
      ['lookup', 'turn-2', { kind: 'json', value: { order: 7 } }, 'order 7: 20.00'],
      ['policy', 'turn-2', { kind: 'json', value: {} }, { days: 30 }],
      ['refund', 'turn-5', { kind: 'malformed', text: '{"order": 7' }, 'bad arguments'],
    ]);
    expect(run?.task).toBe('Refund order 7.');
    expect(run?.end).toEqual({ kind: 'answer', text: 'It did not work.' });
    expect(lossesOf(run)).toEqual({ 'arguments-malformed': 1, 'error-not-told': 3 });
  });

  it.each([
    ['an object with messages', () => read({ messages: TALK, temperature: 0 }), ['1']],
    ['a list of runs', () => read([{ messages: TALK }, TALK]), ['[0]', '[1]']],
    ['a run a line', () => lines({ messages: TALK }, { messages: TALK }), ['line 1', 'line 2']],
    ['a message a line', () => lines(...TALK), ['1']],
  ] as const)('is found in %s', (_what, runs, names) => {
    expect(runs().map(({ name, calls }) => [name, calls.length])).toEqual(names.map((name) => [name, 3]));
  });

  it('tells arguments that are not there from empty ones', () => {
    const call = { id: 'a', type: 'function', function: { name: 'lookup' } };
    const [run] = read([{ role: 'assistant', tool_calls: [call] }]);
    expect(run?.calls[0]?.arguments).toEqual({ kind: 'not-captured' });
    expect(lossesOf(run)).toEqual({ 'arguments-not-captured': 1, 'call-without-result': 1 });
    expect(run?.end.kind).toBe('no-answer');
  });

  it('pairs the deprecated form by name', () => {
    const [run] = read([
      { role: 'assistant', content: null, function_call: { name: 'lookup', arguments: '{"order":1}' } },
      { role: 'function', name: 'lookup', content: 'one' },
      { role: 'assistant', content: null, function_call: { name: 'lookup', arguments: '{"order":2}' } },
      { role: 'function', name: 'lookup', content: 'two' },
      { role: 'function', name: 'other', content: 'three' },
    ]);
    expect(run?.calls.map(({ result }) => result?.value)).toEqual(['one', 'two']);
    expect(lossesOf(run)['result-without-call']).toBe(1);
  });

  it('reads flags of errors where a dialect has them, and custom tools', () => {
    const custom = { id: 'b', type: 'custom', custom: { name: 'sql', input: 'select 1' } };
    const [run] = read([
      { role: 'assistant', tool_calls: [asks('a', 'lookup', '{}'), custom] },
      { role: 'tool', tool_call_id: 'a', content: 'no', error: true },
      { role: 'tool', tool_call_id: 'b', content: '1', status: 'success' },
      { role: 'user', content: '###STOP###' },
    ]);
    expect(run?.calls.map(({ failed, arguments: given }) => [failed, given])).toEqual([
      [true, { kind: 'json', value: {} }],
      [false, { kind: 'json', value: 'select 1' }],
    ]);
    expect(run?.end.kind).toBe('user-ended');
  });

  it('counts parts that it does not read', () => {
    const [run] = read([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look:' },
          { type: 'image_url', image_url: {} },
        ],
        mood: 1,
      },
      { role: 'assistant', content: [{ type: 'hologram' }], tool_calls: [{ id: 'a' }] },
    ]);
    expect(run?.task).toBe('Look:');
    expect(lossesOf(run)).toEqual({ 'content-not-text': 1, 'unknown-content': 2, 'field-ignored': 1 });
  });

  it('reads a body with its usage, one run a choice', () => {
    const choice = (content: string, finish_reason: string) => ({
      finish_reason,
      message: { role: 'assistant', content },
    });
    const runs = read({
      object: 'chat.completion',
      choices: [choice('Yes.', 'stop'), choice('Y', 'length')],
      usage: { prompt_tokens: 5, completion_tokens: 2 },
    });
    expect(runs.map(({ end }) => end.kind)).toEqual(['answer', 'no-answer']);
    expect(runs[0]?.usage).toEqual({ inputTokens: 5, outputTokens: 2 });
  });
});

describe('response items', () => {
  const call = (call_id: string, args: string) => ({
    type: 'function_call',
    call_id,
    name: 'lookup',
    arguments: args,
  });
  const said = (text: string) => ({
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text }],
  });

  it('gives calls, their outputs and the answer', () => {
    const [run] = read([
      { role: 'user', content: 'Where is 7?' },
      { type: 'reasoning', summary: [] },
      call('a', '{"order":7}'),
      call('b', '{"order":8}'),
      { type: 'function_call_output', call_id: 'a', output: 'here' },
      { type: 'function_call_output', call_id: 'z', output: 'stray' },
      said('Here.'),
    ]);
    expect(run?.calls.map(({ turn, result, failed }) => [turn, result?.value, failed])).toEqual([
      ['turn-2', 'here', null],
      ['turn-2', undefined, null],
    ]);
    expect(run?.end).toEqual({ kind: 'answer', text: 'Here.' });
    expect(lossesOf(run)).toMatchObject({ 'call-without-result': 1, 'result-without-call': 1 });
  });

  it("reads hosted tools, MCP calls with their errors, approvals and an item's own status", () => {
    const [run] = read({
      object: 'response',
      status: 'completed',
      output: [
        { type: 'mcp_approval_request', id: 'r', name: 'pay', arguments: '{}' },
        { type: 'mcp_call', id: 'm', name: 'pay', arguments: '{"sum":1}', error: 'no funds', output: null },
        { type: 'web_search_call', id: 'w', status: 'completed', action: { type: 'search', query: 'q' } },
        { type: 'shell_call', call_id: 's', action: { commands: ['sleep 9'] } },
        { type: 'shell_call_output', call_id: 's', output: [{ outcome: { type: 'timeout' }, stdout: '' }] },
        { type: 'teleport', id: 't' },
        said('Done.'),
      ],
    });
    expect(run?.calls.map(({ tool, failed, result }) => [tool, failed, result !== null])).toEqual([
      ['pay', true, true],
      ['web_search', false, false],
      ['shell', true, true],
    ]);
    expect(lossesOf(run)).toEqual({ 'call-not-made': 1, 'unknown-content': 1, 'call-without-result': 1 });
  });

  it('gives a result without an id to the first open call of its name', () => {
    const [run] = read([
      { type: 'tool_search_call', id: 't1', call_id: null, arguments: { query: 'a' } },
      { type: 'tool_search_output', call_id: null, output: 'found' },
      { type: 'computer_call', call_id: 'c', actions: [{ type: 'click' }] },
      said('Done.'),
    ]);
    expect(run?.calls.map(({ tool, arguments: given, result }) => [tool, given.kind, result?.value])).toEqual(
      [
        ['tool_search', 'json', 'found'],
        ['computer', 'json', undefined],
      ],
    );
  });

  it('joins bodies that continue each other', () => {
    const body = (id: string, before: string | null, output: unknown[], input: unknown[] = []) => ({
      id,
      object: 'response',
      previous_response_id: before,
      input,
      output,
      usage: { input_tokens: 1, output_tokens: 1 },
    });
    const runs = lines(
      body('one', null, [call('a', '{}')]),
      body('other', null, [said('Hello.')]),
      body('two', 'one', [said('Found.')], [{ type: 'function_call_output', call_id: 'a', output: '7' }]),
    );
    expect(runs.map(({ calls, end }) => [calls.length, calls[0]?.result?.value, end])).toEqual([
      [1, '7', { kind: 'answer', text: 'Found.' }],
      [0, undefined, { kind: 'answer', text: 'Hello.' }],
    ]);
    expect(runs[0]?.usage.inputTokens).toBe(2);
  });

  it('does not say how a run ended of which it has one response', () => {
    expect(read({ object: 'response', output: [call('a', '{}')] })[0]?.end.kind).toBe('unknown');
    const cut = {
      object: 'response',
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    };
    expect(read({ ...cut, output: [said('So')] })[0]?.end).toEqual({
      kind: 'no-answer',
      detail: 'the response is incomplete: max_output_tokens',
    });
  });
});
