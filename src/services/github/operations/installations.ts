import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { nothing, shown } from '../output.ts';
import { callingApp, callingInstallation, repositoriesOf } from '../rules/apps.ts';
import { idOf } from '../rules/ids.ts';
import { PAGE, type PageInput, paged } from '../rules/paging.ts';
import { repositoryAt } from '../rules/repositories.ts';
import { accountNamed, organizationNamed, requireViewer } from '../rules/viewer.ts';
import type { Account } from '../schema/accounts.ts';
import type { Installation } from '../schema/apps.ts';
import { installationView } from '../views/apps.ts';
import { minimalRepository, permissionFlags } from '../views/repositories.ts';

const INSTALLATION = shown('id', 'account', 'permissions');
const NUMBER = { installation_id: z.union([z.int(), z.string()]) };
const ONE = { ...NUMBER, repository_id: z.union([z.int(), z.string()]) };

/** Where the app that calls is installed with an account; 404 where it is not. */
function installedWith(ctx: Reading, account: Account): JsonObject {
  const app = callingApp(ctx);
  const found = [...ctx.tx.installations.by('by_account', [account.id])].find(
    ({ app_id }) => app_id === app.id,
  );
  return found ? installationView(ctx, found) : ctx.fail('not_found');
}

const ofOrganization = operation({
  id: 'apps/get-org-installation',
  summary: 'Reads where the app that calls is installed with an organisation.',
  effect: 'read',
  http: { method: 'GET', path: '/orgs/{org}/installation' },
  input: z.looseObject({ org: z.string() }),
  output: INSTALLATION,
  example: { org: 'octo-works' },
  run: (ctx, { org }) => installedWith(ctx, organizationNamed(ctx, org)),
});

const ofUser = operation({
  id: 'apps/get-user-installation',
  summary: 'Reads where the app that calls is installed with an account.',
  effect: 'read',
  http: { method: 'GET', path: '/users/{username}/installation' },
  input: z.looseObject({ username: z.string() }),
  output: INSTALLATION,
  example: { username: 'octo-works' },
  run: (ctx, { username }) => installedWith(ctx, accountNamed(ctx, username)),
});

const ofRepository = operation({
  id: 'apps/get-repo-installation',
  summary: 'Reads where the app that calls is installed with the owner of a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/installation' },
  input: z.looseObject({ owner: z.string(), repo: z.string() }),
  output: INSTALLATION,
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const owner = ctx.tx.accounts.get(repository.owner_id) ?? ctx.fail('not_found');
    return installedWith(ctx, owner);
  },
});

const listRepositories = operation({
  id: 'apps/list-repos-accessible-to-installation',
  summary: 'Lists the repositories that the installation that calls has.',
  effect: 'read',
  http: { method: 'GET', path: '/installation/repositories' },
  input: z.looseObject(PAGE),
  output: shown('total_count', 'repositories'),
  example: {},
  run: (ctx, input) =>
    repositoriesPage(
      ctx,
      { installation: callingInstallation(ctx), path: '/installation/repositories' },
      input,
    ),
});

function repositoriesPage(
  ctx: Reading,
  { installation, path }: { readonly installation: Installation; readonly path: string },
  input: PageInput,
): JsonObject {
  const items = repositoriesOf(ctx, installation);
  const inPath = ['installation_id'];
  // An installation has permissions, not a role.
  const show = (row: (typeof items)[number]): JsonObject => ({
    ...minimalRepository(ctx, row),
    permissions: permissionFlags(null),
  });
  const repositories = paged(ctx, input, { items, path, inPath, show });
  const { repository_selection } = installation;
  return { total_count: items.length, repository_selection, repositories };
}

const revoke = operation({
  id: 'apps/revoke-installation-access-token',
  summary: 'Takes the token back that the call was made with.',
  effect: 'write',
  http: { method: 'DELETE', path: '/installation/token', status: 204 },
  input: z.looseObject({}),
  output: nothing,
  example: {},
  run(ctx) {
    const shownToken = ctx.actor.attributes?.token;
    if (typeof shownToken === 'string' && ctx.tx.issued_tokens.has(shownToken)) {
      ctx.tx.issued_tokens.delete(shownToken);
    }
    return null;
  },
});

