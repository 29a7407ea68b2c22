/**
 * Matchers for vitest. Nothing of vitest is loaded: `expect.extend(matchers)` hands them over.
 * `docs/vitest.md` shows each.
 */
import type {} from 'vitest';
import { UsageError } from '../base/errors.ts';
import { keepsInvariants, type Rules } from './invariants.ts';
import { type PassingOptions, passesAtLeast, type Threshold } from './passing.ts';
import type { MatcherOptions } from './received.ts';
import { type ExpectedState, reachesState } from './state.ts';
import type { Matched } from './types.ts';

export type { Rules } from './invariants.ts';
export type { PassingOptions, Threshold } from './passing.ts';
export type { MatcherOptions, RunLike } from './received.ts';
export type { ExpectedRow, ExpectedRows, ExpectedState } from './state.ts';
export type { ScoredTrial, TrialsLike } from './trials.ts';
export type { Matched } from './types.ts';

/** What `expect.extend` takes. */
export const matchers = {
  toReachState: said(reachesState),
  toKeepInvariants: said(keepsInvariants),
  toPassAtLeast: said(passesAtLeast),
};

/** vitest prints an error's message alone: the file that it is about and the hint go into that. */
function said<Given extends readonly unknown[]>(
  matcher: (...given: Given) => Matched,
): (...given: Given) => Matched {
  return (...given) => {
    try {
      return matcher(...given);
    } catch (error) {
      throw error instanceof UsageError ? new UsageError(error.code, error.describe()) : error;
    }
  };
}

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** Of a session, a trajectory or a trial: it leaves these rows, or what the contract says. */
    toReachState: (expected: ExpectedState, options?: MatcherOptions) => R;
    /** Of a session, a trajectory, a trial or a whole run: no rule is broken at any step. */
    toKeepInvariants: (rules?: Rules, options?: MatcherOptions) => R;
    /** Of a run or a list of trials: success is at least so high, by the lower end of its interval. */
    toPassAtLeast: (threshold: Threshold, options?: PassingOptions) => R;
  }
}
