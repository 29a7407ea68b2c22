import { momentText } from '../moments.ts';
import { bucketOf, limitOf } from '../protocol/limits.ts';
import { foundIssues } from '../rules/search/issues.ts';
import { parseQuery } from '../rules/search/query.ts';
import { foundAccounts, foundRepositories } from '../rules/search/repositories.ts';
import { findAccount } from '../rules/viewer.ts';
import { accountNode, repositoryNamed } from './accounts.ts';
import { viewerNode } from './comments.ts';
import { connection, type PageArguments } from './connections.ts';
import { type Graph, GraphError, type GraphValue } from './graph.ts';
import { issueNamed, issueNode } from './issues.ts';
import { nodeOf } from './nodes.ts';
import { pullNamed, pullNode } from './pulls.ts';
import { repositoryNode } from './repositories.ts';

/** The fields of the root of all queries. */
export function queryRoot(graph: Graph): GraphValue {
  const { ctx } = graph;
  return {
    viewer: () => viewerNode(graph),
    user: ({ login }: { login: string }) => named(graph, login, 'User'),
    organization: ({ login }: { login: string }) => named(graph, login, 'Organization'),
    repositoryOwner: ({ login }: { login: string }) => {
      const account = findAccount(ctx, login);
      return account && !login.startsWith(':') ? accountNode(graph, account) : null;
    },
    repository: ({ owner, name }: { owner: string; name: string }) => repositoryNamed(graph, owner, name),
    node: ({ id }: { id: string }) => nodeOf(graph, id),
    nodes: ({ ids }: { ids: readonly string[] }) => ids.map((id) => nodeOf(graph, id)),
    resource: ({ url }: { url: string }) => resourceAt(graph, url),
    rateLimit: () => rateLimit(graph),
    meta: { gitHubServicesSha: '0'.repeat(40), isPasswordAuthenticationVerifiable: false },
    search: (args: SearchArguments) => search(graph, args),
  };
}

function named(graph: Graph, login: string, type: 'User' | 'Organization'): GraphValue {
  const account = login.startsWith(':') ? undefined : findAccount(graph.ctx, login);
  if (account?.type === type) return accountNode(graph, account);
  const article = type === 'User' ? 'a User' : 'an Organization';
  throw new GraphError('NOT_FOUND', `Could not resolve to ${article} with the login of '${login}'.`);
}

/** The thing at an address of the web site: an account, a repository, an issue or a pull. */
function resourceAt(graph: Graph, url: string): GraphValue | null {
  const path = /^https:\/\/github\.com\/([^?#]+)/u.exec(url)?.[1] ?? '';
  const [owner = '', name, kind, number] = path.split('/').filter((part) => part !== '');
  const account = findAccount(graph.ctx, owner);
  if (!account || owner.startsWith(':')) return null;
  if (name === undefined) return accountNode(graph, account);
  const repository = repositoryNamed(graph, owner, name);
  const row = graph.ctx.tx.repositories.get(Number(repository.databaseId));
  if (kind === undefined || !row) return repository;
  if (kind === 'issues') return issueNamed(graph, row, Number(number));
  return kind === 'pull' ? pullNamed(graph, row, Number(number)) : null;
}

/** How the bucket of such requests stands, this one included. */
function rateLimit({ ctx }: Graph): GraphValue {
  const limit = limitOf('graphql', ctx.actor);
  const bucket = bucketOf(ctx.tx.rate_buckets, ctx.actor, { limit, nowMs: ctx.nowMs });
  return {
    cost: 1,
    limit: bucket.limit,
    nodeCount: 0,
    remaining: Math.max(0, bucket.remaining - 1),
    resetAt: momentText(bucket.reset * 1_000),
    used: bucket.used + 1,
  };
}

interface SearchArguments extends PageArguments {
  readonly query: string;
  readonly type: 'DISCUSSION' | 'ISSUE' | 'ISSUE_ADVANCED' | 'REPOSITORY' | 'USER';
}

interface Found {
  readonly id: number;
  readonly show: () => GraphValue;
}

/** As many results as can be looked through. */
const RESULTS_MOST = 1_000;

function search(graph: Graph, args: SearchArguments): GraphValue {
  const isIssues = args.type === 'ISSUE' || args.type === 'ISSUE_ADVANCED';
  const found = (): Found[] => foundBy(graph, args);
  const count = (isAsked: boolean) => () => (isAsked ? found().length : 0);
  return connection(args, {
    name: 'search',
    items: () => found().slice(0, RESULTS_MOST),
    key: ({ id }) => id,
    show: ({ show }) => show(),
    extra: {
      codeCount: 0,
      discussionCount: 0,
      issueCount: count(isIssues),
      repositoryCount: count(args.type === 'REPOSITORY'),
      userCount: count(args.type === 'USER'),
      wikiCount: 0,
    },
  });
}

function foundBy(graph: Graph, { query, type }: SearchArguments): Found[] {
  const { ctx } = graph;
  const read = parseQuery(query);
  switch (type) {
    case 'ISSUE':
    case 'ISSUE_ADVANCED':
      return foundIssues(ctx, read).map((issue) => ({
        id: issue.id,
        show: () => (issue.kind === 'pull' ? pullNode(graph, issue.id) : issueNode(graph, issue)),
      }));
    case 'REPOSITORY':
      return foundRepositories(ctx, read).map((row) => ({
        id: row.id,
        show: () => repositoryNode(graph, row),
      }));
    case 'USER':
      return foundAccounts(ctx, read).map((row) => ({ id: row.id, show: () => accountNode(graph, row) }));
    default:
      return [];
  }
}
