import { existsSync, readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestServer, tokenOf } from '../../../../test/servers.ts';
import { mcpDoor } from '../../../gateway/mcp/index.ts';
import type { RunningServer } from '../../../gateway/serve.ts';
import { openSession } from '../../../session/index.ts';
import { github } from '../index.ts';
import { openScene } from '../scene.test-kit.ts';
import { actionTools } from './actions.ts';
import { tools } from './index.ts';
import { toolsetTools } from './toolsets.ts';

/** The tools of the official MCP server: their list, and every one of them over the official client. */

const OFFICIAL = new URL('../../../../../shared/mcp/mcp.github.tools.json', import.meta.url);
const ALL = new URL('mcp.github.all-tools.json', OFFICIAL);
const offered = tools.filter((tool) => !tool.optional);

// biome-ignore lint/suspicious/noExplicitAny: schemas and answers of every shape
type Any = any;

/** A schema without words: descriptions are our own, and order means nothing. */
function bare(schema: Any, ...also: string[]): Any {
  if (Array.isArray(schema)) return schema.map((one) => bare(one, ...also));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => !['$schema', 'description', 'title', ...also].includes(name))
      .map(([name, value]) => [
        name,
        name === 'required' ? [...(value as string[])].sort() : bare(value, ...also),
      ])
      .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
  );
}

describe('the list of tools', () => {
  it.skipIf(!existsSync(OFFICIAL))('is the official one: names, order, parameters, read-only hints', () => {
    const { tools: official } = JSON.parse(readFileSync(OFFICIAL, 'utf8')) as Any;
    expect(offered.map(({ name }) => name)).toEqual(official.map(({ name }: Any) => name));
    for (const { name, inputSchema } of official) {
      const tool = offered.find((candidate) => candidate.name === name);
      const schema = bare(z.toJSONSchema(tool?.input ?? z.never(), { io: 'input', unrepresentable: 'any' }));
      // Members with a default are not asked for, and an object without members asks for none.
      expect({ name, ...schema }).toEqual({ name, ...bare(inputSchema) });
    }
  });

  it('has older names beside it, which are on offer only where they are asked for', () => {
    const older = tools.filter((tool) => tool.optional).map(({ name }) => name);
    expect(older).toContain('create_issue');
    expect(older).toContain('get_pull_request_files');
    expect(offered).toHaveLength(44);
  });
});

let server: RunningServer;
let client: Client;

beforeAll(async () => {
  server = await startTestServer({ services: ['github'] }, { doors: (host) => [mcpDoor(host)] });
  const session = server.host.open();
  const headers = { authorization: `Bearer ${tokenOf(session, null)}` };
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    requestInit: { headers },
  });
  client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as Transport);
});
afterAll(async () => {
  await client.close();
  await server.close();
});

const called = new Set<string>();

/** Calls a tool: its text, and the text as JSON where it is some. */
async function call(
  name: string,
  input: Any = {},
): Promise<{ text: string; json: Any; isError: boolean; parts: Any }> {
  const place = { owner: 'octo-works', repo: 'lamp' };
  const schema = offered.find((tool) => tool.name === name)?.input as Any;
  const takesPlace = 'owner' in schema.shape;
  const result = (await client.callTool({
    name,
    arguments: { ...(takesPlace && place), ...input },
  })) as Any;
  called.add(name);
  const text = result.content[0]?.text ?? '';
  let json: Any = null;
  try {
    json = JSON.parse(text);
  } catch {
    json = null;
  }
  return { text, json, isError: result.isError === true, parts: result.content };
}

