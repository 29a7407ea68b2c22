import { z } from 'zod';
import {
  type JsonObject,
  magnitudeOf,
  type Operation,
  type OperationContext,
  type PythonNumber,
  pythonArithmetic,
  pythonTextRepr,
  type RowOf,
  type WriteTables,
} from '../../../service/index.ts';
import {
  argumentsOf,
  documentsArgument,
  inOrder,
  numberArgument,
  raising,
  textArgument,
  textOf,
} from '../arguments.ts';
import type { AirlineErrors } from '../errors.ts';
import { addFare, faredFlight, keptFlight } from '../fares.ts';
import { operation } from '../operation.ts';
import { PythonException } from '../python-numbers.ts';
import type { AirlineSchema, Payment, ReservedFlight } from '../schema.ts';
import { reservationText } from '../views.ts';
import { CABINS, PASSENGER, WANTED_FLIGHT } from './choices.ts';

const DETAILS = 'GetReservationDetails';
const CANCEL = 'CancelReservation';
const BAGGAGES = 'UpdateReservationBaggages';
const FLIGHTS = 'UpdateReservationFlights';
const PASSENGERS = 'UpdateReservationPassengers';
const PRICE_PER_EXTRA_BAG = 50;

type PaymentError = 'payment_method_not_found' | 'certificate_refused' | 'gift_card_balance' | 'exception';
type Context = OperationContext<AirlineSchema, Pick<AirlineErrors, PaymentError>, WriteTables<AirlineSchema>>;
type ReservationRow = RowOf<AirlineSchema['reservations']['columns']>;

function reservationArgument(method: string) {
  return textArgument(method, 'Number of the reservation, such as GHR001.');
}

const getReservationDetails = operation({
  id: 'get_reservation_details',
  summary: 'Shows a reservation: flights, passengers, payments, bags and insurance.',
  effect: 'read',
  http: { method: 'POST', path: '/tools/get_reservation_details' },
  input: argumentsOf(DETAILS, { reservation_id: reservationArgument(DETAILS) }),
  output: z.string(),
  example: { reservation_id: 'GHR001' },
  errors: ['reservation_details_not_found'],
  run(ctx, { reservation_id }) {
    const reservation = ctx.tx.reservations.get(reservation_id);
    return reservation ? reservationText(reservation) : ctx.fail('reservation_details_not_found');
  },
});

/** Every payment is turned back in the history; no gift card is credited and no seat comes free. */
const cancelReservation = operation({
  id: 'cancel_reservation',
  summary: 'Cancels a whole reservation and turns its payments back. Check the policy first.',
  effect: 'write',
  http: { method: 'POST', path: '/tools/cancel_reservation' },
  input: argumentsOf(CANCEL, { reservation_id: reservationArgument(CANCEL) }),
  output: z.string(),
  example: { reservation_id: 'GHR001' },
  errors: ['reservation_not_found', 'exception'],
  run(ctx, { reservation_id }) {
    const reservation = ctx.tx.reservations.get(reservation_id);
    if (!reservation) return ctx.fail('reservation_not_found');
    const refunds = reservation.payment_history.map((payment) => ({
      payment_id: payment.payment_id,
      amount: pythonArithmetic('*', payment.amount, -1),
    }));
    const payment_history = [...reservation.payment_history, ...refunds];
    return reservationText(
      ctx.tx.reservations.update(reservation_id, { payment_history, status: 'cancelled' }),
    );
  },
});

/** Only bags beyond those already paid for are charged. */
const updateReservationBaggages = operation({
  id: 'update_reservation_baggages',
  summary: 'Changes the number of checked bags of a reservation and charges the extra ones.',
  effect: 'write',
  http: { method: 'POST', path: '/tools/update_reservation_baggages' },
  input: argumentsOf(BAGGAGES, {
    reservation_id: reservationArgument(BAGGAGES),
    total_baggages: numberArgument(BAGGAGES, 'Checked bags in all, after the change.'),
    nonfree_baggages: numberArgument(BAGGAGES, 'Checked bags beyond the free allowance, after the change.'),
    payment_id: textArgument(BAGGAGES, 'Id of the payment method to charge.'),
  }),
  output: z.string(),
  example: {
    reservation_id: 'GHR001',
    total_baggages: 2,
    nonfree_baggages: 1,
    payment_id: 'credit_card_1000001',
  },
  errors: [
    'reservation_not_found',
    'payment_method_not_found',
    'certificate_refused',
    'gift_card_balance',
    'exception',
  ],
  run(ctx, { reservation_id, total_baggages, nonfree_baggages, payment_id }) {
    const reservation = ctx.tx.reservations.get(reservation_id);
    if (!reservation) return ctx.fail('reservation_not_found');
    const extra = pythonArithmetic('-', nonfree_baggages, reservation.nonfree_baggages);
    const price = magnitudeOf(extra) > 0 ? pythonArithmetic('*', PRICE_PER_EXTRA_BAG, extra) : 0;
    const payment_history = raising(ctx.fail, () => settle(ctx, { reservation, payment_id, price }));
    const changes = { total_baggages, nonfree_baggages, payment_history };
    return reservationText(ctx.tx.reservations.update(reservation_id, changes));
  },
});

/**
 * The cabin member stays as it was: the original forgets it, and the recorded hashes depend on that. A flight
 * that is kept in the same cabin keeps its price.
 */
