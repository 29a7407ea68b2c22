/**
 * The attribute names that are read, by what they say, the first that is there first. OTel GenAI is still
 * being renamed, and instrumentations have names of their own.
 */
export const NAMES = {
  kind: [
    'openinference.span.kind',
    'traceloop.span.kind',
    'langfuse.observation.type',
    'gen_ai.operation.name',
  ],
  tool: [
    'gen_ai.tool.name',
    'tool.name',
    'tool_call.function.name',
    'ai.toolCall.name',
    'mcp.tool.name',
    'traceloop.entity.name',
  ],
  callId: ['gen_ai.tool.call.id', 'tool_call.id', 'tool.id', 'ai.toolCall.id'],
  arguments: [
    'gen_ai.tool.call.arguments',
    'gcp.vertex.agent.tool_call_args',
    'ai.toolCall.args',
    'ai.toolCall.input',
    'tool_arguments',
    'tool_call.function.arguments',
    'input.value',
    'langfuse.observation.input',
    'traceloop.entity.input',
    'tool.parameters',
  ],
  result: [
    'gen_ai.tool.call.result',
    'gcp.vertex.agent.tool_response',
    'ai.toolCall.result',
    'ai.toolCall.output',
    'tool_response',
    'output.value',
    'langfuse.observation.output',
    'traceloop.entity.output',
  ],
  agent: ['gen_ai.agent.name', 'agent.name', 'agent_name'],
  input: [
    'gen_ai.input.messages',
    'gcp.vertex.agent.llm_request',
    'ai.prompt.messages',
    'ai.prompt',
    'langfuse.observation.input',
    'input.value',
    'traceloop.entity.input',
  ],
  output: [
    'gen_ai.output.messages',
    'gcp.vertex.agent.llm_response',
    'langfuse.observation.output',
    'output.value',
    'traceloop.entity.output',
    'final_result',
  ],
  history: ['pydantic_ai.all_messages', 'all_messages_events'],
  events: ['events'],
  inputTokens: [
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
  ],
  outputTokens: [
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
  ],
  cost: ['llm.cost.total', 'gen_ai.usage.cost', 'gen_ai.cost.total', 'operation.cost'],
} as const;

/** Lists of messages that are spread over numbered names. */
export const SPREAD = {
  input: ['llm.input_messages', 'gen_ai.prompt'],
  output: ['llm.output_messages', 'gen_ai.completion'],
} as const;
