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
  // A session takes null for arguments that were left out; an agent that said null said something else.
  if (call.arguments === null) return { malformed: 'null' };
  return { input: call.arguments ?? {} };
}