describe('the official client', () => {
  it('lists the tools with hints', async () => {
    const { tools: listed } = await client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(offered.map(({ name }) => name));
    const reads = listed.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
    expect(reads).toContain('list_issues');
    expect(reads).toContain('pull_request_read');
    expect(reads).not.toContain('issue_write');
    expect(reads).toHaveLength(26);
  });

  it('reads and writes issues', async () => {
    const made = await call('issue_write', { method: 'create', title: 'It hums', labels: ['bug'] });
    expect(made.json).toEqual({
      id: expect.stringMatching(/^\d+$/u),
      url: expect.stringContaining('/issues/'),
    });
    const issue_number = Number(made.json.url.split('/').at(-1));
    const read = await call('issue_read', { method: 'get', issue_number });
    expect(read.json).toMatchObject({
      number: issue_number,
      title: 'It hums',
      state: 'open',
      labels: ['bug'],
      user: { login: 'mona' },
      has_parent: false,
      has_children: false,
    });
    expect((await call('issue_read', { method: 'get_labels', issue_number })).json).toMatchObject({
      labels: [{ name: 'bug', color: 'd73a4a' }],
      totalCount: 1,
    });
    const comment = await call('add_issue_comment', { issue_number, body: 'So it does.', reaction: 'eyes' });
    expect(comment.json).toMatchObject({
      comment: { id: expect.any(String) },
      reaction: { id: expect.any(String) },
    });
    expect((await call('issue_read', { method: 'get_comments', issue_number })).json).toMatchObject([
      { body: 'So it does.', user: { login: 'mona' } },
    ]);
    const part = await call('sub_issue_write', {
      method: 'add',
      issue_number: 1,
      sub_issue_id: Number(made.json.id),
    });
    expect(part.isError).toBe(false);
    expect((await call('issue_read', { method: 'get_parent', issue_number })).json).toMatchObject({
      parent: { number: 1, repository: 'octo-works/lamp' },
    });
    expect((await call('issue_read', { method: 'get_sub_issues', issue_number: 1 })).json).toHaveLength(2);
    await call('issue_write', {
      method: 'update',
      issue_number,
      type: 'bug',
      state: 'closed',
      state_reason: 'not_planned',
    });
    expect((await call('issue_read', { method: 'get', issue_number })).json).toMatchObject({
      state: 'closed',
      state_reason: 'not_planned',
      issue_type: 'Bug',
      closed_by: 'mona',
    });
  });

  it('lists issues of both states, with any of the labels, page by page', async () => {
    const all = (await call('list_issues', { fields: ['number', 'state'] })).json;
    expect(all.totalCount).toBe(4);
    expect(new Set(all.issues.map(({ state }: Any) => state))).toEqual(new Set(['OPEN', 'CLOSED']));
    expect(all.issues[0]).toEqual({ number: expect.any(Number), state: expect.any(String) });
    await call('issue_write', { method: 'update', issue_number: 2, labels: ['question'] });
    const some = (await call('list_issues', { labels: ['BUG', 'question'], direction: 'ASC', perPage: 1 }))
      .json;
    expect(some).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
    const next = await call('list_issues', {
      labels: ['BUG', 'question'],
      direction: 'ASC',
      perPage: 1,
      after: some.pageInfo.endCursor,
    });
    expect(next.json.issues[0].number).toBe(2);
    expect((await call('get_label', { name: 'question' })).json).toMatchObject({ name: 'question' });
    expect((await call('list_issue_fields')).json).toEqual([]);
  });

  it('reads and writes files, branches and commits', async () => {
    expect((await call('create_branch', { branch: 'dusk' })).json).toMatchObject({
      ref: 'refs/heads/dusk',
    });
    const wish = { path: 'notes.md', content: 'Grüße\n', message: 'Take notes', branch: 'dusk' };
    const written = await call('create_or_update_file', wish);
    expect(written.json).toMatchObject({ content: { path: 'notes.md' }, commit: { message: 'Take notes' } });
    expect((await call('create_or_update_file', wish)).text).toMatch(/^File already exists at notes\.md\./u);
    const read = await call('get_file_contents', { path: 'notes.md', ref: 'dusk' });
    expect(read.text).toBe(`successfully downloaded text file (SHA: ${written.json.content.sha})`);
    expect(read.parts[1]).toMatchObject({
      type: 'resource',
      resource: { text: 'Grüße\n', mimeType: 'text/plain; charset=utf-8' },
    });
    expect((await call('get_file_contents', { fields: ['name', 'type'] })).json).toContainEqual({
      name: 'README.md',
      type: 'file',
    });
    expect((await call('get_file_contents', { path: 'dim.js' })).text).toContain('src/dim.js');
    const files = [
      { path: 'a/one.txt', content: '1' },
      { path: 'a/two.txt', content: '2' },
    ];
    const pushed = await call('push_files', { branch: 'dusk', files, message: 'Two at once' });
    expect(pushed.json).toMatchObject({ ref: 'refs/heads/dusk' });
    const deleted = await call('delete_file', { path: 'a/one.txt', message: 'One less', branch: 'dusk' });
    expect(deleted.json).toMatchObject({ commit: { message: 'One less' } });
    const commits = (await call('list_commits', { sha: 'dusk', perPage: 3 })).json;
    expect(commits.map(({ commit }: Any) => commit.message)).toEqual([
      'One less',
      'Two at once',
      'Take notes',
    ]);
    const commit = (await call('get_commit', { sha: commits[1].sha, detail: 'full_patch' })).json;
    expect(commit.files.map(({ filename }: Any) => filename)).toEqual(['a/one.txt', 'a/two.txt']);
    expect(commit.files[0].patch).toContain('+1');
    expect((await call('list_branches')).json).toContainEqual({
      name: 'dusk',
      sha: commits[0].sha,
      protected: false,
    });
  });

  it('reads and writes pulls', async () => {
    const made = await call('create_pull_request', { title: 'Nights', head: 'dusk', base: 'main' });
    expect(made.json.url).toContain('/pull/');
    const pullNumber = Number(made.json.url.split('/').at(-1));
    expect((await call('list_pull_requests', { fields: ['number'] })).json).toContainEqual({
      number: pullNumber,
    });
    const read = async (method: string): Promise<Any> =>
      await call('pull_request_read', { method, pullNumber });
    expect((await read('get')).json).toMatchObject({ title: 'Nights', head: { ref: 'dusk' }, commits: 3 });
    expect((await read('get_diff')).text).toContain('diff --git a/notes.md b/notes.md');
    expect((await read('get_files')).json.map(({ filename }: Any) => filename)).toEqual([
      'a/two.txt',
      'notes.md',
    ]);
    expect((await read('get_commits')).json).toHaveLength(3);
    expect((await read('get_status')).json).toMatchObject({ state: 'pending', total_count: 0 });
    expect((await read('get_check_runs')).json).toEqual({ total_count: 0, check_runs: [] });
    await call('update_pull_request', { pullNumber, draft: true, reviewers: ['hubert'] });
    expect((await read('get')).json).toMatchObject({ draft: true, requested_reviewers: ['hubert'] });
    await call('update_pull_request', { pullNumber, draft: false, title: 'Quiet nights' });
    const pending = await call('pull_request_review_write', { method: 'create', pullNumber });
    expect(pending.text).toBe('pending pull request created');
    const remark = {
      pullNumber,
      path: 'notes.md',
      body: 'Why?',
      subjectType: 'LINE',
      line: 1,
      side: 'RIGHT',
    };
    expect((await call('add_comment_to_pending_review', remark)).text).toBe(
      'pull request review comment successfully added to pending review',
    );
    const submitted = { method: 'submit_pending', pullNumber, event: 'COMMENT', body: 'Read it.' };
    expect((await call('pull_request_review_write', submitted)).text).toBe(
      'pending pull request review successfully submitted',
    );
    const threads = (await read('get_review_comments')).json;
    expect(threads).toMatchObject({
      totalCount: 1,
      review_threads: [{ is_resolved: false, comments: [{ body: 'Why?', line: 1, author: 'mona' }] }],
    });
    const commentId = Number(threads.review_threads[0].comments[0].html_url.split('_r').at(-1));
    const reply = await call('add_reply_to_pull_request_comment', { pullNumber, commentId, body: 'So.' });
    expect(reply.json).toMatchObject({ body: 'So.' });
    const settled = { method: 'resolve_thread', pullNumber, threadId: threads.review_threads[0].id };
    expect((await call('pull_request_review_write', settled)).text).toBe(
      'review thread resolved successfully',
    );
    expect((await read('get_review_comments')).json.review_threads[0]).toMatchObject({
      is_resolved: true,
      total_count: 2,
    });
    expect((await read('get_reviews')).json).toContainEqual(expect.objectContaining({ body: 'Read it.' }));
    expect((await read('get_comments')).json).toEqual([]);
    const moved = { path: 'more.md', content: 'More\n', message: 'More', branch: 'main' };
    expect((await call('create_or_update_file', moved)).isError).toBe(false);
    expect((await call('update_pull_request_branch', { pullNumber })).text).toBe(
      'Pull request branch update is in progress',
    );
    const merged = await call('merge_pull_request', { pullNumber, merge_method: 'squash' });
    expect(merged.json).toMatchObject({ merged: true });
    expect((await read('get')).json).toMatchObject({ merged: true, state: 'closed', merged_by: 'mona' });
  });

  it('reads releases, tags, people and teams, makes repositories and forks', async () => {
    expect((await call('list_tags')).json).toMatchObject([{ name: 'v1.0.0' }]);
    expect((await call('get_tag', { tag: 'v1.0.0' })).json).toMatchObject({ tag: 'v1.0.0' });
    expect((await call('list_releases')).isError).toBe(false);
    for (const [name, input] of [
      ['get_latest_release', {}],
      ['get_release_by_tag', { tag: 'v1.0.0' }],
    ] as const) {
      const answer = await call(name, input);
      expect(answer.isError ? answer.text : answer.json.tag_name).toMatch(/404 Not Found|v1\.0\.0/u);
    }
    expect((await call('get_me')).json).toMatchObject({ login: 'mona', details: { name: 'Mona Okafor' } });
    expect((await call('get_teams')).json).toContainEqual(expect.objectContaining({ org: 'octo-works' }));
    const [org] = (await call('get_teams')).json;
    const slug = org.teams[0]?.slug ?? 'nobody';
    expect((await call('get_team_members', { org: 'octo-works', team_slug: slug })).isError).toBe(false);
    expect((await call('list_repository_collaborators')).json.items).toContainEqual(
      expect.objectContaining({ login: 'mona', role_name: 'admin' }),
    );
    expect((await call('create_repository', { name: 'sketch' })).json.url).toBe(
      'https://github.com/mona/sketch',
    );
    expect((await call('fork_repository')).text).toBe('Fork is in progress');
    expect((await call('list_issue_types')).json).toContainEqual(expect.objectContaining({ name: 'Bug' }));
  });

  it('searches', async () => {
    const issues = await call('search_issues', { query: 'flickers', fields: ['number', 'title'] });
    expect(issues.json).toMatchObject({ total_count: 1, items: [{ number: 1 }] });
    expect((await call('search_pull_requests', { query: 'dim' })).json.items[0]).toMatchObject({
      pull_request: { html_url: expect.any(String) },
    });
    expect((await call('search_repositories', { query: 'lamp' })).json.items[0]).toMatchObject({
      full_name: 'octo-works/lamp',
    });
    expect((await call('search_users', { query: 'mona' })).json.items[0]).toMatchObject({ login: 'mona' });
    expect((await call('search_code', { query: 'repo:octo-works/lamp level' })).json.items[0]).toMatchObject({
      path: 'src/dim.js',
      repository: 'octo-works/lamp',
    });
    expect((await call('search_commits', { query: 'repo:octo-works/lamp dim' })).json.items[0]).toMatchObject(
      {
        repository: { full_name: 'octo-works/lamp' },
      },
    );
  });

  it('is told in the words of the server what failed', async () => {
    expect((await call('issue_read', { method: 'get', issue_number: 999 })).text).toBe(
      'failed to get issue: GET https://api.github.com/repos/octo-works/lamp/issues/999: 404 Not Found []',
    );
    expect((await call('issue_read', { method: 'gett', issue_number: 1 })).text).toBe('unknown method: gett');
    expect((await call('list_issues', { repo: 'nope' })).text).toBe(
      "failed to list issues: Could not resolve to a Repository with the name 'octo-works/nope'.",
    );
    expect((await call('list_issues', { labels: 'bug' })).text).toMatch(
      /^parameter labels is not of type array/u,
    );
    expect((await call('issue_write', { method: 'create' })).text).toBe('missing required parameter: title');
    expect((await call('pull_request_read', { method: 'get' })).text).toBe(
      'missing required parameter: pullNumber',
    );
    expect((await call('get_label', { name: 'none such' })).text).toBe(
      "label 'none such' not found in octo-works/lamp",
    );
    // Nobody has Copilot here.
    expect((await call('assign_copilot_to_issue', { issue_number: 1 })).text).toMatch(
      /^copilot isn't available/u,
    );
    expect((await call('request_copilot_review', { pullNumber: 4 })).text).toMatch(
      /^failed to request copilot review: POST https:\/\/api\.github\.com\/repos\/octo-works\/lamp/u,
    );
  });

  it('has called them all', () => {
    expect(offered.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([]);
  });
});

describe('tools that are not offered by default', () => {
  const scene = openScene();
  const names = tools.filter((tool) => tool.optional).map(({ name }) => name);
  const chosen = openSession({
    services: [github],
    world: scene.session.world,
    seeds: { github: 'small' },
    streamSeed: 'chosen',
    epochMs: github.epochMs,
    behaviour: { engine: '', services: {} },
    tools: names,
  });
  const place = { owner: 'octo-works', repo: 'lamp' };
  const ask = (tool: string, input: Any = {}): Any => chosen.call({ tool, input: { ...place, ...input } });

  it.skipIf(!existsSync(ALL))('take what the official ones take', () => {
    const { tools: official } = JSON.parse(readFileSync(ALL, 'utf8')) as Any;
    const both = [...toolsetTools, ...actionTools];
    expect(both.length).toBeGreaterThanOrEqual(12);
    for (const tool of both) {
      // Which inputs travel in headers is told of some tools alone.
      const unsaid = ['x-mcp-header', 'additionalProperties'];
      const schema = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' });
      const known = official.filter(({ name }: Any) => name === tool.name);
      expect(known.map((one: Any) => bare(one.inputSchema, ...unsaid))).toContainEqual(
        bare(schema, ...unsaid),
      );
    }
  });

  it('are unknown to those who did not ask for them', () => {
    expect(scene.session.call({ tool: 'create_issue', input: { ...place, title: 'x' } }).status).toBe(404);
    expect(ask('issue_read', { method: 'get', issue_number: 1 }).status).toBe(404);
  });

  it('under older names do what those of today do', () => {
    const made = ask('create_issue', { title: 'Old way', labels: ['bug'] }).body;
    const issue_number = Number(made.url.split('/').at(-1));
    ask('update_issue', { issue_number, state: 'closed' });
    expect(ask('get_issue', { issue_number }).body).toMatchObject({ title: 'Old way', state: 'closed' });
    expect(ask('get_issue_comments', { issue_number: 1 }).body).toHaveLength(1);
    expect(ask('get_pull_request', { pullNumber: 4 }).body).toMatchObject({ title: 'Dim to nothing' });
    expect(ask('get_pull_request_files', { pullNumber: 4 }).body).toMatchObject([{ filename: 'src/dim.js' }]);
    expect(ask('get_pull_request_diff', { pullNumber: 4 }).body).toContain('level - 5');
    expect(ask('get_pull_request_reviews', { pullNumber: 4 }).body.length).toBeGreaterThan(0);
    const review = { pullNumber: 6, event: 'COMMENT', body: 'Fine.' };
    expect(ask('create_pull_request_review', review).body).toMatchObject({ state: 'COMMENTED' });
  });

  it('write labels, read trees and discussions, star and trigger', () => {
    const wish = { method: 'create', name: 'warm', color: 'ffaa00' };
    expect(ask('label_write', wish).body).toBe("label 'warm' created successfully");
    expect(ask('label_write', { method: 'update', name: 'warm', new_name: 'hot' }).body).toBe(
      "label 'hot' updated successfully",
    );
    expect(ask('list_label').body.labels).toContainEqual(expect.objectContaining({ name: 'hot' }));
    expect(ask('label_write', { method: 'delete', name: 'hot' }).ok).toBe(true);
    expect(ask('get_repository_tree', { recursive: true, path_filter: 'src/' }).body).toMatchObject({
      count: 1,
      tree: [{ path: 'src/dim.js' }],
    });
    const handbook = { repo: 'handbook' };
    expect(ask('list_discussions', handbook).body).toMatchObject({
      totalCount: 1,
      discussions: [{ number: 1 }],
    });
    expect(ask('get_discussion', { ...handbook, discussionNumber: 1 }).body.isAnswered).toBe(false);
    expect(ask('get_discussion_comments', { ...handbook, discussionNumber: 1 }).body.comments).toHaveLength(
      1,
    );
    expect(ask('list_discussion_categories', handbook).body.categories).toHaveLength(6);
    expect(ask('star_repository').body).toBe('Successfully starred repository octo-works/lamp');
    expect(ask('unstar_repository').ok).toBe(true);
    const { workflows } = ask('actions_list', { method: 'list_workflows' }).body;
    const id = String(workflows[0].id);
    expect(ask('actions_get', { method: 'get_workflow', resource_id: id }).body.name).toBe(workflows[0].name);
    const { workflow_runs: runs } = ask('actions_list', { method: 'list_workflow_runs' }).body;
    expect(runs.length).toBeGreaterThan(0);
    const run = { method: 'rerun_workflow_run', run_id: runs.at(-1).id };
    expect(ask('actions_run_trigger', run).body).toMatchObject({ status_code: 201 });
  });
});
