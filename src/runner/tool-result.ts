import type { Delivery } from '../session/index.ts';
import type { ToolResult } from './types.ts';

/** What a call gave, as an agent is told it. */
export function toolResult(
  delivery: Pick<Delivery, 'ok' | 'status' | 'body' | 'lost' | 'reset' | 'broken'>,
): ToolResult {
  const { ok, status, body, lost, reset, broken } = delivery;
  return { ok, status, body, ...(lost && { lost }), ...(reset && { reset }), ...(broken && { broken }) };
}
