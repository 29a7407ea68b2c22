import type { JsonObject, Seeding } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import type { GithubSchema } from '../schema.ts';

const DAY_MS = 86_400_000;

/** What code scanning found in the lamp, and what was packed up of `octo-works` and of mona's. */
export function seedScanning({ tx, nextId }: Seeding<GithubSchema>, epochMs: number): void {
  const known = (login: string): number => tx.accounts.unique('by_login', [login])?.id ?? 0;
  const [mona, org] = [known('mona'), known('octo-works')];
  const repository = (owner: number, name: string): number =>
    tx.repositories.unique('by_name', [owner, name])?.id ?? 0;
  const lamp = repository(org, 'lamp');
  const moment = (days: number): string => momentText(epochMs - days * DAY_MS);
  const tool = { name: 'CodeQL', guid: null, version: '2.20.0' };
  const analysis = (days: number): void =>
    void tx.scanning_analyses.insert({
      id: Number(nextId('scanning_analyses')),
      repository_id: lamp,
      ref: 'refs/heads/main',
      commit_sha: '1'.repeat(40),
      analysis_key: 'dynamic/github-code-scanning/codeql:analyze',
      environment: '{"language":"javascript"}',
      category: '/language:javascript',
      error: '',
      warning: '',
      results_count: 1,
      rules_count: 40,
      sarif_id: '00000000-0000-4000-8000-000000000001',
      tool,
      created_at: moment(days),
    });
  analysis(9);
  analysis(2);
  seedAlert(tx, { repository: lamp, tool, moment: moment(9) });
  seedMigrations(
    { tx, nextId } as Seeding<GithubSchema>,
    [
      { account_id: org, id: lamp },
      { account_id: mona, id: repository(mona, 'dotfiles') },
    ],
    moment(5),
  );
}

function seedAlert(
  tx: Seeding<GithubSchema>['tx'],
  {
    repository,
    tool,
    moment,
  }: { readonly repository: number; readonly tool: JsonObject; readonly moment: string },
): void {
  tx.sarif_uploads.insert({
    id: '00000000-0000-4000-8000-000000000001',
    repository_id: repository,
    processing_status: 'complete',
    errors: null,
    created_at: moment,
  });
  tx.scanning_alerts.insert({
    repository_id: repository,
    number: 1,
    state: 'open',
    fixed_at: null,
    dismissed_by_id: null,
    dismissed_at: null,
    dismissed_reason: null,
    dismissed_comment: null,
    rule: {
      id: 'js/hardcoded-credentials',
      severity: 'warning',
      description: 'Hard-coded credentials',
      name: 'js/hardcoded-credentials',
      tags: ['security'],
      full_description: 'Credentials in source can be read by everybody who reads the source.',
      help: 'Keep them elsewhere.',
      security_severity_level: 'critical',
    },
    tool,
    instance: {
      ref: 'refs/heads/main',
      analysis_key: 'dynamic/github-code-scanning/codeql:analyze',
      environment: '{"language":"javascript"}',
      category: '/language:javascript',
      commit_sha: '1'.repeat(40),
      message: { text: 'A password stands in the source.' },
      location: { path: 'src/lamp.js', start_line: 3, end_line: 3, start_column: 9, end_column: 20 },
      classifications: [],
    },
    created_at: moment,
    updated_at: moment,
  });
}

function seedMigrations(
  { tx, nextId }: Seeding<GithubSchema>,
  homes: readonly { readonly account_id: number; readonly id: number }[],
  moment: string,
): void {
  for (const { account_id, id } of homes) {
    tx.migrations.insert({
      id: Number(nextId('migrations')),
      account_id,
      guid: `00000000-0000-4000-8000-0000${id}`,
      state: 'exported',
      ready_ms: null,
      has_archive: true,
      options: { lock_repositories: true },
      repository_ids: [id],
      locked_ids: [id],
      created_at: moment,
      updated_at: moment,
    });
  }
}
