import { describe, expect, it } from 'vitest';
import { openScene } from '../scene.test-kit.ts';

const LAMP = { owner: 'octo-works', repo: 'lamp' };
const HEAD = '510fb7830815143bd825087477f14c8f53997460';

const messages = (list: { commit: { message: string } }[]) => list.map(({ commit }) => commit.message);

describe('lists of commits', () => {
  it('are of a path, a person or a time', () => {
    const scene = openScene();
    const list = (filter: Record<string, string>) =>
      messages(scene.call('repos/list-commits', { ...LAMP, ...filter }).body);
    expect(list({})).toEqual(['Dim by ten per cent', 'Say what may be done with it', 'Initial commit']);
    expect(list({ path: 'docs' })).toEqual(['Say what may be done with it']);
    expect(list({ author: 'hubert' })).toEqual(['Dim by ten per cent']);
    expect(list({ author: 'mona@octo-works.example', sha: 'dimmer' })).toHaveLength(2);
    expect(list({ since: '2026-01-01T00:00:00Z' })).toEqual(['Dim by ten per cent']);
    expect(list({ until: '2025-01-01T00:00:00Z' })).toEqual(['Initial commit']);
  });

  it('are paged with links by number', () => {
    const scene = openScene();
    const { headers } = scene.call('repos/list-commits', { ...LAMP, per_page: '2' });
    expect(headers.link).toMatch(
      /^<https:\/\/api\.github\.com\/repositories\/\d+\/commits\?per_page=2&page=2>; rel="next"/u,
    );
    expect(headers['last-modified']).toBeDefined();
  });
});

describe('a commit', () => {
  it('shows its files, and is a diff or a patch on demand', () => {
    const scene = openScene();
    const { body } = scene.call('repos/get-commit', { ...LAMP, ref: 'dimmer' });
    expect(body.stats).toEqual({ total: 2, additions: 1, deletions: 1 });
    expect(body.files[0]).toMatchObject({ filename: 'src/dim.js', status: 'modified', changes: 2 });
    expect(body.files[0].patch).toContain('-  return Math.max(0, level - 10);');
    const diff = scene.call(
      'repos/get-commit',
      { ...LAMP, ref: 'dimmer' },
      { accept: 'application/vnd.github.diff' },
    );
    expect(diff.headers['content-type']).toBe('application/vnd.github.diff; charset=utf-8');
    expect(diff.body).toMatch(/^diff --git a\/src\/dim\.js b\/src\/dim\.js\n/u);
    const patch = scene.call(
      'repos/get-commit',
      { ...LAMP, ref: 'dimmer' },
      { accept: 'application/vnd.github.patch' },
    );
    expect(patch.body).toContain('Subject: [PATCH] Dim to nothing');
    const sha = scene.call(
      'repos/get-commit',
      { ...LAMP, ref: 'main' },
      { accept: 'application/vnd.github.sha' },
    );
    expect(sha.body).toBe(HEAD);
  });
});

describe('a comparison', () => {
  it('is of branches, tags, hashes and forks', () => {
    const scene = openScene();
    const compare = (basehead: string) =>
      scene.call('repos/compare-commits-with-basehead', { ...LAMP, basehead }).body;
    expect(compare('main...dimmer')).toMatchObject({
      status: 'ahead',
      ahead_by: 1,
      behind_by: 0,
      total_commits: 1,
    });
    expect(compare('dimmer...main')).toMatchObject({
      status: 'behind',
      ahead_by: 0,
      behind_by: 1,
      files: [],
    });
    expect(compare('v1.0.0...main')).toMatchObject({ status: 'identical' });
    const forked = compare('mona:main...dimmer');
    expect(forked).toMatchObject({
      ahead_by: 2,
      merge_base_commit: { commit: { message: 'Say what may be done with it' } },
    });
    expect(forked.permalink_url).toMatch(/compare\/mona:[0-9a-f]{7}\.\.\.octo-works:[0-9a-f]{7}$/u);
    expect(
      scene.call('repos/compare-commits-with-basehead', { ...LAMP, basehead: 'main...nowhere' }).status,
    ).toBe(404);
  });

  it('has links only where a page was asked for', () => {
    const scene = openScene();
    const compare = (more: Record<string, string>) =>
      scene.call('repos/compare-commits-with-basehead', { ...LAMP, basehead: 'mona:main...dimmer', ...more });
    expect(compare({}).headers.link).toBeUndefined();
    const first = compare({ per_page: '1' });
    expect(first.body.commits).toHaveLength(1);
    expect(first.headers.link).toContain('rel="next"');
    expect(compare({ per_page: '1', page: '2' }).body.files).toEqual([]);
  });
});

describe('merging branches', () => {
  it('joins them once, and tells of conflicts', () => {
    const scene = openScene();
    const merge = () => scene.call('repos/merge', { ...LAMP, base: 'main', head: 'dimmer' });
    const made = merge();
    expect(made.body).toMatchObject({
      commit: { message: 'Merge dimmer into main' },
      committer: { login: 'web-flow' },
    });
    expect(made.body.parents).toHaveLength(2);
    expect(merge().status).toBe(204);
    const write = (branch: string, text: string) => {
      const { sha } = scene.call('repos/get-content', { ...LAMP, path: 'README.md', ref: branch }).body;
      const content = Buffer.from(text).toString('base64');
      const change = { ...LAMP, path: 'README.md', message: text, content, branch, sha };
      return scene.call('repos/create-or-update-file-contents', change).status;
    };
    expect([write('main', 'ours'), write('dimmer', 'theirs')]).toEqual([200, 200]);
    expect(merge()).toMatchObject({ status: 409, body: { message: 'Merge conflict' } });
  });

  it('brings a fork up to where it came from', () => {
    const scene = openScene();
    const fork = { owner: 'mona', repo: 'lamp', branch: 'main' };
    const first = scene.call('repos/merge-upstream', fork).body;
    expect(first).toMatchObject({ merge_type: 'fast-forward', base_branch: 'octo-works:main' });
    expect(scene.call('repos/merge-upstream', fork).body.merge_type).toBe('none');
    expect(scene.call('repos/get-branch', fork).body.commit.sha).toBe(HEAD);
  });
});
