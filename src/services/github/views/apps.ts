import { digestText, isJsonObject, type JsonObject } from '../../../service/index.ts';
import type { Reading } from '../operation.ts';
import type { App, Installation, IssuedToken, MarketplacePlan, MarketplacePurchase } from '../schema/apps.ts';
import { simpleUserOrNull } from './accounts.ts';
import { globalId } from './node-ids.ts';
import { API, WEB } from './urls.ts';

/** An app as everybody sees it. */
export function appView({ tx }: Reading, app: App): JsonObject {
  return {
    id: app.id,
    client_id: app.client_id,
    slug: app.slug,
    node_id: globalId('A', [0, app.owner_id, app.id]),
    owner: simpleUserOrNull(tx.accounts.get(app.owner_id)),
    name: app.name,
    description: app.description,
    external_url: app.external_url,
    html_url: `${WEB}/apps/${app.slug}`,
    created_at: app.created_at,
    updated_at: app.updated_at,
    permissions: app.permissions,
    events: app.events,
  };
}

/** With milliseconds, as installations alone have moments. */
function precise(moment: string): string {
  return moment.replace(/(:\d\d)Z$/u, '$1.000Z');
}

export function installationView({ tx }: Reading, row: Installation): JsonObject {
  const account = tx.accounts.get(row.account_id);
  const app = tx.apps.get(row.app_id);
  const suspender = row.suspended_by_id === null ? undefined : tx.accounts.get(row.suspended_by_id);
  const settings =
    account?.type === 'Organization'
      ? `${WEB}/organizations/${account.login}/settings/installations`
      : `${WEB}/settings/installations`;
  return {
    id: row.id,
    client_id: app?.client_id ?? '',
    account: simpleUserOrNull(account),
    repository_selection: row.repository_selection,
    access_tokens_url: `${API}/app/installations/${row.id}/access_tokens`,
    repositories_url: `${API}/installation/repositories`,
    html_url: `${settings}/${row.id}`,
    app_id: row.app_id,
    app_slug: app?.slug ?? '',
    target_id: row.account_id,
    target_type: account?.type ?? 'User',
    permissions: row.permissions,
    events: row.events,
    created_at: precise(row.created_at),
    updated_at: precise(row.updated_at),
    single_file_name: row.single_file_name,
    has_multiple_single_files: false,
    single_file_paths: row.single_file_name === null ? [] : [row.single_file_name],
    suspended_by: simpleUserOrNull(suspender),
    suspended_at: row.suspended_at,
  };
}

/** A token of a person as the app that it was given to is shown it. */
export function authorizationView({ tx }: Reading, token: IssuedToken): JsonObject {
  const app = token.app_id === null ? undefined : tx.apps.get(token.app_id);
  const user = token.account_id === null ? undefined : tx.accounts.get(token.account_id);
  return {
    id: token.number,
    url: `${API}/authorizations/${token.number}`,
    app: { client_id: app?.client_id ?? '', name: app?.name ?? '', url: app?.external_url ?? '' },
    token: token.token,
    hashed_token: digestText(token.token),
    token_last_eight: token.token.slice(-8),
    note: null,
    note_url: null,
    created_at: token.created_at,
    updated_at: token.updated_at,
    scopes: token.scopes,
    fingerprint: null,
    user: simpleUserOrNull(user),
    expires_at: token.expires_at,
  };
}

export function planView(plan: MarketplacePlan): JsonObject {
  const url = `${API}/marketplace_listing/plans/${plan.id}`;
  return {
    url,
    accounts_url: `${url}/accounts`,
    id: plan.id,
    number: plan.number,
    name: plan.name,
    description: plan.description,
    monthly_price_in_cents: plan.monthly_price_in_cents,
    yearly_price_in_cents: plan.yearly_price_in_cents,
    price_model: plan.price_model,
    has_free_trial: plan.has_free_trial,
    state: plan.state,
    unit_name: plan.unit_name,
    bullets: plan.bullets,
  };
}

/** Who has bought what. */
export function purchaseView({ tx }: Reading, row: MarketplacePurchase): JsonObject {
  const account = tx.accounts.get(row.account_id);
  const plan = tx.marketplace_plans.get(row.plan_id);
  const change = isJsonObject(row.pending_change) ? row.pending_change : null;
  const changed = change === null ? undefined : tx.marketplace_plans.get(Number(change.plan_id));
  const isOrganization = account?.type === 'Organization';
  return {
    url: `${API}/${isOrganization ? 'orgs' : 'users'}/${account?.login ?? ''}`,
    type: account?.type ?? 'User',
    id: row.account_id,
    login: account?.login ?? '',
    email: account?.email ?? null,
    ...(isOrganization && { organization_billing_email: row.billing_email }),
    marketplace_pending_change: change && {
      id: change.id ?? 0,
      unit_count: change.unit_count ?? null,
      plan: changed ? planView(changed) : null,
      effective_date: change.effective_date ?? null,
    },
    marketplace_purchase: { ...termsView(row), plan: plan ? planView(plan) : null },
  };
}

function termsView(row: MarketplacePurchase): JsonObject {
  return {
    billing_cycle: row.billing_cycle,
    next_billing_date: row.next_billing_date,
    on_free_trial: row.on_free_trial,
    free_trial_ends_on: row.free_trial_ends_on,
    unit_count: row.unit_count,
    updated_at: row.updated_at,
  };
}

/** A purchase as the one who made it sees it. */
export function ownPurchaseView({ tx }: Reading, row: MarketplacePurchase): JsonObject {
  const account = tx.accounts.get(row.account_id);
  const plan = tx.marketplace_plans.get(row.plan_id);
  const isOrganization = account?.type === 'Organization';
  return {
    ...termsView(row),
    account: {
      login: account?.login ?? '',
      id: row.account_id,
      url: `${API}/${isOrganization ? 'orgs' : 'users'}/${account?.login ?? ''}`,
      email: account?.email ?? null,
      ...(isOrganization && { organization_billing_email: row.billing_email }),
      type: account?.type ?? 'User',
    },
    plan: plan ? planView(plan) : null,
  };
}
