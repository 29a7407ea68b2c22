import type { Reading } from '../operation.ts';
import type { Account } from '../schema/accounts.ts';
import type { Repository } from '../schema/repositories.ts';

/** What an author is to a repository, as comments and issues show it. */
export function associationOf(ctx: Reading, repository: Repository, account: Account | null): string {
  if (!account) return 'NONE';
  if (account.id === repository.owner_id) return 'OWNER';
  const { tx } = ctx;
  // Who conceals being a member is not shown as one.
  const member = tx.org_members.get([repository.owner_id, account.id]);
  if (member?.state === 'active' && member.public) return 'MEMBER';
  if (tx.collaborators.has([repository.id, account.id])) return 'COLLABORATOR';
  return tx.contributions.has([repository.id, account.id]) ? 'CONTRIBUTOR' : 'NONE';
}
