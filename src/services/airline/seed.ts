import type { RowOf, Seeding } from '../../service/index.ts';
import type { AirlineSchema, FlightDay } from './schema.ts';

type FlightRow = RowOf<AirlineSchema['flights']['columns']>;
type UserRow = RowOf<AirlineSchema['users']['columns']>;
type ReservationRow = RowOf<AirlineSchema['reservations']['columns']>;

const FIRST_OPEN_DAY = 16;
const LAST_DAY = 24;
const FIRST_DAY = 13;

/**
 * A week of a tiny airline: three customers and five reservations; every answer of the tools can be had
 * from it.
 */
export function seedSmall({ tx }: Seeding<AirlineSchema>): void {
  for (const row of flights()) tx.flights.insert(row);
  for (const row of USERS) tx.users.insert(row);
  for (const row of RESERVATIONS) tx.reservations.insert(row);
}

function flights(): FlightRow[] {
  const routes: [number: string, route: string, departure: string, arrival: string, fare: number][] = [
    ['GH101', 'DEN-BOS', '08:00:00', '13:30:00', 160],
    ['GH102', 'DEN-BOS', '17:00:00', '22:30:00', 145],
    ['GH111', 'BOS-DEN', '09:30:00', '12:15:00', 150],
    ['GH201', 'DEN-ATL', '09:00:00', '13:00:00', 120],
    ['GH202', 'ATL-MIA', '15:00:00', '17:00:00', 90],
    ['GH203', 'DEN-ATL', '20:30:00', '01:10:00+1', 80],
    ['GH301', 'DEN-MIA', '10:00:00', '16:20:00', 230],
  ];
  return routes.map(([flight_number, route, departure, arrival, fare], position) => ({
    flight_number,
    origin: route.slice(0, 3),
    destination: route.slice(4),
    scheduled_departure_time_est: departure,
    scheduled_arrival_time_est: arrival,
    dates: days(flight_number, fare),
    position,
  }));
}

function days(flight: string, fare: number): Record<string, FlightDay> {
  const dates: Record<string, FlightDay> = {};
  for (let day = FIRST_DAY; day <= LAST_DAY; day += 1) {
    const date = `2024-05-${day}`;
    dates[date] = day < FIRST_OPEN_DAY ? past(date, day) : open(flight, fare, day);
  }
  return dates;
}

function past(date: string, day: number): FlightDay {
  if (day === FIRST_DAY) return { status: 'cancelled' };
  if (day === FIRST_OPEN_DAY - 1) {
    return { status: 'flying', actual_departure_time_est: `${date}T14:05:00` };
  }
  return {
    status: 'landed',
    actual_departure_time_est: `${date}T08:10:00`,
    actual_arrival_time_est: `${date}T13:40:00`,
  };
}

/** The direct flight to Miami is sold out in economy, and the first open day of each flight is delayed. */
function open(flight: string, fare: number, day: number): FlightDay {
  if (day === FIRST_OPEN_DAY) {
    return { status: 'delayed', estimated_departure_time_est: `2024-05-${day}T11:45:00` };
  }
  return {
    status: 'available',
    available_seats: { basic_economy: 9, economy: flight === 'GH301' ? 0 : 6, business: 2 },
    prices: { basic_economy: fare - 45, economy: fare, business: fare * 3 },
  };
}

function address([address1, city, province, zip]: readonly [
  string,
  string,
  string,
  string,
]): UserRow['address'] {
  return { address1, address2: '', city, country: 'USA', province, zip };
}

const USERS: readonly UserRow[] = [
  {
    user_id: 'ada_stone_1001',
    name: { first_name: 'Ada', last_name: 'Stone' },
    address: address(['4 Millrace Lane', 'Denver', 'CO', '80201']),
    email: 'ada.stone@example.com',
    dob: '1988-03-12',
    payment_methods: {
      credit_card_1000001: {
        source: 'credit_card',
        brand: 'visa',
        last_four: '0001',
        id: 'credit_card_1000001',
      },
      gift_card_1000002: { source: 'gift_card', amount: 120, id: 'gift_card_1000002' },
      certificate_1000003: { source: 'certificate', amount: 200, id: 'certificate_1000003' },
    },
    saved_passengers: [{ first_name: 'Ívar', last_name: 'Stone', dob: '2015-08-30' }],
    membership: 'silver',
    reservations: ['GHR001', 'GHR003'],
  },
  {
    user_id: 'ben_okoro_1002',
    name: { first_name: 'Ben', last_name: 'Okoro' },
    address: address(['88 Harbour Steps', 'Boston', 'MA', '02101']),
    email: 'ben.okoro@example.com',
    dob: '1975-11-02',
    payment_methods: {
      gift_card_1000004: { source: 'gift_card', amount: 35, id: 'gift_card_1000004' },
      certificate_3221322: { source: 'certificate', amount: 100, id: 'certificate_3221322' },
      certificate_3221323: { source: 'certificate', amount: 100, id: 'certificate_3221323' },
      certificate_3221324: { source: 'certificate', amount: 50, id: 'certificate_3221324' },
    },
    saved_passengers: [],
    membership: 'regular',
    reservations: ['GHR002', 'GHR004'],
  },
  {
    user_id: 'chloe_varga_1003',
    name: { first_name: 'Chloé', last_name: 'Varga' },
    address: address(['1 Fig Tree Court', 'Atlanta', 'GA', '30301']),
    email: 'chloe.varga@example.com',
    dob: '1992-06-21',
    payment_methods: {
      credit_card_1000005: {
        source: 'credit_card',
        brand: 'mastercard',
        last_four: '0005',
        id: 'credit_card_1000005',
      },
    },
    saved_passengers: [],
    membership: 'gold',
    reservations: ['GHR005'],
  },
];

