import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { id, moment, text } from './columns.ts';
import { ROLES } from './repositories.ts';

/** Who is asked to join, and has not answered. */
export const invitationTables = {
  org_invitations: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 60_000_001 },
    columns: {
      id,
      org_id: id,
      /** Null for a mail that belongs to no account. */
      invitee_id: id.nullable(),
      email: text.nullable(),
      role: z.enum(['direct_member', 'admin', 'billing_manager', 'hiring_manager', 'reinstate']),
      inviter_id: id.nullable(),
      team_ids: z.array(id),
      created_at: moment,
      failed_at: moment.nullable(),
      failed_reason: text.nullable(),
    },
    indexes: { by_org: ['org_id', 'id'] },
    foreignKeys: {
      org_id: { table: 'accounts', onDelete: 'cascade' },
      invitee_id: { table: 'accounts', onDelete: 'cascade' },
      inviter_id: { table: 'accounts', onDelete: 'set-null' },
    },
    volatile: ['id', 'created_at'],
  }),
  repository_invitations: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 280_000_001 },
    columns: {
      id,
      repository_id: id,
      invitee_id: id,
      inviter_id: id.nullable(),
      role: z.enum(ROLES),
      created_at: moment,
    },
    indexes: { by_invitee: ['invitee_id', 'id'] },
    unique: { by_repository: ['repository_id', 'invitee_id'] },
    foreignKeys: {
      repository_id: { table: 'repositories', onDelete: 'cascade' },
      invitee_id: { table: 'accounts', onDelete: 'cascade' },
      inviter_id: { table: 'accounts', onDelete: 'set-null' },
    },
    volatile: ['id', 'created_at'],
  }),
};

export type OrgInvitation = RowOf<(typeof invitationTables)['org_invitations']['columns']>;
export type RepositoryInvitation = RowOf<(typeof invitationTables)['repository_invitations']['columns']>;
