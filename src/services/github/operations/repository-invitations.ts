import { z } from 'zod';
import type { Operation } from '../../../service/index.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { acceptCollaboration } from '../rules/collaborators.ts';
import { idOf } from '../rules/ids.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { requireViewer } from '../rules/viewer.ts';
import type { RepositoryInvitation } from '../schema/invitations.ts';
import { repositoryInvitationView } from '../views/invitations.ts';
import { numberedPath } from '../views/repositories.ts';

const PLACE = { owner: z.string(), repo: z.string() };
const NUMBER = { invitation_id: z.union([z.int(), z.string()]) };
const example = { owner: 'octo-works', repo: 'lamp', invitation_id: 280_000_001 };
const own = { invitation_id: 280_000_002 };

const listInvitations = operation({
  id: 'repos/list-invitations',
  summary: 'Lists who is asked to work on a repository and has not answered.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/invitations' },
  input: z.looseObject({ ...PLACE, ...PAGE }),
  output: listOf('id', 'repository', 'invitee', 'permissions'),
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    requireRole(ctx, repository, 'admin');
    const all = [...ctx.tx.repository_invitations.by('by_repository', [repository.id])];
    return paged(ctx, input, {
      items: all.toSorted((one, other) => one.id - other.id),
      path: numberedPath(repository, '/invitations'),
      show: (row) => repositoryInvitationView(ctx, row),
    });
  },
});

function invitationAt(
  ctx: Reading,
  input: { owner: string; repo: string; invitation_id: number | string },
): RepositoryInvitation {
  const repository = repositoryAt(ctx, input);
  requireRole(ctx, repository, 'admin');
  const row = ctx.tx.repository_invitations.get(idOf(input.invitation_id));
  return row?.repository_id === repository.id ? row : ctx.fail('not_found');
}

const updateInvitation = operation({
  id: 'repos/update-invitation',
  summary: 'Changes what somebody is asked to do in a repository.',
  effect: 'write',
  http: { method: 'PATCH', path: '/repos/{owner}/{repo}/invitations/{invitation_id}' },
  input: z.looseObject({
    ...PLACE,
    ...NUMBER,
    permissions: z.enum(['read', 'write', 'maintain', 'triage', 'admin']).optional(),
  }),
  output: shown('id', 'repository', 'invitee', 'permissions'),
  example: { ...example, permissions: 'maintain' },
  run(ctx, input) {
    const { id, role } = invitationAt(ctx, input);
    const changed = ctx.tx.repository_invitations.update(id, { role: input.permissions ?? role });
    return repositoryInvitationView(ctx, changed);
  },
});

const deleteInvitation = operation({
  id: 'repos/delete-invitation',
  summary: 'Takes an invitation to a repository back.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/invitations/{invitation_id}', status: 204 },
  input: z.looseObject({ ...PLACE, ...NUMBER }),
  output: nothing,
  example,
  run(ctx, input) {
    ctx.tx.repository_invitations.delete(invitationAt(ctx, input).id);
    return null;
  },
});

const listOwn = operation({
  id: 'repos/list-invitations-for-authenticated-user',
  summary: 'Lists the repositories that the caller is asked to work on.',
  effect: 'read',
  http: { method: 'GET', path: '/user/repository_invitations' },
  input: z.looseObject(PAGE),
  output: listOf('id', 'repository', 'inviter', 'permissions'),
  example: {},
  run(ctx, input) {
    return paged(ctx, input, {
      items: [...ctx.tx.repository_invitations.by('by_invitee', [requireViewer(ctx).id])],
      path: '/user/repository_invitations',
      show: (row) => repositoryInvitationView(ctx, row),
    });
  },
});

function ownInvitation(ctx: Reading, input: { invitation_id: number | string }): RepositoryInvitation {
  const row = ctx.tx.repository_invitations.get(idOf(input.invitation_id));
  return row?.invitee_id === requireViewer(ctx).id ? row : ctx.fail('not_found');
}

const accept = operation({
  id: 'repos/accept-invitation-for-authenticated-user',
  summary: 'Accepts to work on a repository.',
  effect: 'write',
  http: { method: 'PATCH', path: '/user/repository_invitations/{invitation_id}', status: 204 },
  input: z.looseObject(NUMBER),
  output: nothing,
  example: own,
  run(ctx, input) {
    acceptCollaboration(ctx, ownInvitation(ctx, input));
    return null;
  },
});

const decline = operation({
  id: 'repos/decline-invitation-for-authenticated-user',
  summary: 'Declines to work on a repository.',
  effect: 'write',
  http: { method: 'DELETE', path: '/user/repository_invitations/{invitation_id}', status: 204 },
  input: z.looseObject(NUMBER),
  output: nothing,
  example: own,
  run(ctx, input) {
    ctx.tx.repository_invitations.delete(ownInvitation(ctx, input).id);
    return null;
  },
});

export const repositoryInvitationOperations: readonly Operation[] = [
  listInvitations,
  updateInvitation,
  deleteInvitation,
  listOwn,
  accept,
  decline,
];
