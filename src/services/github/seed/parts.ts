import type { Seeding } from '../../../service/index.ts';
import { commitAt, gitReader } from '../git/index.ts';
import { momentText } from '../moments.ts';
import { blankEnvironment } from '../rules/environments.ts';
import { blankFeatures } from '../rules/features.ts';
import type { Repository } from '../schema/repositories.ts';
import type { GithubSchema } from '../schema.ts';

const DAY_MS = 86_400_000;

/** What hangs on the repositories: a release, a protected branch, a deployment, checks, keys and links. */
export function seedParts(seeding: Seeding<GithubSchema>, epochMs: number): void {
  const { tx } = seeding;
  for (const repository of [...tx.repositories.scan()]) {
    const moment = momentText(epochMs - 19 * DAY_MS);
    if (repository.name === 'lamp') seedLamp(seeding, repository, moment);
    if (repository.name === 'handbook') tx.repositories.update(repository.id, { is_template: true });
    if (repository.name === 'website') seedSite(seeding, repository, moment);
    if (repository.name === 'dotfiles') {
      tx.repository_features.insert({ ...blankFeatures(repository.id), vulnerability_alerts: true });
    }
  }
  seedFork(seeding);
}

function seedLamp(seeding: Seeding<GithubSchema>, lamp: Repository, moment: string): void {
  const { tx, nextId } = seeding;
  const repository_id = lamp.id;
  const [mona] = [...tx.accounts.scan()];
  const head = tx.git_refs.get([lamp.id, 'refs/heads/main'])?.sha ?? '';
  const creator_id = mona?.id ?? null;
  seedRelease(seeding, { lamp, head, moment, creator_id });
  tx.branch_protections.insert({
    repository_id,
    branch: 'main',
    status_checks: { strict: false, checks: [{ context: 'build', app_id: null }] },
    reviews: {
      dismiss_stale_reviews: false,
      require_code_owner_reviews: false,
      require_last_push_approval: false,
      required_approving_review_count: 1,
      dismissal_restrictions: null,
      bypass_pull_request_allowances: null,
    },
    restrictions: { users: ['mona'], teams: [], apps: [] },
    switches: [],
  });
  tx.rulesets.insert({
    id: Number(nextId('rulesets')),
    repository_id,
    name: 'Releases stay',
    target: 'branch',
    enforcement: 'active',
    bypass_actors: [],
    conditions: { ref_name: { include: ['refs/heads/release/*', '~DEFAULT_BRANCH'], exclude: [] } },
    rules: [{ type: 'deletion' }],
    created_at: moment,
    updated_at: moment,
  });
  seedDelivery(seeding, { lamp, head, moment, creator_id });
  seedChecks(seeding, { lamp, head, moment, creator_id });
  tx.deploy_keys.insert({
    id: Number(nextId('deploy_keys')),
    repository_id,
    title: 'workshop',
    key: 'ssh-ed25519 example-key-of-the-workshop',
    read_only: true,
    verified: true,
    added_by: 'mona',
    last_used: null,
    created_at: moment,
  });
  tx.autolinks.insert({
    id: Number(nextId('autolinks')),
    repository_id,
    key_prefix: 'WORKS-',
    url_template: 'https://tickets.octo-works.example/<num>',
    is_alphanumeric: false,
  });
}

function seedRelease({ tx, nextId }: Seeding<GithubSchema>, { lamp, moment, creator_id }: Scene): void {
  const repository_id = lamp.id;
  const times = { created_at: moment, updated_at: moment };
  const release_id = Number(nextId('releases'));
  tx.releases.insert({
    id: release_id,
    repository_id,
    author_id: creator_id,
    tag_name: 'v1.0.0',
    target_commitish: 'main',
    name: 'The first lamp',
    body: 'Dims, and listens.',
    draft: false,
    prerelease: false,
    discussion_number: null,
    marked_latest: false,
    never_latest: false,
    published_at: moment,
    ...times,
  });
  tx.release_assets.insert({
    id: Number(nextId('release_assets')),
    release_id,
    uploader_id: creator_id,
    name: 'lamp-1.0.0.hex',
    label: '',
    state: 'uploaded',
    content_type: 'application/octet-stream',
    size: 3,
    digest: null,
    download_count: 12,
    content: 'AQID',
    ...times,
  });
}

/** What mona thinks of the lamp's release, and of a comment on its last commit. */
export function seedPraise({ tx, nextId }: Seeding<GithubSchema>, epochMs: number): void {
  const mona = tx.accounts.unique('by_login', ['mona']);
  const [release] = [...tx.releases.scan({ limit: 1 })];
  const [comment] = [...tx.commit_comments.scan({ limit: 1 })];
  if (!mona || !release || !comment) return;
  const subjects = [
    ['commit-comment', comment],
    ['release', release],
  ] as const;
  for (const [subject, { id: subject_id, repository_id }] of subjects) {
    tx.reactions.insert({
      id: Number(nextId('reactions')),
      subject,
      subject_id,
      repository_id,
      user_id: mona.id,
      content: 'heart',
      created_at: momentText(epochMs - DAY_MS),
    });
  }
}

