import { z } from 'zod';
import type { Json, JsonObject, Tool } from '../../../service/index.ts';
import {
  choice,
  fieldsOf,
  githubTool,
  itemsOf,
  membersOf,
  OWNER,
  PAGE,
  pageOf,
  present,
  REPO,
  withFields,
} from './making.ts';
import { commitShape, repositoryShape, userShape, withoutNulls } from './shapes.ts';

const ORDER = choice('asc', 'desc').optional();
const ISSUE_SORT = choice(
  ...['comments', 'reactions', 'reactions-+1', 'reactions--1', 'reactions-smile'],
  ...['reactions-thinking_face', 'reactions-heart', 'reactions-tada', 'interactions', 'created', 'updated'],
).optional();
const ISSUE_FIELDS = [
  ...['number', 'title', 'body', 'state', 'state_reason', 'draft', 'locked', 'html_url', 'user'],
  ...['author_association', 'labels', 'assignee', 'assignees', 'milestone', 'comments', 'reactions'],
  ...['created_at', 'updated_at', 'closed_at', 'closed_by'],
];

interface Asked {
  readonly query: string;
  readonly sort?: string | undefined;
  readonly order?: string | undefined;
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
}

/** A search as REST takes it. */
function searchInput({ query, sort, order, ...page }: Asked): JsonObject {
  const words = present({ sort: sort || undefined, order: order || undefined });
  return { q: query, ...words, ...pageOf(page) };
}

/** What a search found, in the server's envelope. */
function found(answer: Json, show: (item: JsonObject) => JsonObject): JsonObject {
  const { total_count = 0, incomplete_results = false, items } = membersOf(answer);
  return { total_count, incomplete_results, items: itemsOf(items).map(show) };
}

function hasQualifier(query: string, name: string): boolean {
  return new RegExp(`(^|\\s)-?${name}:\\S+`, 'iu').test(query);
}

function ofIssues(name: string, kind: 'issue' | 'pr', fields: readonly string[]): Tool {
  const words = kind === 'issue' ? 'failed to search issues' : 'failed to search pull requests';
  return githubTool({
    name,
    description: `Searches ${kind === 'issue' ? 'issues' : 'pull requests'}.`,
    input: z.object({
      query: z.string(),
      owner: OWNER.optional(),
      repo: REPO.optional(),
      sort: ISSUE_SORT,
      order: ORDER,
      fields: fieldsOf(...fields),
      ...PAGE,
    }),
    operations: ['search/issues-and-pull-requests'],
    run(hands, { query: asked, owner = '', repo = '', fields: wanted, ...rest }): Json {
      const isOfKind = new RegExp(`(^|\\s)is:${kind}(\\s|$)`, 'iu').test(asked);
      const kinded = isOfKind ? asked : `is:${kind} ${asked}`;
      const isPlaced = owner === '' || repo === '' || hasQualifier(kinded, 'repo');
      const query = isPlaced ? kinded : `repo:${owner}/${repo} ${kinded}`;
      const input = searchInput({ ...rest, query });
      const answer = withoutNulls(hands.call('search/issues-and-pull-requests', input, words));
      const { total_count = 0, incomplete_results = false, items } = membersOf(answer);
      return { total_count, incomplete_results, items: withFields(itemsOf(items), wanted) };
    },
  });
}

const searchCode = githubTool({
  name: 'search_code',
  description: 'Searches code.',
  input: z.object({
    query: z.string(),
    sort: z.string().optional(),
    order: ORDER,
    fields: fieldsOf('name', 'path', 'sha', 'repository', 'text_matches'),
    ...PAGE,
  }),
  operations: ['search/code'],
  run(hands, { fields, ...asked }): Json {
    const words = `failed to search code with query '${asked.query}'`;
    const accept = 'application/vnd.github.v3.text-match+json';
    const answer = hands.callAs('search/code', { input: searchInput(asked), accept }, words);
    const shown = found(answer, ({ name = '', path = '', sha = '', repository, text_matches }) => ({
      name,
      path,
      sha,
      repository: membersOf(repository).full_name ?? '',
      ...(Array.isArray(text_matches) &&
        text_matches.length > 0 && { text_matches: withoutNulls(text_matches) }),
    }));
    return { ...shown, items: withFields(itemsOf(shown.items), fields) };
  },
});

const searchCommits = githubTool({
  name: 'search_commits',
  description: 'Searches commits.',
  input: z.object({
    query: z.string(),
    sort: choice('author-date', 'committer-date').optional(),
    order: ORDER,
    ...PAGE,
  }),
  operations: ['search/commits'],
  run(hands, asked): Json {
    const words = `failed to search commits with query '${asked.query}'`;
    return found(hands.call('search/commits', searchInput(asked), words), (commit) => {
      const { full_name = '', html_url = '', private: isPrivate } = membersOf(commit.repository);
      const repository = { full_name, html_url, ...(isPrivate === true && { private: true }) };
      return { ...commitShape(commit), repository };
    });
  },
});

const searchRepositories = githubTool({
  name: 'search_repositories',
  description: 'Searches repositories.',
  input: z.object({
    query: z.string(),
    sort: choice('stars', 'forks', 'help-wanted-issues', 'updated').optional(),
    order: ORDER,
    minimal_output: z.boolean().default(true),
    ...PAGE,
  }),
  operations: ['search/repos'],
  run(hands, { minimal_output: isShort, ...asked }): Json {
    const words = `failed to search repositories with query '${asked.query}'`;
    const answer = hands.call('search/repos', searchInput(asked), words);
    return isShort ? found(answer, repositoryShape) : withoutNulls(answer);
  },
});

const searchUsers = githubTool({
  name: 'search_users',
  description: 'Searches people.',
  input: z.object({
    query: z.string(),
    sort: choice('followers', 'repositories', 'joined').optional(),
    order: ORDER,
    ...PAGE,
  }),
  operations: ['search/users'],
  run(hands, asked): Json {
    const { query: words } = asked;
    const query = hasQualifier(words, 'type') ? words : `type:user ${words}`;
    const input = searchInput({ ...asked, query });
    const answer = hands.call('search/users', input, `failed to search users with query '${words}'`);
    return found(answer, (user) => userShape(user) ?? {});
  },
});

/** Tools that search, by name. */
export const searchTools: Readonly<Record<string, Tool>> = {
  search_code: searchCode,
  search_commits: searchCommits,
  search_issues: ofIssues('search_issues', 'issue', [
    ...ISSUE_FIELDS,
    ...['type', 'repository_url', 'pull_request', 'field_values'],
  ]),
  search_pull_requests: ofIssues('search_pull_requests', 'pr', [
    ...ISSUE_FIELDS,
    ...['pull_request', 'repository_url'],
  ]),
  search_repositories: searchRepositories,
  search_users: searchUsers,
};
