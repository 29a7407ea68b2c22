import { describe, expect, it } from 'vitest';
import { openScene, type Scene } from '../scene.test-kit.ts';

const LAMP = { owner: 'octo-works', repo: 'lamp' };
const DIMMER = { ...LAMP, pull_number: 4 };

/** A branch with one file of its own, from the last commit of `main`. */
function branch(scene: Scene, name: string, file: { path: string; text: string; from?: string }): string {
  const { path, text, from = 'main' } = file;
  const head = scene.call('git/get-ref', { ...LAMP, ref: `heads/${from}` }).body.object.sha;
  expect(scene.call('git/create-ref', { ...LAMP, ref: `refs/heads/${name}`, sha: head }).status).toBe(201);
  return put(scene, name, { path, text });
}

/** Puts a file on a branch, over the one that is there; gives the commit. */
function put(scene: Scene, name: string, { path, text }: { path: string; text: string }): string {
  const known = scene.call('repos/get-content', { ...LAMP, path, ref: name });
  const sha = known.status === 200 ? { sha: known.body.sha } : {};
  const content = Buffer.from(text).toString('base64');
  const told = scene.call('repos/create-or-update-file-contents', {
    ...LAMP,
    ...sha,
    path,
    message: `Write ${path}`,
    content,
    branch: name,
  });
  expect(told.status).toBeLessThan(300);
  return told.body.commit.sha;
}

function open(scene: Scene, head: string, more: Record<string, string | boolean | number> = {}) {
  return scene.call('pulls/create', { ...LAMP, title: `From ${head}`, head, base: 'main', ...more });
}

describe('a new pull', () => {
  it('has the next number, its commits and files, and is not tried yet', () => {
    const scene = openScene();
    const sha = branch(scene, 'labels', { path: 'labels.md', text: 'One\nTwo\n' });
    const { status, body, headers } = open(scene, 'labels', { body: 'Words', draft: true });
    expect(status).toBe(201);
    expect(headers.location).toBe('https://api.github.com/repos/octo-works/lamp/pulls/7');
    expect(Object.keys(body)).toHaveLength(48);
    expect(body).toMatchObject({
      number: 7,
      draft: true,
      head: { label: 'octo-works:labels', ref: 'labels', sha },
      mergeable: null,
      mergeable_state: 'unknown',
      merge_commit_sha: null,
      commits: 1,
      additions: 2,
      deletions: 0,
      changed_files: 1,
    });
    const read = scene.call('pulls/get', { ...LAMP, pull_number: 7 }).body;
    expect(read).toMatchObject({ mergeable: true, mergeable_state: 'draft' });
    const trial = scene.call('repos/get-commit', { ...LAMP, ref: read.merge_commit_sha }).body;
    expect(trial.parents.map((parent: { sha: string }) => parent.sha)).toEqual([body.base.sha, sha]);
    expect(scene.call('issues/get', { ...LAMP, issue_number: 7 }).body.pull_request.url).toBe(body.url);
  });

  it('is refused without a difference, a title, a branch, and a second time', () => {
    const scene = openScene();
    const errors = (input: object) => {
      const told = scene.call('pulls/create', { ...LAMP, title: 'T', head: 'night', base: 'main', ...input });
      expect(told.status).toBe(422);
      expect(told.body.message).toBe('Validation Failed');
      return told.body.errors;
    };
    const resource = 'PullRequest';
    expect(errors({ head: 'nowhere' })).toEqual([{ resource, field: 'head', code: 'invalid' }]);
    expect(errors({ base: 'nowhere' })).toEqual([{ resource, field: 'base', code: 'invalid' }]);
    expect(errors({})).toEqual([
      { resource, code: 'custom', message: 'A pull request already exists for octo-works:night.' },
    ]);
    expect(errors({ head: 'main' })).toEqual([
      { resource, code: 'custom', message: 'No commits between main and main' },
    ]);
    expect(errors({ title: ' ' })).toEqual([{ resource, code: 'missing_field', field: 'title' }]);
    const missing = scene.call('pulls/create', { ...LAMP, title: 'T', base: 'main' });
    expect(missing.body.message).toBe('Invalid request.\n\n"head" wasn\'t supplied.');
  });

  it('may be made of an issue, which keeps its words and number', () => {
    const scene = openScene();
    branch(scene, 'commands', { path: 'commands.md', text: 'Off\n' });
    const { status, body } = scene.call('pulls/create', {
      ...LAMP,
      issue: 2,
      head: 'commands',
      base: 'main',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ number: 2, title: 'Say which voice commands there are' });
    const issues = scene.call('issues/list-for-repo', LAMP).body;
    expect(issues.find(({ number }: { number: number }) => number === 2).pull_request).toBeDefined();
  });
});

describe('lists of pulls', () => {
  it('are filtered by state, head and base, and sorted', () => {
    const scene = openScene();
    const numbers = (input: object) =>
      scene.call('pulls/list', { ...LAMP, ...input }).body.map(({ number }: { number: number }) => number);
    expect(numbers({})).toEqual([6, 4]);
    expect(numbers({ state: 'closed' })).toEqual([5]);
    expect(numbers({ state: 'all', sort: 'updated', direction: 'asc' })).toEqual([5, 4, 6]);
    expect(numbers({ head: 'octo-works:night' })).toEqual([6]);
    expect(numbers({ head: 'octo-works:nowhere' })).toEqual([]);
    expect(numbers({ base: 'dimmer' })).toEqual([]);
    expect(Object.keys(scene.call('pulls/list', LAMP).body[0])).toHaveLength(36);
  });
});

