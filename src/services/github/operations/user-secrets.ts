import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading } from '../operation.ts';
import { nothing, shown } from '../output.ts';
import { idOf } from '../rules/ids.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { checkedName, freshRow, publicKeyOf, secretView, viewerScope } from '../rules/secrets.ts';
import type { Secret } from '../schema/secrets.ts';

const APP = 'codespaces';
const BASE = '/user/codespaces/secrets';
const NAMED = { secret_name: z.string() };
const example = { secret_name: 'DEPLOY_KEY' };

function secretAt(ctx: Reading, name: string): Secret {
  return ctx.tx.secrets.get([APP, viewerScope(ctx).scope, name.toUpperCase()]) ?? ctx.fail('not_found');
}

const list = operation({
  id: 'codespaces/list-secrets-for-authenticated-user',
  summary: "Lists the caller's secrets for codespaces, without their values.",
  effect: 'read',
  http: { method: 'GET', path: BASE },
  input: z.looseObject(PAGE),
  output: shown('total_count', 'secrets'),
  example: {},
  run(ctx, input) {
    const items = [...ctx.tx.secrets.by('by_scope', [APP, viewerScope(ctx).scope])];
    const secrets = paged(ctx, input, { items, path: BASE, show: (row) => secretView(ctx, row) });
    return { total_count: items.length, secrets };
  },
});

const getKey = operation({
  id: 'codespaces/get-public-key-for-authenticated-user',
  summary: "Reads the key to seal the caller's secrets with.",
  effect: 'read',
  http: { method: 'GET', path: `${BASE}/public-key` },
  input: z.looseObject({}),
  output: shown('key_id', 'key'),
  example: {},
  run: (ctx) => publicKeyOf(APP, viewerScope(ctx)),
});

const get = operation({
  id: 'codespaces/get-secret-for-authenticated-user',
  summary: "Reads one of the caller's secrets, without its value.",
  effect: 'read',
  http: { method: 'GET', path: `${BASE}/{secret_name}` },
  input: z.looseObject(NAMED),
  output: shown('name', 'visibility'),
  example,
  run: (ctx, { secret_name }) => secretView(ctx, secretAt(ctx, secret_name)),
});

const set = operation({
  id: 'codespaces/create-or-update-secret-for-authenticated-user',
  summary: "Sets one of the caller's secrets for codespaces.",
  effect: 'write',
  http: { method: 'PUT', path: `${BASE}/{secret_name}`, status: 201 },
  input: z.looseObject({
    ...NAMED,
    encrypted_value: z.string().optional(),
    key_id: z.string(),
    selected_repository_ids: z.array(z.union([z.int(), z.string()])).optional(),
  }),
  output: z.union([nothing, shown()]),
  unhashedInputs: ['encrypted_value'],
  example: { secret_name: 'NEW_KEY', encrypted_value: 'c2VhbGVk', key_id: '1' },
  run(ctx, input): JsonObject | null {
    const scope = viewerScope(ctx);
    const name = checkedName(ctx, input.secret_name, 'Secret');
    const key = [APP, scope.scope, name];
    const { encrypted_value, key_id, selected_repository_ids: ids } = input;
    const sealed = { ...(encrypted_value !== undefined && { encrypted_value }), key_id };
    const chosen = ids && { selected_repository_ids: ids.map(idOf) };
    if (ctx.tx.secrets.has(key)) {
      ctx.tx.secrets.update(key, { ...sealed, ...chosen, updated_at: momentText(ctx.nowMs) });
      ctx.reply({ status: 204 });
      return null;
    }
    const fresh = { ...freshRow(ctx, APP, scope), visibility: 'selected' as const, encrypted_value: '' };
    ctx.tx.secrets.insert({ ...fresh, ...sealed, ...chosen, name });
    return {};
  },
});

const remove = operation({
  id: 'codespaces/delete-secret-for-authenticated-user',
  summary: "Deletes one of the caller's secrets for codespaces.",
  effect: 'write',
  http: { method: 'DELETE', path: `${BASE}/{secret_name}`, status: 204 },
  input: z.looseObject(NAMED),
  output: nothing,
  example,
  run(ctx, { secret_name }) {
    const { scope, name } = secretAt(ctx, secret_name);
    ctx.tx.secrets.delete([APP, scope, name]);
    return null;
  },
});

export const userSecretOperations: readonly Operation[] = [list, getKey, get, set, remove];
