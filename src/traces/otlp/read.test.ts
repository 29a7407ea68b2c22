import { describe, expect, it } from 'vitest';
import { readTraces } from '../index.ts';

interface Given {
  readonly id: string;
  readonly in?: string;
  readonly name?: string;
  readonly at: number;
  readonly events?: readonly object[];
  readonly status?: object;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

const flat = ({ id, in: parent, name = 'span', at, attributes = {}, events = [], status = {} }: Given) => ({
  trace_id: 't1',
  span_id: id,
  parent_span_id: parent ?? null,
  name,
  start_time: at * 10,
  end_time: at * 10 + 5,
  attributes,
  status,
  span_events: events,
});

const typed = (value: unknown): object => {
  if (typeof value === 'number') return { intValue: String(value) };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(typed) } };
  return { stringValue: String(value) };
};

const request = (...spans: Given[]) => ({
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: spans.map(({ id, in: parent, name = 'span', at, attributes = {} }) => ({
            traceId: 'T1',
            spanId: id,
            parentSpanId: parent ?? '',
            name,
            startTimeUnixNano: `17000000000000000${at}`,
            endTimeUnixNano: `17000000000000000${at}`,
            attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: typed(value) })),
          })),
        },
      ],
    },
  ],
});

const read = (value: unknown) => readTraces('trace.json', JSON.stringify(value));
const flats = (...spans: Given[]) => read(spans.map(flat));
const kinds = (run: { losses: readonly { kind: string; count: number }[] } | undefined) =>
  Object.fromEntries((run?.losses ?? []).map(({ kind, count }) => [kind, count]));
const json = JSON.stringify;

const MODEL = { 'openinference.span.kind': 'LLM', 'llm.token_count.prompt': 7 };
const written = (at: number, id: string, name: string, args?: string) => ({
  [`llm.output_messages.0.message.tool_calls.${at}.tool_call.id`]: id,
  [`llm.output_messages.0.message.tool_calls.${at}.tool_call.function.name`]: name,
  ...(args === undefined
    ? {}
    : { [`llm.output_messages.0.message.tool_calls.${at}.tool_call.function.arguments`]: args }),
});
const ASKED = {
  'llm.input_messages.0.message.role': 'user',
  'llm.input_messages.0.message.content': 'Where is 7?',
};

