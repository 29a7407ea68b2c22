import { z } from 'zod';
import { type Operation, pythonNumberText } from '../../../service/index.ts';
import { argumentsOf, numberArgument, textArgument } from '../arguments.ts';
import { operation } from '../operation.ts';
import { userText } from '../views.ts';

const DETAILS = 'GetUserDetails';
const CERTIFICATE = 'SendCertificate';

/** The only ids a goodwill certificate can have; a user who holds all three gets no more. */
const CERTIFICATE_IDS = ['certificate_3221322', 'certificate_3221323', 'certificate_3221324'];

const getUserDetails = operation({
  id: 'get_user_details',
  summary:
    'Shows the profile of a customer: contact data, payment methods, membership and reservation numbers.',
  effect: 'read',
  http: { method: 'POST', path: '/tools/get_user_details' },
  input: argumentsOf(DETAILS, {
    user_id: textArgument(DETAILS, 'Id of the customer, such as ada_stone_1001.'),
  }),
  output: z.string(),
  example: { user_id: 'ada_stone_1001' },
  errors: ['user_not_found'],
  run(ctx, input) {
    const user = ctx.tx.users.get(input.user_id);
    return user ? userText(user) : ctx.fail('user_not_found');
  },
});

/** A fourth certificate is quietly not given: the answer is null and nothing changes, as in the original. */
const sendCertificate = operation({
  id: 'send_certificate',
  summary: 'Adds a goodwill certificate to the payment methods of a customer. Check the policy first.',
  effect: 'write',
  http: { method: 'POST', path: '/tools/send_certificate' },
  input: argumentsOf(CERTIFICATE, {
    user_id: textArgument(CERTIFICATE, 'Id of the customer who gets the certificate.'),
    amount: numberArgument(CERTIFICATE, 'Worth of the certificate in US dollars.', 'number'),
  }),
  output: z.string().nullable(),
  example: { user_id: 'ada_stone_1001', amount: 100 },
  errors: ['user_not_found'],
  run(ctx, { user_id, amount }) {
    const user = ctx.tx.users.get(user_id);
    if (!user) return ctx.fail('user_not_found');
    const id = CERTIFICATE_IDS.find((candidate) => !Object.hasOwn(user.payment_methods, candidate));
    if (id === undefined) return null;
    const certificate = { source: 'certificate', amount, id };
    ctx.tx.users.update(user_id, { payment_methods: { ...user.payment_methods, [id]: certificate } });
    return `Certificate ${id} added to user ${user_id} with amount ${pythonNumberText(amount)}.`;
  },
});

export const userOperations: readonly Operation[] = [getUserDetails, sendCertificate];
