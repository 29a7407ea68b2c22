import { defineService, plainAccess } from '../../service/index.ts';
import { coverage } from './coverage.ts';
import { errors } from './errors.ts';
import { observe } from './observe.ts';
import { protocol } from './protocol.ts';
import { schema } from './schema.ts';
import { EPOCH_MS, seedSmall, seedStandard } from './seed.ts';
import { operations, tools } from './tools.ts';

export { probes } from './probes/index.ts';

/** The reference service: small, complete, the one that new services are copied from. */
export const notes = defineService({
  name: 'notes',
  version: '1.0.0',
  summary: 'Notebooks of short notes with tags, PINs and share codes.',
  schema,
  errors,
  operations,
  tools,
  protocol,
  access: plainAccess('notes'),
  coverage,
  epochMs: EPOCH_MS,
  seeds: { small: seedSmall, standard: seedStandard },
  observe,
});