describe('OpenInference', () => {
  const turn: Given = {
    id: 'm1',
    at: 1,
    attributes: {
      ...MODEL,
      ...ASKED,
      ...written(0, 'a', 'lookup', '{"order":7}'),
      ...written(1, 'b', 'policy'),
    },
  };
  const tool: Given = {
    id: 's1',
    at: 2,
    attributes: {
      'openinference.span.kind': 'TOOL',
      'tool.name': 'lookup',
      'input.value': "{'order': 7}",
      'output.value': json({ content: 'here', tool_call_id: 'a', status: 'error' }),
    },
  };
  const last: Given = {
    id: 'm2',
    at: 3,
    attributes: {
      ...MODEL,
      ...ASKED,
      'llm.input_messages.1.message.role': 'tool',
      'llm.input_messages.1.message.tool_call_id': 'b',
      'llm.input_messages.1.message.content': '30 days',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'Here.',
    },
  };

  it.each([
    ['flat spans', [turn, tool, last].map(flat)],
    ['a request', request(turn, tool, last)],
  ])('joins what models wrote with the spans of tools, in %s', (_what, value) => {
    const [run] = read(value);
    expect(
      run?.calls.map(({ tool: name, id, arguments: given, result, failed }) => [
        name,
        id,
        given,
        result?.value,
        failed,
      ]),
    ).toEqual([
      ['lookup', 'a', { kind: 'json', value: { order: 7 } }, 'here', true],
      ['policy', 'b', { kind: 'not-captured' }, '30 days', null],
    ]);
    expect(new Set(run?.calls.map((call) => call.turn)).size).toBe(1);
    expect(run?.task).toBe('Where is 7?');
    expect(run?.end).toEqual({ kind: 'answer', text: 'Here.' });
    expect(run?.usage).toEqual({ inputTokens: 14 });
    expect(kinds(run)).toEqual({ 'arguments-not-captured': 1, 'error-not-told': 1 });
  });

  it('does not take the schema of a tool for its arguments', () => {
    const schema = json({ properties: { order: { type: 'integer' } } });
    const attributes = {
      'openinference.span.kind': 'TOOL',
      'tool.name': 'lookup',
      'tool.parameters': schema,
    };
    expect(flats({ id: 's', at: 1, attributes })[0]?.calls[0]?.arguments).toEqual({ kind: 'not-captured' });
    const given = { ...attributes, 'tool.parameters': '{"order":7}' };
    expect(flats({ id: 's', at: 1, attributes: given })[0]?.calls[0]?.arguments).toMatchObject({
      kind: 'json',
    });
  });

  it('takes arguments that were left out from the body of the response', () => {
    const body = json({
      output: [{ type: 'function_call', call_id: 'a', name: 'transfer_to_x', arguments: '{}' }],
    });
    const [run] = flats(
      { id: 'm', at: 1, attributes: { ...MODEL, ...written(0, 'a', 'transfer_to_x'), 'output.value': body } },
      {
        id: 's',
        at: 2,
        name: 'handoff to x',
        attributes: { 'openinference.span.kind': 'TOOL', 'output.value': 'x' },
      },
    );
    expect(run?.calls).toMatchObject([
      { tool: 'transfer_to_x', arguments: { kind: 'json', value: {} }, result: { value: 'x' } },
    ]);
  });
});

