// A program that knows nothing of Groundhog: it settles order 88213 over the help desk's own API.
const api = 'https://api.helpdesk.example';

async function call(method, path, body) {
  const response = await fetch(`${api}${path}`, {
    method,
    headers: { authorization: `Bearer ${process.env.HELPDESK_TOKEN}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

await call('GET', '/orders/88213');
await call('GET', '/orders/88213/policy');
await call('POST', '/orders/88213/refunds', { amount: 240 });
await call('POST', '/emails', {
  to: 'mira.alder@example.com',
  subject: 'Your refund for order 88213',
  body: 'We paid 240.00 back for one side table of order 88213.',
});
console.log('I refunded 240.00 for one side table of order 88213 and confirmed it by e-mail.');
