import { isJsonObject, type Json, type JsonObject, type RecordedExchange } from '../../../service/index.ts';
import { PUBLISHED } from '../coverage.ts';
import { blankRepository } from '../rules/new-repository.ts';
import { blankAccount } from '../seed/people.ts';
import { accountCalled, seeMember } from './accounts.ts';
import { inputOf, type Sight } from './sight.ts';

const UNSEEN_MOMENT = '2015-01-01T00:00:00Z';

/** Numbered forms of paths, and what they stand for; a name of `:7` is the number 7. */
const NUMBERED: readonly (readonly [RegExp, string])[] = [
  [/^\/repositories\/(\d+)(?=\/|$)/u, '/repos/:id/$1'],
  [/^\/organizations\/(\d+)\/team\/(\d+)(?=\/|$)/u, '/orgs/:$1/teams/:$2'],
  [/^\/organizations\/(\d+)(?=\/|$)/u, '/orgs/:$1'],
  [/^\/user\/(\d+)(?=\/|$)/u, '/users/:$1'],
];

/**
 * What an exchange was asked with, the names in its path among it whether they were sent as names or as
 * numbers.
 */
export function askedOf(exchange: RecordedExchange): JsonObject {
  const input = inputOf(exchange);
  const template = exchange.operation === null ? undefined : PUBLISHED.get(exchange.operation)?.path;
  const sent = exchange.request?.path;
  if (template === undefined || sent === undefined) return input;
  const path = NUMBERED.reduce((text, [form, named]) => text.replace(form, named), sent);
  return { ...input, ...(named(template, path) ?? named(template, legacyTeam(path))) };
}

/** `/orgs/:1/teams/:2/…` as the old `/teams/2/…`. */
function legacyTeam(path: string): string {
  return path.replace(/^\/orgs\/[^/]+\/teams\/:(\d+)/u, '/teams/$1');
}

function named(template: string, path: string): JsonObject | null {
  const parts = template.split('/');
  const given = path.split('/');
  if (given.length < parts.length) return null;
  const found: Record<string, Json> = {};
  for (const [index, part] of parts.entries()) {
    const name = /^\{(\w+)\}$/u.exec(part)?.[1];
    const value =
      index === parts.length - 1 && name !== undefined ? given.slice(index).join('/') : given[index];
    if (value === undefined || (name === undefined && value !== part)) return null;
    if (name !== undefined) found[name] = decoded(value);
  }
  return parts.length === given.length || /\}$/u.test(template) ? found : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The number of the organisation that an exchange names, written if nothing else told of it; 0 for none. */
export function organizationOf(sight: Sight, asked: JsonObject): number {
  const { org } = asked;
  if (typeof org !== 'string') return 0;
  if (!org.startsWith(':')) return asOrganization(sight, accountCalled(sight, org, 'Organization'));
  const id = Number(org.slice(1));
  if (!sight.tx.accounts.has(id)) {
    const login = nameOf(sight.names.accounts, id) ?? `organization-${id}`;
    if (sight.tx.accounts.unique('by_login', [login.toLowerCase()])) return accountCalled(sight, login);
    const row = { ...blankAccount(id, login, UNSEEN_MOMENT), type: 'Organization' as const };
    sight.tx.accounts.insert(row);
  }
  return id;
}

/** What nothing else tells the kind of is an organisation, as it was called one. */
function asOrganization(sight: Sight, id: number): number {
  const known = sight.tx.accounts.get(id);
  const isOpen = known?.type === 'User' && !sight.isShown('accounts', id, 'type') && id !== sight.viewerId;
  if (isOpen) sight.tx.accounts.update(id, { type: 'Organization' });
  return id;
}

/**
 * Somebody else's repository that the caller administers is an organisation's: people cannot share that of
 * theirs.
 */
export function ownersGuessed(sight: Sight): void {
  for (const { owner_id } of [...sight.tx.repositories.scan()]) asOrganization(sight, owner_id);
}

