import { z } from 'zod';
import { isJsonObject, type JsonObject, type Operation } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Writing } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import {
  HOOK_CONFIG,
  HOOK_NUMBER,
  type HookForm,
  type HookHome,
  hookAt,
  hooksOf,
  OF_ORGANIZATION,
  OF_REPOSITORY,
  pingHook,
  viewOfHook,
} from '../rules/hook-homes.ts';
import { configOf } from '../rules/hooks.ts';
import { freshId } from '../rules/ids.ts';
import { PAGE, paged } from '../rules/paging.ts';
import type { PlaceInput } from '../rules/secrets.ts';
import { API } from '../views/urls.ts';

function readingOperations({ area, path, inputs, example, hook, open }: HookForm): readonly Operation[] {
  const one = { ...inputs, ...HOOK_NUMBER };
  const first = { ...example, hook_id: hook } as never;
  return [
    operation({
      id: `${area}/list-webhooks`,
      summary: 'Lists the hooks of a thing.',
      effect: 'read',
      http: { method: 'GET', path },
      input: z.looseObject({ ...inputs, ...PAGE }),
      output: listOf('id', 'name', 'config'),
      example,
      run(ctx, input) {
        const home = open(ctx, input);
        return paged(ctx, input, {
          items: hooksOf(ctx, home),
          path: home.path,
          show: (row) => viewOfHook(row, home),
        });
      },
    }),
    operation({
      id: `${area}/get-webhook`,
      summary: 'Reads a hook; its secret is never shown.',
      effect: 'read',
      http: { method: 'GET', path: `${path}/{hook_id}` },
      input: z.looseObject(one),
      output: shown('id', 'name', 'config'),
      example: first,
      run(ctx, input) {
        const home = open(ctx, input);
        return viewOfHook(hookAt(ctx, home, input.hook_id), home);
      },
    }),
    operation({
      id: `${area}/delete-webhook`,
      summary: 'Deletes a hook.',
      effect: 'write',
      http: { method: 'DELETE', path: `${path}/{hook_id}`, status: 204 },
      input: z.looseObject(one),
      output: nothing,
      example: first,
      run(ctx, input) {
        ctx.tx.hooks.delete(hookAt(ctx, open(ctx, input), input.hook_id).id);
        return null;
      },
    }),
  ];
}

function creatingOperation({ area, path, inputs, example, open }: HookForm): Operation {
  return operation({
    id: `${area}/create-webhook`,
    summary: 'Makes a hook, which is pinged at once.',
    effect: 'write',
    http: { method: 'POST', path, status: 201 },
    input: z.looseObject({
      ...inputs,
      name: z.string().optional(),
      config: HOOK_CONFIG.optional(),
      events: z.array(z.string()).optional(),
      active: z.boolean().optional(),
    }),
    output: shown('id', 'name', 'config'),
    example: { ...example, name: 'web', config: { url: 'https://lamps.example/new' } } as never,
    run(ctx, input) {
      const home = open(ctx, input);
      const moment = momentText(ctx.nowMs);
      const hook = ctx.tx.hooks.insert({
        id: freshId(ctx, 'hooks'),
        repository_id: home.repository_id,
        org_id: home.org_id,
        app_id: null,
        name: 'web',
        active: input.active ?? true,
        events: input.events && input.events.length > 0 ? input.events : ['push'],
        config: checkedConfig(ctx, home, input),
        last_response: { code: null, status: 'unused', message: null },
        created_at: moment,
        updated_at: moment,
      });
      const view = viewOfHook(hook, home);
      if (hook.active) pingHook(ctx, hook, home);
      ctx.reply({ facts: { location: view.url ?? API } });
      return view;
    },
  });
}

/** @throws 422 for another name than `web`, no address, or one that a hook has already. */
function checkedConfig(
  ctx: Writing,
  home: HookHome,
  input: { readonly name?: string | undefined; readonly config?: unknown } & PlaceInput,
): JsonObject {
  const refuse = (error: JsonObject): never =>
    ctx.fail('validation_failed', { errors: [{ resource: 'Hook', code: 'custom', ...error }] });
  if (input.name !== undefined && input.name !== 'web') {
    refuse({ field: 'name', message: 'name must be web' });
  }
  const config = configOf((input.config ?? {}) as JsonObject);
  if (typeof config.url !== 'string' || config.url === '') {
    refuse({ message: 'Config must contain URL for webhooks' });
  }
  const twin = hooksOf(ctx, home).some(
    (hook) =>
      isJsonObject(hook.config) &&
      hook.config.url === config.url &&
      hook.config.content_type === config.content_type &&
      hook.events.join() === ((input.events as string[] | undefined) ?? ['push']).join(),
  );
  const where = home.repository_id === null ? 'organization' : 'repository';
  if (twin) refuse({ message: `Hook already exists on this ${where}` });
  return config;
}

function changingOperation({ area, path, inputs, example, hook, open }: HookForm): Operation {
  return operation({
    id: `${area}/update-webhook`,
    summary: 'Changes a hook.',
    effect: 'write',
    http: { method: 'PATCH', path: `${path}/{hook_id}` },
    input: z.looseObject({
      ...inputs,
      ...HOOK_NUMBER,
      config: HOOK_CONFIG.optional(),
      events: z.array(z.string()).optional(),
      add_events: z.array(z.string()).optional(),
      remove_events: z.array(z.string()).optional(),
      active: z.boolean().optional(),
    }),
    output: shown('id', 'name', 'config'),
    example: { ...example, hook_id: hook, active: false } as never,
    run(ctx, input) {
      const home = open(ctx, input);
      const before = hookAt(ctx, home, input.hook_id);
      const { add_events: added = [], remove_events: removed = [] } = input;
      const events = [...new Set([...(input.events ?? before.events), ...added])];
      const changed = ctx.tx.hooks.update(before.id, {
        events: events.filter((event) => !removed.includes(event)),
        // A config that is sent replaces the whole one.
        ...(input.config && { config: configOf(input.config as JsonObject) }),
        ...(input.active !== undefined && { active: input.active }),
        updated_at: momentText(ctx.nowMs),
      });
      return viewOfHook(changed, home);
    },
  });
}

export const hookOperations: readonly Operation[] = [OF_REPOSITORY, OF_ORGANIZATION].flatMap((form) => [
  ...readingOperations(form),
  creatingOperation(form),
  changingOperation(form),
]);
