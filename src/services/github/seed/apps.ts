import type { Seeding } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import type { GithubSchema } from '../schema.ts';

const DAY_MS = 86_400_000;

/** `lamp-keeper`, an app at `octo-works`, a manifest that waits, and a plan that the app is sold by. */
export function seedApps({ tx, nextId }: Seeding<GithubSchema>, epochMs: number): void {
  const known = (login: string): number => tx.accounts.unique('by_login', [login])?.id ?? 0;
  const [mona, org] = [known('mona'), known('octo-works')];
  const number = (table: keyof GithubSchema & string): number => Number(nextId(table));
  const moment = momentText(epochMs - 60 * DAY_MS);
  const times = { created_at: moment, updated_at: moment };
  const app_id = number('apps');
  const permissions = { checks: 'write', contents: 'read', issues: 'write', metadata: 'read' };
  tx.apps.insert({
    id: app_id,
    slug: 'lamp-keeper',
    client_id: 'lamp-keeper-client',
    client_secret: 'example',
    name: 'Lamp Keeper',
    owner_id: org,
    description: 'Keeps the lamp lit.',
    external_url: 'https://lamps.example',
    permissions,
    events: ['issues'],
    installations_count: 1,
    ...times,
  });
  tx.app_manifests.insert({ code: 'a'.repeat(40), owner_id: org, manifest: { name: 'Lamp Tester' } });
  tx.installations.insert({
    id: number('installations'),
    app_id,
    account_id: org,
    repository_selection: 'all',
    repository_ids: [],
    permissions,
    events: ['issues'],
    single_file_name: null,
    suspended_by_id: null,
    suspended_at: null,
    ...times,
  });
  tx.issued_tokens.insert({
    token: 'gho-example-of-a-token',
    number: number('installation_requests'),
    app_id,
    installation_id: null,
    account_id: mona,
    permissions: {},
    repository_ids: null,
    scopes: ['repo'],
    expires_at: null,
    ...times,
  });
  seedAppHook({ tx, nextId } as Seeding<GithubSchema>, app_id, moment);
  seedPlan({ tx, nextId } as Seeding<GithubSchema>, { mona, epochMs }, moment);
}

function seedAppHook({ tx, nextId }: Seeding<GithubSchema>, app_id: number, moment: string): void {
  const times = { created_at: moment, updated_at: moment };
  const hook_id = Number(nextId('hooks'));
  tx.hooks.insert({
    id: hook_id,
    repository_id: null,
    org_id: null,
    app_id,
    name: 'web',
    active: true,
    events: ['*'],
    config: { url: 'https://lamps.example/app', content_type: 'json', insecure_ssl: '0' },
    last_response: null,
    ...times,
  });
  tx.hook_deliveries.insert({
    id: Number(nextId('hook_deliveries')),
    hook_id,
    guid: '00000000-0000-4000-8000-000000000009',
    delivered_at: moment,
    redelivery: false,
    duration: 0.2,
    status: 'OK',
    status_code: 200,
    event: 'ping',
    action: null,
    installation_id: null,
    repository_id: null,
    request: { headers: {}, payload: { hook_id } },
    response: { headers: {}, payload: '' },
  });
}

function seedPlan(
  { tx, nextId }: Seeding<GithubSchema>,
  { mona, epochMs }: { readonly mona: number; readonly epochMs: number },
  moment: string,
): void {
  const plan_id = Number(nextId('marketplace_plans'));
  tx.marketplace_plans.insert({
    id: plan_id,
    number: 1,
    name: 'Evening',
    description: 'Light until midnight.',
    monthly_price_in_cents: 500,
    yearly_price_in_cents: 5_000,
    price_model: 'FLAT_RATE',
    has_free_trial: true,
    unit_name: null,
    state: 'published',
    bullets: ['Warm', 'Quiet'],
  });
  tx.marketplace_purchases.insert({
    account_id: mona,
    plan_id,
    billing_cycle: 'monthly',
    next_billing_date: momentText(epochMs + 10 * DAY_MS),
    on_free_trial: false,
    free_trial_ends_on: null,
    unit_count: null,
    pending_change: null,
    billing_email: null,
    updated_at: moment,
  });
}
