import type { JsonObject } from '../../../service/index.ts';
import type { Reading } from '../operation.ts';
import type { OrgInvitation, RepositoryInvitation } from '../schema/invitations.ts';
import { simpleUserOrNull } from './accounts.ts';
import { globalId } from './node-ids.ts';
import { ownerOf, simpleRepository } from './repositories.ts';
import { API, fullName, WEB } from './urls.ts';

/** An invitation to join an organisation. */
export function invitationView({ tx }: Reading, row: OrgInvitation): JsonObject {
  const invitee = row.invitee_id === null ? undefined : tx.accounts.get(row.invitee_id);
  const inviter = row.inviter_id === null ? undefined : tx.accounts.get(row.inviter_id);
  return {
    id: row.id,
    node_id: globalId('OI', [0, row.org_id, row.id]),
    login: invitee?.login ?? null,
    email: row.email,
    role: row.role,
    created_at: row.created_at,
    ...(row.failed_at !== null && { failed_at: row.failed_at, failed_reason: row.failed_reason }),
    inviter: simpleUserOrNull(inviter),
    team_count: row.team_ids.length,
    invitation_teams_url: `${API}/organizations/${row.org_id}/invitations/${row.id}/teams`,
    invitation_source: 'member',
  };
}

/** An invitation to work on a repository. */
export function repositoryInvitationView(ctx: Reading, row: RepositoryInvitation): JsonObject {
  const repository = ctx.tx.repositories.get(row.repository_id);
  const inviter = row.inviter_id === null ? undefined : ctx.tx.accounts.get(row.inviter_id);
  if (!repository) return {};
  const owner = ownerOf(ctx, repository);
  return {
    id: row.id,
    node_id: globalId('RI', [0, row.id]),
    repository: simpleRepository(owner, repository),
    invitee: simpleUserOrNull(ctx.tx.accounts.get(row.invitee_id)),
    inviter: simpleUserOrNull(inviter),
    permissions: row.role,
    created_at: row.created_at,
    url: `${API}/user/repository_invitations/${row.id}`,
    html_url: `${WEB}/${fullName(owner, repository)}/invitations`,
    expired: false,
  };
}
