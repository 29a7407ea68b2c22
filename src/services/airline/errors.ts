import { defineErrors } from '../../service/index.ts';

/**
 * Every answer that is a refusal. The sentences are those of the recorded runs; the statuses are ours,
 * since the original is no HTTP service.
 */
export const errors = defineErrors({
  user_not_found: { status: 404, message: 'Error: user not found' },
  reservation_not_found: { status: 404, message: 'Error: reservation not found' },
  /** `get_reservation_details` says this of a missing reservation; kept as recorded. */
  reservation_details_not_found: { status: 404, message: 'Error: user not found' },
  flight_not_found: { status: 404, message: 'Error: flight {flight} not found' },
  flight_not_on_date: { status: 404, message: 'Error: flight {flight} not found on date {date}' },
  flight_not_available: { status: 409, message: 'Error: flight {flight} not available on date {date}' },
  not_enough_seats: { status: 409, message: 'Error: not enough seats on flight {flight}' },
  payment_method_not_found: { status: 404, message: 'Error: payment method not found' },
  booking_payment_method_not_found: { status: 404, message: 'Error: payment method {payment} not found' },
  not_enough_balance: { status: 409, message: 'Error: not enough balance in payment method {payment}' },
  gift_card_balance: { status: 409, message: 'Error: gift card balance is not enough' },
  certificate_refused: { status: 409, message: 'Error: certificate cannot be used to update reservation' },
  payment_mismatch: {
    status: 409,
    message: 'Error: payment amount does not add up, total price is {total}, but paid {paid}',
  },
  passenger_count: { status: 409, message: 'Error: number of passengers does not match' },
  invalid_characters: { status: 422, message: 'Error: invalid characters in expression' },
  /** Any exception of the recorded program shows as its text. */
  exception: { status: 422, message: 'Error: {text}' },
  invalid_arguments: { status: 422, message: 'Error: {text}' },
  unknown_action: { status: 404, message: 'Unknown action {name}' },
  unauthenticated: { status: 401, message: 'Error: the access token is {reason}', reach: 'door' },
  rate_limited: {
    status: 429,
    message: 'Error: too many requests, try again in {seconds} seconds',
    reach: 'fault',
  },
  quota_exceeded: {
    status: 429,
    message: 'Error: the quota is used up, try again in {seconds} seconds',
    reach: 'fault',
  },
  unavailable: {
    status: 503,
    message: 'Error: service unavailable, try again in {seconds} seconds',
    reach: 'fault',
  },
  maintenance: {
    status: 503,
    message: 'Error: service under maintenance, try again in {seconds} seconds',
    reach: 'fault',
  },
  server_error: { status: 500, message: 'Error: internal error', reach: 'fault' },
  bad_gateway: { status: 502, message: 'Error: no answer from the service', reach: 'fault' },
});

export type AirlineErrors = typeof errors;