const ADA = { first_name: 'Ada', last_name: 'Stone', dob: '1988-03-12' };
const BEN = { first_name: 'Ben', last_name: 'Okoro', dob: '1975-11-02' };
const LIN = { first_name: 'Lin', last_name: 'Okoro', dob: '1979-01-17' };
const CHLOE = { first_name: 'Chloé', last_name: 'Varga', dob: '1992-06-21' };

const RESERVATIONS: readonly ReservationRow[] = [
  {
    reservation_id: 'GHR001',
    user_id: 'ada_stone_1001',
    origin: 'DEN',
    destination: 'BOS',
    flight_type: 'one_way',
    cabin: 'economy',
    flights: [{ origin: 'DEN', destination: 'BOS', flight_number: 'GH101', date: '2024-05-21', price: 152 }],
    passengers: [ADA],
    payment_history: [{ payment_id: 'credit_card_1000001', amount: 182 }],
    created_at: '2024-05-15T09:20:00',
    total_baggages: 1,
    nonfree_baggages: 0,
    insurance: 'yes',
  },
  {
    reservation_id: 'GHR002',
    user_id: 'ben_okoro_1002',
    origin: 'BOS',
    destination: 'DEN',
    flight_type: 'one_way',
    cabin: 'basic_economy',
    flights: [{ origin: 'BOS', destination: 'DEN', flight_number: 'GH111', date: '2024-05-18', price: 99 }],
    passengers: [BEN, LIN],
    payment_history: [{ payment_id: 'gift_card_1000004', amount: 198 }],
    created_at: '2024-05-03T18:41:00',
    total_baggages: 0,
    nonfree_baggages: 0,
    insurance: 'no',
  },
  {
    reservation_id: 'GHR003',
    user_id: 'ada_stone_1001',
    origin: 'DEN',
    destination: 'MIA',
    flight_type: 'one_way',
    cabin: 'business',
    flights: [
      { origin: 'DEN', destination: 'ATL', flight_number: 'GH201', date: '2024-05-14', price: 340 },
      { origin: 'ATL', destination: 'MIA', flight_number: 'GH202', date: '2024-05-14', price: 260 },
    ],
    passengers: [ADA],
    payment_history: [
      { payment_id: 'credit_card_1000001', amount: 600 },
      { payment_id: 'credit_card_1000001', amount: -600 },
    ],
    created_at: '2024-05-02T07:05:00',
    total_baggages: 2,
    nonfree_baggages: 0,
    insurance: 'no',
    status: 'cancelled',
  },
  {
    reservation_id: 'GHR004',
    user_id: 'ben_okoro_1002',
    origin: 'DEN',
    destination: 'BOS',
    flight_type: 'round_trip',
    cabin: 'economy',
    flights: [
      { origin: 'DEN', destination: 'BOS', flight_number: 'GH102', date: '2024-05-14', price: 140 },
      { origin: 'BOS', destination: 'DEN', flight_number: 'GH111', date: '2024-05-22', price: 155 },
    ],
    passengers: [BEN],
    payment_history: [{ payment_id: 'gift_card_1000004', amount: 295 }],
    created_at: '2024-04-28T12:00:00',
    total_baggages: 1,
    nonfree_baggages: 0,
    insurance: 'no',
  },
  {
    reservation_id: 'GHR005',
    user_id: 'chloe_varga_1003',
    origin: 'DEN',
    destination: 'MIA',
    flight_type: 'one_way',
    cabin: 'business',
    flights: [{ origin: 'DEN', destination: 'MIA', flight_number: 'GH301', date: '2024-05-19', price: 690 }],
    passengers: [CHLOE],
    payment_history: [{ payment_id: 'credit_card_1000005', amount: 690 }],
    created_at: '2024-05-10T21:30:00',
    total_baggages: 3,
    nonfree_baggages: 0,
    insurance: 'no',
  },
];
