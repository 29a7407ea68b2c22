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
  ...['model', 'messages', 'system', 'tools', 'tool_choice', 'temperature', 'max_tokens', 'stream'],
  ...['top_p', 'top_k', 'stop_sequences', 'metadata'],
] as const;

/** @throws ShapeError for a body that Messages refuse. */
export function checkAnthropic(body: Plain): void {
  onlyKnown(body, KNOWN, '');
  nonEmpty(body.model, 'model');
  need(body.max_tokens !== undefined, 'max_tokens: Field required');
  wholeNumber(body.max_tokens, 1, 'max_tokens');
  if (body.temperature !== undefined) between(body.temperature, [0, 1], 'temperature');
  if (body.system !== undefined && typeof body.system !== 'string') {
    for (const block of list(body.system, 'system')) checkText(plain(block, 'system'), 'system');
  }
  checkTools(body.tools);
  checkMessages(list(body.messages, 'messages').map((item, index) => plain(item, `messages.${index}`)));
}

function checkTools(tools: unknown): void {
  for (const [index, item] of list(tools ?? [], 'tools').entries()) {
    const { name, input_schema: schema } = plain(item, `tools.${index}`);
    need(/^[\w-]{1,128}$/u.test(String(name)), `tools.${index}.name: does not match the pattern`);
    const { type } = plain(schema, `tools.${index}.input_schema`);
    need(type === 'object', `tools.${index}.input_schema.type: Input should be 'object'`);
  }
}

function checkText(block: Plain, where: string): void {
  need(block.type === 'text', `${where}: not a text block`);
  need(
    typeof block.text === 'string' && block.text !== '',
    `${where}: text content blocks must be non-empty`,
  );
}

function checkMessages(messages: readonly Plain[]): void {
  need(messages.length > 0, 'messages: at least one message is required');
  need(messages[0]?.role === 'user', 'messages: first message must use the "user" role');
  let open: readonly string[] = [];
  for (const [index, message] of messages.entries()) {
    const where = `messages.${index}`;
    need(message.role === 'user' || message.role === 'assistant', `${where}: Unexpected role`);
    const blocks =
      typeof message.content === 'string'
        ? [{ type: 'text', text: message.content }]
        : list(message.content, `${where}.content`).map((block) => plain(block, `${where}.content`));
    need(blocks.length > 0, `${where}: all messages must have non-empty content`);
    if (message.role === 'user') {
      checkResults(blocks, open, where);
      open = [];
    } else {
      need(
        open.length === 0,
        `${where}: tool_use ids were found without tool_result blocks immediately after`,
      );
      open = uses(blocks, where);
    }
  }
  need(open.length === 0, 'tool_use ids were found without tool_result blocks immediately after');
}

function checkResults(blocks: readonly Plain[], open: readonly string[], where: string): void {
  const results = blocks.filter(({ type }) => type === 'tool_result');
  need(
    blocks.slice(0, results.length).every(({ type }) => type === 'tool_result'),
    `${where}: tool_result blocks must come first`,
  );
  const ids = results.map(({ tool_use_id: id }) => String(id));
  const stray = ids.find((id) => !open.includes(id));
  need(stray === undefined, `${where}: unexpected tool_use_id found in tool_result blocks: ${stray}`);
  need(new Set(ids).size === ids.length, `${where}: each tool_use must have a single result`);
  const missing = open.find((id) => !ids.includes(id));
  need(missing === undefined, `${where}: tool_use ids were found without tool_result blocks: ${missing}`);
  for (const block of blocks.slice(results.length)) checkText(block, where);
}

function uses(blocks: readonly Plain[], where: string): string[] {
  const ids = blocks.flatMap((block) => {
    if (block.type !== 'tool_use') {
      checkText(block, where);
      return [];
    }
    need(/^[\w-]{1,128}$/u.test(String(block.name)), `${where}: tool_use.name does not match the pattern`);
    plain(block.input, `${where}: tool_use.input: Input should be a valid dictionary`);
    need(/^[\w-]+$/u.test(String(block.id)), `${where}: tool_use.id does not match the pattern`);
    return [String(block.id)];
  });
  need(new Set(ids).size === ids.length, `${where}: tool_use ids must be unique`);
  return ids;
}

const FINISH = {
  stop: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  refusal: 'refusal',
} as const;

function usageOf(body: Plain, reply: ScriptedReply): { readonly input: Plain; readonly output: number } {
  need(reply.usage !== null, 'Anthropic always counts: script no null usage');
  const written = reply.text + reply.calls.map(argumentsText).join('');
  const {
    input,
    output,
    cached = 0,
  } = reply.usage ?? {
    input: countTokens(JSON.stringify(body)),
    output: countTokens(written),
  };
  return {
    input: { input_tokens: input - cached, cache_read_input_tokens: cached, cache_creation_input_tokens: 0 },
    output,
  };
}

const callId = (index: number, call: ScriptedCall, place: number): string =>
  call.id ?? `toolu_${index}_${place}`;

function message(body: Plain, reply: ScriptedReply, index: number): Plain {
  return {
    id: `msg_${index}`,
    type: 'message',
    role: 'assistant',
    model: reply.model ?? body.model,
    stop_sequence: null,
  };
}

/** The whole answer to a request that wants no stream; malformed arguments cannot be sent so. */
export function anthropicAnswer(body: Plain, reply: ScriptedReply, index: number): Plain {
  const { input, output } = usageOf(body, reply);
  return {
    ...message(body, reply, index),
    content: [
      ...(reply.text === '' ? [] : [{ type: 'text', text: reply.text }]),
      ...reply.calls.map((call, place) => ({
        type: 'tool_use',
        id: callId(index, call, place),
        name: call.name,
        input: JSON.parse(argumentsText(call)),
      })),
    ],
    stop_reason: FINISH[reply.finish],
    usage: { ...input, output_tokens: output },
  };
}

/** The events of a stream, as they go over the wire. */
export function anthropicEvents(body: Plain, reply: ScriptedReply, index: number): string[] {
  const { input, output } = usageOf(body, reply);
  const blocks = [
    ...(reply.text === ''
      ? []
      : [
          {
            block: { type: 'text', text: '' },
            deltas: pieces(reply.text).map((text) => ({ type: 'text_delta', text })),
          },
        ]),
    ...reply.calls.map((call, place) => ({
      block: { type: 'tool_use', id: callId(index, call, place), name: call.name, input: {} },
      deltas: ['', ...pieces(argumentsText(call))].map((piece) => ({
        type: 'input_json_delta',
        partial_json: piece,
      })),
    })),
  ];
  return [
    event({
      type: 'message_start',
      message: {
        ...message(body, reply, index),
        content: [],
        stop_reason: null,
        usage: { ...input, output_tokens: 1 },
      },
    }),
    event({ type: 'ping' }),
    ...blocks.flatMap(({ block, deltas }, at) => [
      event({ type: 'content_block_start', index: at, content_block: block }),
      ...deltas.map((delta) => event({ type: 'content_block_delta', index: at, delta })),
      event({ type: 'content_block_stop', index: at }),
    ]),
    event({
      type: 'message_delta',
      delta: { stop_reason: FINISH[reply.finish], stop_sequence: null },
      usage: { output_tokens: output },
    }),
    event({ type: 'message_stop' }),
  ];
}

function event(data: Plain): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

export function anthropicError({ type, message: said }: Extract<Scripted, { kind: 'error' }>): Plain {
  return { type: 'error', error: { type, message: said }, request_id: 'req_stub' };
}

export function anthropicErrorEvent(error: { readonly type: string; readonly message: string }): string {
  return event({ type: 'error', error });
}
