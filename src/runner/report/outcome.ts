import type { TrialScore } from '../../scoring/index.ts';

export type Outcome = 'pass' | 'fail' | 'void';

/** A sign beside the colour, so that the colour is never needed. */
export const OUTCOME_SIGNS: Readonly<Record<Outcome, string>> = { pass: '✓', fail: '✗', void: '∅' };

export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  pass: 'succeeded',
  fail: 'failed',
  void: 'void',
};

export function outcomeOf(score: TrialScore): Outcome {
  if (score.void) return 'void';
  return score.success ? 'pass' : 'fail';
}

/** Names a trial within one run. */
export function trialKey({ scenario, trial }: { readonly scenario: string; readonly trial: number }): string {
  return `${scenario}#${trial}`;
}

/** The id of a trial's episode on the page. */
export function anchorOf(
  run: { readonly index: number },
  trial: { readonly scenario: string; readonly trial: number },
): string {
  return `t${run.index}-${trial.scenario.replace(/[^\w~-]/gu, '-')}-${trial.trial}`;
}
