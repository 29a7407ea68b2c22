import { describe, expect, it } from 'vitest';
import { openScene } from '../scene.test-kit.ts';

const house = { org: 'octo-works' };
const makers = { ...house, team_slug: 'makers' };

describe('teams', () => {
  it('are had by slug, by number, and by the number of their organisation', () => {
    const { call } = openScene();
    const made = call('teams/create', { ...house, name: 'Night Shift!', privacy: 'closed' }).body;
    expect(made).toMatchObject({ slug: 'night-shift', members_count: 1, repos_count: 0, parent: null });
    expect(call('teams/get-legacy', { team_id: made.id }).body.slug).toBe('night-shift');
    const byNumbers = { org: `:${made.organization.id}`, team_slug: `:${made.id}` };
    expect(call('teams/get-by-name', byNumbers).body.id).toBe(made.id);
  });

  it('below others are closed, and are listed there', () => {
    const { call } = openScene();
    const parent = call('teams/get-by-name', makers).body;
    const child = call('teams/create', {
      ...house,
      name: 'Solder',
      privacy: 'secret',
      parent_team_id: parent.id,
    });
    expect(child.body).toMatchObject({ privacy: 'closed', parent: { slug: 'makers' } });
    expect(call('teams/list-child-in-org', makers).body).toHaveLength(1);
    call('teams/delete-in-org', makers);
    expect(call('teams/get-by-name', { ...house, team_slug: 'solder' }).body.parent).toBeNull();
  });

  it('ask those to join who are not in the organisation', () => {
    const { call } = openScene();
    const told = call('teams/add-or-update-membership-for-user-in-org', { ...makers, username: 'ines' });
    expect(told.body).toMatchObject({ state: 'pending', role: 'member' });
    expect(call('teams/list-members-in-org', makers).body).toHaveLength(2);
    expect(call('orgs/get-membership-for-user', { ...house, username: 'ines' }).body.state).toBe('pending');
  });

  it('give their members their repositories', () => {
    const { call } = openScene();
    const repo = { owner: 'octo-works', repo: 'lamp' };
    const level = (): string =>
      call('repos/get-collaborator-permission-level', { ...repo, username: 'hubert' }).body.role_name;
    expect(level()).toBe('write');
    call('teams/add-or-update-repo-permissions-in-org', { ...makers, ...repo, permission: 'maintain' });
    expect(level()).toBe('maintain');
    call('teams/remove-repo-in-org', { ...makers, ...repo });
    expect(level()).toBe('read');
    expect(call('teams/check-permissions-for-repo-in-org', { ...makers, ...repo }).status).toBe(404);
  });

  it('show the repository only to those who ask for it', () => {
    const { call } = openScene();
    const input = { ...makers, owner: 'octo-works', repo: 'lamp' };
    expect(call('teams/check-permissions-for-repo-in-org', input).status).toBe(204);
    const accept = 'application/vnd.github.v3.repository+json';
    const told = call('teams/check-permissions-for-repo-in-org', input, { accept });
    expect(told).toMatchObject({ status: 200, body: { name: 'lamp', role_name: 'write' } });
  });
});

describe('organisations', () => {
  it('keep their counts when somebody leaves', () => {
    const { call } = openScene();
    expect(call('orgs/remove-member', { ...house, username: 'hubert' }).status).toBe(204);
    expect(call('teams/get-by-name', makers).body.members_count).toBe(1);
    expect(call('orgs/remove-member', { ...house, username: 'hubert' }).status).toBe(404);
  });

  it('let in those who accept, into the teams that they were asked for', () => {
    const { call } = openScene();
    const rowan = call('users/get-by-username', { username: 'rowan' }).body.id;
    const team = call('teams/get-by-name', makers).body.id;
    const invited = call('orgs/create-invitation', { ...house, invitee_id: rowan, team_ids: [team] });
    expect(invited).toMatchObject({ status: 201, body: { login: 'rowan', team_count: 1 } });
    expect(call('orgs/list-pending-invitations', house).body).toHaveLength(2);
    call('orgs/cancel-invitation', { ...house, invitation_id: invited.body.id });
    expect(call('orgs/get-membership-for-user', { ...house, username: 'rowan' }).status).toBe(404);
  });

  it('do not say who their members are to anybody who asks for one of them by another way', () => {
    const { call } = openScene();
    expect(call('orgs/check-blocked-user', { ...house, username: 'rowan' }).status).toBe(204);
    expect(call('orgs/block-user', { ...house, username: 'hubert' }).status).toBe(422);
  });

  it('are listed after a number, with the way on', () => {
    const { call } = openScene();
    const told = call('orgs/list', { per_page: 1 });
    expect(told.body).toHaveLength(1);
    expect(told.headers.link).toContain('<https://api.github.com/organizations{?since}>; rel="first"');
    expect(call('orgs/list', { since: told.body[0].id }).body).toEqual([]);
  });
});

describe('invitations to repositories', () => {
  it('are the same when asked again, and give the role that they say', () => {
    const { call } = openScene();
    const lamp = { owner: 'octo-works', repo: 'lamp' };
    const ask = (permission: string): { id: number; permissions: string } =>
      call('repos/add-collaborator', { ...lamp, username: 'rowan', permission }).body;
    const [first, second] = [ask('pull'), ask('admin')];
    expect(second.id).toBe(first.id);
    expect(second.permissions).toBe('admin');
    const own = call('repos/list-invitations-for-authenticated-user').body[0];
    expect(own.repository.full_name).toBe('hubert/notes');
    const notes = { owner: 'hubert', repo: 'notes' };
    expect(call('repos/get', notes).status).toBe(404);
    call('repos/accept-invitation-for-authenticated-user', { invitation_id: own.id });
    expect(call('repos/get', notes).body.permissions).toMatchObject({ push: true, admin: false });
  });
});
