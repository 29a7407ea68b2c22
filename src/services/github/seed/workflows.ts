import type { Seeding } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import type { GithubSchema } from '../schema.ts';

const HOUR_MS = 3_600_000;

/** The lamp's workflows: checks that passed, checks that are at work, and a run that waits for a nod. */
export function seedWorkflows({ tx, nextId }: Seeding<GithubSchema>, epochMs: number): void {
  const org = tx.accounts.unique('by_login', ['octo-works']);
  const lamp = org && tx.repositories.unique('by_name', [org.id, 'lamp']);
  const mona = tx.accounts.unique('by_login', ['mona']);
  if (!lamp || !mona) return;
  const number = (table: keyof GithubSchema & string): number => Number(nextId(table));
  const created_at = momentText(epochMs - 24 * HOUR_MS);
  const workflow = (name: string, file: string): number =>
    tx.workflows.insert({
      id: number('workflows'),
      repository_id: lamp.id,
      name,
      path: `.github/workflows/${file}`,
      state: 'active',
      created_at: created_at.replace('Z', '.000Z'),
      updated_at: created_at.replace('Z', '.000Z'),
    }).id;
  const checks = workflow('Checks', 'checks.yml');
  workflow('Release', 'release.yml');
  const states = [
    { status: 'completed', conclusion: 'success' },
    { status: 'in_progress', conclusion: null },
    { status: 'completed', conclusion: 'action_required' },
  ];
  for (const [index, state] of states.entries()) {
    const moment = momentText(epochMs - (12 - index) * HOUR_MS);
    const run_id = number('workflow_runs');
    tx.workflow_runs.insert({
      id: run_id,
      repository_id: lamp.id,
      workflow_id: checks,
      name: 'Checks',
      display_title: 'Dim more slowly',
      path: '.github/workflows/checks.yml',
      run_number: index + 1,
      run_attempt: 1,
      event: index === 2 ? 'pull_request' : 'push',
      ...state,
      starts_ms: null,
      ends_ms: null,
      head_branch: 'main',
      head_sha: `${index + 1}`.repeat(40),
      head_repository_id: lamp.id,
      actor_id: mona.id,
      triggering_actor_id: mona.id,
      check_suite_id: number('check_suites'),
      head_commit: null,
      pull_requests: [],
      inputs: {},
      has_logs: true,
      created_at: moment,
      updated_at: moment,
      run_started_at: moment,
    });
    seedJob({ tx, nextId } as Seeding<GithubSchema>, { run_id, ...state }, moment);
    if (index > 0) continue;
    tx.artifacts.insert({
      id: number('artifacts'),
      repository_id: lamp.id,
      run_id,
      name: 'firmware',
      size_in_bytes: 48_213,
      digest: `sha256:${'0'.repeat(64)}`,
      expired: false,
      created_at: moment,
      updated_at: moment,
      expires_at: momentText(epochMs + 90 * 24 * HOUR_MS),
    });
  }
}

function seedJob(
  { tx, nextId }: Seeding<GithubSchema>,
  state: { readonly run_id: number; readonly conclusion: string | null },
  moment: string,
): void {
  tx.workflow_jobs.insert({
    id: Number(nextId('workflow_jobs')),
    run_id: state.run_id,
    run_attempt: 1,
    name: 'build',
    conclusion: state.conclusion === 'success' ? 'success' : null,
    labels: ['ubuntu-latest'],
    steps: [{ name: 'Set up job' }, { name: 'Run npm test' }, { name: 'Complete job' }],
    started_at: moment,
    completed_at: state.conclusion === 'success' ? moment : null,
  });
}
