import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { count, id, moment, text } from './columns.ts';
import { ROLES } from './repositories.ts';

/** Teams of organisations, who is in them, and what they may do with which repository. */
export const teamTables = {
  teams: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 12_000_001 },
    columns: {
      id,
      org_id: id,
      name: text,
      /** The name as addresses spell it. */
      slug: text,
      description: text.nullable(),
      privacy: z.enum(['secret', 'closed']),
      notification_setting: text,
      permission: text,
      parent_id: id.nullable(),
      members: count,
      repositories: count,
      /** Whether the team manages security in every repository of the organisation. */
      security_manager: z.boolean(),
      created_at: moment,
      updated_at: moment,
    },
    indexes: { by_parent: ['parent_id', 'slug'] },
    unique: { by_slug: ['org_id', 'slug'] },
    foreignKeys: {
      org_id: { table: 'accounts', onDelete: 'cascade' },
      parent_id: { table: 'teams', onDelete: 'set-null' },
    },
    volatile: ['id', 'created_at', 'updated_at'],
  }),
  team_members: table({
    primaryKey: ['team_id', 'user_id'],
    columns: {
      team_id: id,
      user_id: id,
      role: z.enum(['member', 'maintainer']),
      /** Pending until the person has accepted to join the organisation. */
      state: z.enum(['active', 'pending']),
    },
    indexes: { by_user: ['user_id', 'team_id'], by_team: ['team_id', 'user_id'] },
    foreignKeys: {
      team_id: { table: 'teams', onDelete: 'cascade' },
      user_id: { table: 'accounts', onDelete: 'cascade' },
    },
  }),
  team_repositories: table({
    primaryKey: ['team_id', 'repository_id'],
    columns: { team_id: id, repository_id: id, role: z.enum(ROLES) },
    indexes: { by_repository: ['repository_id', 'team_id'], by_team: ['team_id', 'repository_id'] },
    foreignKeys: {
      team_id: { table: 'teams', onDelete: 'cascade' },
      repository_id: { table: 'repositories', onDelete: 'cascade' },
    },
  }),
};

export type Team = RowOf<(typeof teamTables)['teams']['columns']>;
export type TeamMember = RowOf<(typeof teamTables)['team_members']['columns']>;
