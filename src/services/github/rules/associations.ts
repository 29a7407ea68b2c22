import type { Reading } from '../operation.ts';
import type { Account } from '../schema/accounts.ts';
import type { Repository } from '../schema/repositories.ts';

/** What an author is to a repository, as comments and issues show it. */
export function associationOf(ctx: Reading, repository: Repository, account: Account | null): string {
  if (!account) return 'NONE';
  if (account.id === repository.owner_id) return 'OWNER';
  const { tx } = ctx;
  const member = tx.org_members.get([repository.owner_id, account.id])?.state === 'active';
  // Who conceals being a member is not shown as one, and members are no outside collaborators.
  if (member && tx.org_members.get([repository.owner_id, account.id])?.public) return 'MEMBER';
  if (!member && tx.collaborators.has([repository.id, account.id])) return 'COLLABORATOR';
  return tx.contributions.has([repository.id, account.id]) ? 'CONTRIBUTOR' : 'NONE';
}