describe('changing a pull', () => {
  it('renames, closes and opens it again', () => {
    const scene = openScene();
    expect(scene.call('pulls/update', { ...DIMMER, title: 'Darker' }).body.title).toBe('Darker');
    const closed = scene.call('pulls/update', { ...DIMMER, state: 'closed' }).body;
    expect(closed).toMatchObject({ state: 'closed', merged: false });
    expect(closed.closed_at).not.toBeNull();
    expect(scene.call('pulls/update', { ...DIMMER, state: 'open' }).body).toMatchObject({
      state: 'open',
      closed_at: null,
    });
    const events = scene.call('issues/list-events', { ...LAMP, issue_number: 4 }).body;
    expect(events.map(({ event }: { event: string }) => event)).toEqual(['renamed', 'closed', 'reopened']);
  });

  it('does not open what is merged, nor what has lost its branch', () => {
    const scene = openScene();
    const merged = scene.call('pulls/update', { ...LAMP, pull_number: 5, state: 'open' });
    expect(merged.status).toBe(422);
    expect(merged.body.errors[0].field).toBe('state');
    expect(scene.call('git/delete-ref', { ...LAMP, ref: 'heads/night' }).status).toBe(204);
    expect(scene.call('pulls/get', { ...LAMP, pull_number: 6 }).body.state).toBe('closed');
    const lost = scene.call('pulls/update', { ...LAMP, pull_number: 6, state: 'open' });
    expect(lost.body.errors[0].message).toBe('state cannot be changed. The night branch has been deleted.');
  });

  it('takes another base only if it is there', () => {
    const scene = openScene();
    const told = scene.call('pulls/update', { ...LAMP, pull_number: 6, base: 'nowhere' });
    expect(told.body.errors).toEqual([
      {
        message: "Proposed base branch 'nowhere' was not found",
        resource: 'PullRequest',
        field: 'base',
        code: 'invalid',
      },
    ]);
    const moved = scene.call('pulls/update', { ...LAMP, pull_number: 6, base: 'dimmer' }).body;
    expect(moved).toMatchObject({ base: { ref: 'dimmer' }, mergeable: null });
  });
});

describe('what a pull changes', () => {
  it('is told as files, commits, a diff and patches', () => {
    const scene = openScene();
    const [file] = scene.call('pulls/list-files', DIMMER).body;
    expect(file).toMatchObject({ filename: 'src/dim.js', status: 'modified', additions: 1, deletions: 1 });
    expect(file.patch).toContain('+  return Math.max(0, level - 5);');
    expect(file.contents_url).toContain('/contents/src%2Fdim.js?ref=');
    expect(scene.call('pulls/list-commits', DIMMER).body).toHaveLength(1);
    const diff = scene.call('pulls/get', DIMMER, { accept: 'application/vnd.github.diff' });
    expect(diff.headers['content-type']).toBe('application/vnd.github.diff; charset=utf-8');
    expect(diff.body).toMatch(/^diff --git a\/src\/dim\.js b\/src\/dim\.js\n/u);
    const patch = scene.call('pulls/get', DIMMER, { accept: 'application/vnd.github.patch' });
    expect(patch.body).toMatch(/^From [0-9a-f]{40} Mon Sep 17 00:00:00 2001\n/u);
  });

  it('follows pushes to its head, and is tried again', () => {
    const scene = openScene();
    const sha = put(scene, 'dimmer', { path: 'docs/dim.md', text: 'How to dim.\n' });
    const read = scene.call('pulls/get', DIMMER).body;
    expect(read).toMatchObject({ head: { sha }, commits: 2, changed_files: 2, mergeable: null });
    expect(
      scene.call('repos/list-pull-requests-associated-with-commit', { ...LAMP, commit_sha: sha }).body,
    ).toHaveLength(1);
  });

  it('may stand against its base', () => {
    const scene = openScene();
    put(scene, 'main', { path: 'src/dim.js', text: 'export const dim = () => 0;\n' });
    expect(scene.call('pulls/get', DIMMER).body).toMatchObject({
      mergeable: false,
      mergeable_state: 'dirty',
    });
    const told = scene.call('pulls/merge', DIMMER);
    expect(told.status).toBe(405);
    expect(told.body.message).toBe('Pull Request is not mergeable');
  });
});

describe('a pull among the issues', () => {
  it('has commits and reviews in its timeline', () => {
    const scene = openScene();
    const told = scene.call('issues/list-events-for-timeline', { ...LAMP, issue_number: 4 }).body;
    expect(told.map(({ event }: { event: string }) => event)).toEqual(['committed', 'reviewed']);
  });

  it('is not opened again once it is merged', () => {
    const scene = openScene();
    const told = scene.call('issues/update', { ...LAMP, issue_number: 5, state: 'open' });
    expect([told.status, told.body.errors[0].resource]).toEqual([422, 'PullRequest']);
  });
});
