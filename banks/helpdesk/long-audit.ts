import { queueCalls } from './ticket-work.ts';

/** The queue `returns` of the standard seed: 78 tickets, 417 calls, each found through the one before. */
const CASES = 'rxXxxxrSXrxXXFxRrsXsFxRXRSrxxXxXSRXRXXxFRxSrXXfXRXxrrrxxXXrrxRxxxfrRrrXRfXRxrS';

/** The reference of the scenario `long-audit`. */
export function reference() {
  return {
    calls: queueCalls('returns', CASES),
    answer: '26 claims were refunded, 5,341.92 in all; 39 were refused, and 13 escalated.',
  };
}
