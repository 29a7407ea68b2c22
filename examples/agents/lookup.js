// A whole agent in the stdio protocol, in plain JavaScript. It answers questions about one order, by the
// desk's first rule: an order is discussed only with the customer it belongs to. It changes nothing.
import { createInterface } from 'node:readline';

const tell = (message) => console.log(JSON.stringify(message));
const finish = (answer) => tell({ type: 'final', answer, usage: { cost: 0.001 } });
let asking;

function start(text) {
  const [orderId] = /\b\d{5}\b/.exec(text) ?? [];
  [asking] = /[\w.+-]+@[\w-]+(\.[\w-]+)+/.exec(text) ?? [];
  if (orderId) tell({ type: 'call', tool: 'lookup_order', arguments: { order_id: orderId } });
  else finish('Please tell me the order number.');
}

function answerFrom({ ok, body }) {
  if (!ok) return `I could not find it: ${body?.error?.message ?? 'no answer came'}`;
  if (body.customer.email !== asking) return `I cannot discuss order ${body.order_id}: it is not yours.`;
  const when = body.delivered_at ? ` on ${body.delivered_at.slice(0, 10)}` : '';
  const refunded = body.refunded > 0 ? `, and ${body.refunded.toFixed(2)} of it went back` : '';
  return `Order ${body.order_id}: ${body.status}${when}; it cost ${body.total.toFixed(2)} in all${refunded}.`;
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === 'task') start(message.text);
  if (message.type === 'result') finish(answerFrom(message));
  if (message.type === 'user') finish('I only answer questions about orders.');
}