/** Paths of an organisation that only owners are answered under. */
const OWNERS_ONLY = new RegExp(
  '^/orgs/[^/]+/' +
    '(hooks|actions|agents|codespaces|dependabot|blocks|invitations|failed_invitations|migrations)',
  'u',
);

/** The name that a number goes by anywhere in the recording. */
function nameOf(names: ReadonlyMap<string, number>, id: number): string | undefined {
  return [...names].find(([, number]) => number === id)?.[0];
}

/** The number of the repository that an exchange names; undefined for one that the recording made. */
export function repositoryOf(sight: Sight, { owner, repo }: JsonObject): number | undefined {
  if (typeof owner !== 'string' || typeof repo !== 'string') return undefined;
  if (owner === ':id') return repositoryByNumber(sight, Number(repo));
  const owner_id = accountCalled(sight, owner);
  const known = sight.tx.repositories.unique('by_name', [owner_id, repo.toLowerCase()]);
  if (known) return known.id;
  const id = numberOf(sight, `${owner}/${repo}`);
  if (id === undefined || sight.isMade('repositories', id)) return undefined;
  sight.learn('repositories', id, {
    blank: blankRepository({ id, owner_id }, repo, UNSEEN_MOMENT),
    columns: {},
  });
  return id;
}

/**
 * The number of the repository that had a name at first. Where another was made later, what took the first
 * away went unseen: either it is not there, or what was made cannot be. A making shows more than any other
 * answer, and gives way where the first was asked for often.
 */
export function numberOf(sight: Sight, name: string): number | undefined {
  const key = name.toLowerCase();
  const asked = sight.names.madeAnew.get(key);
  if (asked !== undefined) return asked < OFTEN ? undefined : sight.freshId('repositories');
  return sight.names.repositories.get(key) ?? sight.freshId('repositories');
}

const OFTEN = 3;

/** A repository of which a request tells the number alone. */
function repositoryByNumber(sight: Sight, id: number): number | undefined {
  if (sight.isMade('repositories', id) || !Number.isSafeInteger(id)) return undefined;
  if (sight.tx.repositories.has(id)) return id;
  const [login = 'unseen-owner', name = `repository-${id}`] =
    nameOf(sight.names.repositories, id)?.split('/') ?? [];
  const owner_id = accountCalled(sight, login, 'Organization');
  if (sight.tx.repositories.unique('by_name', [owner_id, name.toLowerCase()])) return undefined;
  const blank = blankRepository({ id, owner_id }, name, UNSEEN_MOMENT);
  sight.learn('repositories', id, { blank, columns: {} });
  return id;
}

/** The items of a list, whether it is the answer or a member of it. */
export function itemsOf(response: Json, member?: string): readonly JsonObject[] {
  const list = member === undefined ? response : isJsonObject(response) ? response[member] : undefined;
  return Array.isArray(list) ? (list as readonly Json[]).filter(isJsonObject) : [];
}

interface NameTold {
  readonly kind: 'accounts' | 'repositories';
  readonly name: string;
  readonly id: number;
}

/** Numbers of names that stand in addresses: in `Link` headers, and in those of teams. */
export function namesTold(exchange: RecordedExchange): readonly NameTold[] {
  return [
    ...namesInLink(exchange),
    ...nameInTeamPath(exchange),
    ...itemsOf([exchange.response]).flatMap(nameOfOwner),
    ...itemsOf(exchange.response).flatMap(nameOfOwner),
  ];
}

/** A team's addresses name its organisation, once by number and once by login. */
function nameOfOwner({ url, html_url }: JsonObject): NameTold[] {
  const id = /\/organizations\/(\d+)\/team\//u.exec(String(url))?.[1];
  const name = /\/orgs\/([^/]+)\/teams\//u.exec(String(html_url))?.[1];
  return id === undefined || name === undefined ? [] : [{ kind: 'accounts', name, id: Number(id) }];
}

