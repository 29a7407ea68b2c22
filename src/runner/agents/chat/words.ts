import type { HistoryEntry, ToolResult } from '../../types.ts';

/** A result in words for a model, and whether it is told as an error. */
export interface ToldResult {
  readonly text: string;
  readonly isError: boolean;
}

/** What a model is told of a call that was made. What did not come as it should is said, not hidden. */
export function toldResult({ call, result }: Extract<HistoryEntry, { type: 'call' }>): ToldResult {
  const text = bodyText(result);
  if (call.malformed !== undefined) {
    return { text: `The arguments of this call could not be read as JSON. ${text}`, isError: true };
  }
  return { text, isError: !result.ok };
}

function bodyText({ ok, status, body, lost, reset, broken }: ToolResult): string {
  if (lost) {
    const how = reset ? 'The connection broke before an answer came' : 'No answer came in time';
    return `${how}: the call may have happened, or may not.`;
  }
  if (broken) {
    const left = typeof body === 'string' ? body : JSON.stringify(body);
    const rest = left === '' ? 'nothing' : left;
    return `The answer broke on its way (status ${status}). What is left of it: ${rest}`;
  }
  return ok ? JSON.stringify(body) : `Status ${status}: ${JSON.stringify(body)}`;
}

/** What the loop itself tells a model; in brackets, so that it is nobody's voice. */
export const NOTES = {
  empty: '[Your reply was empty. Call a tool, or write your final answer.]',
  emptyToUser: '[Your reply was empty. Call a tool, or write what the user should read.]',
  nobodyThere: '[The user says nothing more. Do what is left to do, then end the conversation.]',
  noAnswer: 'The arguments of this call could not be read: give {"answer": "…"}.',
} as const;
