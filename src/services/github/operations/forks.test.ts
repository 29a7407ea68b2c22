import { describe, expect, it } from 'vitest';
import { openScene } from '../scene.test-kit.ts';

const HANDBOOK = { owner: 'octo-works', repo: 'handbook' };

describe('forks', () => {
  it('hold what their parent holds, and are made once', () => {
    const scene = openScene();
    const fork = () => scene.call('repos/create-fork', HANDBOOK);
    const first = fork();
    expect(first.status).toBe(202);
    expect(first.body).toMatchObject({ full_name: 'mona/handbook', fork: true, has_issues: false });
    expect(first.body.source.full_name).toBe('octo-works/handbook');
    expect(fork().body.id).toBe(first.body.id);
    expect(scene.call('repos/get', HANDBOOK).body.forks_count).toBe(1);
    const head = (owner: string) =>
      scene.call('repos/get-branch', { owner, repo: 'handbook', branch: 'main' }).body.commit.sha;
    expect(head('mona')).toBe(head('octo-works'));
  });

  it("begin with the wiki of their parent, in no language yet, and are their maker's to change", () => {
    const scene = openScene();
    scene.call('repos/update', { ...HANDBOOK, has_wiki: false });
    const wish = { ...HANDBOOK, organization: 'octo-works', name: 'second' };
    const fork = scene.call('repos/create-fork', wish).body;
    expect(fork).toMatchObject({ full_name: 'octo-works/second', has_wiki: false, language: null });
    const who = { owner: 'octo-works', repo: 'second', username: 'mona' };
    expect(scene.call('repos/get-collaborator-permission-level', who).body.permission).toBe('admin');
  });

  it('have a name of their own where theirs is taken', () => {
    const scene = openScene();
    scene.call('repos/create-for-authenticated-user', { name: 'handbook' });
    expect(scene.call('repos/create-fork', HANDBOOK).body.name).toBe('handbook-1');
  });
});

describe('the source of a fork', () => {
  it('was counted in the answer at first, and is counted later now', () => {
    const counts = [2020, 2026].map((year) => {
      const { parent, source } = openScene(Date.UTC(year, 0, 1)).call('repos/create-fork', HANDBOOK).body;
      return [parent.forks_count, source.forks_count];
    });
    expect(counts).toEqual([
      [1, 1],
      [1, 0],
    ]);
  });
});

describe('templates', () => {
  it('give their files in one commit, and are none until they are marked', () => {
    const scene = openScene();
    const generate = (template_repo: string) =>
      scene.call('repos/create-using-template', {
        template_owner: 'octo-works',
        template_repo,
        name: 'copy',
      });
    expect(generate('lamp').status).toBe(404);
    // Only who reads it again is shown what it was made of.
    expect(generate('handbook').body).not.toHaveProperty('template_repository');
    const copy = { owner: 'mona', repo: 'copy' };
    expect(scene.call('repos/get', copy).body.template_repository.name).toBe('handbook');
    const { id } = scene.call('repos/get', HANDBOOK).body;
    const numbered = { template_owner: ':id', template_repo: String(id), name: 'again' };
    expect(scene.call('repos/create-using-template', numbered).status).toBe(201);
    const commits = scene.call('repos/list-commits', copy).body;
    expect(commits).toHaveLength(1);
    expect(commits[0].commit.message).toBe('Initial commit');
  });
});

describe('a transfer', () => {
  it('sends on what goes to the old name', () => {
    const scene = openScene();
    const old = { owner: 'mona', repo: 'dotfiles' };
    expect(scene.call('repos/transfer', { ...old, new_owner: 'octo-works' }).status).toBe(202);
    expect(scene.call('repos/get', { owner: 'octo-works', repo: 'dotfiles' }).status).toBe(200);
    const moved = scene.call('repos/get', old);
    expect(moved.status).toBe(301);
    expect(moved.headers.location).toMatch(/\/repositories\/\d+$/u);
    expect(moved.headers['x-accepted-oauth-scopes']).toMatch(/^admin:repo_hook, .* write:repo_hook$/u);
    expect(moved.body.documentation_url).toBe('https://docs.github.com/v3/#http-redirects');
  });
});

describe('lists of repositories', () => {
  it('are sorted and filtered', () => {
    const scene = openScene();
    const names = (operation: string, input: Record<string, string>) =>
      scene.call(operation, input).body.map((one: { name: string }) => one.name);
    expect(names('repos/list-for-org', { org: 'octo-works' })).toEqual(['lamp', 'handbook', 'website']);
    const sorted = { org: 'octo-works', sort: 'full_name' };
    expect(names('repos/list-for-org', sorted)).toEqual(['handbook', 'lamp', 'website']);
    expect(names('repos/list-for-user', { username: 'mona' })).toEqual(['dotfiles', 'lamp']);
    expect(names('repos/list-for-authenticated-user', { affiliation: 'owner' })).toEqual([
      'dotfiles',
      'lamp',
    ]);
    const both = scene.call('repos/list-for-authenticated-user', { type: 'owner', visibility: 'public' });
    expect(both.status).toBe(422);
  });

  it('leave out what the caller may not see', () => {
    const scene = openScene();
    scene.call('repos/create-for-authenticated-user', { name: 'secret', private: true });
    const names = scene.call('repos/list-for-user', { username: 'mona' }).body;
    expect(names.map((one: { name: string }) => one.name)).not.toContain('secret');
  });
});
