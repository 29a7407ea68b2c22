import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../base/json.ts';
import { openScene } from '../scene.test-kit.ts';
import { type Call, rebuilt, recorded } from './recorded.test-kit.ts';

const WHO: Call = ['users/get-authenticated', {}];
const NOTES = { owner: 'mona', repo: 'notes' };
const CREATE: Call = ['repos/create-for-authenticated-user', { name: 'notes', auto_init: true }];
const DELETE: Call = ['repos/delete', NOTES];

function star(user: number): Call {
  return ['activity/list-stargazers-for-repo', { ...NOTES, page: user }];
}

describe('a recording of repositories', () => {
  it('tells how an owner has first branches called', () => {
    const records = recorded(openScene(), [WHO, CREATE]);
    const again = rebuilt(
      records.map(({ response, ...rest }) => {
        const body = { ...(response.body as JsonObject), default_branch: 'trunk' };
        return { ...rest, response: { ...response, body } };
      }),
    );
    expect(again.call(...CREATE).body.default_branch).toBe('trunk');
    expect(again.call('repos/get-branch', { ...NOTES, branch: 'trunk' }).status).toBe(200);
  });

  it('in which one goes unseen holds it at first if most of the recording asks for it', () => {
    const scene = openScene();
    const whole = recorded(scene, [WHO, CREATE, star(1), star(2), star(3), DELETE, CREATE]);
    const unseen = (reads: number) =>
      [whole[0], ...whole.slice(2, 2 + reads), whole[6]].flatMap((one) => one ?? []);
    const few = rebuilt(unseen(2));
    expect([few.call(...star(1)).status, few.call(...CREATE).status]).toEqual([404, 201]);
    const many = rebuilt(unseen(3));
    expect([many.call(...star(1)).status, many.call(...CREATE).status]).toEqual([200, 422]);
  });

  it('holds nothing under a name that sends on', () => {
    const scene = openScene();
    const dotfiles = { owner: 'mona', repo: 'dotfiles' };
    scene.call('repos/update', { ...dotfiles, name: 'home' });
    const again = rebuilt(recorded(scene, [WHO, ['repos/get', dotfiles]]));
    expect(again.call('repos/get', dotfiles).status).toBe(301);
  });

  it('tells whose a team is that was given one', () => {
    const given: JsonObject = { owner: 'octo-works', repo: 'lamp', team_id: 7, permission: 'push' };
    const operation = 'teams/add-or-update-repo-permissions-legacy';
    const scene = openScene();
    const [who, record] = recorded(scene, [WHO, [operation, given]]);
    if (!who || !record) throw new Error('two calls are two records');
    const done = { ...record, response: { ...record.response, status: 204, body: null } };
    expect(rebuilt([who, done]).call(operation, given).status).toBe(204);
  });

  it('tells how many there were before its own requests made some', () => {
    const scene = openScene();
    const counts = () => {
      const { public_repos, owned_private_repos } = again.call(...WHO).body;
      return [public_repos, owned_private_repos];
    };
    const before = scene.call(...WHO).body;
    const hidden: Call = ['repos/create-for-authenticated-user', { name: 'hidden', private: true }];
    const again = rebuilt(recorded(scene, [CREATE, hidden, WHO]));
    expect(counts()).toEqual([before.public_repos, before.owned_private_repos]);
    again.call(...hidden);
    expect(counts()).toEqual([before.public_repos, before.owned_private_repos + 1]);
  });

  it('tells who added a key', () => {
    const scene = openScene();
    const key = { owner: 'mona', repo: 'dotfiles', title: 'one', key: `ssh-ed25519 ${'A'.repeat(68)}` };
    const again = rebuilt(recorded(scene, [['repos/create-deploy-key', key]]));
    expect(again.call('repos/create-deploy-key', key).body.added_by).toBe('mona');
  });
});
