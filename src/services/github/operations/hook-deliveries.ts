import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject, type Operation } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import {
  HOOK_CONFIG,
  HOOK_NUMBER,
  type HookForm,
  hookAt,
  OF_ORGANIZATION,
  OF_REPOSITORY,
  pingHook,
} from '../rules/hook-homes.ts';
import { configOf, deliver, redeliver, shownConfig } from '../rules/hooks.ts';
import { idOf } from '../rules/ids.ts';
import { PAGE, type PageInput, pageOf } from '../rules/paging.ts';
import type { Hook, HookDelivery } from '../schema/hooks.ts';
import { fullDelivery, listedDelivery } from '../views/hooks.ts';
import { API } from '../views/urls.ts';

function configOperations({
  area,
  path,
  inputs,
  example,
  hook,
  configSuffix,
  open,
}: HookForm): readonly Operation[] {
  const at = `${path}/{hook_id}/config`;
  const first = { ...example, hook_id: hook };
  return [
    operation({
      id: `${area}/get-webhook-config-for-${configSuffix}`,
      summary: 'Reads where a hook sends, and how.',
      effect: 'read',
      http: { method: 'GET', path: at },
      input: z.looseObject({ ...inputs, ...HOOK_NUMBER }),
      output: shown('url', 'content_type'),
      example: first as never,
      run: (ctx, input) => shownConfig(hookAt(ctx, open(ctx, input), input.hook_id).config),
    }),
    operation({
      id: `${area}/update-webhook-config-for-${configSuffix}`,
      summary: 'Changes where a hook sends, and how; what is not sent stays.',
      effect: 'write',
      http: { method: 'PATCH', path: at },
      input: z.looseObject({ ...inputs, ...HOOK_NUMBER, ...HOOK_CONFIG.shape }),
      output: shown('url', 'content_type'),
      example: { ...first, content_type: 'json' } as never,
      run(ctx, input) {
        const before = hookAt(ctx, open(ctx, input), input.hook_id);
        const { url, content_type, secret, insecure_ssl } = input;
        const sent = { url, content_type, secret, insecure_ssl } as Record<string, Json | undefined>;
        const config = configOf(sent as JsonObject, before.config as JsonObject);
        const changed = ctx.tx.hooks.update(before.id, { config, updated_at: momentText(ctx.nowMs) });
        return shownConfig(changed.config);
      },
    }),
  ];
}

function deliveryAt(ctx: Reading, hook: Hook, id: unknown): HookDelivery {
  const delivery = ctx.tx.hook_deliveries.get(idOf(id));
  return delivery?.hook_id === hook.id ? delivery : ctx.fail('not_found');
}

/** A page of deliveries, the newest first, from a cursor on. */
export function deliveriesPage(
  ctx: Reading,
  { hook, path }: { readonly hook: Hook; readonly path: string },
  input: PageInput & { readonly cursor?: string | undefined },
): JsonObject[] {
  const { size } = pageOf(input);
  const all = [...ctx.tx.hook_deliveries.by('by_hook', [hook.id], { reverse: true })];
  const from = /^v1_(\d+)$/u.exec(input.cursor ?? '')?.[1];
  const rest = from === undefined ? all : all.filter(({ id }) => id <= Number(from));
  const start = all.length - rest.length;
  const url = (delivery: HookDelivery): string => {
    const cursor = `cursor=v1_${delivery.id}`;
    if (input.per_page === undefined) return `${API}${path}?${cursor}`;
    const asked = `per_page=${input.per_page}`;
    return `${API}${path}?${from === undefined ? `${asked}&${cursor}` : `${cursor}&${asked}`}`;
  };
  const [next, before] = [rest[size], start > 0 ? all[Math.max(0, start - size)] : undefined];
  const links = [
    ...(next ? [`<${url(next)}>; rel="next"`] : []),
    ...(before ? [`<${url(before)}>; rel="prev"`] : []),
  ];
  if (links.length > 0) ctx.reply({ headers: { link: links.join(', ') } });
  return rest.slice(0, size).map(listedDelivery);
}

