import { momentText } from '../moments.ts';
import type { Reading, Writing } from '../operation.ts';
import type { Account } from '../schema/accounts.ts';
import type { RepositoryInvitation } from '../schema/invitations.ts';
import type { Repository, RepositoryRole } from '../schema/repositories.ts';
import { freshId } from './ids.ts';

/** The invitation to a repository that somebody has not answered yet. */
export function invitedTo(
  ctx: Reading,
  repository: Repository,
  account: Account,
): RepositoryInvitation | undefined {
  return ctx.tx.repository_invitations.unique('by_repository', [repository.id, account.id]);
}

/** Asks somebody to work on a repository; asked again, the invitation is the same with another role. */
export function inviteCollaborator(
  ctx: Writing,
  repository: Repository,
  wish: { readonly account: Account; readonly role: RepositoryRole; readonly inviter_id: number },
): RepositoryInvitation {
  const { account, role, inviter_id } = wish;
  const known = invitedTo(ctx, repository, account);
  if (known) return ctx.tx.repository_invitations.update(known.id, { role });
  return ctx.tx.repository_invitations.insert({
    id: freshId(ctx, 'repository_invitations'),
    repository_id: repository.id,
    invitee_id: account.id,
    inviter_id,
    role,
    created_at: momentText(ctx.nowMs),
  });
}

/** Somebody accepts: the invitation is gone, and they may do what it said. */
export function acceptCollaboration(ctx: Writing, invitation: RepositoryInvitation): void {
  const { repository_id, invitee_id: user_id, role } = invitation;
  ctx.tx.repository_invitations.delete(invitation.id);
  const key = [repository_id, user_id];
  if (ctx.tx.collaborators.has(key)) ctx.tx.collaborators.update(key, { role });
  else ctx.tx.collaborators.insert({ repository_id, user_id, role });
}
