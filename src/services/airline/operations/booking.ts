import { z } from 'zod';
import {
  type JsonObject,
  magnitudeOf,
  type Operation,
  type OperationContext,
  type PythonNumber,
  pythonArithmetic,
  pythonNumberText,
  type ReadTables,
  type RowOf,
  type WriteTables,
} from '../../../service/index.ts';
import {
  argumentsOf,
  documentsArgument,
  inOrder,
  numberArgument,
  numberOf,
  raising,
  textArgument,
  textOf,
} from '../arguments.ts';
import type { AirlineErrors } from '../errors.ts';
import { addFare, faredFlight } from '../fares.ts';
import { operation } from '../operation.ts';
import type { AirlineSchema, PaymentMethod, ReservedFlight } from '../schema.ts';
import { reservationText } from '../views.ts';
import { CABINS, PASSENGER, WANTED_FLIGHT } from './choices.ts';

const BOOK = 'BookReservation';
const INSURANCE_PER_PASSENGER = 30;
const PRICE_PER_EXTRA_BAG = 50;
/** New reservations get these numbers in turn; one after the third replaces the third. */
const NEW_IDS = ['HATHAT', 'HATHAU', 'HATHAV'];
/** Every booking carries the moment of the domain's fixed day. */
const CREATED_AT = '2024-05-15T15:00:00';

type BookingError =
  | 'user_not_found'
  | 'flight_not_found'
  | 'flight_not_on_date'
  | 'flight_not_available'
  | 'not_enough_seats'
  | 'booking_payment_method_not_found'
  | 'not_enough_balance'
  | 'payment_mismatch'
  | 'exception';
type Context = OperationContext<AirlineSchema, Pick<AirlineErrors, BookingError>, WriteTables<AirlineSchema>>;
type UserRow = RowOf<AirlineSchema['users']['columns']>;
type ReservationRow = RowOf<AirlineSchema['reservations']['columns']>;

const input = argumentsOf(BOOK, {
  user_id: textArgument(BOOK, 'Id of the customer who books.'),
  origin: textArgument(BOOK, 'Code of the airport where the trip starts.'),
  destination: textArgument(BOOK, 'Code of the airport where the trip leads.'),
  flight_type: textArgument(BOOK, 'One way or round trip.', ['one_way', 'round_trip']),
  cabin: textArgument(BOOK, 'The cabin, the same for all flights.', CABINS),
  flights: documentsArgument(BOOK, 'All flights of the trip in order.', WANTED_FLIGHT),
  passengers: documentsArgument(BOOK, 'Everybody who flies.', PASSENGER),
  payment_methods: documentsArgument(BOOK, 'Who pays how much: together exactly the price.', {
    payment_id: { type: 'string', description: 'Id of a payment method of the customer.' },
    amount: { type: 'number', description: 'US dollars paid with it.' },
  }),
  total_baggages: numberArgument(BOOK, 'Checked bags in all.'),
  nonfree_baggages: numberArgument(BOOK, 'Checked bags beyond the free allowance.'),
  insurance: textArgument(BOOK, 'Whether to insure the trip.', ['yes', 'no']),
});
type Booking = z.infer<typeof input>;

const bookReservation = operation({
  id: 'book_reservation',
  summary: 'Books a trip for a customer and charges the payment methods given.',
  effect: 'write',
  http: { method: 'POST', path: '/tools/book_reservation' },
  input,
  output: z.string(),
  example: {
    user_id: 'ada_stone_1001',
    origin: 'DEN',
    destination: 'BOS',
    flight_type: 'one_way',
    cabin: 'economy',
    flights: [{ flight_number: 'GH101', date: '2024-05-20' }],
    passengers: [{ first_name: 'Ada', last_name: 'Stone', dob: '1988-03-12' }],
    payment_methods: [{ payment_id: 'credit_card_1000001', amount: 190 }],
    total_baggages: 2,
    nonfree_baggages: 0,
    insurance: 'yes',
  },
  errors: [
    'user_not_found',
    'flight_not_found',
    'flight_not_on_date',
    'flight_not_available',
    'not_enough_seats',
    'booking_payment_method_not_found',
    'not_enough_balance',
    'payment_mismatch',
    'exception',
  ],
  run: (ctx, booking) =>
    raising(ctx.fail, () => {
      const { flights, passengers, payment_methods } = booking;
      return book(ctx, {
        ...booking,
        flights: inOrder(flights),
        passengers: inOrder(passengers),
        payment_methods: inOrder(payment_methods),
      });
    }),
});

