import type { JsonObject } from '../../../service/index.ts';
import type { RepositoryRole } from '../schema/repositories.ts';
import { accountCalled, seeAccount, seeMember } from './accounts.ts';
import { notePage } from './lists.ts';
import { askedOf, itemsOf, repositoryOf } from './places.ts';
import { seeRepository } from './repositories.ts';
import { type Maker, numberIn, objectIn, type Seer, type Sight, textIn, type Watcher } from './sight.ts';

const UNSEEN_MOMENT = '2015-01-01T00:00:00Z';

/** The role that an object shows, by its name or by its flags. */
export function roleShown(object: JsonObject): RepositoryRole | undefined {
  const named = textIn(object, 'role_name');
  if (named !== undefined && named !== '') return named as RepositoryRole;
  const flags = objectIn(object, 'permissions');
  if (!flags) return undefined;
  if (flags.admin === true) return 'admin';
  if (flags.maintain === true) return 'maintain';
  if (flags.push === true) return 'write';
  return flags.triage === true ? 'triage' : 'read';
}

function learnCollaborator(
  sight: Sight,
  repository_id: number,
  { user, role }: { readonly user: number; readonly role?: RepositoryRole | undefined },
): void {
  // What the caller may do is settled in the end, unless it is shown.
  if (!sight.tx.accounts.has(user) || (user === sight.viewerId && role === undefined)) return;
  const blank = { repository_id, user_id: user, role: role ?? 'read' };
  sight.learn('collaborators', [repository_id, user], { blank, columns: { role } });
}

const watchList: Watcher = (sight, exchange) => {
  const asked = askedOf(exchange);
  const repository = exchange.status === 200 ? repositoryOf(sight, asked) : undefined;
  if (repository === undefined) return;
  const outside = asked.affiliation === 'outside';
  const shown = itemsOf(exchange.response);
  for (const item of shown) {
    learnCollaborator(sight, repository, { user: numberIn(item, 'id') ?? 0, role: roleShown(item) });
  }
  if (outside) {
    // Everybody else who may work on it is in the organisation.
    const outsiders = new Set(shown.map((item) => numberIn(item, 'id')));
    sight.atEnd(() => {
      const owner = sight.tx.repositories.get(repository)?.owner_id ?? 0;
      for (const { user_id } of [...sight.tx.collaborators.by('by_repository', [repository])]) {
        if (!outsiders.has(user_id)) seeMember(sight, owner, { user: user_id });
      }
    });
    return;
  }
  notePage(sight, exchange, {
    key: `collaborators ${repository}`,
    isMade: (item) => sight.isMade('collaborators', [repository, numberIn(item, 'id') ?? 0]),
    known: () => collaboratorsKnown(sight, repository),
    fill: (_, index) => {
      const user = accountCalled(sight, `unseen-collaborator-${repository}-${index + 1}`);
      learnCollaborator(sight, repository, { user, role: 'admin' });
    },
  });
};

/** Those written, the owner of a person's repository, and the caller, who is written in the end. */
function collaboratorsKnown(sight: Sight, repository: number): number {
  const owner = sight.tx.repositories.get(repository)?.owner_id ?? 0;
  const users = new Set(
    [...sight.tx.collaborators.by('by_repository', [repository])].map((row) => row.user_id),
  );
  for (const { user_id } of sight.tx.org_members.by('by_org', [owner])) users.add(user_id);
  if (sight.tx.accounts.get(owner)?.type === 'User') users.add(owner);
  users.add(sight.viewerId);
  return users.size;
}

const watchOne: Watcher = (sight, exchange) => {
  const asked = askedOf(exchange);
  const repository = exchange.status < 300 ? repositoryOf(sight, asked) : undefined;
  if (repository === undefined || typeof asked.username !== 'string') return;
  const user = accountCalled(sight, asked.username);
  if (sight.tx.repositories.get(repository)?.owner_id === user) return;
  learnCollaborator(sight, repository, { user });
};

