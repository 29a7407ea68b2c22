import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { openScene } from '../scene.test-kit.ts';

const LAMP = { owner: 'octo-works', repo: 'lamp' };
const DIMMER = { ...LAMP, branch: 'dimmer' };

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** What git itself makes of these bytes. */
function gitHash(text: string): string {
  return execFileSync('git', ['hash-object', '--stdin'], { input: text, encoding: 'utf8' }).trim();
}

describe('files', () => {
  it('go round: written, read, changed and deleted, each with a commit', () => {
    const scene = openScene();
    const place = { ...DIMMER, path: 'notes/a b.md', message: 'Note' };
    const made = scene.call('repos/create-or-update-file-contents', { ...place, content: base64('One\n') });
    expect(made.status).toBe(201);
    expect(made.body.content.sha).toBe(gitHash('One\n'));
    expect(made.body.content.html_url).toBe('https://github.com/octo-works/lamp/blob/dimmer/notes/a%20b.md');
    const read = scene.call('repos/get-content', { ...LAMP, path: 'notes/a b.md', ref: 'dimmer' });
    expect(Buffer.from(read.body.content, 'base64').toString()).toBe('One\n');
    const changed = scene.call('repos/create-or-update-file-contents', {
      ...place,
      content: base64('Two\n'),
      sha: made.body.content.sha,
    });
    expect(changed.status).toBe(200);
    expect(changed.body.commit.parents[0].sha).toBe(made.body.commit.sha);
    const gone = scene.call('repos/delete-file', { ...place, sha: changed.body.content.sha });
    expect(gone.body).toMatchObject({ content: null, commit: { message: 'Note' } });
    // A directory that holds nothing any more is not there.
    expect(scene.call('repos/get-content', { ...LAMP, path: 'notes', ref: 'dimmer' }).status).toBe(404);
  });

  it('move when the repository was pushed to, and nothing else', () => {
    const scene = openScene();
    const before = scene.call('repos/get', LAMP).body;
    const change = { ...DIMMER, path: 'x', message: 'x', content: base64('x') };
    scene.call('repos/create-or-update-file-contents', change);
    const after = scene.call('repos/get', LAMP).body;
    expect(after.pushed_at > before.pushed_at).toBe(true);
    expect(after.created_at).toBe(before.created_at);
  });

  it('refuse a stale hash before anything is written', () => {
    const scene = openScene();
    const told = scene.call('repos/create-or-update-file-contents', {
      ...DIMMER,
      path: 'README.md',
      message: 'x',
      content: base64('x'),
      sha: gitHash('something else'),
    });
    expect(told.status).toBe(409);
    expect(told.body.status).toBe('409');
    const branch = scene.call('repos/get-branch', DIMMER).body;
    expect(branch.commit.commit.message).toBe('Dim to nothing');
  });

  it('ignore a hash for a path where nothing is, and say which branch is missing', () => {
    const scene = openScene();
    const change = { ...LAMP, path: 'new.md', message: 'x', content: base64('x'), sha: gitHash('x') };
    const fresh = scene.call('repos/create-or-update-file-contents', { ...change, branch: 'dimmer' });
    expect(fresh.status).toBe(201);
    const lost = scene.call('repos/create-or-update-file-contents', { ...change, branch: 'nowhere' });
    expect(lost).toMatchObject({ status: 404, body: { message: 'Branch nowhere not found' } });
  });

  it('are raw, an object or a page on demand', () => {
    const scene = openScene();
    const readme = { ...LAMP, path: 'README.md' };
    const raw = scene.call('repos/get-content', readme, { accept: 'application/vnd.github.raw' });
    expect(raw.headers['content-type']).toBe('application/vnd.github.raw; charset=utf-8');
    const object = scene.call(
      'repos/get-content',
      { ...LAMP, path: '' },
      { accept: 'application/vnd.github.object+json' },
    );
    expect(object.body.type).toBe('dir');
    expect(object.body.entries.map((entry: { name: string }) => entry.name)).toEqual([
      'LICENSE',
      'README.md',
      'docs',
      'src',
    ]);
  });

  it('show no content above a megabyte, but their size', () => {
    const scene = openScene();
    const text = 'x'.repeat(1_100_000);
    const change = { ...DIMMER, path: 'big.txt', message: 'Big', content: base64(text) };
    scene.call('repos/create-or-update-file-contents', change);
    const { body } = scene.call('repos/get-content', { ...LAMP, path: 'big.txt', ref: 'dimmer' });
    expect(body).toMatchObject({ size: 1_100_000, content: '', encoding: 'none' });
    const blob = scene.call('git/get-blob', { ...LAMP, file_sha: body.sha });
    expect(Buffer.from(blob.body.content, 'base64')).toHaveLength(1_100_000);
  });

  it('stay behind the rules of a protected branch for those who are bound by them', () => {
    const scene = openScene();
    scene.call('repos/set-admin-branch-protection', { ...LAMP, branch: 'main' });
    const change = { ...LAMP, path: 'x', message: 'x', content: base64('x') };
    const told = scene.call('repos/create-or-update-file-contents', change);
    expect(told.status).toBe(409);
    expect(told.body.message).toContain('Changes must be made through a pull request.');
  });
});