/** A team has repositories of its own organisation alone. */
function nameInTeamPath({ request, status }: RecordedExchange): NameTold[] {
  const found = /^\/organizations\/(\d+)\/team\/\d+\/repos\/([^/]+)\//u.exec(request?.path ?? '');
  if (!found || status >= 400) return [];
  return [{ kind: 'accounts', name: found[2] ?? '', id: Number(found[1]) }];
}

function namesInLink(exchange: RecordedExchange): readonly NameTold[] {
  const link = exchange.headers?.link;
  const found = /https:\/\/[^/]+\/(repositories|organizations|user)\/(\d+)\//u.exec(link ?? '');
  if (!found) return [];
  const { owner, repo, org, username } = askedOf(exchange);
  const id = Number(found[2]);
  if (found[1] === 'repositories') {
    const known = typeof owner === 'string' && typeof repo === 'string' && owner !== ':id';
    return known ? [{ kind: 'repositories', name: `${owner}/${repo}`, id }] : [];
  }
  const name = found[1] === 'organizations' ? org : username;
  return typeof name === 'string' && !name.startsWith(':') ? [{ kind: 'accounts', name, id }] : [];
}

/** Whom a request that went well names was there, whatever else is known of them. */
export function placesCalled(sight: Sight, exchange: RecordedExchange): void {
  if (exchange.status >= 400 || exchange.status === 302) return;
  const asked = askedOf(exchange);
  const owner = organizationOf(sight, asked);
  const template = exchange.operation === null ? undefined : PUBLISHED.get(exchange.operation)?.path;
  if (owner !== 0 && template !== undefined && OWNERS_ONLY.test(template)) {
    seeMember(sight, owner, { user: sight.viewerId, role: 'admin' });
  }
  const called = `${exchange.request?.method ?? ''} ${template ?? ''}`;
  if (ADMINISTRATORS_ONLY.test(called)) administers(sight, repositoryOf(sight, asked));
  const { username, selected_repository_ids: selected, repository_id } = asked;
  if (typeof username === 'string' && !username.startsWith(':')) accountCalled(sight, username);
  const ids = [...(Array.isArray(selected) ? (selected as readonly Json[]) : []), repository_id ?? null];
  for (const id of ids.map(Number))
    if (Number.isSafeInteger(id) && id > 0) repositoryNumbered(sight, id, owner);
}

/** What only those are answered who administer a repository. */
const ADMINISTRATORS_ONLY =
  /^\w+ \/repos\/[^/]+\/[^/]+\/(hooks|invitations)|^(PUT|DELETE) \/repos\/[^/]+\/[^/]+\/collaborators/u;

function administers(sight: Sight, repository_id: number | undefined): void {
  const owner = repository_id === undefined ? undefined : sight.tx.repositories.get(repository_id)?.owner_id;
  if (repository_id === undefined || owner === undefined || owner === sight.viewerId) return;
  const row = { repository_id, user_id: sight.viewerId, role: 'admin' as const };
  sight.learn('collaborators', [repository_id, sight.viewerId], { blank: row, columns: { role: 'admin' } });
}

/** A repository that a request names by its number alone. */
function repositoryNumbered(sight: Sight, id: number, owner: number): void {
  const { tx, names } = sight;
  if (tx.repositories.has(id) || sight.isMade('repositories', id)) return;
  const full = nameOf(names.repositories, id)?.split('/');
  const owner_id = full?.[0] === undefined ? owner : accountCalled(sight, full[0]);
  if (owner_id === 0) return;
  const name = full?.[1] ?? `repository-${id}`;
  if (tx.repositories.unique('by_name', [owner_id, name.toLowerCase()])) return;
  const blank = blankRepository({ id, owner_id }, name, UNSEEN_MOMENT);
  sight.learn('repositories', id, { blank, columns: {} });
}
