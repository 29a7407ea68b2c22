import { z } from 'zod';
import { audit } from '../audit.ts';
import { momentText } from '../moments.ts';
import { type Context, operation } from '../operation.ts';
import type { Reads, Ticket } from '../schema.ts';
import { ticketView, viewTicket } from '../views.ts';

const ticketId = z.string().describe('The ticket id, such as T-3001');
const queue = z.enum(['returns', 'billing', 'delivery', 'account']);
const priority = z.enum(['low', 'normal', 'high']);

const noteView = z.strictObject({
  note_id: z.string(),
  author: z.string(),
  body: z.string(),
  created_at: z.string(),
});

/** The ticket, or the desk's error; Context keeps this usable from reads and writes. */
function ticketOf(ctx: Context<'ticket_not_found'>, id: string): Ticket {
  return ctx.tx.tickets.get(id) ?? ctx.fail('ticket_not_found', { ticket_id: id });
}

function openTicketOf(ctx: Context<'ticket_not_found' | 'ticket_closed'>, id: string): Ticket {
  const ticket = ticketOf(ctx, id);
  if (ticket.status === 'closed') ctx.fail('ticket_closed', { ticket_id: id });
  return ticket;
}

/** The open ticket that comes next in the same queue; this is how a queue is worked through. */
function nextInQueue(tx: Reads, ticket: Ticket): string | null {
  const options = { after: ticket.id, limit: 1 };
  for (const next of tx.tickets.by('by_queue', [ticket.queue, 'open'], options)) return next.id;
  return null;
}

export const getTicket = operation({
  id: 'tickets.get',
  summary: 'Reads one ticket with its notes, and names the open ticket that comes next in its queue.',
  effect: 'read',
  http: { method: 'GET', path: '/tickets/{ticket_id}' },
  input: z.strictObject({ ticket_id: ticketId }),
  output: z.strictObject({
    ticket: ticketView,
    notes: z.array(noteView),
    next_ticket_id: z.string().nullable(),
  }),
  example: { ticket_id: 'T-3001' },
  errors: ['ticket_not_found'],
  run: (ctx, input) => {
    const ticket = ticketOf(ctx, input.ticket_id);
    const notes: z.infer<typeof noteView>[] = [];
    for (const note of ctx.tx.ticket_notes.by('by_ticket', [ticket.id])) {
      notes.push({ note_id: note.id, author: note.author, body: note.body, created_at: note.created_at });
    }
    return { ticket: viewTicket(ticket), notes, next_ticket_id: nextInQueue(ctx.tx, ticket) };
  },
});

export const listTickets = operation({
  id: 'tickets.list',
  summary: 'Lists tickets of one queue and status, or of one customer, or about one order; oldest first.',
  effect: 'read',
  http: { method: 'GET', path: '/tickets' },
  input: z.strictObject({
    queue: queue.optional(),
    status: z.enum(['open', 'pending', 'closed']).optional().describe('With queue; open when left out'),
    customer_id: z.string().optional(),
    order_id: z.string().optional(),
    limit: z.int().min(1).max(50).optional().describe('At most so many; 20 when left out'),
  }),
  output: z.strictObject({ tickets: z.array(ticketView) }),
  example: { queue: 'returns' },
  errors: ['search_too_wide'],
  run: (ctx, input) => {
    const options = { limit: input.limit ?? 20 };
    const { tickets } = ctx.tx;
    if (input.order_id !== undefined) {
      return { tickets: [...tickets.by('by_order', [input.order_id], options)].map(viewTicket) };
    }
    if (input.customer_id !== undefined) {
      return { tickets: [...tickets.by('by_customer', [input.customer_id], options)].map(viewTicket) };
    }
    const wanted = input.queue ?? ctx.fail('search_too_wide', { hint: 'a queue, a customer or an order' });
    const parts = [wanted, input.status ?? 'open'];
    return { tickets: [...tickets.by('by_queue', parts, options)].map(viewTicket) };
  },
});

