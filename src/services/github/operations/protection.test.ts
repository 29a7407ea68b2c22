import { describe, expect, it } from 'vitest';
import { openScene } from '../scene.test-kit.ts';

const LAMP = { owner: 'octo-works', repo: 'lamp' };
const BRANCH = { ...LAMP, branch: 'dimmer' };
const NOTHING = {
  required_status_checks: null,
  enforce_admins: null,
  required_pull_request_reviews: null,
  restrictions: null,
};

describe('protecting a branch', () => {
  it('sets all rules anew, and keeps whether commits must be signed', () => {
    const scene = openScene();
    const put = (rules: Record<string, never> | object) =>
      scene.call('repos/update-branch-protection', { ...BRANCH, ...NOTHING, ...rules }).body;
    const first = put({ enforce_admins: true, required_linear_history: true });
    expect(first).toMatchObject({
      enforce_admins: { enabled: true },
      required_linear_history: { enabled: true },
      required_signatures: { enabled: false },
      lock_branch: { enabled: false },
    });
    scene.call('repos/create-commit-signature-protection', BRANCH);
    const second = put({ required_pull_request_reviews: {} });
    expect(second).toMatchObject({
      enforce_admins: { enabled: false },
      required_linear_history: { enabled: false },
      required_signatures: { enabled: true },
      required_pull_request_reviews: { required_approving_review_count: 1, dismiss_stale_reviews: false },
    });
    expect(scene.call('repos/get-branch', BRANCH).body).toMatchObject({
      protected: true,
      protection: { enabled: true, required_status_checks: { enforcement_level: 'off' } },
    });
  });

  it('takes checks by name or with their app, which -1 leaves open', () => {
    const scene = openScene();
    const checks = [
      { context: 'lint', app_id: -1 },
      { context: 'build', app_id: 7 },
    ];
    const rules = { ...NOTHING, required_status_checks: { strict: true, checks } };
    const { body } = scene.call('repos/update-branch-protection', { ...BRANCH, ...rules });
    expect(body.required_status_checks).toMatchObject({
      strict: true,
      contexts: ['lint', 'build'],
      checks: [
        { context: 'lint', app_id: null },
        { context: 'build', app_id: 7 },
      ],
    });
    const added = scene.call('repos/add-status-check-contexts', { ...BRANCH, contexts: ['docs'] });
    expect(added.body).toEqual(['lint', 'build', 'docs']);
  });

  it('misses no member, and chooses people in organisations alone', () => {
    const scene = openScene();
    const missing = scene.call('repos/update-branch-protection', { ...BRANCH, enforce_admins: null });
    expect(missing.status).toBe(422);
    expect(missing.body.message).toMatch(/^Invalid request\.\n\n/u);
    const own = scene.call('repos/update-branch-protection', {
      owner: 'mona',
      repo: 'dotfiles',
      branch: 'main',
      ...NOTHING,
      restrictions: { users: ['mona'], teams: [] },
    });
    expect(own.status).toBe(422);
    expect(own.body).toMatchObject({
      message: 'Validation Failed',
      errors: ['Only organization repositories can have users and team restrictions'],
    });
  });

  it('is for administrators, of branches that are there', () => {
    const scene = openScene();
    const get = (branch: string) => scene.call('repos/get-branch-protection', { ...LAMP, branch });
    expect(get('nowhere')).toMatchObject({ status: 404, body: { message: 'Branch not found' } });
    expect(get('dimmer')).toMatchObject({ status: 404, body: { message: 'Branch not protected' } });
  });

  it('goes with a branch that is renamed', () => {
    const scene = openScene();
    const renamed = scene.call('repos/rename-branch', { ...LAMP, branch: 'main', new_name: 'trunk' });
    expect(renamed.body).toMatchObject({ name: 'trunk', protected: true });
    expect(scene.call('repos/get', LAMP).body.default_branch).toBe('trunk');
    expect(scene.call('repos/get-branch', { ...LAMP, branch: 'main' }).status).toBe(404);
  });
});

describe('sets of rules', () => {
  it('hold for the refs they name, whoever calls, until they are turned off', () => {
    const scene = openScene();
    const head = scene.call('git/get-ref', { ...LAMP, ref: 'heads/main' }).body.object.sha;
    scene.call('git/create-ref', { ...LAMP, ref: 'refs/heads/release/1', sha: head });
    const remove = () => scene.call('git/delete-ref', { ...LAMP, ref: 'heads/release/1' });
    expect(remove()).toMatchObject({
      status: 422,
      body: { message: 'Repository rule violations found\n\nCannot delete this protected ref.\n\n' },
    });
    expect(scene.call('repos/get-branch-rules', { ...LAMP, branch: 'dimmer' }).body).toEqual([]);
    const place = { ...LAMP, ruleset_id: 7_000_001 };
    scene.call('repos/update-repo-ruleset', { ...place, enforcement: 'disabled' });
    expect(remove().status).toBe(204);
  });

  it('let pass whom they name', () => {
    const scene = openScene();
    const rules = {
      name: 'Pulls alone',
      enforcement: 'active',
      conditions: { ref_name: { include: ['refs/heads/dim*'], exclude: [] } },
      rules: [{ type: 'pull_request' }],
    };
    const { body } = scene.call('repos/create-repo-ruleset', { ...LAMP, ...rules });
    const write = (path: string) =>
      scene.call('repos/create-or-update-file-contents', {
        ...BRANCH,
        path,
        message: 'x',
        content: 'eA==',
      }).status;
    expect(write('a')).toBe(409);
    const bypass_actors = [{ actor_id: 5, actor_type: 'RepositoryRole', bypass_mode: 'always' }];
    scene.call('repos/update-repo-ruleset', { ...LAMP, ruleset_id: body.id, bypass_actors });
    expect(write('a')).toBe(201);
  });
});
