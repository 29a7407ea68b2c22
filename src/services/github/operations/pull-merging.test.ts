import { describe, expect, it } from 'vitest';
import { openScene, type Scene } from '../scene.test-kit.ts';

const LAMP = { owner: 'octo-works', repo: 'lamp' };
const DIMMER = { ...LAMP, pull_number: 4 };
const NIGHT = { ...LAMP, pull_number: 6 };

function tip(scene: Scene, name: string): string {
  return scene.call('git/get-ref', { ...LAMP, ref: `heads/${name}` }).body.object.sha;
}

describe('merging a pull', () => {
  it('needs no body, moves the base, and closes the issues that it names', () => {
    const scene = openScene();
    const before = scene.call('repos/get', LAMP).body.open_issues;
    const base = tip(scene, 'main');
    const { status, body } = scene.call('pulls/merge', DIMMER);
    expect(status).toBe(200);
    expect(body).toEqual({
      sha: tip(scene, 'main'),
      merged: true,
      message: 'Pull Request successfully merged',
    });
    const commit = scene.call('repos/get-commit', { ...LAMP, ref: body.sha }).body;
    expect(commit.commit.message).toBe('Merge pull request #4 from octo-works/dimmer\n\nDim to nothing');
    expect(commit.parents.map((parent: { sha: string }) => parent.sha)).toEqual([base, tip(scene, 'dimmer')]);
    expect(commit).toMatchObject({ author: { login: 'mona' }, committer: { login: 'web-flow' } });
    const pull = scene.call('pulls/get', DIMMER).body;
    expect(pull).toMatchObject({ state: 'closed', merged: true, merge_commit_sha: body.sha, commits: 1 });
    expect(pull.merged_by.login).toBe('mona');
    expect(scene.call('issues/get', { ...LAMP, issue_number: 1 }).body).toMatchObject({
      state: 'closed',
      state_reason: 'completed',
    });
    expect(scene.call('repos/get', LAMP).body.open_issues).toBe(before - 2);
    expect(scene.call('pulls/check-if-merged', DIMMER).status).toBe(204);
  });

  it('works once', () => {
    const scene = openScene();
    scene.call('pulls/merge', DIMMER);
    const again = scene.call('pulls/merge', DIMMER);
    expect([again.status, again.body.message]).toEqual([405, 'Pull Request is not mergeable']);
    const unmerged = scene.call('pulls/check-if-merged', NIGHT);
    expect(unmerged.status).toBe(404);
  });

  it('refuses a head that has moved, and a way that the repository does not allow', () => {
    const scene = openScene();
    const moved = scene.call('pulls/merge', { ...DIMMER, sha: tip(scene, 'main') });
    expect([moved.status, moved.body.message]).toEqual([
      409,
      'Head branch was modified. Review and try the merge again.',
    ]);
    scene.call('repos/update', { ...LAMP, allow_squash_merge: false });
    const squash = scene.call('pulls/merge', { ...DIMMER, merge_method: 'squash' });
    expect([squash.status, squash.body.message]).toEqual([
      405,
      'Squash merges are not allowed on this repository.',
    ]);
  });

  it('squashes to one commit of the author', () => {
    const scene = openScene();
    const base = tip(scene, 'main');
    const { sha } = scene.call('pulls/merge', { ...DIMMER, merge_method: 'squash' }).body;
    const commit = scene.call('repos/get-commit', { ...LAMP, ref: sha }).body;
    expect(commit.commit.message).toBe('Dim to nothing (#4)');
    expect(commit.parents.map((parent: { sha: string }) => parent.sha)).toEqual([base]);
    expect(commit.author.login).toBe('hubert');
  });

  it('rebases the commits one by one', () => {
    const scene = openScene();
    const base = tip(scene, 'main');
    const { sha } = scene.call('pulls/merge', { ...NIGHT, merge_method: 'rebase' }).body;
    const commit = scene.call('repos/get-commit', { ...LAMP, ref: sha }).body;
    expect(commit.commit.message).toBe('Sleep at night');
    expect(commit.parents.map((parent: { sha: string }) => parent.sha)).toEqual([base]);
    expect(tip(scene, 'main')).toBe(sha);
  });

  it('takes the words of the request, and the branch away where the repository says so', () => {
    const scene = openScene();
    scene.call('repos/update', { ...LAMP, delete_branch_on_merge: true });
    const { sha } = scene.call('pulls/merge', {
      ...NIGHT,
      commit_title: 'Sleep',
      commit_message: 'Well.',
    }).body;
    expect(scene.call('repos/get-commit', { ...LAMP, ref: sha }).body.commit.message).toBe('Sleep\n\nWell.');
    expect(scene.call('git/get-ref', { ...LAMP, ref: 'heads/night' }).status).toBe(404);
    const events = scene.call('issues/list-events', { ...LAMP, issue_number: 6 }).body;
    expect(events.map(({ event }: { event: string }) => event)).toEqual([
      'merged',
      'closed',
      'head_ref_deleted',
    ]);
  });

  it('is refused for drafts', () => {
    const scene = openScene();
    scene.call('pulls/create', { ...LAMP, title: 'Later', head: 'night', base: 'dimmer', draft: true });
    const told = scene.call('pulls/merge', { ...LAMP, pull_number: 7 });
    expect([told.status, told.body.message]).toEqual([405, 'Pull Request is still a draft']);
  });

  it('happens by itself when the base is moved to the head', () => {
    const scene = openScene();
    const head = tip(scene, 'dimmer');
    scene.call('git/update-ref', { ...LAMP, ref: 'heads/main', sha: head });
    expect(scene.call('pulls/get', DIMMER).body).toMatchObject({ merged: true, merge_commit_sha: head });
  });
});

