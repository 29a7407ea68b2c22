import type { TrialScore } from '../../scoring/index.ts';

/** What a continuation breaks, in words; null when it succeeds. */
export function failureOf({ success, void: voided, firstFailure }: TrialScore): string | null {
  if (success) return null;
  if (voided) return `void (${voided.reason}): ${voided.detail}`;
  return firstFailure ? `${firstFailure.check}: ${firstFailure.message}` : 'no required grader passed';
}
