import { z } from 'zod';
import {
  defineSchema,
  isPythonNumber,
  type JsonObject,
  type PythonNumber,
  table,
} from '../../service/index.ts';

/** A number as the recorded program holds it: see `PythonNumber`. */
export const pythonNumber = z
  .unknown()
  .refine(isPythonNumber, { error: 'expected a number' })
  .meta({ type: 'number' }) as unknown as z.ZodType<PythonNumber>;

const text = z.string();
const documents = z.array(z.record(z.string(), z.unknown())) as unknown as z.ZodType<readonly JsonObject[]>;
const amounts = z.record(z.string(), pythonNumber);

/** One flight on one day. Seats and prices are there only while it can be booked. */
const flightDay = z.looseObject({
  status: text,
  available_seats: amounts.optional(),
  prices: amounts.optional(),
});
export type FlightDay = z.infer<typeof flightDay>;

const reservedFlight = z.looseObject({
  origin: text,
  destination: text,
  flight_number: text,
  date: text,
  price: pythonNumber,
});
export type ReservedFlight = z.infer<typeof reservedFlight>;

const payment = z.looseObject({ payment_id: text, amount: pythonNumber });
export type Payment = z.infer<typeof payment>;

const paymentMethod = z.looseObject({ source: text, id: text, amount: pythonNumber.optional() });
export type PaymentMethod = z.infer<typeof paymentMethod>;

/**
 * One row per entity; its columns are the members of the document as recorded, in that order. Two columns
 * are ours: the user's id, which is the name of the document in its file, and a flight's place in its file,
 * because searches answer in that order.
 */
export const schema = defineSchema({
  flights: table({
    primaryKey: 'flight_number',
    columns: {
      flight_number: text,
      origin: text,
      destination: text,
      scheduled_departure_time_est: text,
      scheduled_arrival_time_est: text,
      dates: z.record(z.string(), flightDay),
      position: z.int(),
    },
    indexes: { origin: ['origin', 'position'], route: ['origin', 'destination', 'position'] },
  }),
  users: table({
    primaryKey: 'user_id',
    columns: {
      user_id: text,
      name: z.record(z.string(), z.unknown()) as unknown as z.ZodType<JsonObject>,
      address: z.record(z.string(), z.unknown()) as unknown as z.ZodType<JsonObject>,
      email: text,
      dob: text,
      payment_methods: z.record(z.string(), paymentMethod),
      saved_passengers: documents,
      membership: text,
      reservations: z.array(text),
    },
  }),
  reservations: table({
    primaryKey: 'reservation_id',
    columns: {
      reservation_id: text,
      user_id: text,
      origin: text,
      destination: text,
      flight_type: text,
      cabin: text,
      flights: z.array(reservedFlight),
      passengers: documents,
      payment_history: z.array(payment),
      created_at: text,
      total_baggages: pythonNumber,
      nonfree_baggages: pythonNumber,
      insurance: text,
      status: text.optional(),
    },
    indexes: { user: ['user_id'] },
    foreignKeys: { user_id: { table: 'users', onDelete: 'restrict' } },
  }),
});

export type AirlineSchema = typeof schema;
