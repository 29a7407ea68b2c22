import { pathToFileURL } from 'node:url';
import { digestText } from '../../base/digest.ts';
import { UsageError } from '../../base/errors.ts';
import { readText } from '../../store/text-files.ts';
import type { Agent, AgentAction, AgentTask, HistoryEntry } from '../types.ts';
import { ACTION_TIMEOUT_MS, withinTime } from './within-time.ts';

/** What a script module exports: the next action, from everything that happened so far. */
export type ScriptNext = (
  history: readonly HistoryEntry[],
  task: AgentTask,
) => AgentAction | Promise<AgentAction>;

/** What is known of a script besides its function; all of it is part of a run's configuration. */
export interface ScriptConfig {
  /** A nominal cost of a call, in currency units. */
  readonly costPerCall?: number;
  /** Digest of the module: a run is not resumed with a script that was edited since. */
  readonly source?: string;
  /** How long it may take for one action, in real milliseconds, where that is not the usual time. */
  readonly actionTimeoutMs?: number;
}

/** An agent from a function. It is asked anew for every action, so step-wise scoring can put it anywhere. */
export function scriptAgent(name: string, next: ScriptNext, config: ScriptConfig = {}): Agent {
  const { costPerCall, actionTimeoutMs = ACTION_TIMEOUT_MS } = config;
  return {
    name,
    config: { ...config },
    start(task) {
      let calls = 0;
      return {
        next: (history) => {
          calls = history.reduce((count, entry) => count + (entry.type === 'call' ? 1 : 0), 0);
          return withinTime(next(history, task), actionTimeoutMs);
        },
        usage: () =>
          costPerCall === undefined ? {} : { cost: (calls * Math.round(costPerCall * 1e6)) / 1e6 },
      };
    },
  };
}

/**
 * Loads a TS or JS module that exports `next(history, task)`, and may export `name` and `costPerCall`.
 * @throws UsageError when there is no such module or no such export.
 */
export async function loadScript(
  file: string,
  limits: Pick<ScriptConfig, 'actionTimeoutMs'> = {},
): Promise<Agent> {
  let module: Record<string, unknown>;
  try {
    module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new UsageError('script', `the agent script cannot be loaded: ${reason}`, { place: { file } });
  }
  const { next, name, costPerCall } = module;
  if (typeof next !== 'function') {
    throw new UsageError('script', 'the agent script exports no function named next', {
      place: { file },
      hint: 'export function next(history, task) { return {type: "answer", text: "…"} }',
    });
  }
  const label =
    typeof name === 'string' ? name : (file.split('/').at(-1) ?? file).replace(/\.[cm]?[jt]s$/u, '');
  return scriptAgent(label, next as ScriptNext, {
    ...(typeof costPerCall === 'number' && { costPerCall }),
    source: digestText(readText(file)),
    ...limits,
  });
}