describe('OTel GenAI', () => {
  const part = (type: string, rest: object) => ({ type, ...rest });

  it('reads messages in attributes, tool spans and the agents around them', () => {
    const [run] = flats(
      {
        id: 'g',
        at: 0,
        attributes: {
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.agent.name': 'clerk',
          'gen_ai.usage.input_tokens': 30,
        },
      },
      {
        id: 'm',
        in: 'g',
        at: 1,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.usage.input_tokens': 30,
          'gen_ai.input.messages': json([
            { role: 'user', parts: [part('text', { content: 'Where is 7?' })] },
          ]),
          'gen_ai.output.messages': json([
            {
              role: 'assistant',
              parts: [part('tool_call', { id: 'a', name: 'lookup', arguments: { order: 7 } })],
            },
          ]),
        },
      },
      {
        id: 's',
        in: 'g',
        at: 2,
        name: 'execute_tool lookup',
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'lookup',
          'gen_ai.tool.call.id': 'a',
          'error.type': 'timeout',
        },
      },
      {
        id: 'c',
        in: 's',
        at: 2,
        attributes: {
          'mcp.method.name': 'tools/call',
          'gen_ai.tool.name': 'lookup',
          'gen_ai.tool.call.arguments': '{"order":7}',
        },
      },
      { id: 'h', at: 4, name: 'GET /' },
    );
    expect(run?.calls).toMatchObject([
      {
        tool: 'lookup',
        actor: 'clerk',
        arguments: { kind: 'json', value: { order: 7 } },
        result: null,
        failed: true,
      },
    ]);
    expect(run?.usage).toEqual({ inputTokens: 30 });
    expect(kinds(run)).toMatchObject({ 'span-merged': 1, 'span-dropped': 1, 'call-without-result': 1 });
  });

  it('reads messages in events and in log records', () => {
    const events = [
      { name: 'gen_ai.user.message', attributes: { content: 'Where is 7?' } },
      {
        name: 'gen_ai.choice',
        attributes: {
          message: json({
            role: 'assistant',
            tool_calls: [{ id: 'a', function: { name: 'lookup', arguments: '{}' } }],
          }),
        },
      },
    ];
    const [run] = flats({ id: 'm', at: 1, attributes: { 'gen_ai.operation.name': 'chat' }, events });
    expect(run?.calls).toMatchObject([{ tool: 'lookup', id: 'a' }]);
    expect(run?.task).toBe('Where is 7?');
    const record = {
      traceId: 't2',
      spanId: 'x',
      eventName: 'gen_ai.client.inference.operation.details',
      attributes: [
        {
          key: 'gen_ai.output.messages',
          value: { stringValue: json([{ role: 'assistant', parts: [part('text', { content: 'Hi.' })] }]) },
        },
      ],
    };
    const [logged] = read({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] });
    expect(logged?.end).toEqual({ kind: 'answer', text: 'Hi.' });
  });

  it.each([
    [
      'ai.toolCall',
      {
        'ai.toolCall.name': 'lookup',
        'ai.toolCall.id': 'a',
        'ai.toolCall.args': '{"order":7}',
        'ai.toolCall.result': '"here"',
      },
    ],
    [
      'traceloop',
      {
        'traceloop.span.kind': 'tool',
        'traceloop.entity.name': 'lookup',
        'traceloop.entity.input': json({ args: [], kwargs: { order: 7 } }),
        'traceloop.entity.output': 'here',
      },
    ],
    [
      'ADK',
      {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'lookup',
        'gcp.vertex.agent.tool_call_args': '{"order":7}',
        'gcp.vertex.agent.tool_response': 'here',
      },
    ],
  ])('knows the names of %s', (_what, attributes) => {
    const [call] = flats({ id: 's', at: 1, attributes })[0]?.calls ?? [];
    expect([call?.tool, call?.arguments]).toEqual(['lookup', { kind: 'json', value: { order: 7 } }]);
    expect(String(call?.result?.value)).toContain('here');
  });

  it('reads messages within messages, as log records of an agent have them', () => {
    const body = (input: object[], output: object[]) => [
      { event_name: 'agent', body: { input: { messages: input }, output: { messages: output } } },
    ];
    const use = json([
      { text: 'Let me see.' },
      { toolUse: { toolUseId: 'a', name: 'lookup', input: { order: 7 } } },
    ]);
    const [run] = flats(
      {
        id: 'm',
        at: 1,
        attributes: { 'gen_ai.operation.name': 'chat' },
        events: body(
          [{ role: 'user', content: { content: json([{ text: 'Where is 7?' }]) } }],
          [{ role: 'assistant', content: { message: use, finish_reason: 'tool_use' } }],
        ),
      },
      {
        id: 's',
        at: 2,
        attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'lookup' },
        events: body(
          [{ role: 'tool', content: { content: json({ order: 7, content: 'x' }), role: 'tool', id: 'a' } }],
          [{ role: 'assistant', content: { message: json([{ text: 'here' }]), id: 'a' } }],
        ),
      },
    );
    expect(run?.calls).toMatchObject([
      { id: 'a', arguments: { value: { order: 7 } }, result: { value: 'here' }, failed: false },
    ]);
    expect(run?.task).toBe('Where is 7?');
    expect(run?.messages.map(({ text }) => text)).toEqual(['Where is 7?', 'Let me see.']);
    const [alone] = flats({
      id: 's',
      at: 2,
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'save' },
      events: [
        {
          name: 'gen_ai.tool.message',
          attributes: { role: 'tool', content: json({ path: 'p', content: 'x' }), id: 'b' },
        },
        { name: 'gen_ai.choice', attributes: { message: json([{ text: 'saved' }]), id: 'b' } },
      ],
    });
    expect(alone?.calls).toMatchObject([
      { id: 'b', arguments: { value: { path: 'p', content: 'x' } }, result: { value: 'saved' } },
    ]);
  });

  it('reads numbered prompts and completions, and what LangChain wraps', () => {
    const reply = (content: string) => ({
      output: {
        lc: 1,
        id: ['ToolMessage'],
        kwargs: { content, type: 'tool', tool_call_id: 'a', status: 'error' },
      },
    });
    const [run] = flats(
      {
        id: 'm',
        at: 1,
        attributes: {
          'gen_ai.request.model': 'x',
          'gen_ai.prompt.0.role': 'user',
          'gen_ai.prompt.0.content': 'Where is 7?',
          'gen_ai.completion.0.role': 'assistant',
          'gen_ai.completion.0.tool_calls.0.id': 'a',
          'gen_ai.completion.0.tool_calls.0.name': 'lookup',
          'gen_ai.completion.0.tool_calls.0.arguments': '{"order":7}',
        },
      },
      {
        id: 's',
        at: 2,
        name: 'lookup.tool',
        attributes: {
          'traceloop.span.kind': 'tool',
          'traceloop.entity.input': json({ input_str: "{'order': 7}", tags: [], inputs: null }),
          'traceloop.entity.output': json(reply('nothing')),
        },
      },
    );
    expect(run?.calls).toMatchObject([
      { tool: 'lookup', id: 'a', result: { value: 'nothing' }, failed: true },
    ]);
    const dump = (type: string, rest: object) => ({ kwargs: { type, content: '', ...rest } });
    const outputs = {
      messages: [
        dump('human', { content: 'Where is 7?' }),
        dump('ai', { tool_calls: [{ name: 'lookup', args: { order: 7 }, id: 'a' }] }),
        dump('tool', { content: 'here', tool_call_id: 'a' }),
        dump('ai', { content: 'It is here.' }),
      ],
    };
    const [whole] = flats({
      id: 'w',
      at: 1,
      attributes: { 'traceloop.span.kind': 'workflow', 'traceloop.entity.output': json({ outputs }) },
    });
    expect(whole?.calls).toMatchObject([{ tool: 'lookup', result: { value: 'here' } }]);
    expect(whole?.end).toEqual({ kind: 'answer', text: 'It is here.' });
    expect(whole?.messages.map(({ role }) => role)).toEqual(['agent']);
  });

  it('counts no call twice that stands in the history, and none that another trace made', () => {
    const history = [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'old', function: { name: 'lookup', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'old', content: 'x' },
    ];
    const [run] = flats({
      id: 'm',
      at: 1,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.input.messages': json(history),
        'gen_ai.output.messages': json([{ role: 'assistant', content: 'Hi.' }]),
      },
    });
    expect(run?.calls).toEqual([]);
    expect(kinds(run)).toEqual({ 'call-of-history': 1 });
  });
});

