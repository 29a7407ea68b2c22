import type { JsonObject, RecordedExchange } from '../../../service/index.ts';
import { blankRepository } from '../rules/new-repository.ts';
import { accountCalled, seeAccount, seeMember } from './accounts.ts';
import { notePage } from './lists.ts';
import { askedOf, itemsOf, organizationOf } from './places.ts';
import {
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

function isMade(sight: Sight, org: number, user: number): boolean {
  return sight.isMade('org_members', [org, user]);
}

function learnMember(
  sight: Sight,
  org: number,
  member: { readonly user: number; readonly role?: 'admin' | 'member'; readonly open?: boolean },
): void {
  if (!isMade(sight, org, member.user)) seeMember(sight, org, member);
}

/** A list of members shows each, and the caller is one of them where it says more than strangers see. */
function watchMembers(open: boolean): Watcher {
  return (sight, exchange) => {
    if (exchange.status !== 200) return;
    const asked = askedOf(exchange);
    const org = organizationOf(sight, asked);
    const role: 'admin' | 'member' | undefined =
      asked.role === 'admin' ? 'admin' : asked.role === 'member' ? 'member' : undefined;
    const shape: { readonly role?: 'admin' | 'member'; readonly open?: boolean } = {
      ...(role && { role }),
      ...(open && { open }),
    };
    for (const item of itemsOf(exchange.response)) {
      learnMember(sight, org, { user: numberIn(item, 'id') ?? 0, ...shape });
    }
    notePage(sight, exchange, {
      key: `org members ${org} ${String(asked.role)} ${open}`,
      isMade: (item) => isMade(sight, org, numberIn(item, 'id') ?? 0),
      known: () => membersKnown(sight, org, { ...(role && { role }), open }),
      fill: (_, index) => {
        const user = accountCalled(sight, `unseen-member-${org}-${role ?? ''}${index + 1}`);
        learnMember(sight, org, { user, ...shape });
      },
    });
  };
}

/** Members written, and the caller where they will be written as an owner in the end. */
function membersKnown(
  sight: Sight,
  org: number,
  { role, open }: { readonly role?: 'admin' | 'member'; readonly open: boolean },
): number {
  const rows = [...sight.tx.org_members.by('by_org', [org])].filter(
    (row) => (!open || row.public) && (role === undefined || (row.role === 'admin') === (role === 'admin')),
  );
  const viewer = rows.some(({ user_id }) => user_id === sight.viewerId) || open || role === 'member' ? 0 : 1;
  return rows.length + viewer;
}

const watchMembership: Watcher = (sight, exchange) => {
  if (exchange.status >= 300) return;
  const asked = askedOf(exchange);
  const org = organizationOf(sight, asked);
  if (typeof asked.username !== 'string') return;
  const user = accountCalled(sight, asked.username);
  const open = /public/u.test(exchange.operation ?? '');
  learnMember(sight, org, { user, ...(open && { open }) });
};

/** Memberships show their role and state; one that a request answers as pending was asked for by it. */
const watchRole: Watcher = (sight, exchange) => {
  if (exchange.status >= 300) return;
  const [shown = {}] = itemsOf([exchange.response]);
  const organization = objectIn(shown, 'organization');
  const asked = askedOf(exchange);
  const org = organization
    ? seeAccount(sight, { ...organization, type: 'Organization' })
    : organizationOf(sight, asked);
  const person = objectIn(shown, 'user');
  const user = person ? seeAccount(sight, person) : accountCalled(sight, String(asked.username ?? ''));
  const state = textIn(shown, 'state');
  const accepted = asked.state === 'active';
  if (exchange.request?.method === 'PUT' && state === 'pending') {
    sight.making('org_members', [org, user]);
    return;
  }
  learnMember(sight, org, { user, ...(accepted && { role: roleIn(shown) }) });
  if (accepted && !isMade(sight, org, user)) sight.tx.org_members.update([org, user], { state: 'pending' });
};

function roleIn(shown: JsonObject): 'admin' | 'member' {
  return shown.role === 'admin' ? 'admin' : 'member';
}

/** Outsiders work on a repository of the organisation: which one is not told. */
const watchOutsiders: Watcher = (sight, exchange) => {
  if (exchange.status !== 200) return;
  const org = organizationOf(sight, askedOf(exchange));
  const users = itemsOf(exchange.response).map((item) => numberIn(item, 'id') ?? 0);
  sight.atEnd(() => {
    const repository = [...sight.tx.repositories.by('by_owner', [org])][0]?.id ?? madeUp(sight, org);
    for (const user of users) learnOutsider(sight, repository, user);
  });
  notePage(sight, exchange, {
    key: `outsiders ${org}`,
    known: () => users.length,
    fill: (_, index) => {
      const repository = [...sight.tx.repositories.by('by_owner', [org])][0]?.id ?? madeUp(sight, org);
      learnOutsider(sight, repository, accountCalled(sight, `unseen-outsider-${org}-${index + 1}`));
    },
  });
};

function learnOutsider(sight: Sight, repository_id: number, user_id: number): void {
  if (!sight.tx.accounts.has(user_id) || !sight.tx.repositories.has(repository_id)) return;
  const blank = { repository_id, user_id, role: 'read' };
  sight.learn('collaborators', [repository_id, user_id], { blank, columns: {} });
}

/** A repository that must be there, of which nothing is known. */
function madeUp(sight: Sight, owner_id: number): number {
  const id = sight.freshId('repositories');
  const blank = blankRepository({ id, owner_id }, `unseen-${id}`, UNSEEN_MOMENT);
  sight.learn('repositories', id, { blank: { ...blank, visibility: 'private' }, columns: {} });
  return id;
}

const watchBlock: Watcher = (sight, exchange) => {
  const asked = askedOf(exchange);
  if (exchange.status !== 204 || typeof asked.username !== 'string') return;
  const account_id = asked.org === undefined ? sight.viewerId : organizationOf(sight, asked);
  const user_id = accountCalled(sight, asked.username);
  if (exchange.request?.method === 'PUT') sight.making('blocks', [account_id, user_id]);
  else sight.learn('blocks', [account_id, user_id], { blank: { account_id, user_id }, columns: {} });
};

const watchBlocks: Watcher = (sight, exchange) => {
  if (exchange.status !== 200) return;
  const asked = askedOf(exchange);
  const account_id = asked.org === undefined ? sight.viewerId : organizationOf(sight, asked);
  for (const item of itemsOf(exchange.response)) {
    const user_id = numberIn(item, 'id') ?? 0;
    sight.learn('blocks', [account_id, user_id], { blank: { account_id, user_id }, columns: {} });
  }
};

/** The caller's own list, and somebody's public one. */
const watchOrganizations: Watcher = (sight, exchange) => {
  if (exchange.status !== 200) return;
  const { username } = askedOf(exchange);
  const user = username === undefined ? sight.viewerId : accountCalled(sight, String(username));
  const open = username !== undefined;
  for (const item of itemsOf(exchange.response)) {
    learnMember(sight, numberIn(item, 'id') ?? 0, { user, ...(open && { open }) });
  }
  notePage(sight, exchange, {
    key: `organisations of ${user}`,
    known: () => [...sight.tx.org_members.by('by_user', [user])].filter((row) => row.public || !open).length,
    fill: (_, index) => {
      const org = accountCalled(sight, `unseen-organization-${user}-${index + 1}`, 'Organization');
      learnMember(sight, org, { user, ...(open && { open }) });
    },
  });
};

export const organizationSeers: readonly Seer[] = [
  {
    fits: (object) =>
      textIn(object, 'invitation_teams_url') !== undefined && numberIn(object, 'id') !== undefined,
    see: (sight, object, { exchange }) => seeInvitation(sight, object, exchange),
  },
];

function seeInvitation(sight: Sight, object: JsonObject, exchange: RecordedExchange): void {
  const org_id = organizationOf(sight, askedOf(exchange));
  const id = numberIn(object, 'id') ?? 0;
  if (org_id === 0) return;
  const login = textIn(object, 'login');
  const inviter = objectIn(object, 'inviter');
  const failed = exchange.operation === 'orgs/list-failed-invitations';
  sight.learn('org_invitations', id, {
    blank: {
      id,
      org_id,
      invitee_id: login === undefined ? null : accountCalled(sight, login),
      email: null,
      role: 'direct_member',
      inviter_id: inviter ? seeAccount(sight, inviter) : null,
      team_ids: [],
      created_at: UNSEEN_MOMENT,
      failed_at: failed ? UNSEEN_MOMENT : null,
      failed_reason: null,
    },
    columns: {
      email: nullableTextIn(object, 'email'),
      role: textIn(object, 'role'),
      created_at: textIn(object, 'created_at'),
      failed_at: textIn(object, 'failed_at'),
      failed_reason: textIn(object, 'failed_reason'),
    },
  });
}

export const organizationWatchers: Readonly<Record<string, Watcher>> = {
  'orgs/list-members': watchMembers(false),
  'orgs/list-public-members': watchMembers(true),
  'orgs/check-membership-for-user': watchMembership,
  'orgs/remove-member': watchMembership,
  'orgs/check-public-membership-for-user': watchMembership,
  'orgs/remove-public-membership-for-authenticated-user': watchMembership,
  'orgs/set-public-membership-for-authenticated-user': (sight, exchange) => {
    const asked = askedOf(exchange);
    if (exchange.status === 204) {
      const user = accountCalled(sight, String(asked.username));
      learnMember(sight, organizationOf(sight, asked), { user });
    }
  },
  'orgs/get-membership-for-user': watchRole,
  'orgs/set-membership-for-user': watchRole,
  'orgs/remove-membership-for-user': watchMembership,
  'orgs/get-membership-for-authenticated-user': watchRole,
  'orgs/update-membership-for-authenticated-user': watchRole,
  'orgs/list-outside-collaborators': watchOutsiders,
  'orgs/list-for-authenticated-user': watchOrganizations,
  'orgs/list-for-user': watchOrganizations,
  'orgs/list-blocked-users': watchBlocks,
  'orgs/check-blocked-user': watchBlock,
  'orgs/block-user': watchBlock,
  'orgs/unblock-user': watchBlock,
  'users/list-blocked-by-authenticated-user': watchBlocks,
  'users/check-blocked': watchBlock,
  'users/block': watchBlock,
  'users/unblock': watchBlock,
  'orgs/list-security-manager-teams': (sight, exchange) => {
    for (const item of itemsOf(exchange.response)) {
      const id = numberIn(item, 'id') ?? 0;
      if (sight.tx.teams.has(id)) sight.tx.teams.update(id, { security_manager: true });
    }
  },
};

export const organizationMakers: Readonly<Record<string, Maker>> = {
  'orgs/create-invitation': (body) => [['org_invitations', body.id ?? 0]],
};
