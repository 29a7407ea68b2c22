import { defineService, plainAccess } from '../../service/index.ts';
import { coverage } from './coverage.ts';
import { errors } from './errors.ts';
import { EPOCH_MS } from './moments.ts';
import { POLICY } from './policy.ts';
import { protocol } from './protocol.ts';
import { schema } from './schema.ts';
import { SMALL, STANDARD, seedDesk } from './seed.ts';
import { operations, tools } from './tools.ts';

export { probes } from './probes/index.ts';

/** The support desk of an online shop: orders, refunds under written policies, tickets, accounts, mail. */
export const helpdesk = defineService({
  name: 'helpdesk',
  version: '1.0.0',
  summary: 'Support desk of an online shop: orders, refunds under written policies, tickets, accounts, mail.',
  schema,
  errors,
  operations,
  tools,
  protocol,
  access: plainAccess('helpdesk'),
  coverage,
  epochMs: EPOCH_MS,
  seeds: {
    small: (seeding) => seedDesk(seeding, SMALL),
    standard: (seeding) => seedDesk(seeding, STANDARD),
  },
  policy: POLICY,
  latencyMs: [90, 110, 120, 140, 180, 260],
});
