import type { Probe } from '../../../service/index.ts';
import { probe, refusal } from './probe.ts';

const close = { operation: 'tickets.close', input: { ticket_id: 'T-3001', resolution: 'refused' } };

/** Tickets and escalations. */
export const ticketProbes: readonly Probe[] = [
  probe('tickets.get', 'it names the open ticket that comes next in its queue', {
    input: { ticket_id: 'T-3001' },
    expect: { facts: { 'ticket.queue': 'returns', 'ticket.claim_line': 2, next_ticket_id: 'T-3002' } },
  }),
  probe('tickets.get', 'a ticket that is closed meanwhile is passed over', {
    after: [{ operation: 'tickets.close', input: { ticket_id: 'T-3002', resolution: 'refused' } }],
    input: { ticket_id: 'T-3001' },
    expect: { facts: { next_ticket_id: 'T-3003' } },
  }),
  probe('tickets.list', 'open tickets of a queue, oldest first', {
    input: { queue: 'returns', limit: 1 },
    expect: { facts: { 'tickets.0.ticket_id': 'T-3001', 'tickets.1': { exists: false } } },
  }),
  probe('tickets.create', 'it starts open, of normal priority', {
    input: { customer_id: 'C-1001', queue: 'delivery', subject: 'Parcel is late' },
    expect: { status: 201, facts: { status: 'open', priority: 'normal' } },
  }),
  probe('tickets.update', 'only what is named changes', {
    input: { ticket_id: 'T-3001', status: 'pending' },
    expect: { facts: { status: 'pending', queue: 'returns' } },
  }),
  probe('tickets.addNote', 'the calling actor wrote it', {
    input: { ticket_id: 'T-3001', body: 'Called back.' },
    expect: { status: 201, facts: { body: 'Called back.' } },
  }),
  probe('tickets.close', 'with how it was settled', {
    input: close.input,
    expect: { facts: { status: 'closed', resolution: 'refused' } },
  }),
  probe('tickets.close', 'once only', {
    after: [close],
    input: close.input,
    expect: refusal(409, 'ticket_closed'),
  }),
  probe('escalations.create', 'it starts open', {
    input: { team: 'fraud', customer_id: 'C-1016', order_id: '10235', reason: 'Held' },
    expect: { status: 201, facts: { team: 'fraud', status: 'open' } },
  }),
  probe('escalations.list', 'what was handed over', {
    after: [
      {
        operation: 'escalations.create',
        input: { team: 'privacy', customer_id: 'C-1001', reason: 'Insists' },
      },
    ],
    input: { customer_id: 'C-1001' },
    expect: { facts: { 'escalations.0.team': 'privacy' } },
  }),
];
