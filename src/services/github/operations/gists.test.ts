import { describe, expect, it } from 'vitest';
import { openScene } from '../scene.test-kit.ts';

const files = { 'a.txt': { content: 'abc' }, 'b.md': { content: '# one\ntwo\n' } };

describe('gists', () => {
  it('keep every change, with the lines that it made', () => {
    const { call } = openScene();
    const made = call('gists/create', { files, description: 'Two files' });
    expect(made).toMatchObject({ status: 201, body: { public: false, comments: 0, truncated: false } });
    expect(made.body.files['b.md']).toMatchObject({
      language: 'Markdown',
      size: 10,
      content: '# one\ntwo\n',
    });
    const one = { gist_id: made.body.id };
    const changed = call('gists/update', {
      ...one,
      files: { 'a.txt': { filename: 'c.txt' }, 'b.md': { content: '# one\nthree\n' } },
    }).body;
    expect(Object.keys(changed.files)).toEqual(['b.md', 'c.txt']);
    expect(changed.history).toHaveLength(2);
    // A file that has only another name now counts no lines.
    expect(changed.history[0].change_status).toEqual({ total: 2, additions: 1, deletions: 1 });
    const old = call('gists/get-revision', { ...one, sha: changed.history[1].version }).body;
    expect(Object.keys(old.files)).toEqual(['a.txt', 'b.md']);
    call('gists/update', { ...one, files: { 'c.txt': null } });
    expect(Object.keys(call('gists/get', one).body.files)).toEqual(['b.md']);
  });

  it('cannot be empty', () => {
    const { call } = openScene();
    expect(call('gists/create', { files: {} }).status).toBe(422);
    expect(call('gists/create', { files: { 'a.txt': { content: '' } } }).status).toBe(422);
    expect(call('gists/create', {}).body.message).toContain('"files" wasn\'t supplied');
  });

  it('are forked, starred and commented on', () => {
    const { call } = openScene();
    const theirs = { gist_id: 'bb5a315d61ae9438b18d0000000000bb' };
    const fork = call('gists/fork', theirs);
    expect(fork).toMatchObject({ status: 201, body: { owner: { login: 'mona' } } });
    expect(call('gists/list-forks', theirs).body).toHaveLength(1);
    expect(call('gists/fork', { gist_id: fork.body.id }).status).toBe(422);
    expect(call('gists/check-is-starred', theirs).status).toBe(404);
    call('gists/star', theirs);
    expect(call('gists/check-is-starred', theirs).status).toBe(204);
    expect(call('gists/list-starred').body).toHaveLength(2);
    call('gists/create-comment', { ...theirs, body: 'Warm enough.' });
    expect(call('gists/get', theirs).body.comments).toBe(1);
    expect(call('gists/update', { ...theirs, description: 'Mine now' }).status).toBe(404);
  });
});

describe('stars and watching', () => {
  it('are counted, and told of with their moment to those who ask', () => {
    const { call } = openScene();
    const lamp = { owner: 'octo-works', repo: 'lamp' };
    call('activity/star-repo-for-authenticated-user', lamp);
    call('activity/star-repo-for-authenticated-user', lamp);
    expect(call('repos/get', lamp).body.stargazers_count).toBe(1);
    const accept = 'application/vnd.github.star+json';
    const [star] = call('activity/list-stargazers-for-repo', lamp, { accept }).body;
    expect(star).toMatchObject({ user: { login: 'mona' } });
    expect(star.starred_at).toMatch(/Z$/u);
    const feed = call('activity/list-repo-events', lamp);
    expect(feed.body[0]).toMatchObject({ type: 'WatchEvent', payload: { action: 'started' } });
    expect(feed.headers['x-poll-interval']).toBe('60');
    call('activity/unstar-repo-for-authenticated-user', lamp);
    expect(call('repos/get', lamp).body.stargazers_count).toBe(0);
    call('activity/set-repo-subscription', { ...lamp, ignored: true });
    expect(call('activity/list-watchers-for-repo', lamp).body).toEqual([]);
  });
});
