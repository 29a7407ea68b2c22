import type { CoverageEntry } from '../../service/index.ts';

/** The whole operation table of the recorded domain. */
export const coverage: readonly CoverageEntry[] = [
  { operation: 'book_reservation', status: 'supported' },
  { operation: 'calculate', status: 'supported', note: 'fractional powers by roots, to about 15 digits' },
  { operation: 'cancel_reservation', status: 'supported' },
  { operation: 'get_reservation_details', status: 'supported' },
  { operation: 'get_user_details', status: 'supported' },
  { operation: 'list_all_airports', status: 'supported' },
  { operation: 'search_direct_flight', status: 'supported' },
  {
    operation: 'search_onestop_flight',
    status: 'supported',
    note: 'the day after the last of a month is the first of the next',
  },
  { operation: 'send_certificate', status: 'supported' },
  { operation: 'think', status: 'supported' },
  { operation: 'transfer_to_human_agents', status: 'supported' },
  { operation: 'update_reservation_baggages', status: 'supported' },
  { operation: 'update_reservation_flights', status: 'supported' },
  { operation: 'update_reservation_passengers', status: 'supported' },
];
