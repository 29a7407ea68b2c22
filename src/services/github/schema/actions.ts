import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { count, id, json, moment, sha, text } from './columns.ts';

const repository = { repository_id: { table: 'repositories', onDelete: 'cascade' } } as const;
const ofRun = { run_id: { table: 'workflow_runs', onDelete: 'cascade' } } as const;

/** Workflows, what they have run, and what came of it. */
export const actionTables = {
  workflows: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 180_000_001 },
    columns: {
      id,
      repository_id: id,
      name: text,
      path: text,
      state: text,
      /** With milliseconds, as GitHub shows them for workflows alone. */
      created_at: moment,
      updated_at: moment,
    },
    indexes: { by_repository: ['repository_id', 'id'] },
    foreignKeys: repository,
    volatile: ['id', 'created_at', 'updated_at'],
  }),
  workflow_runs: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 16_000_000_001 },
    columns: {
      id,
      repository_id: id,
      workflow_id: id,
      name: text,
      display_title: text,
      path: text,
      run_number: count,
      run_attempt: count,
      event: text,
      /** How the run stands; while `ends_ms` is to come, `stateOf` says how it stands by then. */
      status: text,
      conclusion: text.nullable(),
      /** Virtual time at which the run starts and ends by itself; null for a run that waits or is over. */
      starts_ms: z.number().nullable(),
      ends_ms: z.number().nullable(),
      head_branch: text.nullable(),
      head_sha: sha,
      head_repository_id: id.nullable(),
      actor_id: id.nullable(),
      triggering_actor_id: id.nullable(),
      check_suite_id: id,
      head_commit: json,
      pull_requests: json,
      inputs: json,
      has_logs: z.boolean(),
      created_at: moment,
      updated_at: moment,
      run_started_at: moment,
    },
    indexes: {
      by_repository: ['repository_id', 'created_at', 'id'],
      by_workflow: ['workflow_id', 'run_number'],
    },
    foreignKeys: {
      ...repository,
      actor_id: { table: 'accounts', onDelete: 'set-null' },
      triggering_actor_id: { table: 'accounts', onDelete: 'set-null' },
    },
    volatile: [
      'id',
      'workflow_id',
      'head_sha',
      'head_commit',
      'check_suite_id',
      'starts_ms',
      'ends_ms',
      'created_at',
      'updated_at',
      'run_started_at',
    ],
  }),
  workflow_jobs: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 46_000_000_001 },
    columns: {
      id,
      run_id: id,
      run_attempt: count,
      name: text,
      /** As it is once the run is over: `success`, `failure`, `cancelled`, `skipped`. */
      conclusion: text.nullable(),
      labels: z.array(text),
      /** Names and conclusions, in their order. */
      steps: json,
      started_at: moment,
      completed_at: moment.nullable(),
    },
    indexes: { by_run: ['run_id', 'run_attempt', 'id'] },
    foreignKeys: ofRun,
    volatile: ['id', 'started_at', 'completed_at'],
  }),
  artifacts: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 2_900_000_001 },
    columns: {
      id,
      repository_id: id,
      /** Null for one whose run is gone. */
      run_id: id.nullable(),
      name: text,
      size_in_bytes: count,
      digest: text.nullable(),
      expired: z.boolean(),
      created_at: moment,
      updated_at: moment,
      expires_at: moment,
    },
    indexes: { by_repository: ['repository_id', 'id'], by_run: ['run_id', 'id'] },
    foreignKeys: repository,
    volatile: ['id', 'created_at', 'updated_at', 'expires_at'],
  }),
};

export type Workflow = RowOf<(typeof actionTables)['workflows']['columns']>;
export type WorkflowRun = RowOf<(typeof actionTables)['workflow_runs']['columns']>;
export type WorkflowJob = RowOf<(typeof actionTables)['workflow_jobs']['columns']>;
export type Artifact = RowOf<(typeof actionTables)['artifacts']['columns']>;
