import { Octokit } from '@octokit/rest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostedSession } from '../../src/gateway/host/index.ts';
import { tokenOf } from '../../test/servers.ts';
import { type Bench, openBench } from './octokit.ts';

/** What other replicas of GitHub get wrong, each as one test of this one, by the official client. */

let bench: Bench;
let rest: Octokit;
const lamp = { owner: 'octo-works', repo: 'lamp' };
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const DOCS = /^https:\/\/docs\.github\.com\/rest/u;

beforeEach(async () => {
  bench = await openBench();
  rest = bench.rest;
});
afterEach(() => bench.close());

/** Status, body and headers of an answer, whether the client gave or threw it. */
interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly data: any;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
}

async function answerOf(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    const { status, response } = error as { status: number; response?: Answer };
    if (!response) throw error;
    return { status, data: response.data, headers: response.headers };
  }
}

/** A client of somebody else in the same world. */
async function clientOf(id: string, attributes: object = {}): Promise<Octokit> {
  const { server, session } = bench;
  const actors = [{ id, attributes }] as Parameters<typeof server.host.join>[1];
  const credentials: HostedSession['credentials'] = await server.host.join(session, actors);
  const auth = credentials.find(({ service }) => service === 'github')?.token ?? '';
  return new Octokit({ auth, baseUrl: server.url, log: rest.log });
}

/** A branch of `lamp` with one commit more, which writes one file by the contents API. */
async function branchWithCommit(branch: string): Promise<void> {
  const { sha } = (await rest.git.getRef({ ...lamp, ref: 'heads/main' })).data.object;
  await rest.git.createRef({ ...lamp, ref: `refs/heads/${branch}`, sha });
  const change = { message: 'Dusk', content: base64('dusk\n'), branch };
  await rest.repos.createOrUpdateFileContents({ ...lamp, path: `${branch}.txt`, ...change });
}

async function openPull(branch: string, body = ''): Promise<number> {
  await branchWithCommit(branch);
  const wish = { ...lamp, title: 'Dusk', head: branch, base: 'main', body };
  return (await rest.pulls.create(wish)).data.number;
}

describe('who calls', () => {
  it('is nobody with an unknown token', async () => {
    const stranger = new Octokit({ auth: 'not-a-token', baseUrl: bench.server.url, log: rest.log });
    const { status, data } = await answerOf(stranger.users.getAuthenticated());
    expect(status).toBe(401);
    expect(data).toEqual({
      message: 'Bad credentials',
      documentation_url: 'https://docs.github.com/rest',
      status: '401',
    });
  });

  it('makes no label in the repository of somebody else without a scope', async () => {
    const label = { owner: 'mona', repo: 'dotfiles', name: 'mine', color: 'ffaa00' };
    const hubert = await clientOf('hubert', { scopes: [] });
    expect((await hubert.users.getAuthenticated()).data.login).toBe('hubert');
    expect((await answerOf(hubert.issues.createLabel(label))).status).toBe(404);
    expect((await answerOf(rest.issues.getLabel(label))).status).toBe(404);
    expect((await answerOf(rest.issues.createLabel(label))).status).toBe(201);
  });

  it('makes no label there with every scope either, where push access is missing', async () => {
    const label = { owner: 'mona', repo: 'dotfiles', name: 'mine', color: 'ffaa00' };
    const hubert = await clientOf('hubert');
    const refused = await answerOf(hubert.issues.createLabel(label));
    expect(refused).toMatchObject({ status: 403, data: { message: 'Must have push access to repository' } });
    expect((await answerOf(rest.issues.getLabel(label))).status).toBe(404);
  });

  it('does not learn that a private repository exists', async () => {
    const made = { name: 'diary', private: true, auto_init: true };
    await rest.repos.createForAuthenticatedUser(made);
    const diary = { owner: 'mona', repo: 'diary' };
    const hubert = await clientOf('hubert');
    const hidden = await answerOf(hubert.repos.get(diary));
    const missing = await answerOf(hubert.repos.get({ ...diary, repo: 'nope' }));
    expect([hidden.status, hidden.data]).toEqual([404, missing.data]);
    expect((await answerOf(hubert.issues.create({ ...diary, title: 'Hello' }))).status).toBe(404);
    expect((await rest.repos.get(diary)).data.private).toBe(true);
  });
});

