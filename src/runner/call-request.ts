import type { CallRequest } from '../session/index.ts';
import type { ToolCall } from './types.ts';

/** The session's request for a call as an agent asked for it. */
export function requestFor(call: ToolCall, waitMs?: number): CallRequest {
  return {
    tool: call.tool,
    transport: 'inprocess',
    ...argumentsOf(call),
    ...(waitMs !== undefined && { waitedMs: waitMs }),
  };
}

function argumentsOf(call: ToolCall): Pick<CallRequest, 'input' | 'malformed'> {
  if (call.malformed !== undefined) return { malformed: call.malformed };
  return { input: call.arguments === undefined ? {} : call.arguments };
}
