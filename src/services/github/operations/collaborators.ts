import { z } from 'zod';
import type { Json, JsonObject, Operation } from '../../../service/index.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { inviteCollaborator, invitedTo } from '../rules/collaborators.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { repositoryAt, requireRole, roleIn, roleOf } from '../rules/repositories.ts';
import { findAccount, requireViewer } from '../rules/viewer.ts';
import type { Account } from '../schema/accounts.ts';
import { type Repository, type RepositoryRole, ROLES } from '../schema/repositories.ts';
import { simpleUser } from '../views/accounts.ts';
import { repositoryInvitationView } from '../views/invitations.ts';
import { numberedPath, permissionFlags } from '../views/repositories.ts';

const PLACE = { owner: z.string(), repo: z.string() };
const PERSON = { ...PLACE, username: z.string() };
const example = { owner: 'octo-works', repo: 'lamp', username: 'ines' };

/** Somebody with what they may do. */
function collaboratorView(account: Account, role: RepositoryRole | null): JsonObject {
  return { ...simpleUser(account), permissions: permissionFlags(role), role_name: role ?? '' };
}

/** Everybody who may do more than everybody may: by themselves, as members, or through teams. */
function collaboratorsOf(ctx: Reading, repository: Repository, affiliation: string): readonly Account[] {
  const ids = new Set<number>([...ctx.tx.collaborators.by('by_repository', [repository.id])].map(idOf));
  const owner = ctx.tx.accounts.get(repository.owner_id);
  if (owner?.type === 'User') ids.add(owner.id);
  const isMember = (id: number): boolean =>
    id === owner?.id || ctx.tx.org_members.get([repository.owner_id, id])?.state === 'active';
  if (affiliation === 'all') {
    for (const { user_id } of ctx.tx.org_members.by('by_org', [repository.owner_id])) ids.add(user_id);
  }
  return [...ids]
    .filter((id) => affiliation !== 'outside' || !isMember(id))
    .toSorted((one, other) => one - other)
    .map((id) => ctx.tx.accounts.get(id))
    .filter((account) => account !== undefined)
    .filter((account) => roleOf(ctx, repository, account) !== null);
}

function idOf({ user_id }: { readonly user_id: number }): number {
  return user_id;
}

/** Only who may push sees who else may; others are refused with this message. */
function requirePush(ctx: Reading, repository: Repository, message: string): void {
  const role = roleIn(ctx, repository);
  if (role === null || ROLES.indexOf(role) < 2) ctx.fail('forbidden', { message });
}

const listCollaborators = operation({
  id: 'repos/list-collaborators',
  summary: 'Lists who may work on a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/collaborators' },
  input: z.looseObject({
    ...PLACE,
    affiliation: z.string().optional(),
    permission: z.string().optional(),
    ...PAGE,
  }),
  output: listOf('id', 'login', 'permissions', 'role_name'),
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    requirePush(ctx, repository, 'Must have push access to view repository collaborators.');
    const wanted = input.permission;
    const items = collaboratorsOf(ctx, repository, input.affiliation ?? 'all').filter(
      (account) => wanted === undefined || permissionFlags(roleOf(ctx, repository, account))[wanted] === true,
    );
    return paged(ctx, input, {
      items,
      path: numberedPath(repository, '/collaborators'),
      show: (account) => collaboratorView(account, roleOf(ctx, repository, account)),
    });
  },
});

const checkCollaborator = operation({
  id: 'repos/check-collaborator',
  summary: 'Says whether somebody may work on a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/collaborators/{username}', status: 204 },
  input: z.looseObject(PERSON),
  output: nothing,
  example: { ...example, username: 'hubert' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    requirePush(ctx, repository, 'Must have push access to view repository collaborators.');
    const account = userNamed(ctx, input.username);
    if (roleOf(ctx, repository, account) !== null) return null;
    return ctx.fail('absent', { message: `${input.username} is not a collaborator` });
  },
});

function userNamed(ctx: Reading, username: string): Account {
  return findAccount(ctx, username) ?? ctx.fail('absent', { message: `${username} is not a user` });
}

const PERMISSIONS: Readonly<Record<RepositoryRole, string>> = {
  admin: 'admin',
  maintain: 'write',
  write: 'write',
  triage: 'read',
  read: 'read',
};

