// A whole agent in the stdio protocol, in plain JavaScript: looks an order up and says what it found.
// It knows one trick, so it solves look-ups and little else.
import { createInterface } from 'node:readline';

const tell = (message) => console.log(JSON.stringify(message));

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === 'task') {
    const orderId = /\b\d{5}\b/.exec(message.text)?.[0];
    if (orderId) tell({ type: 'call', id: 1, tool: 'lookup_order', arguments: { order_id: orderId } });
    else tell({ type: 'final', answer: 'Please tell me the order number.' });
  }
  if (message.type === 'result') {
    const { ok, body } = message;
    const answer = ok
      ? `Order ${body.order_id} is ${body.status}.`
      : `I could not find it: ${body?.error?.message}`;
    tell({ type: 'final', answer, usage: { cost: 0.001 } });
  }
  if (message.type === 'user') tell({ type: 'final', answer: 'Goodbye.' });
}
