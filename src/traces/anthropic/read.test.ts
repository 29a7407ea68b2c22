import { describe, expect, it } from 'vitest';
import { readTraces } from '../index.ts';

const read = (value: unknown) => readTraces('trace.json', JSON.stringify(value));
const use = (id: string, name: string, input: unknown, type = 'tool_use') => ({ type, id, name, input });
const result = (id: string, content: unknown, rest: object = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...rest,
});
const text = (words: string) => ({ type: 'text', text: words });
const kinds = (run: { losses: readonly { kind: string; count: number }[] } | undefined) =>
  Object.fromEntries((run?.losses ?? []).map(({ kind, count }) => [kind, count]));

describe('Anthropic messages', () => {
  it('gives calls with their flags, turns and the answer', () => {
    const [run] = read([
      { role: 'user', content: 'Refund order 7.' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: '…' },
          text('Let me see.'),
          use('a', 'lookup', { order: 7 }),
          use('b', 'policy', {}),
        ],
      },
      {
        role: 'user',
        content: [result('a', [text('{"sum": 20}')]), result('b', 'gone', { is_error: true })],
      },
      { role: 'assistant', content: [text('Order 7 '), text('costs 20.')] },
    ]);
    expect(run?.format).toBe('anthropic');
    expect(run?.calls.map(({ tool, turn, failed, result: got }) => [tool, turn, failed, got?.value])).toEqual(
      [
        ['lookup', 'turn-1.0', false, { sum: 20 }],
        ['policy', 'turn-1.0', true, 'gone'],
      ],
    );
    expect(run?.end).toEqual({ kind: 'answer', text: 'Order 7 costs 20.' });
    expect(run?.messages.map(({ afterCall, role }) => [afterCall, role])).toEqual([
      [0, 'user'],
      [0, 'agent'],
      [2, 'agent'],
    ]);
    expect(run?.losses).toEqual([]);
  });

  it('reads server tools, whose results stand in the same message, and MCP', () => {
    const [run] = read({
      type: 'message',
      role: 'assistant',
      stop_reason: 'end_turn',
      usage: { input_tokens: 9, output_tokens: 4 },
      content: [
        use('s', 'web_fetch', { url: 'u' }, 'server_tool_use'),
        { type: 'web_fetch_tool_result', tool_use_id: 's', content: { type: 'web_fetch_tool_result_error' } },
        use('m', 'echo', {}, 'mcp_tool_use'),
        { type: 'mcp_tool_result', tool_use_id: 'm', is_error: false, content: [text('hi')] },
        { type: 'tool_search_tool_result', tool_use_id: 'earlier', content: [] },
        { type: 'hologram' },
        text('Done.'),
      ],
    });
    expect(run?.calls.map(({ tool, turn, failed }) => [tool, turn, failed])).toEqual([
      ['web_fetch', 'turn-0.0', true],
      ['echo', 'turn-0.1', false],
    ]);
    expect(kinds(run)).toEqual({ 'result-without-call': 1, 'unknown-content': 1 });
    expect(run?.usage).toEqual({ inputTokens: 9, outputTokens: 4 });
  });

  it('says how a run ended only where it is told', () => {
    const body = (stop_reason: string, content: unknown[]) => ({
      type: 'message',
      role: 'assistant',
      stop_reason,
      content,
    });
    const ends = [
      body('tool_use', [use('a', 'lookup', {})]),
      body('max_tokens', [text('Well')]),
      body('end_turn', [text('Fine.')]),
      { messages: [{ role: 'assistant', content: [use('a', 'lookup', {})] }] },
      {
        messages: [
          { role: 'assistant', content: [use('a', 'b', {})] },
          { role: 'user', content: [result('a', '')] },
        ],
      },
    ].map((value) => read(value)[0]?.end.kind);
    expect(ends).toEqual(['unknown', 'no-answer', 'answer', 'no-answer', 'no-answer']);
  });

  it('keeps runs of bodies, a line each, apart', () => {
    const line = JSON.stringify({ type: 'message', role: 'assistant', content: [use('a', 'lookup', {})] });
    const runs = readTraces('log.jsonl', `${line}\n\n${line}\n`);
    expect(runs.map(({ name, calls }) => [name, calls.length])).toEqual([
      ['line 1', 1],
      ['line 3', 1],
    ]);
  });
});
