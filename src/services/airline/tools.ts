import { type Operation, type Tool, toolOf } from '../../service/index.ts';
import { bookingOperations } from './operations/booking.ts';
import { conversationOperations } from './operations/conversation.ts';
import { flightOperations } from './operations/flights.ts';
import { reservationOperations } from './operations/reservations.ts';
import { userOperations } from './operations/users.ts';

export const operations: readonly Operation[] = [
  ...bookingOperations,
  ...reservationOperations,
  ...flightOperations,
  ...userOperations,
  ...conversationOperations,
];

/** Each operation is one tool of the same name. */
export const tools: readonly Tool[] = operations.map((operation) =>
  toolOf(operation, { name: operation.id }),
);
