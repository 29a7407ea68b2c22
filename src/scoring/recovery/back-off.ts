import type { StepRecord } from '../../trajectory/types.ts';
import type { Incident, RuleFacts } from './incidents.ts';
import type { FaultHit } from './types.ts';

/**
 * Whether the next call of what the rule speaks of came as late as each refusal asked for, in the session's
 * own time. Null where no time was told, or no further call was made. Of several strikes the one that was
 * waited for least is told.
 */
export function backOffOf({ rule, strikes }: Incident, steps: readonly StepRecord[]): FaultHit['backOff'] {
  let worst: FaultHit['backOff'] = null;
  for (const strike of strikes) {
    const askedMs = retryAfterMs(strike, rule);
    const next = steps.find((step) => step.index > strike.index && speaksOf(rule, step));
    if (askedMs === null || !next) continue;
    const waitedMs = arrivalMs(next, steps) - strike.clock;
    const kept = waitedMs >= askedMs;
    if (worst === null || waitedMs - askedMs < worst.waitedMs - worst.askedMs) {
      worst = { kept, askedMs, waitedMs };
    }
  }
  return worst;
}

/** Virtual milliseconds that a refusal asked to wait; null where it named no time. */
export function retryAfterMs(step: StepRecord, rule: RuleFacts): number | null {
  if (step.outcome === 'ok' && !step.delivered) return null;
  const told = Number(step.headers?.['retry-after'] ?? Number.NaN);
  const seconds = Number.isFinite(told) ? told : rule.retryAfterSeconds;
  return seconds === undefined ? null : seconds * 1000;
}

function speaksOf({ tool, operation }: RuleFacts, step: StepRecord): boolean {
  if (tool !== undefined && step.tool !== tool) return false;
  return (
    operation === undefined ||
    step.operations.length === 0 ||
    step.operations.some(({ id }) => id === operation)
  );
}

/** When a call came in: when the one before was answered, and what was waited since. */
export function arrivalMs(step: StepRecord, steps: readonly StepRecord[]): number {
  const before = steps[step.index - 1];
  return (before?.clock ?? 0) + (step.waited ?? 0);
}