describe('links within a repository', () => {
  it('lead to the file they name, and are shown as links where they lead elsewhere', () => {
    const scene = openScene();
    const tree = scene.call('git/create-tree', {
      ...LAMP,
      base_tree: 'dimmer',
      tree: [
        { path: 'to-readme', mode: '120000', type: 'blob', content: 'README.md' },
        { path: 'to-docs', mode: '120000', type: 'blob', content: 'docs' },
        { path: 'vendor', mode: '160000', type: 'commit', sha: '510fb7830815143bd825087477f14c8f53997460' },
      ],
    });
    expect(tree.status).toBe(422);
    const head = scene.call('git/get-ref', { ...LAMP, ref: 'heads/dimmer' }).body.object.sha;
    const based = scene.call('git/create-tree', {
      ...LAMP,
      base_tree: head,
      tree: [
        { path: 'to-readme', mode: '120000', type: 'blob', content: 'README.md' },
        { path: 'to-docs', mode: '120000', type: 'blob', content: 'docs' },
        { path: 'vendor', mode: '160000', type: 'commit', sha: head },
      ],
    });
    const commit = scene.call('git/create-commit', {
      ...LAMP,
      message: 'Links',
      tree: based.body.sha,
      parents: [head],
    });
    scene.call('git/update-ref', { ...LAMP, ref: 'heads/dimmer', sha: commit.body.sha });
    const at = (path: string) => scene.call('repos/get-content', { ...LAMP, path, ref: 'dimmer' }).body;
    expect(at('to-readme')).toMatchObject({ type: 'file', name: 'to-readme', encoding: 'base64' });
    expect(at('to-docs')).toMatchObject({ type: 'symlink', target: 'docs', size: 4 });
    expect(at('vendor')).toMatchObject({ type: 'submodule', submodule_git_url: null, size: 0 });
  });
});

describe('an empty repository', () => {
  it('has no files, and its first file makes the first branch', () => {
    const scene = openScene();
    scene.call('repos/create-for-authenticated-user', { name: 'blank' });
    const blank = { owner: 'mona', repo: 'blank' };
    const empty = scene.call('repos/get-content', { ...blank, path: 'a.md' });
    expect(empty).toMatchObject({ status: 404, body: { message: 'This repository is empty.' } });
    expect(scene.call('repos/list-commits', blank)).toMatchObject({
      status: 409,
      body: { message: 'Git Repository is empty.' },
    });
    expect(scene.call('git/create-blob', { ...blank, content: 'x' }).status).toBe(409);
    const first = { ...blank, path: 'a.md', message: 'First', content: base64('A\n') };
    expect(scene.call('repos/create-or-update-file-contents', first).body.commit.parents).toEqual([]);
    expect(scene.call('repos/list-branches', blank).body[0].name).toBe('main');
  });

  it('is none where a first commit was asked for, which GitHub signs', () => {
    const scene = openScene();
    const wish = { name: 'begun', description: 'Begun well', auto_init: true, license_template: 'mit' };
    const made = scene.call('repos/create-for-authenticated-user', wish);
    expect(made.body.license.spdx_id).toBe('MIT');
    const begun = { owner: 'mona', repo: 'begun' };
    const [commit] = scene.call('repos/list-commits', begun).body;
    expect(commit).toMatchObject({
      author: { login: 'mona' },
      committer: { login: 'web-flow' },
      commit: { message: 'Initial commit', verification: { verified: true, reason: 'valid' } },
    });
    const readme = scene.call('repos/get-readme', begun).body;
    expect(Buffer.from(readme.content, 'base64').toString()).toBe('# begun\nBegun well\n');
  });
});
