import { UsageError } from '../../../base/errors.ts';
import type { CassetteMode } from '../../../llm/index.ts';
import type { ChatProtocol } from '../../../llm/providers/index.ts';

/**
 * What a person may set for a model besides its name. Plain data, so that a run can be asked for again; keys
 * are named by their variable only.
 */
export interface ChatSettings {
  readonly baseUrl?: string;
  readonly protocol?: ChatProtocol;
  readonly keyVariable?: string;
  readonly temperature?: number;
  /** Of trial 0; each further trial has the next one. */
  readonly seed?: number;
  readonly maxOutputTokens?: number;
  readonly maxSteps?: number;
  /** A folder of cassettes. */
  readonly cassettes?: string;
  /** What is done with them: `auto` when left out. */
  readonly cassetteMode?: CassetteMode;
  /** Input and output tokens together that one command may use. */
  readonly budgetTokens?: number;
  /** What one command may cost, in the currency of the prices. */
  readonly budgetCost?: number;
  /** A file of prices, JSON or YAML. */
  readonly prices?: string;
  /** Requests in flight at once. */
  readonly concurrency?: number;
  /** How long one request may take, in real milliseconds. */
  readonly requestTimeoutMs?: number;
  /** What the provider keeps of what it is sent: sealed scenarios go to one that keeps nothing. */
  readonly retention?: 'none' | 'unknown';
  /** Tries of one request, the first included. */
  readonly attempts?: number;
}

export const USUAL = { maxOutputTokens: 4096, maxSteps: 100, attempts: 5 } as const;

/** @throws UsageError for settings that say nothing without another one. */
export function assertChatSettings(settings: ChatSettings): void {
  const { cassettes, cassetteMode, budgetCost, prices } = settings;
  if (cassetteMode !== undefined && cassettes === undefined) {
    throw new UsageError('bad-option', '--cassette-mode goes with --cassette', {
      hint: 'say where the cassettes are: --cassette DIR',
    });
  }
  if (budgetCost !== undefined && prices === undefined) {
    throw new UsageError('bad-option', '--budget-cost goes with --prices', {
      hint: 'what a token costs stands in a file: --prices FILE',
    });
  }
}