describe('what exporters cut', () => {
  const tool = (value: string) => ({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'lookup',
    'gen_ai.tool.call.arguments': value,
  });

  it('is not captured, while what a model wrote badly is malformed', () => {
    const cut = `{"order": "${'7'.repeat(118)}`;
    const [run] = flats(
      { id: 's', at: 1, attributes: tool(cut) },
      { id: 'r', at: 2, attributes: tool('{order}') },
    );
    expect(run?.calls.map((call) => call.arguments.kind)).toEqual(['not-captured', 'malformed']);
    expect(kinds(run)).toMatchObject({ 'value-truncated': 1, 'arguments-malformed': 1 });
  });
});

describe('times', () => {
  it('are compared to the nanosecond, whatever the layout', () => {
    // Numbers of this size are no longer exact once they were parsed, so the text is written by hand.
    const span = (id: string, start: string) => {
      const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': id };
      return json({ trace_id: 't', span_id: id, name: id, attributes, start_time: 0 }).replace(
        /0\}$/u,
        `${start}}`,
      );
    };
    const text = `[${span('late', '1784995767655639001')},${span('early', '1784995767655639000')}]`;
    expect(readTraces('t.json', text)[0]?.calls.map(({ tool }) => tool)).toEqual(['early', 'late']);
  });
});
