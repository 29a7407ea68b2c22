import { describe, expect, it } from 'vitest';
import { openScene } from '../scene.test-kit.ts';

const lamp = { owner: 'octo-works', repo: 'lamp' };
const house = { org: 'octo-works' };
const sealed = { encrypted_value: 'c2VhbGVk', key_id: '1' };

describe('secrets', () => {
  it('are 201 with an empty object when new, 204 when replaced, whatever the case of their name', () => {
    const { call } = openScene();
    const put = (secret_name: string): number =>
      call('actions/create-or-update-repo-secret', { ...lamp, ...sealed, secret_name }).status;
    expect([put('token'), put('TOKEN'), put('Token')]).toEqual([201, 204, 204]);
    const listed = call('actions/list-repo-secrets', lamp).body;
    expect(listed.total_count).toBe(2);
    expect(listed.secrets.map((row: { name: string }) => row.name)).toEqual(['DEPLOY_KEY', 'TOKEN']);
    expect(JSON.stringify(listed)).not.toContain('c2VhbGVk');
  });

  it('have names of their own in every product and place', () => {
    const { call } = openScene();
    call('actions/delete-repo-secret', { ...lamp, secret_name: 'DEPLOY_KEY' });
    expect(call('actions/get-repo-secret', { ...lamp, secret_name: 'DEPLOY_KEY' }).status).toBe(404);
    expect(call('dependabot/get-repo-secret', { ...lamp, secret_name: 'DEPLOY_KEY' }).status).toBe(200);
    const production = { ...lamp, environment_name: 'production', secret_name: 'DEPLOY_KEY' };
    expect(call('actions/get-environment-secret', production).status).toBe(200);
  });

  it('that are not there are refused, when they are to be deleted without a word', () => {
    const { call } = openScene();
    const none = { ...lamp, secret_name: 'NONE' };
    expect(call('actions/get-repo-secret', none)).toMatchObject({
      status: 404,
      body: { message: 'Not Found' },
    });
    const deleted = call('actions/delete-repo-secret', none);
    expect([deleted.status, deleted.body]).toEqual([404, {}]);
  });

  it('refuse names that GitHub keeps for itself and names with odd letters', () => {
    const { call } = openScene();
    for (const secret_name of ['GITHUB_TOKEN', 'a-b', '1st']) {
      const told = call('actions/create-or-update-repo-secret', { ...lamp, ...sealed, secret_name });
      expect(told.status).toBe(422);
      expect(told.body.message).toMatch(/^Secret names/u);
    }
  });

  it('of an organisation reach the repositories that they are meant for', () => {
    const { call } = openScene();
    const names = (repo: string): string[] =>
      call('actions/list-repo-organization-secrets', { owner: 'octo-works', repo }).body.secrets.map(
        (row: { name: string }) => row.name,
      );
    expect(names('lamp')).toEqual(['DEPLOY_KEY', 'SHARED_KEY']);
    expect(names('website')).toEqual(['DEPLOY_KEY']);
    const shared = { ...house, secret_name: 'SHARED_KEY' };
    const lampId = call('repos/get', lamp).body.id;
    call('actions/remove-selected-repo-from-org-secret', { ...shared, repository_id: lampId });
    expect(names('lamp')).toEqual(['DEPLOY_KEY']);
    const conflict = { ...house, secret_name: 'DEPLOY_KEY', repository_id: lampId };
    expect(call('actions/add-selected-repo-to-org-secret', conflict).status).toBe(409);
  });

  it('go with their repository', () => {
    const { call } = openScene();
    call('repos/delete', lamp);
    const shared = { ...house, secret_name: 'SHARED_KEY' };
    expect(call('actions/list-selected-repos-for-org-secret', shared).body.total_count).toBe(0);
  });
});

describe('variables', () => {
  it('show their values, and change', () => {
    const { call } = openScene();
    call('actions/update-repo-variable', { ...lamp, name: 'colour', value: 'green' });
    expect(call('actions/get-repo-variable', { ...lamp, name: 'COLOUR' }).body.value).toBe('green');
    const taken = call('actions/create-repo-variable', { ...lamp, name: 'Colour', value: 'red' });
    expect(taken.status).toBe(409);
  });
});
