import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Session } from '../../session/index.ts';
import type { Row, RowChange, WorldValue } from '../../world/types.ts';
import { type AgentOutcome, type AgentTool, type AgentTools, agentTools } from '../host/episode-tools.ts';
import type { HostedSession } from '../host/index.ts';
import { maskedRow } from '../mcp/index.ts';
import type { Selection } from './selection.ts';

const described = new WeakMap<AgentTools, readonly JsonObject[]>();

/** Tools in the words of this protocol; made once for all sessions that offer the same. */
export function describedTools(tools: AgentTools): readonly JsonObject[] {
  let list = described.get(tools);
  if (!list) {
    list = tools.list.map(({ name, description, inputSchema }: AgentTool) => ({
      name,
      description,
      input_schema: inputSchema,
    }));
    described.set(tools, list);
  }
  return list;
}

export function toolsObservation(tools: AgentTools): JsonObject {
  return { tools: describedTools(tools) };
}

/**
 * What a client is told at the start. `available_tools` is not called `tools`, because typed clients take
 * an observation with that member for the answer to `list_tools` and drop the rest; `metadata` repeats what
 * they would lose.
 */
export function resetObservation({ id, episode }: HostedSession, selection: Selection | null): JsonObject {
  const { environment, opening } = episode;
  const told = {
    task: environment.task?.text ?? null,
    policy: environment.policy,
    user_message: opening,
    environment: environment.name,
    scenario: selection?.scenario ?? null,
    trial: selection?.trial ?? null,
    episode_id: selection?.episodeId ?? id,
  };
  return {
    ...told,
    available_tools: describedTools(agentTools(environment)),
    step_count: episode.session.stepCount,
    done_reason: episode.ended,
    metadata: told,
  };
}

/** What a call of a tool gives. */
export function stepObservation({
  tool,
  outcome,
  session,
}: {
  readonly tool: string;
  readonly outcome: AgentOutcome;
  readonly session: HostedSession;
}): JsonObject {
  switch (outcome.kind) {
    case 'step': {
      const { delivery, known } = outcome;
      if (delivery.reset) return failed(tool, 'transport_error', 'the connection was reset');
      if (delivery.lost) return failed(tool, 'timeout', 'the answer did not arrive in time');
      if (!known) return failed(tool, 'tool_not_found', `there is no tool named ${tool}`);
      return { ...given(tool, delivery.body, !delivery.ok), status: delivery.status };
    }
    case 'said': {
      const { reply } = outcome;
      const said = reply ? reply.text : null;
      return { ...given(tool, said, false), user_message: said, user_left: reply?.ended ?? false };
    }
    case 'answered':
      return { ...given(tool, { accepted: true }, false), verdict: verdictOf(session) };
    case 'over': {
      const message = `the episode is over (${outcome.reason}): reset to begin another`;
      return { ...failed(tool, 'execution_error', message), verdict: verdictOf(session) };
    }
    case 'refused':
      return failed(tool, 'invalid_args', outcome.message);
  }
}

function verdictOf({ episode: { verdict } }: HostedSession): Json {
  return verdict && { success: verdict.success, void: verdict.void };
}

function failed(tool: string, type: string, message: string): JsonObject {
  return { tool_name: tool, result: null, error: { error_type: type, message } };
}

function given(tool: string, body: Json, isError: boolean): JsonObject {
  return { tool_name: tool, result: callResult(body, isError), error: null };
}

/** The result of a call as clients of the reference server look for it: `data` is what they take. */
export function callResult(body: Json, isError: boolean): JsonObject {
  return {
    content: [{ type: 'text', text: typeof body === 'string' ? body : JSON.stringify(body) }],
    structured_content: isJsonObject(body) ? body : null,
    meta: null,
    data: body,
    is_error: isError,
  };
}

/** What changed since after the first `at` steps, with a mask in place of what is secret. */
export function diffObservation(session: Session, at: number): JsonObject {
  const { world } = session;
  const changes = session.fork(at).world.diff(world);
  return { from: at, to: session.stepCount, changes: changes.map((change) => maskedChange(change, world)) };
}

function maskedChange(change: RowChange, world: WorldValue): JsonObject {
  const hidden = world.spec(change.table).redacted ?? [];
  const shown = change as unknown as JsonObject;
  if (hidden.length === 0) return shown;
  if (change.op !== 'update') return { ...shown, row: maskedRow(change.row as Row, hidden) };
  return { ...shown, cells: maskedRow(change.cells as unknown as Row, hidden) };
}
