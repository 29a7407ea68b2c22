import { isJsonObject, type JsonObject, type RecordedExchange } from '../../../service/index.ts';
import { blankRepository } from '../rules/new-repository.ts';
import { MERGING } from '../views/repositories.ts';
import { accountCalled, seeAccount } from './accounts.ts';
import { numberOf } from './places.ts';
import {
  flagIn,
  inputOf,
  type Maker,
  nullableTextIn,
  numberIn,
  objectIn,
  type Seer,
  type Sight,
  textIn,
  type Watcher,
} from './sight.ts';

const UNSEEN_MOMENT = '2015-01-01T00:00:00Z';
const FLAGS = [
  'fork',
  'archived',
  'disabled',
  'is_template',
  'has_issues',
  'has_projects',
  'has_downloads',
  'has_wiki',
  'has_pages',
  'has_discussions',
  'allow_forking',
  'web_commit_signoff_required',
] as const;

export const repositorySeers: readonly Seer[] = [
  {
    fits: (object) =>
      textIn(object, 'full_name') !== undefined &&
      isJsonObject(object.owner) &&
      numberIn(object, 'id') !== undefined,
    see: (sight, object) => void seeRepository(sight, object),
  },
];

/** Writes a repository as far as an object shows it; gives its number. */
export function seeRepository(sight: Sight, object: JsonObject): number {
  const id = numberIn(object, 'id') ?? 0;
  const name = textIn(object, 'name') ?? '';
  const owner_id = seeAccount(sight, objectIn(object, 'owner') ?? {});
  const known = sight.tx.repositories.unique('by_name', [owner_id, name.toLowerCase()]);
  if (known && known.id !== id) return known.id;
  if (sight.isMade('repositories', id)) return id;
  const merging = Object.fromEntries(
    Object.keys(MERGING)
      .filter((member) => object[member] !== undefined)
      .map((member) => [member, object[member]]),
  );
  sight.learn('repositories', id, {
    blank: blankRepository({ id, owner_id }, name, UNSEEN_MOMENT),
    columns: {
      description: nullableTextIn(object, 'description'),
      homepage: nullableTextIn(object, 'homepage'),
      language: nullableTextIn(object, 'language'),
      mirror_url: nullableTextIn(object, 'mirror_url'),
      visibility: visibilityOf(object),
      default_branch: textIn(object, 'default_branch'),
      ...Object.fromEntries(FLAGS.map((flag) => [flag, flagIn(object, flag)])),
      merging: Object.keys(merging).length > 0 ? merging : undefined,
      license_key: object.license === null ? null : textIn(objectIn(object, 'license') ?? {}, 'key'),
      topics: Array.isArray(object.topics) ? object.topics : undefined,
      size: numberIn(object, 'size'),
      stargazers: numberIn(object, 'stargazers_count'),
      watchers: numberIn(object, 'watchers'),
      forks: numberIn(object, 'forks'),
      subscribers: numberIn(object, 'subscribers_count'),
      open_issues: numberIn(object, 'open_issues'),
      security: object.security_and_analysis ?? undefined,
      created_at: textIn(object, 'created_at'),
      updated_at: textIn(object, 'updated_at'),
      pushed_at: nullableTextIn(object, 'pushed_at'),
      ...relatives(sight, object),
    },
  });
  seeRole(sight, id, object);
  return id;
}

function visibilityOf(object: JsonObject): string | undefined {
  const shown = textIn(object, 'visibility');
  if (shown !== undefined) return shown;
  const hidden = flagIn(object, 'private');
  return hidden === undefined ? undefined : hidden ? 'private' : 'public';
}

function relatives(sight: Sight, object: JsonObject): JsonObject {
  const related = (member: string): number | undefined => {
    const other = objectIn(object, member);
    return other === undefined ? undefined : seeRepository(sight, other);
  };
  return {
    ...(objectIn(object, 'parent') && { parent_id: related('parent') ?? null }),
    ...(objectIn(object, 'source') && { source_id: related('source') ?? null }),
    ...(objectIn(object, 'template_repository') && { template_id: related('template_repository') ?? null }),
  };
}

/** The flags show what the caller may do. */
function seeRole(sight: Sight, id: number, object: JsonObject): void {
  const flags = objectIn(object, 'permissions');
  if (!flags || sight.viewerId === 0) return;
  const role =
    flags.admin === true
      ? 'admin'
      : flags.maintain === true
        ? 'maintain'
        : flags.push === true
          ? 'write'
          : flags.triage === true
            ? 'triage'
            : 'read';
  const row = { repository_id: id, user_id: sight.viewerId };
  sight.learn('collaborators', [id, sight.viewerId], { blank: { ...row, role }, columns: { role } });
}

/**
 * The repository that a request's path names, as far as nothing else tells of it: there, the caller's to
 * administer, and empty. Undefined where the request made it, or it is not there.
 */
