import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject, type Operation } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, shown } from '../output.ts';
import { callingApp } from '../rules/apps.ts';
import { HOOK_CONFIG } from '../rules/hook-homes.ts';
import { configOf, redeliver, shownConfig } from '../rules/hooks.ts';
import { idOf } from '../rules/ids.ts';
import { PAGE } from '../rules/paging.ts';
import type { Hook, HookDelivery } from '../schema/hooks.ts';
import { fullDelivery } from '../views/hooks.ts';
import { deliveriesPage } from './hook-deliveries.ts';

const DELIVERY = { delivery_id: z.union([z.int(), z.string()]) };
const example = { delivery_id: 190_000_000_003 };

/** The one hook of the app that calls. */
function hookOfApp(ctx: Reading): Hook {
  const app = callingApp(ctx);
  return [...ctx.tx.hooks.by('by_app', [app.id])][0] ?? ctx.fail('not_found');
}

function deliveryAt(ctx: Reading, id: number | string): HookDelivery {
  const delivery = ctx.tx.hook_deliveries.get(idOf(id));
  return delivery?.hook_id === hookOfApp(ctx).id ? delivery : ctx.fail('not_found');
}

const getConfig = operation({
  id: 'apps/get-webhook-config-for-app',
  summary: 'Reads where the app that calls is told of things.',
  effect: 'read',
  http: { method: 'GET', path: '/app/hook/config' },
  input: z.looseObject({}),
  output: shown('url', 'content_type'),
  example: {},
  run: (ctx) => shownConfig(hookOfApp(ctx).config),
});

const updateConfig = operation({
  id: 'apps/update-webhook-config-for-app',
  summary: 'Changes where the app that calls is told of things.',
  effect: 'write',
  http: { method: 'PATCH', path: '/app/hook/config' },
  input: z.looseObject(HOOK_CONFIG.shape),
  output: shown('url', 'content_type'),
  example: { content_type: 'json' },
  run(ctx, { url, content_type, secret, insecure_ssl }) {
    const hook = hookOfApp(ctx);
    const sent = { url, content_type, secret, insecure_ssl } as Record<string, Json | undefined>;
    const config = configOf(sent as JsonObject, hook.config as JsonObject);
    return shownConfig(ctx.tx.hooks.update(hook.id, { config, updated_at: momentText(ctx.nowMs) }).config);
  },
});

const listDeliveries = operation({
  id: 'apps/list-webhook-deliveries',
  summary: 'Lists what the app that calls was told, the newest first.',
  effect: 'read',
  http: { method: 'GET', path: '/app/hook/deliveries' },
  input: z.looseObject({ per_page: PAGE.per_page, cursor: z.string().optional() }),
  output: listOf('id', 'guid', 'event'),
  example: {},
  run: (ctx, input) => deliveriesPage(ctx, { hook: hookOfApp(ctx), path: '/app/hook/deliveries' }, input),
});

const getDelivery = operation({
  id: 'apps/get-webhook-delivery',
  summary: 'Reads one thing that the app that calls was told.',
  effect: 'read',
  http: { method: 'GET', path: '/app/hook/deliveries/{delivery_id}' },
  input: z.looseObject(DELIVERY),
  output: shown('id', 'guid', 'request', 'response'),
  example,
  run(ctx, { delivery_id }) {
    const { config } = hookOfApp(ctx);
    return fullDelivery(deliveryAt(ctx, delivery_id), isJsonObject(config) ? String(config.url) : '');
  },
});

const redeliverOne = operation({
  id: 'apps/redeliver-webhook-delivery',
  summary: 'Tells the app that calls something again.',
  effect: 'write',
  http: { method: 'POST', path: '/app/hook/deliveries/{delivery_id}/attempts', status: 202 },
  input: z.looseObject(DELIVERY),
  output: shown(),
  example,
  run(ctx, { delivery_id }) {
    redeliver(ctx, deliveryAt(ctx, delivery_id));
    return {};
  },
});

export const appHookOperations: readonly Operation[] = [
  getConfig,
  updateConfig,
  listDeliveries,
  getDelivery,
  redeliverOne,
];