interface Scene {
  readonly lamp: Repository;
  readonly head: string;
  readonly moment: string;
  readonly creator_id: number | null;
}

function seedDelivery(
  { tx, nextId }: Seeding<GithubSchema>,
  { lamp, head, moment, creator_id }: Scene,
): void {
  const repository_id = lamp.id;
  const times = { created_at: moment, updated_at: moment };
  const environment_id = Number(nextId('environments'));
  tx.environments.insert({
    ...blankEnvironment(repository_id, 'production', moment),
    id: environment_id,
    branch_policy: { protected_branches: false, custom_branch_policies: true },
  });
  tx.branch_policies.insert({
    id: Number(nextId('branch_policies')),
    environment_id,
    name: 'main',
    type: 'branch',
  });
  const deployment_id = Number(nextId('deployments'));
  tx.deployments.insert({
    id: deployment_id,
    repository_id,
    creator_id,
    sha: head,
    ref: 'main',
    task: 'deploy',
    payload: {},
    original_environment: 'production',
    environment: 'production',
    description: null,
    transient_environment: false,
    production_environment: true,
    ...times,
  });
  tx.deployment_statuses.insert({
    id: Number(nextId('deployment_statuses')),
    deployment_id,
    creator_id,
    state: 'success',
    description: '',
    environment: 'production',
    environment_url: '',
    log_url: '',
    ...times,
  });
}

function seedChecks({ tx, nextId }: Seeding<GithubSchema>, { lamp, head, moment, creator_id }: Scene): void {
  const repository_id = lamp.id;
  const times = { created_at: moment, updated_at: moment };
  tx.commit_statuses.insert({
    id: Number(nextId('commit_statuses')),
    repository_id,
    sha: head,
    creator_id,
    state: 'success',
    context: 'build',
    description: 'Built in 40 seconds',
    target_url: null,
    ...times,
  });
  const suite_id = Number(nextId('check_suites'));
  tx.check_suites.insert({
    id: suite_id,
    repository_id,
    head_branch: 'main',
    head_sha: head,
    before_sha: null,
    status: 'completed',
    conclusion: 'success',
    app: { id: 1, slug: 'checks', name: 'checks' },
    ...times,
  });
  tx.check_runs.insert({
    id: Number(nextId('check_runs')),
    repository_id,
    suite_id,
    head_sha: head,
    name: 'lint',
    external_id: '',
    details_url: 'https://github.com',
    status: 'completed',
    conclusion: 'success',
    title: null,
    summary: null,
    text: null,
    annotations: [],
    actions: [],
    started_at: moment,
    completed_at: moment,
  });
}

/** Mona's fork of the lamp stands where the lamp stood one commit before. */
function seedFork({ tx, nextId }: Seeding<GithubSchema>): void {
  const mona = tx.accounts.unique('by_login', ['mona']);
  const lamp = [...tx.repositories.scan()].find(({ name }) => name === 'lamp');
  const head = lamp && tx.git_refs.get([lamp.id, 'refs/heads/main'])?.sha;
  const before = head === undefined ? undefined : commitAt(gitReader(tx), head)?.parents[0];
  if (!mona || !lamp || before === undefined) return;
  const id = Number(nextId('repositories'));
  const relatives = { fork: true, parent_id: lamp.id, source_id: lamp.id, forks: 0 };
  tx.repositories.insert({ ...lamp, ...relatives, id, owner_id: mona.id, has_issues: false });
  tx.git_refs.insert({ repository_id: id, ref: 'refs/heads/main', sha: before });
  tx.repositories.update(lamp.id, { forks: 1 });
  tx.accounts.update(mona.id, { public_repos: mona.public_repos + 1 });
}

function seedSite(
  { tx, nextId }: Seeding<GithubSchema>,
  { id: repository_id }: Repository,
  moment: string,
): void {
  tx.repositories.update(repository_id, { has_pages: true });
  tx.pages_sites.insert({
    repository_id,
    status: 'built',
    cname: null,
    custom_404: false,
    build_type: 'legacy',
    branch: 'main',
    path: '/',
    https_enforced: true,
  });
  tx.pages_builds.insert({
    id: Number(nextId('pages_builds')),
    repository_id,
    status: 'built',
    error: null,
    pusher_id: null,
    commit_sha: null,
    duration: 2_104,
    created_at: moment,
    updated_at: moment,
  });
}
