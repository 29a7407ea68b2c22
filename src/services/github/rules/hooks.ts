import { digestText, hmacHex, isJsonObject, type Json, type JsonObject } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import type { Writing } from '../operation.ts';
import type { Hook, HookDelivery } from '../schema/hooks.ts';
import { freshId } from './ids.ts';

/** What hooks of a thing are told. */
export interface HookNews {
  readonly event: string;
  readonly action?: string;
  readonly payload: JsonObject;
  readonly repositoryId?: number | null;
}

/** A hook's settings as they are kept: defaults where nothing was sent, the secret among them. */
export function configOf(sent: JsonObject, before: JsonObject = {}): JsonObject {
  const config: Record<string, Json | undefined> = { ...before };
  for (const [name, value] of Object.entries(sent)) {
    if (value !== null && value !== undefined) config[name] = String(value);
  }
  config.insecure_ssl = config.insecure_ssl ?? '0';
  config.content_type = config.content_type ?? 'form';
  return config as JsonObject;
}

/** The same as anybody is shown it. */
export function shownConfig(config: Json): JsonObject {
  const members = isJsonObject(config) ? config : {};
  return 'secret' in members ? { ...members, secret: '********' } : members;
}

/**
 * Tells a hook of something at once, and keeps what was sent and how it went. It is an event of the step as
 * well: a server that has listeners sends it on.
 */
export function deliver(ctx: Writing, hook: Hook, news: HookNews): HookDelivery {
  const id = freshId(ctx, 'hook_deliveries');
  const guid = guidOf(`${hook.id}/${id}`);
  const payload = news.action === undefined ? news.payload : { action: news.action, ...news.payload };
  const config = isJsonObject(hook.config) ? hook.config : {};
  const body = bodyOf(config, payload);
  const headers = headersOf(hook, { event: news.event, guid, body });
  const delivery = ctx.tx.hook_deliveries.insert({
    id,
    hook_id: hook.id,
    guid,
    delivered_at: momentText(ctx.nowMs),
    redelivery: false,
    duration: 0.11,
    status: 'OK',
    status_code: 200,
    event: news.event,
    action: news.action ?? null,
    installation_id: null,
    repository_id: news.repositoryId ?? hook.repository_id,
    request: { headers, payload },
    response: { headers: {}, payload: '' },
  });
  ctx.tx.hooks.update(hook.id, { last_response: { code: 200, status: 'active', message: 'OK' } });
  ctx.emit({ type: 'webhook', data: { url: config.url ?? null, headers, body } });
  return delivery;
}

/** A payload as it goes over the line: JSON, or a form with the JSON in it. */
function bodyOf(config: JsonObject, payload: JsonObject): string {
  const text = JSON.stringify(payload);
  return config.content_type === 'json' ? text : new URLSearchParams({ payload: text }).toString();
}

function headersOf(
  hook: Hook,
  { event, guid, body }: { readonly event: string; readonly guid: string; readonly body: string },
): Record<string, string> {
  const { content_type, secret } = isJsonObject(hook.config) ? hook.config : {};
  const [kind, target] =
    hook.repository_id !== null
      ? ['repository', hook.repository_id]
      : hook.org_id !== null
        ? ['organization', hook.org_id]
        : ['integration', hook.app_id ?? 0];
  return {
    Accept: '*/*',
    'Content-Type': content_type === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
    'User-Agent': 'GitHub-Hookshot/replica',
    'X-GitHub-Delivery': guid,
    'X-GitHub-Event': event,
    'X-GitHub-Hook-ID': String(hook.id),
    'X-GitHub-Hook-Installation-Target-ID': String(target),
    'X-GitHub-Hook-Installation-Target-Type': kind,
    ...(typeof secret === 'string' && {
      'X-Hub-Signature': `sha1=${hmacHex('sha1', secret, body)}`,
      'X-Hub-Signature-256': `sha256=${hmacHex('sha256', secret, body)}`,
    }),
  };
}

/** A delivery made again: the same id of the event, another of the delivery. */
export function redeliver(ctx: Writing, { id, ...delivery }: HookDelivery): HookDelivery {
  return ctx.tx.hook_deliveries.insert({
    ...delivery,
    id: freshId(ctx, 'hook_deliveries'),
    redelivery: true,
    delivered_at: momentText(ctx.nowMs),
  });
}

function guidOf(seed: string): string {
  const hex = digestText(seed);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)];
  return parts.join('-');
}
