import { InvariantError, UsageError } from '../../base/errors.ts';
import { isJsonObject } from '../../base/json.ts';
import { ChatError } from '../../llm/index.ts';
import { inputProblem, LONGEST_WAIT_MS } from '../../session/index.ts';
import type { UsageRecord } from '../../trajectory/index.ts';
import { AgentFailure } from '../agent-failure.ts';
import type { Agent, AgentAction, AgentRun } from '../types.ts';

/**
 * An agent whose mistakes are its own: whatever it throws becomes a crash of the agent, an action that is
 * none becomes `agent-protocol`, and usage that is no number is left out. Errors of ours pass through as they
 * are.
 */
export function checkedAgent(agent: Agent): Agent {
  return {
    name: agent.name,
    config: agent.config,
    start: async (task, record) => checkedRun(await blamed(() => agent.start(task, record))),
  };
}

function checkedRun(run: AgentRun): AgentRun {
  return {
    next: async (history) => checkedAction(await blamed(() => run.next(history))),
    usage: () => checkedUsage(run.usage?.()),
    close: async () => {
      await run.close?.();
    },
  };
}

/** Errors that say themselves whose they are. A model that cannot be reached is no deed of the agent's. */
const OWN_ERRORS = [AgentFailure, UsageError, InvariantError, ChatError] as const;

async function blamed<T>(deed: () => T | Promise<T>): Promise<T> {
  try {
    return await deed();
  } catch (error) {
    if (OWN_ERRORS.some((known) => error instanceof known)) throw error;
    throw new AgentFailure('agent-crashed', error instanceof Error ? error.message : String(error));
  }
}

/** @throws AgentFailure for anything that is no action. */
function checkedAction(action: AgentAction): AgentAction {
  const problem = problemOf(action);
  if (problem === null) return action;
  throw new AgentFailure('agent-protocol', `the agent gave ${problem}`);
}

function problemOf(action: unknown): string | null {
  if (!isJsonObject(action)) return 'no action, but something that is no object';
  switch (action.type) {
    case 'answer':
      if (action.detail !== undefined && typeof action.detail !== 'string') return 'a detail that is no text';
      return typeof action.text === 'string' ? null : 'an answer without text';
    case 'say':
      return typeof action.text === 'string' ? null : 'a say without text';
    case 'call':
      return callProblem(action) ?? waitProblem(action.waitMs);
    case 'calls':
      if (!Array.isArray(action.calls)) return 'calls that are no list';
      // A turn without a call changes nothing, so it could go on for ever.
      if (action.calls.length === 0) return 'an empty list of calls';
      return action.calls.reduce<string | null>((found, call) => found ?? memberProblem(call), null);
    default:
      return 'an action of no known type';
  }
}

/** Calls of one turn are made at once, so none of them can wait. */
function memberProblem(call: unknown): string | null {
  const waits = isJsonObject(call) && call.waitMs !== undefined;
  return waits ? 'a wait within a list of calls' : callProblem(call);
}

function callProblem(call: unknown): string | null {
  if (!isJsonObject(call) || typeof call.tool !== 'string') return 'a call without the name of a tool';
  if (call.malformed !== undefined) {
    return typeof call.malformed === 'string' ? null : 'malformed arguments that are no text';
  }
  const problem = inputProblem(call.arguments ?? {});
  return problem === null ? null : `a call of ${call.tool.slice(0, 60)} that cannot be recorded: ${problem}`;
}

function waitProblem(waitMs: unknown): string | null {
  if (waitMs === undefined) return null;
  const fits =
    Number.isSafeInteger(waitMs) && (waitMs as number) >= 0 && (waitMs as number) <= LONGEST_WAIT_MS;
  return fits ? null : `a wait that is no whole number of milliseconds from 0 to ${LONGEST_WAIT_MS}`;
}

const USAGE_NUMBERS = ['cost', 'inputTokens', 'outputTokens', 'cachedInputTokens', 'turns'] as const;

/** The members of a usage record that are what they should be: numbers from 0 on, names. */
export function checkedUsage(usage: unknown): UsageRecord {
  if (!isJsonObject(usage)) return {};
  const entries = USAGE_NUMBERS.map((name) => [name, usage[name]] as const);
  const numbers = entries.filter(
    ([, value]) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
  );
  const { model, ignored } = usage;
  const isList = Array.isArray(ignored) && ignored.every((name) => typeof name === 'string');
  return {
    ...Object.fromEntries(numbers),
    ...(typeof model === 'string' && { model }),
    ...(isList && { ignored: ignored as readonly string[] }),
  };
}
