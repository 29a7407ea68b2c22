/** Drives the official GitHub MCP server, whose program is the first argument, and tells what it answered. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

const [program = ''] = process.argv.slice(2);
const env = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
);
const transport = new StdioClientTransport({
  command: program,
  args: ['stdio'],
  env: { ...env, GITHUB_PERSONAL_ACCESS_TOKEN: env.GITHUB_TOKEN ?? '' },
  stderr: 'ignore',
});
const client = new Client({ name: 'test', version: '1' });
await client.connect(transport as Transport);

const lamp = { owner: 'octo-works', repo: 'lamp' };
const answers: Record<string, unknown> = {};

async function call(label: string, name: string, input: Record<string, unknown>): Promise<string> {
  const result = await client.callTool({ name, arguments: input }).catch((error: Error) => error);
  if (result instanceof Error) {
    answers[label] = { failed: result.message };
    return '';
  }
  const [first] = result.content as { text?: string }[];
  const text = first?.text ?? '';
  answers[label] = result.isError === true ? { failed: text } : parsed(text);
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

await call('me', 'get_me', {});
await call('issues', 'list_issues', { ...lamp, labels: ['bug', 'question'] });
await call('issue', 'issue_read', { ...lamp, method: 'get', issue_number: 1 });
await call('comments', 'issue_read', { ...lamp, method: 'get_comments', issue_number: 1 });
await call('parts', 'issue_read', { ...lamp, method: 'get_sub_issues', issue_number: 1 });
await call('labels', 'issue_read', { ...lamp, method: 'get_labels', issue_number: 1 });
await call('made', 'issue_write', { ...lamp, method: 'create', title: 'By the server', labels: ['bug'] });
const closing = { state: 'closed', state_reason: 'not_planned' };
await call('closed', 'issue_write', {
  ...lamp,
  method: 'update',
  issue_number: 3,
  title: 'Typo',
  ...closing,
});
await call('comment', 'add_issue_comment', { ...lamp, issue_number: 1, body: 'From the server' });
await call('branch', 'create_branch', { ...lamp, branch: 'dusk' });
const file = { ...lamp, branch: 'dusk', path: 'dusk.txt', content: 'Dämmerung\n', message: 'Dusk' };
await call('file', 'create_or_update_file', file);
await call('contents', 'get_file_contents', { ...lamp, path: 'dusk.txt', ref: 'dusk' });
const files = [{ path: 'a.txt', content: 'A' }];
await call('pushed', 'push_files', { ...lamp, branch: 'dusk', files, message: 'More' });
const pull = { ...lamp, title: 'Dusk', head: 'dusk', base: 'main' };
const made = JSON.parse(await call('pull', 'create_pull_request', pull)) as { url: string };
const pullNumber = Number(made.url.split('/').at(-1));
const at = { ...lamp, pullNumber };
await call('diff', 'pull_request_read', { ...at, method: 'get_diff' });
await call('files', 'pull_request_read', { ...at, method: 'get_files' });
await call('pending', 'pull_request_review_write', { ...at, method: 'create' });
const remark = { path: 'dusk.txt', body: 'Why?', subjectType: 'LINE', line: 1, side: 'RIGHT' };
await call('remark', 'add_comment_to_pending_review', { ...at, ...remark });
await call('review', 'pull_request_review_write', {
  ...at,
  method: 'submit_pending',
  event: 'COMMENT',
  body: 'So.',
});
await call('threads', 'pull_request_read', { ...at, method: 'get_review_comments' });
await call('drafted', 'update_pull_request', { ...at, draft: true });
await call('ready', 'update_pull_request', { ...at, draft: false });
await call('merged', 'merge_pull_request', { ...at, merge_method: 'squash' });
await call('commits', 'list_commits', { ...lamp, perPage: 1 });
await call('search', 'search_issues', { query: 'flickers', ...lamp });
await call('teams', 'get_teams', {});
await call('members', 'get_team_members', { org: 'octo-works', team_slug: 'makers' });
await call('label', 'get_label', { ...lamp, name: 'bug' });
await call('missing', 'issue_read', { ...lamp, method: 'get', issue_number: 999 });
await call('unseen', 'list_issues', { ...lamp, repo: 'nope' });
await client.close();
console.log(JSON.stringify(answers));