const updateReservationFlights = operation({
  id: 'update_reservation_flights',
  summary: 'Replaces the flights of a reservation, kept ones included, and settles the difference in price.',
  effect: 'write',
  http: { method: 'POST', path: '/tools/update_reservation_flights' },
  input: argumentsOf(FLIGHTS, {
    reservation_id: reservationArgument(FLIGHTS),
    cabin: textArgument(FLIGHTS, 'The cabin, the same for all flights.', CABINS),
    flights: documentsArgument(FLIGHTS, 'All flights after the change, kept ones included.', WANTED_FLIGHT),
    payment_id: textArgument(FLIGHTS, 'Id of the payment method that pays or is paid back.'),
  }),
  output: z.string(),
  example: {
    reservation_id: 'GHR001',
    cabin: 'economy',
    flights: [{ flight_number: 'GH102', date: '2024-05-21' }],
    payment_id: 'credit_card_1000001',
  },
  errors: [
    'reservation_not_found',
    'flight_not_found',
    'flight_not_on_date',
    'flight_not_available',
    'not_enough_seats',
    'payment_method_not_found',
    'certificate_refused',
    'gift_card_balance',
    'exception',
  ],
  run(ctx, { reservation_id, cabin, flights: wantedFlights, payment_id }) {
    const reservation = ctx.tx.reservations.get(reservation_id);
    if (!reservation) return ctx.fail('reservation_not_found');
    return raising(ctx.fail, () => {
      const passengers = reservation.passengers.length;
      let price: PythonNumber = 0;
      const flights: ReservedFlight[] = [];
      for (const wanted of inOrder(wantedFlights)) {
        const kept = cabin === reservation.cabin ? keptOf(reservation, wanted) : undefined;
        const flight = kept
          ? keptFlight(wanted, kept)
          : faredFlight({ flights: ctx.tx.flights, wanted, cabin, passengers, refuse: ctx.fail });
        flights.push(flight);
        price = addFare(price, flight.price, passengers);
      }
      let before: PythonNumber = 0;
      for (const flight of reservation.flights) before = pythonArithmetic('+', before, flight.price);
      price = pythonArithmetic('-', price, pythonArithmetic('*', before, passengers));
      const payment_history = settle(ctx, { reservation, payment_id, price });
      return reservationText(ctx.tx.reservations.update(reservation_id, { flights, payment_history }));
    });
  },
});

const updateReservationPassengers = operation({
  id: 'update_reservation_passengers',
  summary: 'Replaces the passengers of a reservation by as many others.',
  effect: 'write',
  http: { method: 'POST', path: '/tools/update_reservation_passengers' },
  input: argumentsOf(PASSENGERS, {
    reservation_id: reservationArgument(PASSENGERS),
    passengers: documentsArgument(PASSENGERS, 'Everybody who flies, as many as before.', PASSENGER),
  }),
  output: z.string(),
  example: {
    reservation_id: 'GHR001',
    passengers: [{ first_name: 'Ada', last_name: 'Rivers', dob: '1988-03-12' }],
  },
  errors: ['reservation_not_found', 'passenger_count'],
  run(ctx, { reservation_id, passengers }) {
    const reservation = ctx.tx.reservations.get(reservation_id);
    if (!reservation) return ctx.fail('reservation_not_found');
    if (passengers.length !== reservation.passengers.length) return ctx.fail('passenger_count');
    const changes = { passengers: inOrder(passengers) };
    return reservationText(ctx.tx.reservations.update(reservation_id, changes));
  },
});

function keptOf(reservation: ReservationRow, wanted: JsonObject): ReservedFlight | undefined {
  const number = textOf(wanted, 'flight_number');
  return reservation.flights.find(
    (flight) => flight.flight_number === number && flight.date === textOf(wanted, 'date'),
  );
}

/** Charges or credits a difference in price and gives the payment history with it; nothing is added for 0. */
function settle(
  ctx: Context,
  request: {
    readonly reservation: ReservationRow;
    readonly payment_id: string;
    readonly price: PythonNumber;
  },
): Payment[] {
  const { reservation, payment_id, price } = request;
  const user = ctx.tx.users.get(reservation.user_id);
  if (!user) throw new PythonException(pythonTextRepr(reservation.user_id));
  const methods = user.payment_methods;
  const method = Object.hasOwn(methods, payment_id) ? methods[payment_id] : undefined;
  if (!method) return ctx.fail('payment_method_not_found');
  if (method.source === 'certificate') return ctx.fail('certificate_refused');
  if (method.source === 'gift_card') {
    const balance = method.amount ?? 0;
    if (magnitudeOf(balance) < magnitudeOf(price)) return ctx.fail('gift_card_balance');
    const amount = pythonArithmetic('-', balance, price);
    ctx.tx.users.update(user.user_id, {
      payment_methods: { ...methods, [payment_id]: { ...method, amount } },
    });
  }
  if (magnitudeOf(price) === 0) return [...reservation.payment_history];
  return [...reservation.payment_history, { payment_id, amount: price }];
}

export const reservationOperations: readonly Operation[] = [
  getReservationDetails,
  cancelReservation,
  updateReservationBaggages,
  updateReservationFlights,
  updateReservationPassengers,
];