export const createTicket = operation({
  id: 'tickets.create',
  summary: 'Opens a ticket for a customer.',
  effect: 'write',
  http: { method: 'POST', path: '/tickets', status: 201 },
  input: z.strictObject({
    customer_id: z.string().describe('The customer id, such as C-1001'),
    queue,
    subject: z.string().min(1),
    order_id: z.string().optional().describe('The order that it is about'),
    priority: priority.optional().describe('normal when left out'),
  }),
  output: ticketView,
  example: { customer_id: 'C-1001', queue: 'delivery', subject: 'Parcel is late' },
  errors: ['customer_not_found', 'order_not_found', 'order_of_other_customer'],
  run: (ctx, input) => {
    if (!ctx.tx.customers.has(input.customer_id)) {
      ctx.fail('customer_not_found', { customer: input.customer_id });
    }
    if (input.order_id !== undefined) {
      const order = ctx.tx.orders.get(input.order_id);
      if (!order) ctx.fail('order_not_found', { order_id: input.order_id });
      else if (order.customer_id !== input.customer_id) {
        ctx.fail('order_of_other_customer', { order_id: order.id, customer_id: input.customer_id });
      }
    }
    const ticket = ctx.tx.tickets.insert({
      id: ctx.nextId('tickets'),
      customer_id: input.customer_id,
      order_id: input.order_id ?? null,
      claim_line: null,
      queue: input.queue,
      subject: input.subject,
      status: 'open',
      priority: input.priority ?? 'normal',
      resolution: null,
      created_at: momentText(ctx.nowMs),
      closed_at: null,
    });
    audit(ctx, { action: 'create_ticket', subject: ticket.customer_id });
    return viewTicket(ticket);
  },
});

export const updateTicket = operation({
  id: 'tickets.update',
  summary: 'Changes the status (open or pending), queue or priority of a ticket that is not closed.',
  effect: 'write',
  http: { method: 'PATCH', path: '/tickets/{ticket_id}' },
  input: z.strictObject({
    ticket_id: ticketId,
    status: z.enum(['open', 'pending']).optional(),
    queue: queue.optional(),
    priority: priority.optional(),
  }),
  output: ticketView,
  example: { ticket_id: 'T-3001', priority: 'high' },
  errors: ['ticket_not_found', 'ticket_closed', 'nothing_to_change'],
  run: (ctx, input) => {
    const ticket = openTicketOf(ctx, input.ticket_id);
    if (input.status === undefined && input.queue === undefined && input.priority === undefined) {
      ctx.fail('nothing_to_change');
    }
    const changed = ctx.tx.tickets.update(ticket.id, {
      status: input.status ?? ticket.status,
      queue: input.queue ?? ticket.queue,
      priority: input.priority ?? ticket.priority,
    });
    audit(ctx, { action: 'update_ticket', subject: ticket.id });
    return viewTicket(changed);
  },
});

export const addTicketNote = operation({
  id: 'tickets.addNote',
  summary: 'Adds a note to a ticket, for colleagues; the customer does not see it.',
  effect: 'write',
  http: { method: 'POST', path: '/tickets/{ticket_id}/notes', status: 201 },
  input: z.strictObject({ ticket_id: ticketId, body: z.string().min(1) }),
  output: noteView,
  example: { ticket_id: 'T-3001', body: 'Called back, no answer.' },
  errors: ['ticket_not_found'],
  run: (ctx, input) => {
    const ticket = ticketOf(ctx, input.ticket_id);
    const note = ctx.tx.ticket_notes.insert({
      id: ctx.nextId('ticket_notes'),
      ticket_id: ticket.id,
      author: ctx.actor.id,
      body: input.body,
      created_at: momentText(ctx.nowMs),
    });
    audit(ctx, { action: 'add_ticket_note', subject: ticket.id });
    return { note_id: note.id, author: note.author, body: note.body, created_at: note.created_at };
  },
});

export const closeTicket = operation({
  id: 'tickets.close',
  summary: 'Closes a ticket with how it was settled.',
  effect: 'write',
  http: { method: 'POST', path: '/tickets/{ticket_id}/close' },
  input: z.strictObject({
    ticket_id: ticketId,
    resolution: z.enum(['refunded', 'credited', 'refused', 'answered', 'duplicate']),
  }),
  output: ticketView,
  example: { ticket_id: 'T-3001', resolution: 'answered' },
  errors: ['ticket_not_found', 'ticket_closed'],
  run: (ctx, input) => {
    const ticket = openTicketOf(ctx, input.ticket_id);
    const changed = ctx.tx.tickets.update(ticket.id, {
      status: 'closed',
      resolution: input.resolution,
      closed_at: momentText(ctx.nowMs),
    });
    audit(ctx, { action: 'close_ticket', subject: ticket.id });
    return viewTicket(changed);
  },
});
