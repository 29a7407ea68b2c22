import { z } from 'zod';
import {
  digestText,
  isJsonObject,
  type Json,
  type JsonObject,
  type Operation,
} from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Writing } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { callingApp, installationAt, installationToken, repositoriesOf } from '../rules/apps.ts';
import { freshId } from '../rules/ids.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { slugOf } from '../rules/teams.ts';
import { requireViewer } from '../rules/viewer.ts';
import { simpleUserOrNull } from '../views/accounts.ts';
import { appView, installationView } from '../views/apps.ts';
import { globalId } from '../views/node-ids.ts';
import { minimalRepository } from '../views/repositories.ts';

const NUMBER = { installation_id: z.union([z.int(), z.string()]) };
const example = { installation_id: 95_000_001 };

const getApp = operation({
  id: 'apps/get-authenticated',
  summary: 'Reads the app that calls.',
  effect: 'read',
  http: { method: 'GET', path: '/app' },
  input: z.looseObject({}),
  output: shown('id', 'slug', 'permissions'),
  example: {},
  run(ctx) {
    const app = callingApp(ctx);
    return { ...appView(ctx, app), installations_count: app.installations_count };
  },
});

const getBySlug = operation({
  id: 'apps/get-by-slug',
  summary: 'Reads an app by its slug.',
  effect: 'read',
  http: { method: 'GET', path: '/apps/{app_slug}' },
  input: z.looseObject({ app_slug: z.string() }),
  output: shown('id', 'slug', 'permissions'),
  example: { app_slug: 'lamp-keeper' },
  run(ctx, { app_slug }) {
    if (ctx.actor.attributes?.installation_id !== undefined) {
      ctx.fail('forbidden', { message: 'Resource not accessible by integration' });
    }
    return appView(ctx, ctx.tx.apps.unique('by_slug', [app_slug.toLowerCase()]) ?? ctx.fail('not_found'));
  },
});

const createFromManifest = operation({
  id: 'apps/create-from-manifest',
  summary: 'Makes an app of a manifest that somebody has sent, once.',
  effect: 'write',
  http: { method: 'POST', path: '/app-manifests/{code}/conversions', status: 201 },
  input: z.looseObject({ code: z.string() }),
  output: shown('id', 'slug', 'client_id', 'client_secret', 'pem'),
  example: { code: 'a'.repeat(40) },
  run(ctx, { code }) {
    const sent = ctx.tx.app_manifests.get(code) ?? ctx.fail('not_found');
    ctx.tx.app_manifests.delete(code);
    const app = makeApp(ctx, sent.owner_id, isJsonObject(sent.manifest) ? sent.manifest : {});
    const { client_id, ...view } = appView(ctx, app);
    const secret = (what: string): string => digestText(`${what} ${app.id}`).slice(0, 40);
    return {
      ...view,
      client_id: client_id ?? '',
      webhook_secret: secret('webhook'),
      pem: `-----BEGIN RSA PRIVATE KEY-----\n${secret('pem')}\n-----END RSA PRIVATE KEY-----\n`,
      client_secret: app.client_secret,
    };
  },
});

function makeApp(ctx: Writing, owner_id: number, manifest: JsonObject): ReturnType<typeof callingApp> {
  const moment = momentText(ctx.nowMs);
  const id = freshId(ctx, 'apps');
  const name = typeof manifest.name === 'string' ? manifest.name : `App ${id}`;
  return ctx.tx.apps.insert({
    id,
    slug: slugOf(name),
    client_id: `Iv23li${digestText(`client ${id}`).slice(0, 14)}`,
    client_secret: digestText(`client secret ${id}`).slice(0, 40),
    name,
    owner_id,
    description: typeof manifest.description === 'string' ? manifest.description : null,
    external_url: typeof manifest.url === 'string' ? manifest.url : '',
    permissions: manifest.default_permissions ?? {},
    events: Array.isArray(manifest.default_events)
      ? (manifest.default_events as readonly Json[]).map(String)
      : [],
    installations_count: 0,
    created_at: moment,
    updated_at: moment,
  });
}

const listInstallations = operation({
  id: 'apps/list-installations',
  summary: 'Lists where the app that calls is installed.',
  effect: 'read',
  http: { method: 'GET', path: '/app/installations' },
  input: z.looseObject({ since: z.string().optional(), outdated: z.string().optional(), ...PAGE }),
  output: listOf('id', 'account', 'permissions'),
  example: {},
  run(ctx, input) {
    const items = [...ctx.tx.installations.by('by_app', [callingApp(ctx).id])].filter(
      ({ updated_at }) => input.since === undefined || updated_at >= input.since,
    );
    return paged(ctx, input, {
      items,
      path: '/app/installations',
      show: (row) => installationView(ctx, row),
    });
  },
});