function book(ctx: Context, booking: Booking): string {
  const user = ctx.tx.users.get(booking.user_id);
  if (!user) return ctx.fail('user_not_found');
  const { flights, total } = fares(ctx, booking);
  checkPayments(ctx, { booking, user, total });
  charge(ctx, booking, user);
  const id = newId(ctx.tx);
  const reservation = reservationOf(booking, id, flights);
  if (ctx.tx.reservations.has(id)) ctx.tx.reservations.update(id, replacement(reservation));
  else ctx.tx.reservations.insert(reservation);
  ctx.tx.users.update(booking.user_id, { reservations: [...user.reservations, id] });
  return reservationText(reservation);
}

function fares(ctx: Context, booking: Booking): { flights: ReservedFlight[]; total: PythonNumber } {
  const passengers = booking.passengers.length;
  let total: PythonNumber = 0;
  const flights: ReservedFlight[] = [];
  for (const wanted of booking.flights) {
    const refuse = (code: Parameters<typeof ctx.fail>[0], details: JsonObject): never =>
      ctx.fail(code, details);
    const fared = faredFlight({ flights: ctx.tx.flights, wanted, cabin: booking.cabin, passengers, refuse });
    flights.push(fared);
    total = addFare(total, fared.price, passengers);
  }
  if (booking.insurance === 'yes') total = addFare(total, INSURANCE_PER_PASSENGER, passengers);
  const bags = pythonArithmetic('*', PRICE_PER_EXTRA_BAG, booking.nonfree_baggages);
  return { flights, total: pythonArithmetic('+', total, bags) };
}

function checkPayments(
  ctx: Context,
  { booking, user, total }: { booking: Booking; user: UserRow; total: PythonNumber },
): void {
  let paid: PythonNumber = 0;
  for (const part of booking.payment_methods) {
    const payment = textOf(part, 'payment_id');
    const amount = numberOf(part, 'amount');
    const method = methodOf(user.payment_methods, payment);
    if (!method) ctx.fail('booking_payment_method_not_found', { payment });
    if (method.source !== 'credit_card' && magnitudeOf(method.amount ?? 0) < magnitudeOf(amount)) {
      ctx.fail('not_enough_balance', { payment });
    }
    paid = pythonArithmetic('+', paid, amount);
  }
  if (magnitudeOf(paid) === magnitudeOf(total)) return;
  ctx.fail('payment_mismatch', { total: pythonNumberText(total), paid: pythonNumberText(paid) });
}

/** A certificate is used up whole, a gift card by the amount; a card is charged elsewhere. */
function charge(ctx: Context, booking: Booking, user: UserRow): void {
  const methods = { ...user.payment_methods };
  for (const part of booking.payment_methods) {
    const id = textOf(part, 'payment_id');
    const method = methodOf(methods, id);
    if (!method) {
      // One certificate given twice is gone at its second turn: what was charged before stays charged.
      ctx.tx.users.update(booking.user_id, { payment_methods: methods });
      ctx.fail('exception', { text: `'${id}'` }, { commit: true });
    }
    if (method.source === 'certificate') delete methods[id];
    if (method.source !== 'gift_card') continue;
    const amount = pythonArithmetic('-', method.amount ?? 0, numberOf(part, 'amount'));
    methods[id] = { ...method, amount };
  }
  ctx.tx.users.update(booking.user_id, { payment_methods: methods });
}

function methodOf(methods: Readonly<Record<string, PaymentMethod>>, id: string): PaymentMethod | undefined {
  return Object.hasOwn(methods, id) ? methods[id] : undefined;
}

function newId(tx: ReadTables<AirlineSchema>): string {
  return NEW_IDS.find((id) => !tx.reservations.has(id)) ?? NEW_IDS.at(-1) ?? '';
}

function reservationOf(booking: Booking, id: string, flights: ReservedFlight[]): ReservationRow {
  return {
    reservation_id: id,
    user_id: booking.user_id,
    origin: booking.origin,
    destination: booking.destination,
    flight_type: booking.flight_type,
    cabin: booking.cabin,
    flights,
    passengers: booking.passengers,
    payment_history: booking.payment_methods as unknown as ReservationRow['payment_history'],
    created_at: CREATED_AT,
    total_baggages: booking.total_baggages,
    nonfree_baggages: booking.nonfree_baggages,
    insurance: booking.insurance,
  };
}

/** All columns of the new reservation; what the old one had besides is removed. */
function replacement(reservation: ReservationRow): Partial<ReservationRow> {
  const { reservation_id: _id, ...columns } = reservation;
  return { ...columns, status: undefined } as Partial<ReservationRow>;
}

export const bookingOperations: readonly Operation[] = [bookReservation];
