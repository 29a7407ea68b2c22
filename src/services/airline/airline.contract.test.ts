import { describe, it } from 'vitest';
import { describeConformance, type Script } from '../../testing/index.ts';
import { airline, probes } from './index.ts';

const booking = {
  user_id: 'ben_okoro_1002',
  origin: 'DEN',
  destination: 'BOS',
  flight_type: 'one_way',
  cabin: 'economy',
  flights: [{ flight_number: 'GH101', date: '2024-05-20' }],
  passengers: [{ first_name: 'Ben', last_name: 'Okoro', dob: '1975-11-02' }],
  payment_methods: [{ payment_id: 'gift_card_1000004', amount: 160 }],
  total_baggages: 0,
  nonfree_baggages: 0,
  insurance: 'no',
};

function book(title: string, changes: object): Script {
  return { title, calls: [{ tool: 'book_reservation', input: { ...booking, ...changes } }] };
}

function change(title: string, payment_id: string, flight: object): Script {
  const flights = [{ flight_number: 'GH101', date: '2024-05-20', ...flight }];
  const input = { reservation_id: 'GHR004', cabin: 'business', flights, payment_id };
  return { title, calls: [{ tool: 'update_reservation_flights', input }] };
}

const scripts: readonly Script[] = [
  book('unknown user', { user_id: 'nobody' }),
  book('unknown flight', { flights: [{ flight_number: 'GH999', date: '2024-05-20' }] }),
  book('day without the flight', { flights: [{ flight_number: 'GH101', date: '2024-06-20' }] }),
  book('delayed flight', { flights: [{ flight_number: 'GH101', date: '2024-05-16' }] }),
  book('sold out', { flights: [{ flight_number: 'GH301', date: '2024-05-20' }] }),
  book('foreign card', { payment_methods: [{ payment_id: 'credit_card_1000001', amount: 160 }] }),
  book('poor gift card', {}),
  book('no such cabin', { cabin: 'first' }),
  change('change to a certificate', 'certificate_3221322', {}),
  change('change to a poor gift card', 'gift_card_1000004', {}),
  change('change to nothing', 'gift_card_9', {}),
  {
    title: 'the rest',
    calls: [
      { tool: 'cancel_reservation', input: { reservation_id: 'NOSUCH' } },
      { tool: 'calculate', input: { expression: 'two + 2' } },
      { tool: 'calculate', input: { expression: '2 / 0' } },
    ],
  },
];

describeConformance(airline, { probes, scripts }, { describe, it });
