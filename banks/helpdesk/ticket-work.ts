/**
 * The reference of a whole queue of tickets. Each ticket names the next one, so that every case depends on
 * the one before; ids and amounts come from the answers of earlier calls, and only the kind of each case
 * stands here.
 */

/** A call of a reference; `{$result: n, path}` stands for a value in the answer to call number n. */
interface Call {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * How the tickets of a queue end, one letter each, in order: R refund, X refusal, F escalation to fraud, S to
 * the supervisor. Small letters are claims for one line of the order, capitals for all of it.
 */
export function queueCalls(queue: string, cases: string): Call[] {
  const calls: Call[] = [{ tool: 'list_tickets', arguments: { queue, limit: 1 } }];
  let ticketId: unknown = { $result: 0, path: 'tickets.0.ticket_id' };
  for (const one of cases) {
    const ticket = calls.length;
    calls.push({ tool: 'get_ticket', arguments: { ticket_id: ticketId } }, ...caseCalls(one, ticket));
    ticketId = { $result: ticket, path: 'next_ticket_id' };
  }
  return calls;
}

function caseCalls(one: string, ticket: number): Call[] {
  const order = ticket + 1;
  const check = ticket + 2;
  const ticketId = { $result: ticket, path: 'ticket.ticket_id' };
  const orderId = { $result: ticket, path: 'ticket.order_id' };
  const line = one === one.toLowerCase() ? { line: { $result: ticket, path: 'ticket.claim_line' } } : {};
  const reads = [
    { tool: 'lookup_order', arguments: { order_id: orderId } },
    { tool: 'check_policy', arguments: { order_id: orderId, ...line } },
  ];
  const kind = one.toUpperCase();
  if (kind === 'F' || kind === 'S') {
    const team = kind === 'F' ? 'fraud' : 'supervisor';
    const about = { customer_id: { $result: order, path: 'customer.customer_id' }, order_id: orderId };
    return [
      ...reads,
      {
        tool: 'escalate',
        arguments: { team, ...about, reason: 'A claim that the desk may not settle itself.' },
      },
      { tool: 'update_ticket', arguments: { ticket_id: ticketId, status: 'pending' } },
    ];
  }
  const to = { $result: order, path: 'customer.email' };
  const amount = { $result: check, path: 'allowed_amount' };
  const paid = kind === 'R';
  return [
    ...reads,
    ...(paid ? [{ tool: 'refund', arguments: { order_id: orderId, amount } }] : []),
    {
      tool: 'send_email',
      arguments: { to, subject: 'Your claim', body: paid ? 'It is paid.' : 'We cannot pay it.' },
    },
    { tool: 'close_ticket', arguments: { ticket_id: ticketId, resolution: paid ? 'refunded' : 'refused' } },
  ];
}