describe('calls without a body', () => {
  it('merge', async () => {
    const pull_number = await openPull('dusk');
    expect((await rest.pulls.merge({ ...lamp, pull_number })).data).toMatchObject({ merged: true });
    expect((await rest.pulls.get({ ...lamp, pull_number })).data).toMatchObject({
      merged: true,
      state: 'closed',
    });
  });

  it('lock', async () => {
    expect((await rest.issues.lock({ ...lamp, issue_number: 1 })).status).toBe(204);
    expect((await rest.issues.get({ ...lamp, issue_number: 1 })).data.locked).toBe(true);
  });

  it('fork', async () => {
    const { status, data } = await rest.repos.createFork({ owner: 'octo-works', repo: 'handbook' });
    expect([status, data.full_name, data.fork]).toEqual([202, 'mona/handbook', true]);
  });
});

describe('a pull', () => {
  it('carries what was committed by the contents API', async () => {
    const pull_number = await openPull('dusk');
    expect((await rest.pulls.get({ ...lamp, pull_number })).data).toMatchObject({
      commits: 1,
      changed_files: 1,
      additions: 1,
      deletions: 0,
    });
    const { data: files } = await rest.pulls.listFiles({ ...lamp, pull_number });
    expect(files).toMatchObject([
      { filename: 'dusk.txt', status: 'added', additions: 1, patch: '@@ -0,0 +1 @@\n+dusk' },
    ]);
    const basehead = 'main...dusk';
    const { data: compared } = await rest.repos.compareCommitsWithBasehead({ ...lamp, basehead });
    expect(compared.files).toEqual(files);
  });

  it('is shown as a diff', async () => {
    const pull_number = await openPull('dusk');
    const { data, headers } = await rest.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
      ...lamp,
      pull_number,
      headers: { accept: 'application/vnd.github.diff' },
    });
    expect(headers['content-type']).toContain('diff');
    expect(String(data)).toMatch(/^diff --git a\/dusk\.txt b\/dusk\.txt\nnew file mode 100644\n/u);
    expect(String(data)).toContain('--- /dev/null\n+++ b/dusk.txt\n@@ -0,0 +1 @@\n+dusk\n');
  });

  it('closes what it fixes when it is merged, not before', async () => {
    const pull_number = await openPull('dusk', 'Fixes #1');
    const issue = { ...lamp, issue_number: 1 };
    expect((await rest.issues.get(issue)).data.state).toBe('open');
    await rest.pulls.merge({ ...lamp, pull_number });
    expect((await rest.issues.get(issue)).data).toMatchObject({
      state: 'closed',
      state_reason: 'completed',
      closed_by: { login: 'mona' },
    });
  });

  it('is opened once from one branch', async () => {
    await openPull('dusk');
    const again = rest.pulls.create({ ...lamp, title: 'Again', head: 'dusk', base: 'main' });
    const { status, data } = await answerOf(again);
    expect(status).toBe(422);
    expect(data).toMatchObject({ message: 'Validation Failed', status: '422' });
    expect(data.errors).toEqual([
      {
        resource: 'PullRequest',
        code: 'custom',
        message: 'A pull request already exists for octo-works:dusk.',
      },
    ]);
  });

  it('needs a commit', async () => {
    const { sha } = (await rest.git.getRef({ ...lamp, ref: 'heads/main' })).data.object;
    await rest.git.createRef({ ...lamp, ref: 'refs/heads/idle', sha });
    const wish = { ...lamp, title: 'Idle', head: 'idle', base: 'main' };
    const { status, data } = await answerOf(rest.pulls.create(wish));
    expect([status, data.message]).toEqual([422, 'Validation Failed']);
    expect(data.errors).toMatchObject([
      { resource: 'PullRequest', code: 'custom', message: 'No commits between main and idle' },
    ]);
  });

  it('is not approved by who opened it', async () => {
    const pull_number = await openPull('dusk');
    const approval = { ...lamp, pull_number, event: 'APPROVE' as const };
    const { status, data } = await answerOf(rest.pulls.createReview(approval));
    expect(status).toBe(422);
    expect(JSON.stringify(data)).toMatch(/can ?not approve your own pull request/iu);
    expect((await rest.pulls.listReviews({ ...lamp, pull_number })).data).toEqual([]);
    const hubert = await clientOf('hubert');
    expect((await hubert.pulls.createReview(approval)).data.state).toBe('APPROVED');
  });

  it('is merged once', async () => {
    const pull_number = await openPull('dusk');
    await rest.pulls.merge({ ...lamp, pull_number });
    const { status, data } = await answerOf(rest.pulls.merge({ ...lamp, pull_number }));
    expect(status).toBe(405);
    expect(data).toMatchObject({ message: 'Pull Request is not mergeable', status: '405' });
  });

  it('tells whether it is merged', async () => {
    const pull_number = await openPull('dusk');
    const at = { ...lamp, pull_number };
    expect((await answerOf(rest.pulls.checkIfMerged(at))).status).toBe(404);
    await rest.pulls.merge(at);
    expect((await answerOf(rest.pulls.checkIfMerged(at))).status).toBe(204);
  });
});

