import { asksFor, says, startStubLlm } from '../test/stub-llm/index.ts';

/**
 * The stub server in a process of its own, so that what it costs is not counted: looks up an order in so many
 * turns, then answers. Arguments: turns, real milliseconds between two events of a stream. Told its parent:
 * the base URL, and at the parent's word the most requests that were in flight at once.
 */
const [turns = 0, eventMs = 0] = process.argv.slice(2).map(Number);
const stub = await startStubLlm(({ body }) => {
  const made = (body.messages as readonly { role: string }[]).filter(({ role }) => role === 'assistant');
  const lookUp = { id: `call-${made.length}`, name: 'lookup_order', arguments: { order_id: '10280' } };
  const reply = made.length < turns - 1 ? asksFor(lookUp) : says('Order 10280 was delivered.');
  return { ...reply, ...(eventMs > 0 && { eventMs }) };
});
process.send?.(stub.baseUrl);
process.on('message', () => process.send?.(stub.mostInFlight));
process.on('disconnect', () => process.exit(0));
