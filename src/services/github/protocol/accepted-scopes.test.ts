import { describe, expect, it } from 'vitest';
import { openScene } from '../scene.test-kit.ts';

const ACCEPTED = 'x-accepted-oauth-scopes';

describe('the scopes that an answer names as accepted', () => {
  it('are those of any path where what the path leads to is not there', () => {
    const { call } = openScene();
    const lamp = { owner: 'octo-works', repo: 'lamp' };
    const react = { ...lamp, content: 'heart' };
    expect(call('reactions/create-for-issue', { ...react, issue_number: 1 }).headers[ACCEPTED]).toBe('');
    expect(call('reactions/create-for-issue', { ...react, issue_number: 4_000 })).toMatchObject({
      status: 404,
      headers: { [ACCEPTED]: 'repo' },
    });
    expect(call('gists/get', { gist_id: 'none' }).headers[ACCEPTED]).toBe('repo');
    expect(call('issues/list-for-repo', { ...lamp, repo: 'none' }).headers[ACCEPTED]).toBe('repo');
  });

  it('are what the operation wants all the same, where it wants something', () => {
    const { call } = openScene();
    const gone = call('repos/delete', { owner: 'mona', repo: 'none' });
    expect(gone).toMatchObject({ status: 404, headers: { [ACCEPTED]: 'delete_repo' } });
  });

  it('are none where a private repository goes', () => {
    const { call } = openScene();
    for (const [name, isPrivate, accepted] of [
      ['seen', false, 'delete_repo'],
      ['hidden', true, ''],
    ] as const) {
      call('repos/create-for-authenticated-user', { name, private: isPrivate });
      expect(call('repos/delete', { owner: 'mona', repo: name })).toMatchObject({
        status: 204,
        headers: { [ACCEPTED]: accepted },
      });
    }
  });
});
