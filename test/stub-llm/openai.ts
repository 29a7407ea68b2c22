import {
  argumentsText,
  countTokens,
  pieces,
  type Scripted,
  type ScriptedCall,
  type ScriptedReply,
} from './scripted.ts';
import { between, list, need, nonEmpty, onlyKnown, type Plain, plain, wholeNumber } from './shape.ts';

const KNOWN = [
  ...['model', 'messages', 'tools', 'tool_choice', 'temperature', 'seed', 'max_tokens'],
  ...['max_completion_tokens', 'stream', 'stream_options', 'response_format', 'top_p', 'user'],
] as const;

/** @throws ShapeError for a body that chat completions refuse. */
export function checkOpenAi(body: Plain): void {
  onlyKnown(body, KNOWN, '');
  nonEmpty(body.model, 'model');
  if (body.temperature !== undefined) between(body.temperature, [0, 2], 'temperature');
  if (body.seed !== undefined) wholeNumber(body.seed, Number.MIN_SAFE_INTEGER, 'seed');
  for (const limit of ['max_tokens', 'max_completion_tokens']) {
    if (body[limit] !== undefined) wholeNumber(body[limit], 1, limit);
  }
  need(body.stream_options === undefined || body.stream === true, 'stream_options: only with stream');
  checkTools(body.tools);
  checkMessages(list(body.messages, 'messages'));
}

function checkTools(tools: unknown): void {
  if (tools === undefined) return;
  need(list(tools, 'tools').length > 0, 'tools: empty array, expected at least one');
  for (const [index, item] of list(tools, 'tools').entries()) {
    const tool = plain(item, `tools[${index}]`);
    need(tool.type === 'function', `tools[${index}].type: not function`);
    const { name, parameters } = plain(tool.function, `tools[${index}].function`);
    need(/^[\w-]{1,64}$/u.test(String(name)), `tools[${index}].function.name: does not match the pattern`);
    const schema = plain(parameters, `tools[${index}].function.parameters`);
    need(schema.type === 'object', `tools[${index}].function.parameters: schema must have type object`);
  }
}

function checkMessages(messages: readonly unknown[]): void {
  need(messages.length > 0, 'messages: empty array, expected at least one');
  let open = new Set<string>();
  for (const [index, item] of messages.entries()) {
    const message = plain(item, `messages[${index}]`);
    const where = `messages[${index}]`;
    if (message.role === 'tool') {
      const id = nonEmpty(message.tool_call_id, `${where}.tool_call_id`);
      need(open.delete(id), `${where}: 'tool' must be a response to a preceding message with 'tool_calls'`);
      need(typeof message.content === 'string', `${where}.content: not a text`);
      continue;
    }
    need(open.size === 0, `${where}: tool_call_ids without response messages: ${[...open].join(', ')}`);
    if (message.role === 'assistant') open = callIds(message, where);
    else {
      need(['system', 'developer', 'user'].includes(String(message.role)), `${where}.role: invalid value`);
      need(
        typeof message.content === 'string' || Array.isArray(message.content),
        `${where}.content: missing`,
      );
    }
  }
  need(open.size === 0, `the last calls have no response messages: ${[...open].join(', ')}`);
}

function callIds(message: Plain, where: string): Set<string> {
  if (message.tool_calls === undefined) {
    need(typeof message.content === 'string', `${where}: neither content nor tool_calls`);
    return new Set();
  }
  const calls = list(message.tool_calls, `${where}.tool_calls`);
  need(calls.length > 0, `${where}.tool_calls: empty array`);
  const ids = calls.map((item) => {
    const call = plain(item, `${where}.tool_calls`);
    need(call.type === 'function', `${where}.tool_calls.type: not function`);
    const { name, arguments: text } = plain(call.function, `${where}.tool_calls.function`);
    nonEmpty(name, `${where}.tool_calls.function.name`);
    need(typeof text === 'string', `${where}.tool_calls.function.arguments: not a text`);
    return nonEmpty(call.id, `${where}.tool_calls.id`);
  });
  need(new Set(ids).size === ids.length, `${where}.tool_calls: two of one id`);
  return new Set(ids);
}

const FINISH = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  refusal: 'content_filter',
} as const;

function usageOf(body: Plain, reply: ScriptedReply): Plain | null {
  if (reply.usage === null) return null;
  const written = reply.text + reply.calls.map(argumentsText).join('');
  const { input, output, cached } = reply.usage ?? {
    input: countTokens(JSON.stringify(body)),
    output: countTokens(written),
  };
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: cached } }),
  };
}

const callId = (index: number, call: ScriptedCall, place: number): string =>
  call.id ?? `call_${index}_${place}`;

function finishOf({ finish, isRefusalMember }: ScriptedReply): string {
  return isRefusalMember ? 'stop' : FINISH[finish];
}

function textOf({ isRefusalMember }: ScriptedReply, text: string | null): Plain {
  return isRefusalMember ? { content: null, refusal: text } : { content: text };
}

/** The whole answer to a request that wants no stream. */
export function openAiAnswer(body: Plain, reply: ScriptedReply, index: number): Plain {
  const toolCalls = reply.calls.map((call, place) => ({
    id: callId(index, call, place),
    type: 'function',
    function: { name: call.name, arguments: argumentsText(call) },
  }));
  const usage = usageOf(body, reply);
  return {
    id: `chatcmpl-${index}`,
    object: 'chat.completion',
    created: 1_700_000_000,
    model: reply.model ?? body.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          ...textOf(reply, reply.text === '' && toolCalls.length > 0 ? null : reply.text),
          ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
        },
        finish_reason: finishOf(reply),
      },
    ],
    ...(usage && { usage }),
  };
}

/** The events of a stream, as they go over the wire. */
export function openAiEvents(body: Plain, reply: ScriptedReply, index: number): string[] {
  const head = {
    id: `chatcmpl-${index}`,
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: reply.model ?? body.model,
  };
  const choice = (delta: Plain, finish: string | null = null): Plain => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const calls = reply.calls.flatMap((call, place) => [
    choice({
      tool_calls: [
        {
          index: place,
          id: callId(index, call, place),
          type: 'function',
          function: { name: call.name, arguments: '' },
        },
      ],
    }),
    ...pieces(argumentsText(call)).map((piece) =>
      choice({ tool_calls: [{ index: place, function: { arguments: piece } }] }),
    ),
  ]);
  const usage = usageOf(body, reply);
  const isCounted =
    usage !== null && plain(body.stream_options ?? {}, 'stream_options').include_usage === true;
  const chunks = [
    choice({ role: 'assistant', content: '' }),
    ...pieces(reply.text).map((piece) => choice(textOf(reply, piece))),
    ...calls,
    choice({}, finishOf(reply)),
    ...(isCounted ? [{ ...head, choices: [], usage }] : []),
  ];
  return [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'];
}

export function openAiError({ type, message }: Extract<Scripted, { kind: 'error' }>): Plain {
  return { error: { message, type, param: null, code: type } };
}

export function openAiErrorEvent(error: { readonly type: string; readonly message: string }): string {
  return `data: ${JSON.stringify({ error: { ...error, code: error.type } })}\n\n`;
}