/** The level says the role, unless it is what everybody has. */
const watchPermission: Watcher = (sight, exchange) => {
  const repository = exchange.status === 200 ? repositoryOf(sight, askedOf(exchange)) : undefined;
  const [shown = {}] = itemsOf([exchange.response]);
  const person = objectIn(shown, 'user');
  const role = roleShown(person ?? {}) ?? roleShown(shown) ?? roleOfLevel(textIn(shown, 'permission'));
  if (repository === undefined || !person) return;
  if (shown.permission === 'none') {
    // Of a public repository everybody may see something.
    const row = sight.tx.repositories.get(repository);
    if (row) sight.learn('repositories', repository, { blank: row, columns: { visibility: 'private' } });
    return;
  }
  const open = sight.tx.repositories.get(repository)?.visibility === 'public';
  if (open && shown.permission === 'read') return;
  learnCollaborator(sight, repository, { user: numberIn(person, 'id') ?? 0, role });
};

function roleOfLevel(level: string | undefined): RepositoryRole | undefined {
  return level === 'admin' || level === 'write' || level === 'read' ? level : undefined;
}

/** Whoever is added without being asked could work on it before. */
const watchAdding: Watcher = (sight, exchange) => {
  const asked = askedOf(exchange);
  const repository = repositoryOf(sight, asked);
  if (repository === undefined || typeof asked.username !== 'string' || exchange.status >= 400) return;
  const user = accountCalled(sight, asked.username);
  if (exchange.status === 204) learnCollaborator(sight, repository, { user });
};

export const collaboratorSeers: readonly Seer[] = [
  {
    fits: (object) =>
      objectIn(object, 'invitee') !== undefined &&
      objectIn(object, 'repository') !== undefined &&
      textIn(object, 'permissions') !== undefined,
    see: (sight, object) => seeInvitation(sight, object),
  },
];

function seeInvitation(sight: Sight, object: JsonObject): void {
  const id = numberIn(object, 'id') ?? 0;
  if (sight.isMade('repository_invitations', id)) return;
  const repository_id = seeRepository(sight, objectIn(object, 'repository') ?? {});
  const inviter = objectIn(object, 'inviter');
  if (!sight.tx.repositories.has(repository_id)) return;
  sight.learn('repository_invitations', id, {
    blank: {
      id,
      repository_id,
      invitee_id: seeAccount(sight, objectIn(object, 'invitee') ?? {}),
      inviter_id: inviter ? seeAccount(sight, inviter) : null,
      role: 'write',
      created_at: UNSEEN_MOMENT,
    },
    columns: { role: textIn(object, 'permissions'), created_at: textIn(object, 'created_at') },
  });
}

/** An invitation that the caller answers, of which nothing else is told. */
const watchAnswer: Watcher = (sight, exchange) => {
  const { invitation_id } = askedOf(exchange);
  const id = Number(invitation_id);
  if (exchange.status >= 300 || !Number.isSafeInteger(id) || sight.tx.repository_invitations.has(id)) return;
  if (sight.isMade('repository_invitations', id)) return;
  const [repository] = [...sight.tx.repositories.scan()];
  if (!repository || sight.tx.repository_invitations.unique('by_repository', [repository.id, sight.viewerId]))
    return;
  sight.tx.repository_invitations.insert({
    id,
    repository_id: repository.id,
    invitee_id: sight.viewerId,
    inviter_id: repository.owner_id,
    role: 'write',
    created_at: UNSEEN_MOMENT,
  });
};

export const collaboratorWatchers: Readonly<Record<string, Watcher>> = {
  'repos/list-collaborators': watchList,
  'repos/check-collaborator': watchOne,
  'repos/remove-collaborator': watchOne,
  'repos/get-collaborator-permission-level': watchPermission,
  'repos/add-collaborator': watchAdding,
  'repos/accept-invitation-for-authenticated-user': watchAnswer,
  'repos/decline-invitation-for-authenticated-user': watchAnswer,
};

export const collaboratorMakers: Readonly<Record<string, Maker>> = {
  'repos/add-collaborator': (body) => (body.id === undefined ? [] : [['repository_invitations', body.id]]),
};
