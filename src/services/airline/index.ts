import { defineService, plainAccess } from '../../service/index.ts';
import { coverage } from './coverage.ts';
import { errors } from './errors.ts';
import { load } from './load.ts';
import { observe } from './observe.ts';
import { policy } from './policy.ts';
import { protocol } from './protocol.ts';
import { schema } from './schema.ts';
import { seedSmall } from './seed.ts';
import { operations, tools } from './tools.ts';

export { probes } from './probes/index.ts';

/**
 * The airline desk of tau-bench: fourteen tools on flights, users and reservations, as its recorded runs
 * show them.
 */
export const airline = defineService({
  name: 'airline',
  version: '1.0.0',
  summary: 'An airline desk: search, book, change and cancel trips by fixed rules.',
  schema,
  errors,
  operations,
  tools,
  protocol,
  access: plainAccess('airline'),
  coverage,
  // 2024-05-15 15:00 in New York's winter time, the fixed moment of the domain.
  epochMs: Date.UTC(2024, 4, 15, 20),
  seeds: { small: seedSmall },
  load,
  observe,
  policy,
});
