import { GraphqlResponseError, graphql } from '@octokit/graphql';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { RequestError } from '@octokit/request-error';
import { Octokit } from '@octokit/rest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenOf } from '../../test/servers.ts';
import { type Bench, openBench } from './octokit.ts';

/** Pages, conditional requests, retries, error classes, and the graph. */

let bench: Bench;
const lamp = { owner: 'octo-works', repo: 'lamp' };

beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

describe('pages', () => {
  beforeAll(async () => {
    for (let index = 0; index < 12; index += 1) {
      await bench.rest.issues.create({ ...lamp, title: `Page ${index}` });
    }
  });

  it('are followed by the links of the answers', async () => {
    const { rest } = bench;
    const before = bench.count();
    const all = await rest.paginate(rest.issues.listForRepo, { ...lamp, per_page: 5, state: 'all' });
    expect(all.length).toBeGreaterThanOrEqual(15);
    expect(new Set(all.map(({ number }) => number)).size).toBe(all.length);
    expect(bench.count() - before).toBe(Math.ceil(all.length / 5));
  });

  it('are iterated and stopped', async () => {
    const { rest } = bench;
    const titles: string[] = [];
    for await (const { data } of rest.paginate.iterator(rest.issues.listForRepo, { ...lamp, per_page: 4 })) {
      titles.push(...data.map(({ title }) => title));
      if (titles.length >= 8) break;
    }
    expect(titles.slice(0, 2)).toEqual(['Page 11', 'Page 10']);
  });

  it('of searches and of wrapped lists are unwrapped', async () => {
    const { rest } = bench;
    const q = 'repo:octo-works/lamp is:issue page';
    const found = await rest.paginate(rest.search.issuesAndPullRequests, { q, per_page: 5 });
    expect(found.filter(({ title }) => title.startsWith('Page '))).toHaveLength(12);
    const workflows = await rest.paginate(rest.actions.listRepoWorkflows, { ...lamp, per_page: 1 });
    expect(Array.isArray(workflows)).toBe(true);
  });
});

describe('conditional requests', () => {
  it('cost nothing where nothing changed', async () => {
    const { rest } = bench;
    const { headers } = await rest.repos.get(lamp);
    const left = Number(headers['x-ratelimit-remaining']);
    const again = rest.repos.get({ ...lamp, headers: { 'if-none-match': headers.etag ?? '' } });
    const error = await again.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RequestError);
    expect((error as RequestError).status).toBe(304);
    const told = (error as RequestError).response?.headers;
    expect(Number(told?.['x-ratelimit-remaining'])).toBe(left);
    await rest.repos.update({ ...lamp, description: 'Changed' });
    const changed = await rest.repos.get({ ...lamp, headers: { 'if-none-match': headers.etag ?? '' } });
    expect(changed.status).toBe(200);
  });

  it('by date are answered alike', async () => {
    const { rest } = bench;
    const { headers } = await rest.issues.get({ ...lamp, issue_number: 1 });
    const since = { 'if-modified-since': headers['last-modified'] ?? '' };
    await expect(rest.issues.get({ ...lamp, issue_number: 1, headers: since })).rejects.toMatchObject({
      status: 304,
    });
  });
});

describe('errors', () => {
  it('are request errors with the members of the envelope', async () => {
    const { rest } = bench;
    const error = await rest.repos.get({ owner: 'octo-works', repo: 'nope' }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(RequestError);
    expect(error).toMatchObject({
      status: 404,
      response: { data: { message: 'Not Found', status: '404' } },
    });
  });

  it('of validation name the fields', async () => {
    const { rest } = bench;
    const error = await rest.issues
      .createLabel({ ...lamp, name: 'bug', color: 'ffffff' })
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ status: 422 });
    expect(error.message).toMatch(/^Validation Failed: \{"resource":"Label","code":"already_exists"/u);
    const blank = { method: 'POST' as const, url: '/repos/octo-works/lamp/issues' };
    await expect(rest.request(blank)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining(`"title" wasn't supplied`),
    });
  });

  it('of credentials are 401', async () => {
    const stranger = new Octokit({ auth: 'not-a-token', baseUrl: bench.server.url, log: bench.rest.log });
    const error = await stranger.users.getAuthenticated().catch((thrown) => thrown);
    expect(error).toMatchObject({ status: 401, response: { data: { message: 'Bad credentials' } } });
  });

  it('that GitHub gives to unknown paths are 404', async () => {
    await expect(bench.rest.request('GET /no/such/thing')).rejects.toMatchObject({ status: 404 });
  });
});

