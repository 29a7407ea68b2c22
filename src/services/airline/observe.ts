import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Observer,
  parsePythonJson,
  type RecordedExchange,
  type Seeding,
} from '../../service/index.ts';
import type { AirlineSchema } from './schema.ts';

type Tables = Seeding<AirlineSchema>['tx'];
type FlightRow = Parameters<Tables['flights']['insert']>[0];
type UserRow = Parameters<Tables['users']['insert']>[0];
type ReservationRow = Parameters<Tables['reservations']['insert']>[0];

/**
 * Profiles, reservations and found flights show rows as they were before the exchange; changes show the row
 * after it and are passed over, as are refusals.
 */
export const observe: Observer<AirlineSchema> = (seeding, exchanges) => {
  for (const exchange of exchanges) seeExchange(seeding, exchange);
  return { actor: { id: 'agent' } };
};

function seeExchange({ tx }: Seeding<AirlineSchema>, exchange: RecordedExchange): void {
  if (exchange.status !== 200 || typeof exchange.response !== 'string') return;
  const input = isJsonObject(exchange.input) ? exchange.input : {};
  switch (exchange.operation) {
    case 'get_user_details':
      seeUser(tx, String(input.user_id), parsePythonJson(exchange.response));
      return;
    case 'get_reservation_details':
      seeReservation(tx, parsePythonJson(exchange.response));
      return;
    case 'search_direct_flight':
      seeFlights(tx, String(input.date), parsePythonJson(exchange.response));
      return;
    default:
      return;
  }
}

function seeUser(tx: Tables, user_id: string, document: Json): void {
  if (!isJsonObject(document)) return;
  const known = tx.users.get(user_id);
  if (known && known.email !== '') return;
  const row = { user_id, ...document } as unknown as UserRow;
  if (!known) tx.users.insert(row);
  else {
    const { user_id: _id, ...columns } = row;
    tx.users.update(user_id, columns);
  }
}

/** A reservation names its user, who must have existed even if no exchange shows the profile. */
function seeReservation(tx: Tables, document: Json): void {
  if (!isJsonObject(document)) return;
  const row = document as unknown as ReservationRow;
  if (tx.reservations.has(row.reservation_id)) return;
  if (!tx.users.has(row.user_id)) tx.users.insert(unseenUser(row));
  tx.reservations.insert(row);
}

function unseenUser({ user_id, reservation_id }: ReservationRow): UserRow {
  return {
    user_id,
    name: {},
    address: {},
    email: '',
    dob: '',
    payment_methods: {},
    saved_passengers: [],
    membership: 'regular',
    reservations: [reservation_id],
  };
}

const DAY_MEMBERS = ['status', 'available_seats', 'prices'] as const;

function seeFlights(tx: Tables, date: string, found: Json): void {
  for (const shown of Array.isArray(found) ? found : []) {
    if (!isJsonObject(shown)) continue;
    const flight: Record<string, Json | undefined> = { ...shown };
    const day: Record<string, Json | undefined> = {};
    for (const name of DAY_MEMBERS) {
      day[name] = flight[name];
      delete flight[name];
    }
    seeFlight(tx, { flight, date, day });
  }
}

function seeFlight(
  tx: Tables,
  { flight, date, day }: { flight: JsonObject; date: string; day: JsonObject },
): void {
  const number = String(flight.flight_number);
  const known = tx.flights.get(number);
  const dates = { ...known?.dates, [date]: day } as unknown as FlightRow['dates'];
  if (!known) tx.flights.insert({ ...flight, dates, position: tx.flights.size } as unknown as FlightRow);
  else if (!Object.hasOwn(known.dates, date)) tx.flights.update(number, { dates });
}
