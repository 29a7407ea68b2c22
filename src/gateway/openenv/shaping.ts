import type { StepRecord } from '../../trajectory/index.ts';
import type { HostedSession } from '../host/index.ts';
import type { Shaping } from './options.ts';

/** What the newest step of a session costs: 0 where it was taken and broke nothing. */
export function penaltyOf({ episode }: HostedSession, shaping: Shaping): number {
  const line = episode.session.lastStepLine();
  if (line === null) return 0;
  const { outcome, breaches } = JSON.parse(line) as StepRecord;
  const { refused = 0, invalid = 0, broken = 0 } = shaping;
  const ofOutcome = outcome === 'ok' ? 0 : outcome === 'invalid-input' ? invalid : refused;
  return ofOutcome + broken * breaches.length;
}