const getPermission = operation({
  id: 'repos/get-collaborator-permission-level',
  summary: 'Reads what somebody may do with a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/collaborators/{username}/permission' },
  input: z.looseObject(PERSON),
  output: shown('permission', 'role_name', 'user'),
  example,
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    requirePush(ctx, repository, 'Must have push access to view collaborator permission.');
    const account = userNamed(ctx, input.username);
    const open = repository.visibility === 'public' ? 'read' : null;
    const role = roleOf(ctx, repository, account) ?? open;
    return {
      permission: role === null ? 'none' : PERMISSIONS[role],
      user: collaboratorView(account, role),
      role_name: role ?? '',
    };
  },
});

/** A permission as it is sent: `pull`, `push`, or the name of a role. */
function roleOfPermission(ctx: Reading, permission: Json | undefined): RepositoryRole {
  if (permission === undefined || permission === null) return 'write';
  const name = permission === 'pull' ? 'read' : permission === 'push' ? 'write' : permission;
  const role = ROLES.find((known) => known === name);
  return (
    role ?? ctx.fail('unprocessable', { message: `\`${rubyText(permission)}\` is not a valid permission.` })
  );
}

/** A value as GitHub's own language writes it. */
function rubyText(value: Json): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value).replaceAll('":', '"=>');
}

const addCollaborator = operation({
  id: 'repos/add-collaborator',
  summary: 'Asks somebody to work on a repository, or gives who does another role.',
  effect: 'write',
  http: { method: 'PUT', path: '/repos/{owner}/{repo}/collaborators/{username}', status: 201 },
  input: z.looseObject({ ...PERSON, permission: z.json().optional() }),
  output: z.union([nothing, shown('id', 'repository', 'invitee', 'inviter', 'permissions')]),
  example: { ...example, username: 'rowan' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    requireRole(ctx, repository, 'admin');
    const role = roleOfPermission(ctx, input.permission);
    const account = findAccount(ctx, input.username) ?? ctx.fail('not_found');
    if (account.id === repository.owner_id) {
      const message = 'Repository owner cannot be a collaborator';
      ctx.fail('validation_failed', { errors: [{ resource: 'Repository', code: 'custom', message }] });
    }
    if (account.type === 'Organization') {
      const message = `Cannot invite an organization ${input.username}`;
      ctx.fail('validation_failed', { errors: [{ resource: 'Repository', code: 'custom', message }] });
    }
    return addTo(ctx, repository, { account, role });
  },
});

function addTo(
  ctx: Writing,
  repository: Repository,
  { account, role }: { readonly account: Account; readonly role: RepositoryRole },
): JsonObject | null {
  const key = [repository.id, account.id];
  const member = ctx.tx.org_members.get([repository.owner_id, account.id]);
  const known = ctx.tx.collaborators.get(key);
  if (known || member?.state === 'active') {
    if (known) ctx.tx.collaborators.update(key, { role });
    else ctx.tx.collaborators.insert({ repository_id: repository.id, user_id: account.id, role });
    ctx.reply({ status: 204 });
    return null;
  }
  const inviter_id = requireViewer(ctx).id;
  return repositoryInvitationView(ctx, inviteCollaborator(ctx, repository, { account, role, inviter_id }));
}

const removeCollaborator = operation({
  id: 'repos/remove-collaborator',
  summary: 'Takes somebody from a repository; who was only asked is asked no longer.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/collaborators/{username}', status: 204 },
  input: z.looseObject(PERSON),
  output: nothing,
  example,
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const account = findAccount(ctx, input.username) ?? ctx.fail('not_found');
    // Whoever works on a repository may leave it.
    if (account.id !== requireViewer(ctx).id) requireRole(ctx, repository, 'admin');
    const invitation = invitedTo(ctx, repository, account);
    if (invitation) ctx.tx.repository_invitations.delete(invitation.id);
    const key = [repository.id, account.id];
    if (ctx.tx.collaborators.has(key)) ctx.tx.collaborators.delete(key);
    return null;
  },
});

export const collaboratorOperations: readonly Operation[] = [
  listCollaborators,
  checkCollaborator,
  getPermission,
  addCollaborator,
  removeCollaborator,
];
