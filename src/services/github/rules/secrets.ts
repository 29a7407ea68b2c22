import { z } from 'zod';
import { digestText, type JsonObject } from '../../../service/index.ts';
import { base64OfBytes } from '../git/index.ts';
import { momentText } from '../moments.ts';
import type { Reading, Writing } from '../operation.ts';
import type { Account } from '../schema/accounts.ts';
import type { Repository } from '../schema/repositories.ts';
import type { Secret, SecretApp, Variable } from '../schema/secrets.ts';
import { numberedPath } from '../views/repositories.ts';
import { API } from '../views/urls.ts';
import { requireOwner } from './organizations.ts';
import { repositoryAt, requireRole } from './repositories.ts';
import { organizationNamed, requireViewer } from './viewer.ts';

/** What a path names: the place that secrets or variables are in. */
export type PlaceInput = Readonly<Record<string, unknown>>;

/** The place that a name is unique in. */
export interface Scope {
  readonly scope: string;
  readonly repository: Repository | null;
  readonly account: Account | null;
  /** The path by number that lists name, up to `/actions`. */
  readonly path: string;
}

/** A kind of place: how its paths begin, what operations on it are named, and who may go there. */
export interface Home {
  readonly named: 'repo' | 'environment' | 'org';
  readonly path: string;
  readonly inputs: Readonly<Record<string, z.ZodType>>;
  readonly example: JsonObject;
  readonly open: (ctx: Reading, input: PlaceInput) => Scope;
}

const place = { owner: z.string(), repo: z.string() };
const exampleRepository = { owner: 'octo-works', repo: 'lamp' };

export const REPOSITORY_HOME: Home = {
  named: 'repo',
  path: '/repos/{owner}/{repo}',
  inputs: place,
  example: exampleRepository,
  open(ctx, input) {
    const repository = collaboratorsRepository(ctx, input);
    return { scope: `repo:${repository.id}`, repository, account: null, path: numberedPath(repository, '') };
  },
};

export const ENVIRONMENT_HOME: Home = {
  named: 'environment',
  path: '/repos/{owner}/{repo}/environments/{environment_name}',
  inputs: { ...place, environment_name: z.string() },
  example: { ...exampleRepository, environment_name: 'production' },
  open(ctx, input) {
    const repository = collaboratorsRepository(ctx, input);
    const name = String(input.environment_name);
    return {
      scope: `env:${repository.id}/${name}`,
      repository,
      account: null,
      path: numberedPath(repository, `/environments/${encodeURIComponent(name.toWellFormed())}`),
    };
  },
};

/** Where the secrets or variables of a kind of place are; an environment's are those of actions. */
export function pathOf(app: SecretApp, home: Home, kind: 'secrets' | 'variables'): string {
  return home.named === 'environment' ? `${home.path}/${kind}` : `${home.path}/${app}/${kind}`;
}

/** Whoever may push may know of secrets, and set them. */
function collaboratorsRepository(ctx: Reading, input: PlaceInput): Repository {
  const repository = repositoryAt(ctx, { owner: String(input.owner), repo: String(input.repo) });
  requireRole(ctx, repository, 'write');
  return repository;
}

/** An organisation's, for its owners; `what` stands in the refusal of others. */
export function organizationHome(what: 'secrets' | 'variables'): Home {
  return {
    named: 'org',
    path: '/orgs/{org}',
    inputs: { org: z.string() },
    example: { org: 'octo-works' },
    open(ctx, input) {
      const account = organizationNamed(ctx, String(input.org));
      requireOwner(ctx, account, `You must be an org admin or have the org ${what} fine-grained permission.`);
      return { scope: `org:${account.id}`, repository: null, account, path: `/organizations/${account.id}` };
    },
  };
}

/** A person's own. */
export function viewerScope(ctx: Reading): Scope {
  const account = requireViewer(ctx);
  return { scope: `user:${account.id}`, repository: null, account, path: '/user' };
}

/** The key that callers seal secrets of a place with: 32 bytes, the same at every reading. */
export function publicKeyOf(app: SecretApp, { scope }: Scope): JsonObject {
  const digest = digestText(`${app} ${scope}`);
  const bytes = [...digest.matchAll(/../gu)].map(([hex]) => String.fromCharCode(Number.parseInt(hex, 16)));
  return {
    key_id: String(Number.parseInt(digest.slice(0, 13), 16)),
    key: base64OfBytes(bytes.join('')),
  };
}

const NAME = /^[A-Z_][A-Z0-9_]*$/u;

/** The name in capitals. @throws 422 for one that GitHub does not take. */
export function checkedName(ctx: Reading, name: string, kind: 'Secret' | 'Variable'): string {
  const capitals = name.toUpperCase();
  if (capitals.startsWith('GITHUB_')) {
    ctx.fail('unprocessable', { message: `${kind} names must not start with GITHUB_.` });
  }
  if (!NAME.test(capitals)) {
    const message =
      `${kind} names can only contain alphanumeric characters ([a-z], [A-Z], [0-9]) or underscores (_). ` +
      'Spaces are not allowed. Must start with a letter ([a-z], [A-Z]) or underscores (_).';
    ctx.fail('unprocessable', { message });
  }
  return capitals;
}

/** The columns that every new secret or variable has. */
export function freshRow(
  ctx: Writing,
  app: SecretApp,
  { scope, repository, account }: Scope,
): Omit<Variable, 'name' | 'value'> {
  const moment = momentText(ctx.nowMs);
  return {
    app,
    scope,
    repository_id: repository?.id ?? null,
    account_id: account?.id ?? null,
    visibility: null,
    selected_repository_ids: [],
    created_at: moment,
    updated_at: moment,
  };
}

/** A secret as it is listed and read; the value is never shown. */
export function secretView(ctx: Reading, row: Secret): JsonObject {
  return { name: row.name, ...momentsOf(row), ...visibilityView(ctx, row, 'secrets') };
}

/** A variable as it is listed and read. */
export function variableView(ctx: Reading, row: Variable): JsonObject {
  return { name: row.name, value: row.value, ...momentsOf(row), ...visibilityView(ctx, row, 'variables') };
}

function momentsOf({ created_at, updated_at }: Pick<Variable, 'created_at' | 'updated_at'>): JsonObject {
  return { created_at, updated_at };
}

function visibilityView(
  { tx }: Reading,
  row: Pick<Variable, 'account_id' | 'app' | 'name' | 'scope' | 'visibility'>,
  kind: 'secrets' | 'variables',
): JsonObject {
  const account = row.account_id === null ? undefined : tx.accounts.get(row.account_id);
  if (!account || row.visibility === null) return {};
  const base = account.type === 'Organization' ? `${API}/orgs/${account.login}` : `${API}/user`;
  const url = `${base}/${row.app}/${kind}/${row.name}/repositories`;
  return {
    visibility: row.visibility,
    ...(row.visibility === 'selected' && { selected_repositories_url: url }),
  };
}

/** Whether an organisation's secret or variable reaches a repository. */
export function reaches(
  row: Pick<Variable, 'selected_repository_ids' | 'visibility'>,
  repository: Repository,
): boolean {
  if (row.visibility === 'selected') return row.selected_repository_ids.includes(repository.id);
  return row.visibility === 'all' || repository.visibility !== 'public';
}
