import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Bench, Calls, openBench } from './octokit.ts';

/** People, organisations, teams, hooks, gists, search and actions, by the official client. */

let bench: Bench;
const lamp = { owner: 'octo-works', repo: 'lamp' };
const org = 'octo-works';

beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

it('reads people and organisations', async () => {
  const { rest } = bench;
  const calls = new Calls();
  await calls.is('viewer', rest.users.getAuthenticated(), { status: 200, data: { login: 'mona' } });
  await calls.is('user', rest.users.getByUsername({ username: 'HUBERT' }), {
    status: 200,
    data: { login: 'hubert' },
  });
  await calls.is('nobody', rest.users.getByUsername({ username: 'no-such-person' }), { status: 404 });
  await calls.is('followers', rest.users.listFollowersForUser({ username: 'hubert' }), { status: 200 });
  await calls.is('follow', rest.users.follow({ username: 'ines' }), { status: 204 });
  await calls.is('follows', rest.users.checkPersonIsFollowedByAuthenticated({ username: 'ines' }), {
    status: 204,
  });
  await calls.is('unfollow', rest.users.unfollow({ username: 'ines' }), { status: 204 });
  await calls.is('org', rest.orgs.get({ org }), { status: 200, data: { login: org } });
  await calls.is('members', rest.orgs.listMembers({ org }), { status: 200 });
  await calls.is('member', rest.orgs.checkMembershipForUser({ org, username: 'hubert' }), { status: 204 });
  await calls.is('membership', rest.orgs.getMembershipForUser({ org, username: 'mona' }), {
    status: 200,
    data: { role: 'admin', state: 'active' },
  });
  await calls.is('own orgs', rest.orgs.listForAuthenticatedUser(), { status: 200, data: [{ login: org }] });
  await calls.is('own teams', rest.teams.listForAuthenticatedUser(), { status: 200 });
  calls.end();
});

it('works with teams, collaborators and hooks', async () => {
  const { rest } = bench;
  const calls = new Calls();
  await calls.is('create team', rest.teams.create({ org, name: 'Night Shift' }), {
    status: 201,
    data: { slug: 'night-shift' },
  });
  const team = { org, team_slug: 'night-shift' };
  await calls.is('get team', rest.teams.getByName(team), { status: 200 });
  await calls.is('teams', rest.teams.list({ org }), { status: 200 });
  const member = { ...team, username: 'hubert' };
  await calls.is('add member', rest.teams.addOrUpdateMembershipForUserInOrg(member), {
    status: 200,
    data: { state: 'active' },
  });
  await calls.is('members', rest.teams.listMembersInOrg(team), { status: 200 });
  await calls.is(
    'grant',
    rest.teams.addOrUpdateRepoPermissionsInOrg({ ...team, ...lamp, permission: 'push' }),
    { status: 204 },
  );
  await calls.is('repos', rest.teams.listReposInOrg(team), { status: 200, data: [{ name: 'lamp' }] });
  await calls.is('delete team', rest.teams.deleteInOrg(team), { status: 204 });
  await calls.is('collaborators', rest.repos.listCollaborators(lamp), { status: 200 });
  await calls.is('permission', rest.repos.getCollaboratorPermissionLevel({ ...lamp, username: 'ines' }), {
    status: 200,
    data: { role_name: 'triage' },
  });
  await calls.is('invite', rest.repos.addCollaborator({ ...lamp, username: 'rowan' }), { status: 201 });
  await calls.is('invitations', rest.repos.listInvitations(lamp), { status: 200 });
  const hook = (await calls.is(
    'hook',
    rest.repos.createWebhook({ ...lamp, config: { url: 'https://hooks.example/x', secret: 'quiet' } }),
    { status: 201, data: { config: { secret: '********' } } },
  )) as { id: number };
  await calls.is('hooks', rest.repos.listWebhooks(lamp), { status: 200 });
  await calls.is('ping', rest.repos.pingWebhook({ ...lamp, hook_id: hook.id }), { status: 204 });
  await calls.is('deliveries', rest.repos.listWebhookDeliveries({ ...lamp, hook_id: hook.id }), {
    status: 200,
  });
  await calls.is('delete hook', rest.repos.deleteWebhook({ ...lamp, hook_id: hook.id }), { status: 204 });
  calls.end();
});

