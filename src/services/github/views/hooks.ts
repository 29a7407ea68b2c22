import type { JsonObject } from '../../../service/index.ts';
import { shownConfig } from '../rules/hooks.ts';
import type { Hook, HookDelivery } from '../schema/hooks.ts';

/** A hook of a repository or an organisation; `url` is where it is in the API. */
export function hookView(hook: Hook, url: string): JsonObject {
  const ofRepository = hook.repository_id !== null;
  return {
    type: ofRepository ? 'Repository' : 'Organization',
    id: hook.id,
    name: hook.name,
    active: hook.active,
    events: hook.events,
    config: shownConfig(hook.config),
    updated_at: hook.updated_at,
    created_at: hook.created_at,
    url,
    ...(ofRepository && { test_url: `${url}/test` }),
    ping_url: `${url}/pings`,
    deliveries_url: `${url}/deliveries`,
    ...(ofRepository && { last_response: hook.last_response }),
  };
}

/** A delivery as lists show it. */
export function listedDelivery(delivery: HookDelivery): JsonObject {
  const { hook_id, request, response, ...shown } = delivery;
  return { ...shown, url: '', throttled_at: null };
}

/** A single delivery: with what was sent and what came back. */
export function fullDelivery(delivery: HookDelivery, url: string): JsonObject {
  return { ...listedDelivery(delivery), url, request: delivery.request, response: delivery.response };
}
