import { queueCalls } from './ticket-work.ts';

/** The queue `returns` of the small seed: 12 tickets, 68 calls. */
const CASES = 'rRrrxxXXRXRR';

/** The reference of the scenario `queue-60`. */
export function reference() {
  return {
    calls: queueCalls('returns', CASES),
    answer: '7 claims were refunded, 706.60 in all; 5 were refused, and 0 escalated.',
  };
}
