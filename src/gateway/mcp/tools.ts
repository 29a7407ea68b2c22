import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import {
  type AgentCall,
  type AgentOutcome,
  type AgentTool,
  type AgentTools,
  agentTools,
  callAgentTool,
} from '../host/episode-tools.ts';
import type { HostedSession, SessionHost, TraceContext } from '../host/index.ts';
import { RPC, RpcError } from './json-rpc.ts';
import type { McpTarget } from './target.ts';
import { metaOf, traceOf } from './trace.ts';

const lists = new WeakMap<AgentTools, JsonObject>();

/** The result of `tools/list`: made once for all sessions that offer the same. */
export function toolList(tools: AgentTools): JsonObject {
  let list = lists.get(tools);
  if (!list) {
    list = { tools: tools.list.map(describe) };
    lists.set(tools, list);
  }
  return list;
}

function describe(tool: AgentTool): JsonObject {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    ...(tool.outputSchema && { outputSchema: tool.outputSchema }),
    annotations: {
      readOnlyHint: tool.effect === 'read',
      ...(tool.destructive && { destructiveHint: true }),
      openWorldHint: false,
    },
  };
}

/** The answer to a call got lost on its way: the caller is to see a time-out, or a connection that broke. */
export class LostAnswer extends Error {
  override readonly name = 'LostAnswer';
  /** True where the connection broke at once. */
  readonly reset: boolean;

  constructor(reset: boolean) {
    super(reset ? 'the connection was reset' : 'the answer got lost');
    this.reset = reset;
  }
}

/**
 * Makes an agent's call. A budget that ends the episode finishes it at once: nobody who calls tools by name
 * could end it otherwise, and its verdict is known.
 */
export async function callToTheEnd(
  host: SessionHost,
  session: HostedSession,
  call: AgentCall,
): Promise<AgentOutcome> {
  const outcome = await callAgentTool(host, session, call);
  if (outcome.kind === 'over' && !session.episode.finished) {
    await host.end(session, { answer: null, reason: outcome.reason });
  }
  return outcome;
}

/**
 * `tools/call`.
 * @throws RpcError for a request that names no tool, or one that does not exist.
 * @throws LostAnswer when the answer never arrives.
 */
export async function callTool(target: McpTarget, params: JsonObject): Promise<JsonObject> {
  const { name } = params;
  if (typeof name !== 'string') throw new RpcError(RPC.invalidParams, 'Invalid params: name is a text');
  const trace = traceOf(params._meta);
  const { host, session, door, credential, pacing } = target;
  const outcome = await callToTheEnd(host, session, {
    tool: name,
    ...(params.arguments !== undefined && { input: params.arguments }),
    via: { door, ...(trace && { trace }), ...(credential && { credential }) },
    ...(pacing && { pacing }),
  });
  const { answers } = agentTools(session.episode.environment).byName.get(name) ?? {};
  return resultOf(outcome, { name, answers }, trace);
}

function resultOf(
  outcome: AgentOutcome,
  { name, answers }: { readonly name: string; readonly answers: AgentTool['answers'] },
  trace: TraceContext | undefined,
): JsonObject {
  switch (outcome.kind) {
    case 'step': {
      const { delivery, known } = outcome;
      if (delivery.lost) throw new LostAnswer(delivery.reset ?? false);
      if (!known) throw new RpcError(RPC.invalidParams, `Unknown tool: ${name}`, delivery.body);
      if (answers && delivery.ok && isJsonObject(delivery.body) && Array.isArray(delivery.body.content)) {
        return { content: delivery.body.content, ...metaOf(trace) };
      }
      return toolResult(delivery.body, { isError: !delivery.ok, trace });
    }
    case 'said': {
      const { reply } = outcome;
      return toolResult(reply ? { reply: reply.text, ended: reply.ended } : { reply: null }, { trace });
    }
    case 'answered':
      return toolResult({ accepted: true }, { trace });
    case 'over':
      return toolResult(`The episode is over (${outcome.reason}): nothing more can happen in it.`, {
        isError: true,
        trace,
      });
    case 'refused':
      return toolResult(outcome.message, { isError: true, trace });
  }
}

function toolResult(
  body: Json,
  { isError = false, trace }: { readonly isError?: boolean; readonly trace: TraceContext | undefined },
): JsonObject {
  return {
    content: [{ type: 'text', text: typeof body === 'string' ? body : JSON.stringify(body) }],
    // Clients hold structured content to the output schema, which an error does not fit.
    ...(!isError && isJsonObject(body) && { structuredContent: body }),
    ...(isError && { isError }),
    ...metaOf(trace),
  };
}