describe('a base that went on', () => {
  it('is merged into the head', () => {
    const scene = openScene();
    const wrong = scene.call('pulls/update-branch', { ...NIGHT, expected_head_sha: tip(scene, 'main') });
    expect([wrong.status, wrong.body.message]).toEqual([
      422,
      'expected head sha didn’t match current head ref.',
    ]);
    const told = scene.call('pulls/update-branch', NIGHT);
    expect(told.status).toBe(202);
    expect(told.headers.location).toBe(told.body.url);
    const pull = scene.call('pulls/get', NIGHT).body;
    expect(pull).toMatchObject({ commits: 2, changed_files: 1 });
    const again = scene.call('pulls/update-branch', NIGHT);
    expect(again.status).toBe(422);
  });

  it('shows where its rules ask heads to be up to date', () => {
    const scene = openScene();
    const rules = {
      ...LAMP,
      branch: 'main',
      required_status_checks: { strict: true, contexts: [] },
      enforce_admins: null,
      required_pull_request_reviews: null,
      restrictions: null,
    };
    expect(scene.call('repos/update-branch-protection', rules).status).toBe(200);
    expect(scene.call('pulls/get', NIGHT).body.mergeable_state).toBe('behind');
    expect(scene.call('pulls/get', DIMMER).body.mergeable_state).toBe('clean');
  });
});

describe('checks and reviews', () => {
  it('tell how a pull stands', () => {
    const scene = openScene();
    scene.call('repos/delete-branch-protection', { ...LAMP, branch: 'main' });
    const status = (state: string) =>
      scene.call('repos/create-commit-status', { ...LAMP, sha: tip(scene, 'dimmer'), state, context: 'ci' });
    expect(status('pending').status).toBe(201);
    expect(scene.call('pulls/get', DIMMER).body.mergeable_state).toBe('unstable');
    status('success');
    expect(scene.call('pulls/get', DIMMER).body.mergeable_state).toBe('clean');
  });

  it('stand against a merge where the rules ask for them', () => {
    const scene = openScene();
    const rules = {
      ...LAMP,
      branch: 'main',
      required_status_checks: null,
      enforce_admins: true,
      required_pull_request_reviews: { required_approving_review_count: 1, dismiss_stale_reviews: true },
      restrictions: null,
    };
    expect(scene.call('repos/update-branch-protection', rules).status).toBe(200);
    expect(scene.call('pulls/get', NIGHT).body.mergeable_state).toBe('blocked');
    const told = scene.call('pulls/merge', NIGHT);
    expect([told.status, told.body.message]).toEqual([
      405,
      'At least 1 approving review is required by reviewers with write access.',
    ]);
    expect(scene.call('pulls/get', DIMMER).body.mergeable_state).toBe('clean');
    scene.call('pulls/update-branch', NIGHT);
    const file = { ...LAMP, path: 'docs/dim.md', message: 'M', content: 'RGltLgo=', branch: 'dimmer' };
    expect(scene.call('repos/create-or-update-file-contents', file).status).toBe(201);
    expect(scene.call('pulls/list-reviews', DIMMER).body[0].state).toBe('DISMISSED');
    expect(scene.call('pulls/merge', DIMMER).status).toBe(405);
  });
});
