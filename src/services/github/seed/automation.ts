import type { Seeding } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { SECRET_APPS } from '../schema/secrets.ts';
import type { GithubSchema } from '../schema.ts';

const DAY_MS = 86_400_000;

/** What automation needs at `octo-works`: secrets and variables of lamp, environment and house. */
export function seedAutomation({ tx }: Seeding<GithubSchema>, epochMs: number): void {
  const org = tx.accounts.unique('by_login', ['octo-works']);
  const lamp = org && tx.repositories.unique('by_name', [org.id, 'lamp']);
  const mona = tx.accounts.unique('by_login', ['mona']);
  if (!org || !lamp || !mona) return;
  const moment = momentText(epochMs - 30 * DAY_MS);
  const times = { created_at: moment, updated_at: moment };
  const sealed = { encrypted_value: 'sealed', key_id: '1' };
  const ofLamp = { repository_id: lamp.id, account_id: null, visibility: null, selected_repository_ids: [] };
  const ofHouse = { repository_id: null, account_id: org.id, selected_repository_ids: [] as number[] };
  const selected = { visibility: 'selected' as const, selected_repository_ids: [lamp.id] };
  for (const app of SECRET_APPS) {
    const scope = `repo:${lamp.id}`;
    const house = `org:${org.id}`;
    tx.secrets.insert({ app, scope, name: 'DEPLOY_KEY', ...ofLamp, ...sealed, ...times });
    const shared = { app, scope: house, ...ofHouse, ...times };
    tx.secrets.insert({ ...shared, ...sealed, name: 'DEPLOY_KEY', visibility: 'all' });
    tx.secrets.insert({ ...shared, ...sealed, ...selected, name: 'SHARED_KEY' });
    tx.variables.insert({ app, scope, name: 'COLOUR', value: 'amber', ...ofLamp, ...times });
    tx.variables.insert({ ...shared, name: 'COLOUR', value: 'white', visibility: 'all' });
    tx.variables.insert({ ...shared, ...selected, name: 'SHARED_COLOUR', value: 'warm' });
  }
  const production = { app: 'actions' as const, scope: `env:${lamp.id}/production`, ...ofLamp, ...times };
  tx.secrets.insert({ ...production, ...sealed, name: 'DEPLOY_KEY' });
  tx.variables.insert({ ...production, name: 'COLOUR', value: 'amber' });
  tx.secrets.insert({
    app: 'codespaces',
    scope: `user:${mona.id}`,
    name: 'DEPLOY_KEY',
    repository_id: null,
    account_id: mona.id,
    visibility: 'selected',
    selected_repository_ids: [],
    ...sealed,
    ...times,
  });
}
