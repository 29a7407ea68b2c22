import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { id, json, moment, sha, text } from './columns.ts';

const repository = { repository_id: { table: 'repositories', onDelete: 'cascade' } } as const;
const creator = { creator_id: { table: 'accounts', onDelete: 'set-null' } } as const;

export const deploymentTables = {
  environments: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 12_000_000_001 },
    columns: {
      id,
      repository_id: id,
      name: text,
      can_admins_bypass: z.boolean(),
      /** Minutes to wait before a deployment; null for none. */
      wait_timer: z.int().nullable(),
      prevent_self_review: z.boolean(),
      /** Who must approve: `[{type: "User" | "Team", id}]`. */
      reviewers: json,
      /** `{protected_branches, custom_branch_policies}`, or null where every branch may be deployed. */
      branch_policy: json,
      created_at: moment,
      updated_at: moment,
    },
    unique: { by_name: ['repository_id', 'name'] },
    foreignKeys: repository,
    volatile: ['id', 'created_at', 'updated_at'],
  }),
  branch_policies: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 40_000_001 },
    columns: { id, environment_id: id, name: text, type: z.enum(['branch', 'tag']) },
    indexes: { by_environment: ['environment_id', 'id'] },
    foreignKeys: { environment_id: { table: 'environments', onDelete: 'cascade' } },
    volatile: ['id'],
  }),
  deployments: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 2_700_000_001 },
    columns: {
      id,
      repository_id: id,
      creator_id: id.nullable(),
      sha,
      ref: text,
      task: text,
      payload: json,
      original_environment: text,
      environment: text,
      description: text.nullable(),
      transient_environment: z.boolean(),
      production_environment: z.boolean(),
      created_at: moment,
      updated_at: moment,
    },
    indexes: { by_repository: ['repository_id', 'id'] },
    foreignKeys: { ...repository, ...creator },
    volatile: ['id', 'created_at', 'updated_at'],
  }),
  deployment_statuses: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 5_400_000_001 },
    columns: {
      id,
      deployment_id: id,
      creator_id: id.nullable(),
      state: text,
      description: text,
      environment: text,
      environment_url: text,
      log_url: text,
      created_at: moment,
      updated_at: moment,
    },
    indexes: { by_deployment: ['deployment_id', 'id'] },
    foreignKeys: { deployment_id: { table: 'deployments', onDelete: 'cascade' }, ...creator },
    volatile: ['id', 'created_at', 'updated_at'],
  }),
};

export type Environment = RowOf<(typeof deploymentTables)['environments']['columns']>;
export type BranchPolicy = RowOf<(typeof deploymentTables)['branch_policies']['columns']>;
export type Deployment = RowOf<(typeof deploymentTables)['deployments']['columns']>;
export type DeploymentStatus = RowOf<(typeof deploymentTables)['deployment_statuses']['columns']>;
