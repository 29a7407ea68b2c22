import { describe, expect, it } from 'vitest';
import { openScene } from '../scene.test-kit.ts';

const LAMP = { owner: 'octo-works', repo: 'lamp' };

describe('deployments', () => {
  it('wait for the statuses of their commit', () => {
    const scene = openScene();
    const deploy = (more: object = {}) =>
      scene.call('repos/create-deployment', { ...LAMP, ref: 'dimmer', ...(more as Record<string, never>) });
    const { sha } = deploy().body;
    const status = (state: string) =>
      scene.call('repos/create-commit-status', { ...LAMP, sha, state, context: 'build' });
    status('pending');
    const refused = deploy();
    expect(refused.status).toBe(409);
    expect(refused.body.errors[0]).toMatchObject({
      contexts: [{ context: 'build', state: 'pending' }],
      field: 'required_contexts',
    });
    expect(deploy({ required_contexts: [] }).status).toBe(201);
    status('success');
    expect(deploy().status).toBe(201);
    expect(deploy({ ref: 'nowhere' })).toMatchObject({
      status: 422,
      body: { message: 'No ref found for: nowhere' },
    });
  });

  it('are listed by what they are of, the youngest first, and make their environment', () => {
    const scene = openScene();
    const made = scene.call('repos/create-deployment', { ...LAMP, ref: 'main', environment: 'staging' }).body;
    const list = (filter: Record<string, string>) =>
      scene.call('repos/list-deployments', { ...LAMP, ...filter }).body.map((one: { id: number }) => one.id);
    expect(list({ environment: 'staging' })).toEqual([made.id]);
    expect(list({})).toEqual([made.id, 2_700_000_001]);
    expect(scene.call('repos/get-environment', { ...LAMP, environment_name: 'staging' }).status).toBe(200);
  });
});

describe('environments', () => {
  it('are set anew as a whole', () => {
    const scene = openScene();
    const put = (rules: object) =>
      scene.call('repos/create-or-update-environment', {
        ...LAMP,
        environment_name: 'staging',
        ...(rules as Record<string, never>),
      });
    const hubert = scene.call('users/get-by-username', { username: 'hubert' }).body.id;
    const full = put({
      wait_timer: 10,
      reviewers: [{ type: 'User', id: hubert }],
      deployment_branch_policy: { protected_branches: true, custom_branch_policies: false },
    }).body;
    expect(full.protection_rules.map((rule: { type: string }) => rule.type)).toEqual([
      'wait_timer',
      'required_reviewers',
      'branch_policy',
    ]);
    expect(full.protection_rules[1].reviewers[0].reviewer.login).toBe('hubert');
    const bare = put({}).body;
    expect(bare).toMatchObject({ id: full.id, protection_rules: [], deployment_branch_policy: null });
    expect(put({ wait_timer: 50_000 }).status).toBe(422);
    expect(
      put({ deployment_branch_policy: { protected_branches: true, custom_branch_policies: true } }).status,
    ).toBe(422);
  });
});

describe('statuses and checks', () => {
  it('of a commit are counted together, the latest of each context', () => {
    const scene = openScene();
    const combined = () => scene.call('repos/get-combined-status-for-ref', { ...LAMP, ref: 'dimmer' }).body;
    expect(combined()).toMatchObject({ state: 'pending', total_count: 0, statuses: [] });
    const { sha } = combined();
    const say = (context: string, state: string) =>
      scene.call('repos/create-commit-status', { ...LAMP, sha, context, state });
    say('build', 'pending');
    say('build', 'success');
    expect(combined()).toMatchObject({ state: 'success', total_count: 1 });
    say('lint', 'error');
    expect(combined()).toMatchObject({ state: 'failure', total_count: 2 });
  });

  it('of one app are one suite, which ends as its worst run', () => {
    const scene = openScene();
    const run = (name: string, more: object) =>
      scene.call('checks/create', { ...LAMP, name, head_sha: 'dimmer', ...(more as Record<string, never>) })
        .body;
    const build = run('build', {});
    expect(build).toMatchObject({ status: 'queued', conclusion: null, completed_at: null });
    run('lint', { conclusion: 'success' });
    const suite = () =>
      scene.call('checks/list-suites-for-ref', { ...LAMP, ref: 'dimmer' }).body.check_suites;
    expect(suite()).toHaveLength(1);
    expect(suite()[0]).toMatchObject({ status: 'in_progress', conclusion: null, latest_check_runs_count: 2 });
    const place = { ...LAMP, check_run_id: build.id };
    const done = scene.call('checks/update', {
      ...place,
      conclusion: 'failure',
      output: {
        title: 'Broken',
        summary: 'It does not build.',
        annotations: [
          { path: 'src/dim.js', start_line: 1, end_line: 1, annotation_level: 'failure', message: 'Here' },
        ],
      },
    });
    expect(done.body).toMatchObject({
      status: 'completed',
      output: { title: 'Broken', annotations_count: 1 },
    });
    expect(suite()[0]).toMatchObject({ status: 'completed', conclusion: 'failure' });
    expect(scene.call('checks/list-annotations', place).body[0]).toMatchObject({
      path: 'src/dim.js',
      message: 'Here',
    });
  });
});