it('stars, watches, writes gists and searches', async () => {
  const { rest } = bench;
  const calls = new Calls();
  await calls.is('star', rest.activity.starRepoForAuthenticatedUser(lamp), { status: 204 });
  await calls.is('starred', rest.activity.checkRepoIsStarredByAuthenticatedUser(lamp), { status: 204 });
  await calls.is('stargazers', rest.activity.listStargazersForRepo(lamp), { status: 200 });
  await calls.is('unstar', rest.activity.unstarRepoForAuthenticatedUser(lamp), { status: 204 });
  await calls.is('not starred', rest.activity.checkRepoIsStarredByAuthenticatedUser(lamp), { status: 404 });
  await calls.is('watch', rest.activity.setRepoSubscription({ ...lamp, subscribed: true }), { status: 200 });
  await calls.is('notifications', rest.activity.listNotificationsForAuthenticatedUser(), { status: 200 });
  const files = { 'a.txt': { content: 'A' } };
  const gist = (await calls.is('gist', rest.gists.create({ files, public: false }), {
    status: 201,
    data: { public: false },
  })) as { id: string };
  await calls.is('get gist', rest.gists.get({ gist_id: gist.id }), {
    status: 200,
    data: { files: { 'a.txt': { content: 'A' } } },
  });
  await calls.is('gists', rest.gists.list(), { status: 200 });
  await calls.is('delete gist', rest.gists.delete({ gist_id: gist.id }), { status: 204 });
  const q = 'repo:octo-works/lamp is:issue flickers';
  await calls.is('search issues', rest.search.issuesAndPullRequests({ q }), {
    status: 200,
    data: { total_count: 1 },
  });
  await calls.is('search repositories', rest.search.repos({ q: 'lamp' }), { status: 200 });
  await calls.is('search people', rest.search.users({ q: 'mona' }), { status: 200 });
  await calls.is('blank search', rest.search.repos({ q: '' }), { status: 422 });
  calls.end();
});

it('reads actions, secrets, and what the service says of itself', async () => {
  const { rest } = bench;
  const calls = new Calls();
  await calls.is('workflows', rest.actions.listRepoWorkflows(lamp), { status: 200 });
  await calls.is('runs', rest.actions.listWorkflowRunsForRepo(lamp), { status: 200 });
  await calls.is('key', rest.actions.getRepoPublicKey(lamp), { status: 200 });
  const secret = { ...lamp, secret_name: 'NIGHT_KEY' };
  const sealed = { encrypted_value: 'c2VhbGVk', key_id: '1' };
  await calls.is('secret', rest.actions.createOrUpdateRepoSecret({ ...secret, ...sealed }), { status: 201 });
  await calls.is('secret again', rest.actions.createOrUpdateRepoSecret({ ...secret, ...sealed }), {
    status: 204,
  });
  await calls.is('secrets', rest.actions.listRepoSecrets(lamp), { status: 200 });
  await calls.is('no secret', rest.actions.deleteRepoSecret(secret), { status: 204 });
  await calls.is('variable', rest.actions.createRepoVariable({ ...lamp, name: 'HUE', value: 'red' }), {
    status: 201,
  });
  await calls.is('get variable', rest.actions.getRepoVariable({ ...lamp, name: 'HUE' }), {
    status: 200,
    data: { value: 'red' },
  });
  await calls.is('deployments', rest.repos.listDeployments(lamp), { status: 200 });
  await calls.is('environments', rest.repos.getAllEnvironments(lamp), { status: 200 });
  await calls.is('limits', rest.rateLimit.get(), {
    status: 200,
    data: { resources: { core: { limit: 5000 } } },
  });
  await calls.is('meta', rest.meta.get(), { status: 200 });
  await calls.is('root', rest.meta.root(), { status: 200 });
  await calls.is('licences', rest.licenses.getAllCommonlyUsed(), { status: 200 });
  await calls.is('emojis', rest.emojis.get(), { status: 200 });
  await calls.is('markdown', rest.markdown.render({ text: '*so*' }), { status: 200 });
  calls.end();
});

it('was asked more than fifty times', () => {
  expect(bench.count()).toBeGreaterThan(50);
});
