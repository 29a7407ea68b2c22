import { type Json, pythonJson, type RowOf } from '../../service/index.ts';
import type { AirlineSchema } from './schema.ts';

type FlightRow = RowOf<AirlineSchema['flights']['columns']>;
type UserRow = RowOf<AirlineSchema['users']['columns']>;
type ReservationRow = RowOf<AirlineSchema['reservations']['columns']>;

/** A reservation as the agent reads it: the whole document, in the order of its members. */
export function reservationText(row: ReservationRow): string {
  return pythonJson(row as Json);
}

/** A user's document, which does not name the user's id. */
export function userText(row: UserRow): string {
  const { user_id: _id, ...document } = row;
  return pythonJson(document as Json);
}

/** A flight on one day: its own members without the calendar, then those of the day. */
export function flightOn(row: FlightRow, date: string): Record<string, Json | undefined> {
  const { dates, position: _position, ...flight } = row;
  return { ...flight, ...(dates[date] as Record<string, Json>) };
}
