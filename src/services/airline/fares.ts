import {
  type JsonObject,
  magnitudeOf,
  type PythonNumber,
  pythonArithmetic,
  type ReadTables,
  type RowOf,
} from '../../service/index.ts';
import { textOf } from './arguments.ts';
import { PythonException } from './python-numbers.ts';
import type { AirlineSchema, ReservedFlight } from './schema.ts';

type FlightTable = ReadTables<AirlineSchema>['flights'];
type FlightRow = RowOf<AirlineSchema['flights']['columns']>;

/** The four ways in which a wanted flight can be refused. */
export type FlightRefusal =
  | 'flight_not_found'
  | 'flight_not_on_date'
  | 'flight_not_available'
  | 'not_enough_seats';

/**
 * One flight as wanted by the caller: the document with its number and date, and who flies in which cabin.
 */
export interface FareRequest {
  readonly flights: FlightTable;
  readonly wanted: JsonObject;
  readonly cabin: string;
  readonly passengers: number;
  readonly refuse: (code: FlightRefusal, details: JsonObject) => never;
}

/**
 * The wanted flight with today's price, origin and destination added behind the caller's own members. Seats
 * are only looked at: the recorded program takes none.
 */
export function faredFlight(request: FareRequest): ReservedFlight {
  const { wanted, refuse } = request;
  const flight = textOf(wanted, 'flight_number');
  const row = request.flights.get(flight);
  if (!row) return refuse('flight_not_found', { flight });
  const date = textOf(wanted, 'date');
  const day = Object.hasOwn(row.dates, date) ? row.dates[date] : undefined;
  if (!day) return refuse('flight_not_on_date', { flight, date });
  if (day.status !== 'available') return refuse('flight_not_available', { flight, date });
  const seats = lookedUp(day.available_seats, request.cabin);
  if (magnitudeOf(seats) < request.passengers) return refuse('not_enough_seats', { flight });
  return reservedAs(wanted, row, lookedUp(day.prices, request.cabin));
}

/** A flight that the caller keeps: the old price stays. */
export function keptFlight(wanted: JsonObject, kept: ReservedFlight): ReservedFlight {
  return reservedAs(wanted, kept, kept.price);
}

/** `total + price * passengers`. */
export function addFare(total: PythonNumber, price: PythonNumber, passengers: number): PythonNumber {
  return pythonArithmetic('+', total, pythonArithmetic('*', price, passengers));
}

function reservedAs(
  wanted: JsonObject,
  from: Pick<FlightRow, 'origin' | 'destination'>,
  price: PythonNumber,
): ReservedFlight {
  return {
    ...wanted,
    price,
    origin: from.origin,
    destination: from.destination,
  } as unknown as ReservedFlight;
}

function lookedUp(amounts: Readonly<Record<string, PythonNumber>> | undefined, cabin: string): PythonNumber {
  const amount = amounts && Object.hasOwn(amounts, cabin) ? amounts[cabin] : undefined;
  if (amount === undefined) throw new PythonException(`'${cabin}'`);
  return amount;
}
