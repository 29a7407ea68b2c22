import { defineService } from '../../service/index.ts';
import { coverageOf } from './coverage.ts';
import { errors } from './errors.ts';
import { observe } from './observe.ts';
import { protocol } from './protocol.ts';
import { schema } from './schema.ts';
import { EPOCH_MS, seedLarge, seedSmall, seedStandard } from './seed.ts';
import { operations, tools } from './tools.ts';

export { probes } from './probes/index.ts';

/** GitHub's REST API, as agents and SDKs use it. */
export const github = defineService({
  name: 'github',
  version: '1.0.0',
  summary: 'GitHub: repositories with real git objects, issues, pulls, reviews, actions, organisations.',
  schema,
  errors,
  operations,
  tools,
  protocol,
  observe,
  access: {
    hosts: ['api.github.com', 'uploads.github.com', 'github.com'],
    origins: ['https://api.github.com', 'https://uploads.github.com'],
    environment: ['GITHUB_TOKEN', 'GH_TOKEN'],
    token: { prefix: 'hog_github_', length: 32 },
    places: [
      { in: 'authorization', scheme: 'Bearer' },
      { in: 'authorization', scheme: 'token' },
      { in: 'basic', part: 'password' },
      { in: 'basic', part: 'user' },
    ],
  },
  coverage: coverageOf(operations),
  epochMs: EPOCH_MS,
  seeds: { small: seedSmall, standard: seedStandard, large: seedLarge },
});
