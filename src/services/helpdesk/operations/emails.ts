import { z } from 'zod';
import { audit } from '../audit.ts';
import { momentText } from '../moments.ts';
import { operation } from '../operation.ts';

export const sendEmail = operation({
  id: 'emails.send',
  summary: 'Sends an e-mail to a customer.',
  effect: 'write',
  http: { method: 'POST', path: '/emails', status: 201 },
  input: z.strictObject({
    to: z.string().min(3).describe('The e-mail address of a customer'),
    subject: z.string().min(1),
    body: z.string().min(1),
  }),
  output: z.strictObject({ email_id: z.string(), to: z.string(), sent_at: z.string() }),
  example: { to: 'mira.alder@example.com', subject: 'Your order', body: 'It is on its way.' },
  errors: ['recipient_unknown'],
  run: (ctx, input) => {
    const customer =
      ctx.tx.customers.unique('email', [input.to.toLowerCase()]) ??
      ctx.fail('recipient_unknown', { to: input.to });
    const email = ctx.tx.emails.insert({
      id: ctx.nextId('emails'),
      customer_id: customer.id,
      to: customer.email,
      subject: input.subject,
      body: input.body,
      sent_at: momentText(ctx.nowMs),
    });
    audit(ctx, { action: 'send_email', subject: customer.id });
    ctx.emit({ type: 'email.sent', data: { to: customer.email, subject: input.subject } });
    return { email_id: email.id, to: email.to, sent_at: email.sent_at };
  },
});

export const listEmails = operation({
  id: 'emails.list',
  summary: 'Lists the e-mails sent to one customer, oldest first.',
  effect: 'read',
  http: { method: 'GET', path: '/customers/{customer_id}/emails' },
  input: z.strictObject({ customer_id: z.string().describe('The customer id, such as C-1001') }),
  output: z.strictObject({
    emails: z.array(
      z.strictObject({ email_id: z.string(), subject: z.string(), body: z.string(), sent_at: z.string() }),
    ),
  }),
  example: { customer_id: 'C-1001' },
  errors: ['customer_not_found'],
  run: (ctx, input) => {
    if (!ctx.tx.customers.has(input.customer_id)) {
      ctx.fail('customer_not_found', { customer: input.customer_id });
    }
    const emails: { email_id: string; subject: string; body: string; sent_at: string }[] = [];
    for (const row of ctx.tx.emails.by('by_customer', [input.customer_id])) {
      emails.push({ email_id: row.id, subject: row.subject, body: row.body, sent_at: row.sent_at });
    }
    return { emails };
  },
});