function deliveryOperations({ area, path, inputs, example, hook, open }: HookForm): readonly Operation[] {
  const at = `${path}/{hook_id}/deliveries`;
  const one = { ...inputs, ...HOOK_NUMBER, delivery_id: z.union([z.int(), z.string()]) };
  const first = { ...example, hook_id: hook };
  const delivery = { ...first, delivery_id: 190_000_000_000 + (area === 'repos' ? 1 : 2) } as never;
  return [
    operation({
      id: `${area}/list-webhook-deliveries`,
      summary: 'Lists what a hook was told, the newest first.',
      effect: 'read',
      http: { method: 'GET', path: at },
      input: z.looseObject({
        ...inputs,
        ...HOOK_NUMBER,
        per_page: PAGE.per_page,
        cursor: z.string().optional(),
      }),
      output: listOf('id', 'guid', 'event'),
      example: first as never,
      run(ctx, input) {
        const home = open(ctx, input);
        const row = hookAt(ctx, home, input.hook_id);
        return deliveriesPage(ctx, { hook: row, path: `${home.path}/${row.id}/deliveries` }, input);
      },
    }),
    operation({
      id: `${area}/get-webhook-delivery`,
      summary: 'Reads one thing that a hook was told.',
      effect: 'read',
      http: { method: 'GET', path: `${at}/{delivery_id}` },
      input: z.looseObject(one),
      output: shown('id', 'guid', 'request', 'response'),
      example: delivery,
      run(ctx, input) {
        const row = hookAt(ctx, open(ctx, input), input.hook_id);
        const url = isJsonObject(row.config) ? String(row.config.url) : '';
        return fullDelivery(deliveryAt(ctx, row, input.delivery_id), url);
      },
    }),
    operation({
      id: `${area}/redeliver-webhook-delivery`,
      summary: 'Tells a hook something again.',
      effect: 'write',
      http: { method: 'POST', path: `${at}/{delivery_id}/attempts`, status: 202 },
      input: z.looseObject(one),
      output: shown(),
      example: delivery,
      run(ctx, input) {
        const row = hookAt(ctx, open(ctx, input), input.hook_id);
        redeliver(ctx, deliveryAt(ctx, row, input.delivery_id));
        return {};
      },
    }),
    operation({
      id: `${area}/ping-webhook`,
      summary: 'Pings a hook.',
      effect: 'write',
      http: { method: 'POST', path: `${path}/{hook_id}/pings`, status: 204 },
      input: z.looseObject({ ...inputs, ...HOOK_NUMBER }),
      output: nothing,
      example: first as never,
      run(ctx, input) {
        const home = open(ctx, input);
        pingHook(ctx, hookAt(ctx, home, input.hook_id), home);
        return null;
      },
    }),
  ];
}

const testPush = operation({
  id: 'repos/test-push-webhook',
  summary: 'Tells a hook of the latest push again, if it wants to know of pushes.',
  effect: 'write',
  http: {
    method: 'POST',
    path: '/repos/{owner}/{repo}/hooks/{hook_id}/tests',
    status: 204,
    aliases: [
      {
        path: '/repos/{owner}/{repo}/hooks/{hook_id}/test',
        values: { owner: '{owner}', repo: '{repo}', hook_id: '{hook_id}' },
      },
    ],
  },
  input: z.looseObject({ ...OF_REPOSITORY.inputs, ...HOOK_NUMBER }),
  output: nothing,
  example: { ...OF_REPOSITORY.example, hook_id: OF_REPOSITORY.hook } as never,
  run(ctx, input) {
    const hook = hookAt(ctx, OF_REPOSITORY.open(ctx, input), input.hook_id);
    if (hook.events.includes('push') || hook.events.includes('*')) {
      const repository = ctx.tx.repositories.get(hook.repository_id ?? 0);
      const branch = `refs/heads/${repository?.default_branch ?? 'main'}`;
      const after = ctx.tx.git_refs.get([hook.repository_id ?? 0, branch])?.sha ?? '0'.repeat(40);
      deliver(ctx, hook, { event: 'push', payload: { ref: branch, before: after, after, commits: [] } });
    }
    return null;
  },
});

export const hookDeliveryOperations: readonly Operation[] = [
  ...[OF_REPOSITORY, OF_ORGANIZATION].flatMap((form) => [
    ...configOperations(form),
    ...deliveryOperations(form),
  ]),
  testPush,
];