const listRequests = operation({
  id: 'apps/list-installation-requests-for-authenticated-app',
  summary: 'Lists who asks for the app that calls to be installed.',
  effect: 'read',
  http: { method: 'GET', path: '/app/installation-requests' },
  input: z.looseObject(PAGE),
  output: listOf('id', 'account', 'requester'),
  example: {},
  run: (ctx, input) =>
    paged(ctx, input, {
      items: [...ctx.tx.installation_requests.by('by_app', [callingApp(ctx).id])],
      path: '/app/installation-requests',
      show: (row) => ({
        id: row.id,
        node_id: globalId('IIR', [0, row.id]),
        account: simpleUserOrNull(ctx.tx.accounts.get(row.account_id)),
        requester: simpleUserOrNull(ctx.tx.accounts.get(row.requester_id)),
        created_at: row.created_at,
      }),
    }),
});

const getInstallation = operation({
  id: 'apps/get-installation',
  summary: 'Reads one place where the app that calls is installed.',
  effect: 'read',
  http: { method: 'GET', path: '/app/installations/{installation_id}' },
  input: z.looseObject(NUMBER),
  output: shown('id', 'account', 'permissions'),
  example,
  run: (ctx, input) => installationView(ctx, installationAt(ctx, input.installation_id)),
});

const deleteInstallation = operation({
  id: 'apps/delete-installation',
  summary: 'Takes the app that calls from where it is installed.',
  effect: 'write',
  http: { method: 'DELETE', path: '/app/installations/{installation_id}', status: 204 },
  input: z.looseObject(NUMBER),
  output: nothing,
  example,
  run(ctx, input) {
    const { id, app_id } = installationAt(ctx, input.installation_id);
    ctx.tx.installations.delete(id);
    const app = ctx.tx.apps.get(app_id);
    const installations_count = Math.max(0, (app?.installations_count ?? 0) - 1);
    if (app) ctx.tx.apps.update(app_id, { installations_count });
    return null;
  },
});

const createToken = operation({
  id: 'apps/create-installation-access-token',
  summary: 'Gives an installation a token for an hour.',
  effect: 'write',
  http: { method: 'POST', path: '/app/installations/{installation_id}/access_tokens', status: 201 },
  input: z.looseObject({
    ...NUMBER,
    repositories: z.array(z.string()).optional(),
    repository_ids: z.array(z.int()).optional(),
    permissions: z.record(z.string(), z.json()).optional(),
  }),
  output: shown('token', 'expires_at', 'permissions'),
  issuedTokens: ['token'],
  example,
  run(ctx, input) {
    const installation = installationAt(ctx, input.installation_id);
    if (installation.suspended_at !== null) {
      ctx.fail('forbidden', { message: 'This installation has been suspended' });
    }
    const { repositories, repository_ids } = input;
    const permissions = input.permissions as JsonObject | undefined;
    const token = installationToken(ctx, installation, { repositories, repository_ids, permissions });
    const chosen = Array.isArray(token.repository_ids) ? (token.repository_ids as readonly number[]) : null;
    const shownRepositories = repositoriesOf(ctx, installation).filter(({ id }) => chosen?.includes(id));
    return {
      token: token.token,
      expires_at: token.expires_at,
      permissions: token.permissions,
      repository_selection: chosen ? 'selected' : installation.repository_selection,
      ...(chosen && { repositories: shownRepositories.map((row) => minimalRepository(ctx, row)) }),
    };
  },
});

function suspending(wanted: boolean): Operation {
  return operation({
    id: wanted ? 'apps/suspend-installation' : 'apps/unsuspend-installation',
    summary: wanted ? 'Keeps an installation from doing anything.' : 'Lets an installation work again.',
    effect: 'write',
    http: {
      method: wanted ? 'PUT' : 'DELETE',
      path: '/app/installations/{installation_id}/suspended',
      status: 204,
    },
    input: z.looseObject(NUMBER),
    output: nothing,
    example,
    run(ctx, input) {
      const { id } = installationAt(ctx, input.installation_id);
      ctx.tx.installations.update(id, {
        suspended_at: wanted ? momentText(ctx.nowMs) : null,
        suspended_by_id: wanted ? requireViewer(ctx).id : null,
      });
      return null;
    },
  });
}

export const appOperations: readonly Operation[] = [
  getApp,
  getBySlug,
  createFromManifest,
  listInstallations,
  listRequests,
  getInstallation,
  deleteInstallation,
  createToken,
  suspending(true),
  suspending(false),
];