/** Installations with the caller and with the organisations that the caller owns. */
function installationsSeen(ctx: Reading): readonly Installation[] {
  const viewer = requireViewer(ctx);
  const owned = [...ctx.tx.org_members.by('by_user', [viewer.id])]
    .filter(({ role, state }) => role === 'admin' && state === 'active')
    .map(({ org_id }) => org_id);
  return [viewer.id, ...owned].flatMap((id) => [...ctx.tx.installations.by('by_account', [id])]);
}

const listSeen = operation({
  id: 'apps/list-installations-for-authenticated-user',
  summary: 'Lists the installations that the caller may see.',
  effect: 'read',
  http: { method: 'GET', path: '/user/installations' },
  input: z.looseObject(PAGE),
  output: shown('total_count', 'installations'),
  example: {},
  run(ctx, input) {
    const items = installationsSeen(ctx);
    const path = '/user/installations';
    const installations = paged(ctx, input, { items, path, show: (row) => installationView(ctx, row) });
    return { total_count: items.length, installations };
  },
});

const listOfOrganization = operation({
  id: 'orgs/list-app-installations',
  summary: 'Lists the apps that are installed with an organisation.',
  effect: 'read',
  http: { method: 'GET', path: '/orgs/{org}/installations' },
  input: z.looseObject({ org: z.string(), ...PAGE }),
  output: shown('total_count', 'installations'),
  example: { org: 'octo-works' },
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    const items = installationsSeen(ctx).filter(({ account_id }) => account_id === org.id);
    const path = `/organizations/${org.id}/installations`;
    const installations = paged(ctx, input, { items, path, show: (row) => installationView(ctx, row) });
    return { total_count: items.length, installations };
  },
});

function seenAt(ctx: Reading, id: number | string): Installation {
  return installationsSeen(ctx).find((row) => row.id === idOf(id)) ?? ctx.fail('not_found');
}

const listSeenRepositories = operation({
  id: 'apps/list-installation-repos-for-authenticated-user',
  summary: 'Lists the repositories of an installation that the caller may see.',
  effect: 'read',
  http: { method: 'GET', path: '/user/installations/{installation_id}/repositories' },
  input: z.looseObject({ ...NUMBER, ...PAGE }),
  output: shown('total_count', 'repositories'),
  example: { installation_id: 95_000_001 },
  run(ctx, input) {
    const row = seenAt(ctx, input.installation_id);
    return repositoriesPage(
      ctx,
      { installation: row, path: `/user/installations/${row.id}/repositories` },
      input,
    );
  },
});

function changeRepositories(
  ctx: Writing,
  input: { installation_id: number | string; repository_id: number | string },
  wanted: boolean,
): null {
  const row = seenAt(ctx, input.installation_id);
  const id = idOf(input.repository_id);
  const repository = ctx.tx.repositories.get(id);
  if (!repository || repository.owner_id !== row.account_id) return ctx.fail('not_found');
  const rest = repositoriesOf(ctx, row)
    .map((known) => known.id)
    .filter((known) => known !== id);
  ctx.tx.installations.update(row.id, {
    repository_selection: 'selected',
    repository_ids: wanted ? [...rest, id] : rest,
  });
  return null;
}

const AT = '/user/installations/{installation_id}/repositories/{repository_id}';
const one = { installation_id: 95_000_001, repository_id: 990_000_001 };

const addRepository = operation({
  id: 'apps/add-repo-to-installation-for-authenticated-user',
  summary: 'Gives an installation a repository.',
  effect: 'write',
  http: { method: 'PUT', path: AT, status: 204 },
  input: z.looseObject(ONE),
  output: nothing,
  example: one,
  run: (ctx, input) => changeRepositories(ctx, input, true),
});

const removeRepository = operation({
  id: 'apps/remove-repo-from-installation-for-authenticated-user',
  summary: 'Takes a repository from an installation.',
  effect: 'write',
  http: { method: 'DELETE', path: AT, status: 204 },
  input: z.looseObject(ONE),
  output: nothing,
  example: one,
  run: (ctx, input) => changeRepositories(ctx, input, false),
});

export const installationOperations: readonly Operation[] = [
  ofOrganization,
  ofUser,
  ofRepository,
  listRepositories,
  revoke,
  listSeen,
  listOfOrganization,
  listSeenRepositories,
  addRepository,
  removeRepository,
];
