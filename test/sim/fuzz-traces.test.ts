import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import type { Json } from '../../src/base/json.ts';
import { figuresOf } from '../../src/runner/traces/figures.ts';
import { checkTrace } from '../../src/runner/traces/invariants.ts';
import { peerReport } from '../../src/runner/traces/peers.ts';
import { readTraceRules } from '../../src/runner/traces/rules.ts';
import { readTraces } from '../../src/traces/index.ts';
import { damagedBytes, damagedJson } from './mutations.ts';

/**
 * Traces of every format, damaged in thousands of ways: read and scored to the end, or refused as misuse
 * with a place; never a crash, and never a number that is none.
 */
const RUNS = Number(process.env.FUZZ_RUNS ?? 500);
const EXAMPLES = new URL('../../examples/traces/', import.meta.url).pathname;
const RULES = readTraceRules(`${EXAMPLES}rules.yaml`);
const chat = readFileSync(`${EXAMPLES}chat.jsonl`, 'utf8').split('\n')[0] ?? '';
const said = (text: string) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});

const SAMPLES: Readonly<Record<string, Json>> = {
  'chat messages': JSON.parse(chat) as Json,
  'response items': {
    id: 'r',
    object: 'response',
    status: 'completed',
    input: [{ role: 'user', content: 'Refund 88213.' }],
    output: [
      { type: 'function_call', call_id: 'a', name: 'refund', arguments: '{"order_id":"88213"}' },
      { type: 'function_call_output', call_id: 'a', output: 'done' },
      { type: 'mcp_call', id: 'm', name: 'check_policy', arguments: '{}', output: 'yes', error: null },
      { type: 'web_search_call', id: 'w', status: 'completed', action: { type: 'search', query: 'q' } },
      said('Done.'),
    ],
    usage: { input_tokens: 3, output_tokens: 4 },
  },
  'Anthropic messages': [
    { role: 'user', content: 'Refund 88213.' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', id: 'a', name: 'refund', input: { order_id: '88213', amount: 240 } },
        { type: 'server_tool_use', id: 's', name: 'web_fetch', input: { url: 'u' } },
        { type: 'web_fetch_tool_result', tool_use_id: 's', content: { type: 'web_fetch_tool_result_error' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [], is_error: true }] },
    { role: 'assistant', content: [{ type: 'text', text: 'It failed.' }] },
  ],
  spans: JSON.parse(readFileSync(`${EXAMPLES}spans.json`, 'utf8')) as Json,
  'flat spans': [
    {
      trace_id: 't',
      span_id: 'a',
      name: 'ChatModel',
      start_time: [1, 2],
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'refund',
        'llm.cost.total': 0.5,
      },
      span_events: [{ event_name: 'gen_ai.choice', body: { message: { content: 'Hm.' } } }],
    },
    {
      context: { trace_id: 't', span_id: 'b' },
      parent_id: 'a',
      name: 'refund',
      start_time: '2026-01-01T00:00:00.000001Z',
      status: { status_code: 'ERROR' },
      attributes: {
        openinference: { span: { kind: 'TOOL' } },
        tool: { name: 'refund' },
        input: { value: "{'a': 1}" },
      },
    },
  ],
};

/** Reads and scores a text to the end; gives the number of runs, 0 when it was refused. */
function scored(text: string): number {
  let runs: ReturnType<typeof readTraces>;
  try {
    runs = readTraces('a.json', text);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    expect(error.message).not.toContain('\n');
    expect(error.place).toMatchObject({ file: 'a.json', line: expect.any(Number) });
    return 0;
  }
  for (const run of runs) {
    const figures = figuresOf(run, RULES, null);
    for (const figure of Object.values(figures)) {
      const value = typeof figure === 'object' ? (figure?.value ?? null) : figure;
      expect(value === null || (Number.isFinite(value) && value >= 0)).toBe(true);
    }
    expect(checkTrace(RULES.invariants, run).map(({ verdict }) => verdict)).not.toContain('error');
    for (const { value } of peerReport(run, RULES, null).matchers) {
      expect(value === null || (value >= 0 && value <= 1)).toBe(true);
    }
    const open = run.calls.filter(({ result }) => result === null).length;
    expect(run.losses.find(({ kind }) => kind === 'call-without-result')?.count ?? 0).toBe(open);
  }
  return runs.length;
}

describe('traces of other tools', () => {
  it.each(Object.entries(SAMPLES))('%s, damaged as JSON', (_name, sample) => {
    expect(scored(JSON.stringify(sample))).toBeGreaterThan(0);
    let read = 0;
    fc.assert(
      fc.property(damagedJson(sample), (damaged) => {
        read += scored(JSON.stringify(damaged)) > 0 ? 1 : 0;
      }),
      { numRuns: RUNS },
    );
    expect(read).toBeGreaterThan(0);
  });

  it.each(Object.entries(SAMPLES))('%s, damaged as text', (_name, sample) => {
    const text = JSON.stringify(sample);
    fc.assert(
      fc.property(damagedBytes([text]), (damaged) => {
        scored(typeof damaged === 'string' ? damaged : new TextDecoder().decode(damaged));
      }),
      { numRuns: RUNS },
    );
  });

  it.each(['[', '{"a":'])('nested without end: %s', (open) => {
    const close = open === '[' ? ']' : '}';
    expect(scored(open.repeat(100_000) + (open === '[' ? '' : '1') + close.repeat(100_000))).toBe(0);
  });

  it('arguments that are nested without end are no JSON', () => {
    const given = '['.repeat(100_000) + ']'.repeat(100_000);
    const call = { id: 'a', type: 'function', function: { name: 'refund', arguments: given } };
    expect(scored(JSON.stringify([{ role: 'assistant', tool_calls: [call] }]))).toBe(1);
  });
});
