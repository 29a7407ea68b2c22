import { digestText, isJsonObject, type Json, type JsonObject } from '../../../service/index.ts';
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

/** Tells a hook of something at once, and keeps what was sent and how it went. */
export function deliver(ctx: Writing, hook: Hook, news: HookNews): HookDelivery {
  const id = freshId(ctx, 'hook_deliveries');
  const guid = guidOf(`${hook.id}/${id}`);
  const body = news.action === undefined ? news.payload : { action: news.action, ...news.payload };
  const target =
    hook.repository_id !== null ? 'repository' : hook.org_id !== null ? 'organization' : 'integration';
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
    request: {
      headers: {
        Accept: '*/*',
        'Content-Type': contentTypeOf(hook),
        'User-Agent': 'GitHub-Hookshot/replica',
        'X-GitHub-Delivery': guid,
        'X-GitHub-Event': news.event,
        'X-GitHub-Hook-ID': String(hook.id),
        'X-GitHub-Hook-Installation-Target-ID': String(hook.repository_id ?? hook.org_id ?? hook.app_id ?? 0),
        'X-GitHub-Hook-Installation-Target-Type': target,
      },
      payload: body,
    },
    response: { headers: {}, payload: '' },
  });
  ctx.tx.hooks.update(hook.id, { last_response: { code: 200, status: 'active', message: 'OK' } });
  return delivery;
}

function contentTypeOf({ config }: Hook): string {
  const json = isJsonObject(config) && config.content_type === 'json';
  return json ? 'application/json' : 'application/x-www-form-urlencoded';
}

/** Tells all hooks of a repository and its organisation that want to know. */
export function deliverToAll(
  ctx: Writing,
  owner: { repositoryId: number; orgId: number },
  news: HookNews,
): void {
  const { repositoryId, orgId } = owner;
  const hooks = [
    ...ctx.tx.hooks.by('by_repository', [repositoryId]),
    ...ctx.tx.hooks.by('by_org', [orgId]),
  ].filter((hook) => hook.active && (hook.events.includes('*') || hook.events.includes(news.event)));
  for (const hook of hooks) deliver(ctx, hook, { ...news, repositoryId });
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
