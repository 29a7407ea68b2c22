import { defineErrors, PLAIN_ERRORS } from '../../service/index.ts';

/** What the desk's back office can say no with. */
export const errors = defineErrors({
  ...PLAIN_ERRORS,
  order_not_found: { status: 404, message: 'There is no order {order_id}.' },
  line_not_found: { status: 404, message: 'Order {order_id} has no line {line}.' },
  customer_not_found: { status: 404, message: 'There is no customer {customer}.' },
  product_not_found: { status: 404, message: 'There is no product {product_id}.' },
  policy_not_found: { status: 404, message: 'There is no policy {policy_id}.' },
  ticket_not_found: { status: 404, message: 'There is no ticket {ticket_id}.' },
  account_not_found: { status: 404, message: 'Customer {customer_id} has no account.' },
  recipient_unknown: {
    status: 404,
    message: 'No customer has the address {to}; mail goes to customers only.',
  },
  invalid_amount: {
    status: 422,
    message: 'The amount {amount} is not an amount of money: more than 0, at most two decimals.',
  },
  order_not_delivered: {
    status: 409,
    message: 'Order {order_id} is {status}: money goes back after delivery only.',
  },
  refund_window_closed: {
    status: 409,
    message: 'Order {order_id} was delivered {days} days ago; policy {policy_id} allows {window_days}.',
  },
  credit_window_closed: {
    status: 409,
    message: 'Policy {policy_id} allows no store credit for order {order_id} any more.',
  },
  amount_exceeds_remaining: {
    status: 409,
    message: 'Only {remaining} of order {order_id} has not gone back yet; {amount} is more.',
  },
  already_refunded: { status: 409, message: 'All of order {order_id} has gone back already.' },
  fraud_hold: {
    status: 403,
    message: 'Order {order_id} is on a fraud hold: no money moves until it is lifted.',
  },
  idempotency_key_reused: {
    status: 409,
    message: 'The idempotency key was used for another refund.',
  },
  order_of_other_customer: {
    status: 409,
    message: 'Order {order_id} does not belong to customer {customer_id}.',
  },
  order_not_cancellable: { status: 409, message: 'Order {order_id} is {status} and cannot be cancelled.' },
  order_not_changeable: {
    status: 409,
    message: 'Order {order_id} is {status}: its address cannot be changed any more.',
  },
  account_closed: { status: 409, message: 'The account of customer {customer_id} is closed.' },
  account_has_open_orders: {
    status: 409,
    message: 'Customer {customer_id} has orders on their way: {orders}.',
  },
  ticket_closed: { status: 409, message: 'Ticket {ticket_id} is closed.' },
  nothing_to_change: { status: 422, message: 'Name at least one thing to change.' },
  search_too_wide: { status: 422, message: 'Say what to look for: {hint}.' },
});

export type HelpdeskErrors = typeof errors;