/** A client whose first call is refused. */
async function refusedOnce(
  Client: typeof Octokit,
  options: object,
  effect: { readonly status: 429 | 503; readonly retryAfterSeconds: number },
): Promise<Bench> {
  const opened = await openBench(Client, options);
  const refusal = { id: 'once', label: 'once', match: {}, effect: { kind: 'reject' as const, ...effect } };
  await opened.server.host.inject(opened.session, [refusal]);
  return opened;
}

describe('the client', () => {
  it('waits out a secondary limit and asks again', async () => {
    const waits: number[] = [];
    const throttle = {
      retryAfterBaseValue: 1,
      onRateLimit: () => false,
      onSecondaryRateLimit: (seconds: number) => {
        waits.push(seconds);
        return true;
      },
    };
    const Patient = Octokit.plugin(throttling) as typeof Octokit;
    const patient = await refusedOnce(Patient, { throttle }, { status: 429, retryAfterSeconds: 7 });
    const { status } = await patient.rest.repos.get(lamp);
    expect([status, waits]).toEqual([200, [7]]);
    await patient.close();
  });

  it('asks again where the service was not there', async () => {
    const Stubborn = Octokit.plugin(retry) as typeof Octokit;
    const options = { retry: { retryAfterBaseValue: 1 } };
    const stubborn = await refusedOnce(Stubborn, options, { status: 503, retryAfterSeconds: 1 });
    expect((await stubborn.rest.repos.get(lamp)).status).toBe(200);
    expect(stubborn.session.episode.session.steps().map(({ status }) => status)).toEqual([503, 200]);
    await stubborn.close();
  });
});

describe('the graph', () => {
  it('answers the official client, pages included', async () => {
    const ask = graphql.defaults({
      baseUrl: bench.server.url,
      headers: { authorization: `token ${tokenOf(bench.session, 'github')}` },
    });
    const query = `query($owner: String!, $repo: String!, $after: String) {
      repository(owner: $owner, name: $repo) { issues(first: 5, after: $after, states: OPEN) {
        nodes { number title } pageInfo { hasNextPage endCursor } totalCount } } }`;
    type Page = {
      repository: {
        issues: {
          nodes: { number: number }[];
          pageInfo: { hasNextPage: boolean; endCursor: string };
          totalCount: number;
        };
      };
    };
    const numbers: number[] = [];
    let after: string | null = null;
    for (;;) {
      const page: Page = await ask<Page>(query, { ...lamp, after });
      const { nodes, pageInfo, totalCount } = page.repository.issues;
      numbers.push(...nodes.map(({ number }) => number));
      if (!pageInfo.hasNextPage) {
        expect(numbers).toHaveLength(totalCount);
        break;
      }
      after = pageInfo.endCursor;
    }
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('throws what went wrong, with the data that there is', async () => {
    const query = `query { viewer { login } repository(owner: "octo-works", name: "nope") { id } }`;
    const error = await bench.rest.graphql(query).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GraphqlResponseError);
    expect(error).toMatchObject({
      errors: [{ type: 'NOT_FOUND', path: ['repository'] }],
      data: { viewer: { login: 'mona' }, repository: null },
    });
  });

  it('changes things', async () => {
    const { repository } = await bench.rest.graphql<{ repository: { id: string } }>(
      'query($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) { id } }',
      lamp,
    );
    const made = await bench.rest.graphql<{ createIssue: { issue: { number: number } } }>(
      'mutation($id: ID!) { createIssue(input: {repositoryId: $id, title: "By graph"}) { issue { number } } }',
      { id: repository.id },
    );
    const { number } = made.createIssue.issue;
    const { data } = await bench.rest.issues.get({ ...lamp, issue_number: number });
    expect(data.title).toBe('By graph');
  });
});
