import type { Probe } from '../../../service/index.ts';

const README = 'src/services/airline/README.md, section "What the recordings show"';
const DATE = '2026-11-29';

function probe(operation: string, title: string, rest: Pick<Probe, 'input' | 'expect'>): Probe {
  return { operation, title, ...rest, source: README, date: DATE };
}

const trip = {
  user_id: 'ada_stone_1001',
  origin: 'DEN',
  destination: 'BOS',
  flight_type: 'one_way',
  cabin: 'economy',
  flights: [{ flight_number: 'GH101', date: '2024-05-20' }],
  passengers: [{ first_name: 'Ada', last_name: 'Stone', dob: '1988-03-12' }],
  total_baggages: 0,
  nonfree_baggages: 1,
  insurance: 'no',
};

/** What the recorded runs show, asked of the small seed. */
export const probes: readonly Probe[] = [
  probe('book_reservation', 'an extra bag is 50 dollars and sums must agree', {
    input: { ...trip, payment_methods: [{ payment_id: 'credit_card_1000001', amount: 160 }] },
    expect: {
      status: 409,
      facts: { '': 'Error: payment amount does not add up, total price is 210, but paid 160' },
    },
  }),
  probe('book_reservation', 'the first new number, prices behind the members of the caller', {
    input: { ...trip, payment_methods: [{ payment_id: 'credit_card_1000001', amount: 210 }] },
    expect: {
      facts: {
        '': {
          matches:
            '^\\{"reservation_id": "HATHAT", .*"flights": \\[\\{' +
            '"flight_number": "GH101", "date": "2024-05-20", ' +
            '"price": 160, "origin": "DEN", "destination": "BOS"\\}\\].*"created_at": "2024-05-15T15:00:00"',
        },
      },
    },
  }),
  probe('calculate', 'a float with two places at most', {
    input: { expression: '(9 - 7) + 10 / 4' },
    expect: { facts: { '': '4.5' } },
  }),
  probe('cancel_reservation', 'payments are turned back and the state comes last', {
    input: { reservation_id: 'GHR001' },
    expect: {
      facts: { '': { matches: '"amount": 182\\}, \\{.*"amount": -182\\}.*"status": "cancelled"\\}$' } },
    },
  }),
  probe('get_reservation_details', 'a missing reservation is called a missing user', {
    input: { reservation_id: 'NOSUCH' },
    expect: { status: 404, facts: { '': 'Error: user not found' } },
  }),
  probe('get_user_details', 'the profile does not name its id; text is ASCII', {
    input: { user_id: 'chloe_varga_1003' },
    expect: { facts: { '': { matches: '^\\{"name": \\{"first_name": "Chlo\\\\u00e9"' } } },
  }),
  probe('list_all_airports', 'twenty airports by code', {
    input: {},
    expect: { facts: { '': { matches: '^\\{"SFO": "San Francisco", .*"LGA": "LaGuardia"\\}$' } } },
  }),
  probe('search_direct_flight', 'only what can be booked', {
    input: { origin: 'DEN', destination: 'BOS', date: '2024-05-16' },
    expect: { facts: { '': '[]' } },
  }),
  probe('search_onestop_flight', 'after a night flight the second date is the next day', {
    input: { origin: 'DEN', destination: 'MIA', date: '2024-05-20' },
    expect: {
      facts: { '': { matches: '"GH203".*"date": "2024-05-20"\\}, .*"GH202".*"date": "2024-05-21"\\}' } },
    },
  }),
  probe('send_certificate', 'the first certificate number', {
    input: { user_id: 'ada_stone_1001', amount: 150 },
    expect: {
      facts: { '': 'Certificate certificate_3221322 added to user ada_stone_1001 with amount 150.' },
    },
  }),
  probe('think', 'an empty answer', { input: { thought: 'hm' }, expect: { facts: { '': '' } } }),
  probe('transfer_to_human_agents', 'one sentence', {
    input: { summary: 'an unusual wish' },
    expect: { facts: { '': 'Transfer successful' } },
  }),
  probe('update_reservation_baggages', 'each further bag is charged', {
    input: {
      reservation_id: 'GHR005',
      total_baggages: 5,
      nonfree_baggages: 2,
      payment_id: 'credit_card_1000005',
    },
    expect: { facts: { '': { matches: '"payment_id": "credit_card_1000005", "amount": 100\\}\\]' } } },
  }),
  probe('update_reservation_flights', 'the cabin member stays, the price follows the cabin asked for', {
    input: {
      reservation_id: 'GHR001',
      cabin: 'business',
      flights: [{ flight_number: 'GH101', date: '2024-05-21' }],
      payment_id: 'credit_card_1000001',
    },
    expect: { facts: { '': { matches: '"cabin": "economy", .*"price": 480, .*"amount": 328\\}\\]' } } },
  }),
  probe('update_reservation_passengers', 'as many as before', {
    input: { reservation_id: 'GHR002', passengers: [] },
    expect: { status: 409, facts: { '': 'Error: number of passengers does not match' } },
  }),
];