export function repositoryCalled(sight: Sight, exchange: RecordedExchange): number | undefined {
  const { owner, repo } = inputOf(exchange);
  if (exchange.status === 301) noteMove(sight, exchange);
  const numbered = Number(/^\/repositories\/(\d+)/u.exec(exchange.request?.path ?? '')?.[1]);
  if (Number.isSafeInteger(numbered) && sight.tx.repositories.has(numbered)) return numbered;
  if (typeof owner !== 'string' || typeof repo !== 'string' || isHidden(exchange)) return undefined;
  if (exchange.status === 301) return undefined;
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

/** A repository had this name before: requests to it are sent on to its number. */
function noteMove(sight: Sight, exchange: RecordedExchange): void {
  const { owner, repo } = inputOf(exchange);
  const url = isJsonObject(exchange.response) ? textIn(exchange.response, 'url') : undefined;
  const id = Number(/\/repositories\/(\d+)$/u.exec(url ?? '')?.[1]);
  if (typeof owner !== 'string' || typeof repo !== 'string' || !Number.isSafeInteger(id)) return;
  const { tx } = sight;
  sight.atEnd(() => {
    const owner_id = accountCalled(sight, owner);
    const name_key = repo.toLowerCase();
    if (tx.repositories.unique('by_name', [owner_id, name_key]) || sight.isMade('repositories', id)) return;
    if (!tx.repositories.has(id)) {
      tx.repositories.insert(blankRepository({ id, owner_id }, `repository-${id}`, UNSEEN_MOMENT));
    }
    const key = [owner_id, name_key];
    if (!tx.repository_names.has(key)) tx.repository_names.insert({ owner_id, name_key, repository_id: id });
  });
}

/** Nothing is there, as far as an answer tells; another message than the usual speaks of what is in it. */
function isHidden({ status, response }: RecordedExchange): boolean {
  return status === 404 && (!isJsonObject(response) || response.message === 'Not Found');
}

const made: Maker = (body) => [['repositories', body.id ?? 0]];

/** The first branch of a new repository is called as the owner has it. */
const created: Maker = (body, exchange, sight) => {
  const default_branch_name = textIn(body, 'default_branch');
  const owner = sight.tx.accounts.get(seeAccount(sight, objectIn(body, 'owner') ?? {}));
  if (owner && default_branch_name !== undefined) {
    const settings = { default_branch_name, ...(owner.settings as JsonObject | null) };
    sight.tx.accounts.update(owner.id, { settings });
    const before = sight.madeBy.get(owner.id) ?? { public: 0, private: 0 };
    const shade = visibilityOf(body) === 'public' ? 'public' : 'private';
    sight.madeBy.set(owner.id, { ...before, [shade]: before[shade] + 1 });
  }
  return made(body, exchange, sight);
};

/** A fork named `name-2` could not be called `name` or `name-1`. */
function noteNamesTaken(sight: Sight, body: JsonObject, name: string): void {
  const number = Number(
    new RegExp(`^${name.replaceAll(/[.]/gu, '\\$&')}-(\\d+)$`, 'u').exec(String(body.name))?.[1],
  );
  const owner = objectIn(body, 'owner');
  if (!owner || !Number.isSafeInteger(number)) return;
  const owner_id = seeAccount(sight, owner);
  for (let taken = 0; taken < number; taken += 1) {
    const other = taken === 0 ? name : `${name}-${taken}`;
    if (sight.tx.repositories.unique('by_name', [owner_id, other.toLowerCase()])) continue;
    const id = sight.freshId('repositories');
    sight.tx.repositories.insert(blankRepository({ id, owner_id }, other, UNSEEN_MOMENT));
  }
}

/** A fork shows what it comes from, and what that comes from. */
const forked: Maker = (body, exchange, sight) => {
  const [parent, source] = [objectIn(body, 'parent'), objectIn(body, 'source')];
  // The parent is shown with the new fork counted, the source as it was.
  if (source) seeRepository(sight, source);
  if (parent) seeRepository(sight, { ...parent, forks: Math.max(0, (numberIn(parent, 'forks') ?? 1) - 1) });
  if (parent) noteNamesTaken(sight, body, textIn(parent, 'name') ?? '');
  if (parent && source && parent.id !== source.id) {
    const source_id = seeRepository(sight, source);
    const id = seeRepository(sight, parent);
    const row = sight.tx.repositories.get(id);
    if (row) sight.learn('repositories', id, { blank: row, columns: { source_id } });
  }
  return made(body, exchange, sight);
};

export const repositoryMakers: Readonly<Record<string, Maker>> = {
  'repos/create-for-authenticated-user': created,
  'repos/create-in-org': created,
  'repos/create-fork': forked,
  'repos/create-using-template': made,
};

export const repositoryWatchers: Readonly<Record<string, Watcher>> = {};