describe('errors', () => {
  it('of what is not there have the whole envelope', async () => {
    const { status, data } = await answerOf(rest.issues.get({ ...lamp, issue_number: 9_999 }));
    expect(status).toBe(404);
    expect(data).toEqual({
      message: 'Not Found',
      documentation_url: 'https://docs.github.com/rest/issues/issues#get-an-issue',
      status: '404',
    });
  });

  it('of validation name resource, field and code', async () => {
    const twice = rest.issues.createLabel({ ...lamp, name: 'bug', color: 'ffffff' });
    const { status, data } = await answerOf(twice);
    expect(status).toBe(422);
    expect(data).toEqual({
      message: 'Validation Failed',
      errors: [{ resource: 'Label', code: 'already_exists', field: 'name' }],
      documentation_url: expect.stringMatching(DOCS),
      status: '422',
    });
  });

  it('of a missing member list none', async () => {
    const blank = { method: 'POST' as const, url: '/repos/octo-works/lamp/issues', data: {} };
    const { status, data } = await answerOf(rest.request(blank));
    expect(status).toBe(422);
    expect(data).toEqual({
      message: 'Invalid request.\n\n"title" wasn\'t supplied.',
      documentation_url: 'https://docs.github.com/rest/issues/issues#create-an-issue',
      status: '422',
    });
  });

  it('of members of another kind show what came', async () => {
    const messages: string[] = [];
    for (const labels of [{ bug: true }, null, 'bug', 7]) {
      const wish = { ...lamp, title: 'It hums', labels: labels as unknown as string[] };
      const { status, data } = await answerOf(rest.issues.create(wish));
      expect([status, data.errors]).toEqual([422, undefined]);
      messages.push(data.message);
    }
    expect(messages).toEqual(
      ['{"bug"=>true}', 'nil', '"bug"', '7'].map(
        (shown) => `Invalid request.\n\nFor 'properties/labels', ${shown} is not an array.`,
      ),
    );
  });

  it('refuse a state that is none', async () => {
    const state = 'bogus' as 'open';
    const at = { ...lamp, issue_number: 1 };
    const changed = await answerOf(rest.issues.update({ ...at, state }));
    expect([changed.status, changed.data.message]).toEqual([
      422,
      'Invalid request.\n\nFor \'properties/state\', bogus is not a member of ["open", "closed"].',
    ]);
    expect((await rest.issues.get(at)).data.state).toBe('open');
    const answers = [
      await answerOf(rest.issues.listForRepo({ ...lamp, state })),
      await answerOf(rest.pulls.update({ ...lamp, pull_number: 4, state })),
      await answerOf(rest.pulls.list({ ...lamp, state })),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
    for (const { data } of answers) expect(data).not.toHaveProperty('errors');
    expect((await rest.pulls.get({ ...lamp, pull_number: 4 })).data.state).toBe('open');
  });
});

describe('headers', () => {
  it('of an answer that did not change: 304, which counts for nothing', async () => {
    const { headers } = await rest.repos.get(lamp);
    expect(headers.etag).toMatch(/^(W\/)?"[^"]+"$/u);
    const same = { ...lamp, headers: { 'if-none-match': headers.etag ?? '' } };
    const again = await answerOf(rest.repos.get(same));
    expect(again.status).toBe(304);
    expect(again.headers['x-ratelimit-used']).toBe(headers['x-ratelimit-used']);
    await rest.repos.update({ ...lamp, description: 'Changed' });
    const changed = await answerOf(rest.repos.get(same));
    expect([changed.status, changed.headers.etag === headers.etag]).toEqual([200, false]);
  });

  it('count what was used, searches apart', async () => {
    const first = await rest.repos.get(lamp);
    const second = await rest.repos.get(lamp);
    expect(first.headers).toMatchObject({
      'x-ratelimit-limit': '5000',
      'x-ratelimit-used': '1',
      'x-ratelimit-remaining': '4999',
      'x-ratelimit-resource': 'core',
    });
    expect(second.headers).toMatchObject({ 'x-ratelimit-used': '2', 'x-ratelimit-remaining': '4998' });
    const found = await rest.search.issuesAndPullRequests({ q: 'repo:octo-works/lamp is:issue flickers' });
    expect(found.headers).toMatchObject({
      'x-ratelimit-limit': '30',
      'x-ratelimit-used': '1',
      'x-ratelimit-resource': 'search',
    });
  });

  it('agree with the limits that are told', async () => {
    await rest.repos.get(lamp);
    await rest.search.repos({ q: 'lamp' });
    const { headers } = await rest.repos.get(lamp);
    const { data, headers: told } = await rest.rateLimit.get();
    const { core, search } = data.resources;
    expect([core.limit, core.used, core.remaining, core.reset].map(String)).toEqual(
      ['limit', 'used', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`]),
    );
    expect(search).toMatchObject({ limit: 30, used: 1, remaining: 29 });
    // Asking costs nothing.
    expect(told['x-ratelimit-used']).toBe(headers['x-ratelimit-used']);
  });

  it('name request, media type, scopes and version', async () => {
    const { headers } = await rest.issues.get({ ...lamp, issue_number: 1 });
    expect(headers).toMatchObject({
      'x-github-request-id': expect.stringMatching(/^[0-9A-F:]+$/u),
      'x-github-media-type': 'github.v3; format=json',
      'x-oauth-scopes': expect.stringContaining('repo'),
      'x-accepted-oauth-scopes': expect.any(String),
      'x-github-api-version-selected': '2022-11-28',
    });
    const missing = await answerOf(rest.issues.get({ ...lamp, issue_number: 9_999 }));
    expect(missing.headers).toMatchObject({
      'x-github-request-id': expect.stringMatching(/^[0-9A-F:]+$/u),
      'x-ratelimit-used': '2',
    });
    expect(missing.headers['x-github-request-id']).not.toBe(headers['x-github-request-id']);
  });

  it('say where a new thing is', async () => {
    const made = await rest.issues.create({ ...lamp, title: 'It hums' });
    expect(made.status).toBe(201);
    expect(made.headers.location).toBe(made.data.url);
    const comment = await rest.issues.createComment({ ...lamp, issue_number: 1, body: 'Seen.' });
    expect(comment.headers.location).toBe(comment.data.url);
  });

  it('lead to the new name of a repository', async () => {
    const { data } = await rest.repos.update({ ...lamp, name: 'lantern' });
    const authorization = `token ${tokenOf(bench.session, 'github')}`;
    const ask = (method: string): Promise<Response> =>
      fetch(`${bench.server.url}/repos/octo-works/lamp`, {
        method,
        redirect: 'manual',
        headers: { authorization },
        ...(method === 'PATCH' && { body: '{"description":"Light"}' }),
      });
    const asked = await ask('GET');
    const byId = `${bench.server.url}/repositories/${data.id}`;
    expect([asked.status, asked.headers.get('location')]).toEqual([301, byId]);
    expect(await asked.json()).toMatchObject({ message: 'Moved Permanently', url: byId });
    expect((await ask('PATCH')).status).toBe(307);
    // The client follows.
    expect((await rest.repos.get(lamp)).data).toMatchObject({ id: data.id, name: 'lantern' });
  });
});

describe('what is there', () => {
  it('reactions', async () => {
    const at = { ...lamp, issue_number: 2 };
    const reaction = { ...at, content: 'rocket' as const };
    expect((await rest.reactions.createForIssue(reaction)).status).toBe(201);
    expect((await rest.reactions.listForIssue(at)).data).toMatchObject([
      { content: 'rocket', user: { login: 'mona' } },
    ]);
    expect((await rest.issues.get(at)).data.reactions).toMatchObject({ total_count: 1, rocket: 1 });
  });

  it('commit statuses', async () => {
    const { sha } = (await rest.git.getRef({ ...lamp, ref: 'heads/main' })).data.object;
    await rest.repos.createCommitStatus({ ...lamp, sha, state: 'failure', context: 'peers' });
    await rest.repos.createCommitStatus({ ...lamp, sha, state: 'success', context: 'peers' });
    const { data } = await rest.repos.getCombinedStatusForRef({ ...lamp, ref: 'main' });
    const of = data.statuses.filter(({ context }) => context === 'peers');
    expect(of).toMatchObject([{ state: 'success' }]);
  });

  it('deployments', async () => {
    const wish = { ...lamp, ref: 'main', environment: 'bench', required_contexts: [] };
    const made = await answerOf(rest.repos.createDeployment(wish));
    expect(made).toMatchObject({ status: 201, data: { environment: 'bench', ref: 'main' } });
    const at = { ...lamp, deployment_id: made.data.id };
    await rest.repos.createDeploymentStatus({ ...at, state: 'success' });
    expect((await rest.repos.listDeploymentStatuses(at)).data).toMatchObject([{ state: 'success' }]);
    const { data } = await rest.repos.listDeployments({ ...lamp, environment: 'bench' });
    expect(data.map(({ id }) => id)).toEqual([made.data.id]);
  });

  it('gists', async () => {
    const { data } = await rest.gists.create({ files: { 'dusk.txt': { content: 'dusk' } }, public: true });
    const gist_id = data.id ?? '';
    expect((await rest.gists.get({ gist_id })).data.files).toMatchObject({ 'dusk.txt': { content: 'dusk' } });
    expect((await rest.gists.delete({ gist_id })).status).toBe(204);
    expect((await answerOf(rest.gists.get({ gist_id }))).status).toBe(404);
  });

  it('stars', async () => {
    const handbook = { owner: 'octo-works', repo: 'handbook' };
    await rest.activity.unstarRepoForAuthenticatedUser(handbook);
    const before = (await rest.repos.get(handbook)).data.stargazers_count;
    const isStarred = () => answerOf(rest.activity.checkRepoIsStarredByAuthenticatedUser(handbook));
    expect((await isStarred()).status).toBe(404);
    await rest.activity.starRepoForAuthenticatedUser(handbook);
    expect((await isStarred()).status).toBe(204);
    expect((await rest.repos.get(handbook)).data.stargazers_count).toBe(before + 1);
    const { data } = await rest.activity.listStargazersForRepo(handbook);
    expect(data).toContainEqual(expect.objectContaining({ login: 'mona' }));
  });

  it('notifications', async () => {
    const hubert = await clientOf('hubert');
    await hubert.activity.markNotificationsAsRead({ read: true });
    const made = await rest.issues.create({ ...lamp, title: 'It hums', assignees: ['hubert'] });
    const { data } = await hubert.activity.listNotificationsForAuthenticatedUser();
    expect(data).toMatchObject([
      { unread: true, reason: 'assign', subject: { title: 'It hums', url: made.data.url } },
    ]);
  });

  it('sub-issues', async () => {
    const { data: part } = await rest.issues.create({ ...lamp, title: 'A part' });
    const at = { ...lamp, issue_number: 1 };
    const added = await rest.issues.addSubIssue({ ...at, sub_issue_id: part.id });
    expect(added.status).toBe(201);
    const { data: parts } = await rest.issues.listSubIssues(at);
    expect(parts.map(({ number }) => number)).toContain(part.number);
    expect((await rest.issues.get(at)).data.sub_issues_summary).toMatchObject({ total: parts.length });
  });

  it('issues of whoever asks', async () => {
    const { data } = await rest.issues.create({ ...lamp, title: 'It hums', assignees: ['mona'] });
    const { data: own } = await rest.issues.list({ filter: 'assigned' });
    expect(own.map(({ id }) => id)).toContain(data.id);
    const hubert = await clientOf('hubert');
    const { data: others } = await hubert.issues.list({ filter: 'assigned' });
    expect(others.map(({ id }) => id)).not.toContain(data.id);
  });

  it('scores of what was found', async () => {
    const { data } = await rest.search.issuesAndPullRequests({ q: 'repo:octo-works/lamp is:issue flickers' });
    expect(data).toMatchObject({ total_count: 1, incomplete_results: false });
    expect(data.items).toMatchObject([{ number: 1, score: 1 }]);
    const { data: repos } = await rest.search.repos({ q: 'lamp org:octo-works' });
    expect(repos.items).toMatchObject([{ name: 'lamp', score: 1 }]);
  });

  it('the graph', async () => {
    const query =
      '{ viewer { login } repository(owner: "octo-works", name: "lamp") { issue(number: 1) { title } } }';
    expect(await rest.graphql(query)).toEqual({
      viewer: { login: 'mona' },
      repository: { issue: { title: 'Flickers when dimmed' } },
    });
  });

  it('no success of what is published and not modelled', async () => {
    const { status, data } = await answerOf(
      rest.repos.listAttestations({ ...lamp, subject_digest: 'sha256:0' }),
    );
    expect(status).toBe(404);
    expect(data).toMatchObject({
      message: expect.any(String),
      documentation_url: expect.stringMatching(DOCS),
    });
    expect(bench.session.episode.session.steps().map(({ outcome }) => outcome)).toEqual(['unmodelled']);
  });
});
