import { AgentFailure } from '../agent-failure.ts';

/** How long an agent may take for one action when nobody says otherwise, in real milliseconds. */
export const ACTION_TIMEOUT_MS = 120_000;

/**
 * What an agent gives, if it comes in time; what comes at once is handed on as it is.
 * @throws AgentFailure `agent-timeout` for a promise that has not settled by then
 */
export function withinTime<T>(given: T | Promise<T>, limitMs: number): T | Promise<T> {
  if (!isPromise(given)) return given;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooLate(limitMs)), limitMs);
  });
  // The race also takes note of a promise that is rejected later: that must not end the process.
  return Promise.race([given, late]).finally(() => clearTimeout(timer));
}

export function tooLate(limitMs: number): AgentFailure {
  return new AgentFailure('agent-timeout', `the script gave no action within ${limitMs} ms`);
}

function isPromise<T>(given: T | Promise<T>): given is Promise<T> {
  return typeof (given as { readonly then?: unknown } | null | undefined)?.then === 'function';
}
