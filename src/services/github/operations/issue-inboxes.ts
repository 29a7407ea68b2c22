import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf } from '../output.ts';
import { issueFilter, sortedIssues } from '../rules/issue-lists.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { roleIn, roleOf } from '../rules/repositories.ts';
import { organizationNamed, requireViewer } from '../rules/viewer.ts';
import type { Account } from '../schema/accounts.ts';
import type { Issue } from '../schema/issues.ts';
import type { Repository } from '../schema/repositories.ts';
import { issueView, placeOf } from '../views/issues.ts';
import { minimalRepository } from '../views/repositories.ts';

const FILTERS = {
  filter: z.enum(['assigned', 'created', 'mentioned', 'subscribed', 'repos', 'all']).optional(),
  state: z.enum(['open', 'closed', 'all']).optional(),
  labels: z.string().optional(),
  sort: z.enum(['created', 'updated', 'comments']).optional(),
  direction: z.enum(['asc', 'desc']).optional(),
  since: z.string().optional(),
  pulls: z.boolean().optional(),
};
type Filters = Partial<z.infer<z.ZodObject<typeof FILTERS>>>;

/** Whether an issue is the viewer's business, as `filter` says. */
function concerns(
  ctx: Reading,
  viewer: Account,
  { filter = 'assigned' }: Filters,
): (issue: Issue) => boolean {
  const { tx } = ctx;
  const mention = new RegExp(`(^|[^\\w-])@${viewer.login.replaceAll(/[^\w-]/gu, '')}($|[^\\w-])`, 'iu');
  const isAssigned = (issue: Issue): boolean => tx.issue_assignees.has([issue.id, viewer.id]);
  const isOwn = (issue: Issue): boolean => issue.user_id === viewer.id;
  const isMentioned = (issue: Issue): boolean => mention.test(issue.body ?? '');
  const hasSpoken = (issue: Issue): boolean =>
    [...tx.issue_comments.by('by_issue', [issue.id])].some(({ user_id }) => user_id === viewer.id);
  switch (filter) {
    case 'assigned':
      return isAssigned;
    case 'created':
      return isOwn;
    case 'mentioned':
      return isMentioned;
    case 'subscribed':
      return (issue) => isAssigned(issue) || isOwn(issue) || isMentioned(issue) || hasSpoken(issue);
    default:
      return () => true;
  }
}

/** Repositories that the viewer has to do with, and may see. */
function* repositoriesOf(ctx: Reading, viewer: Account, owner: Account | null): Generator<Repository> {
  const all = owner ? ctx.tx.repositories.by('by_owner', [owner.id]) : ctx.tx.repositories.scan();
  for (const repository of all) {
    if (roleIn(ctx, repository) !== null && roleOf(ctx, repository, viewer) !== null) yield repository;
  }
}

function inbox(ctx: Reading, input: Filters, { path, owner }: { path: string; owner: Account | null }) {
  const viewer = requireViewer(ctx);
  const isMine = concerns(ctx, viewer, input);
  const { state = 'open' } = input;
  const found: Issue[] = [];
  for (const repository of repositoriesOf(ctx, viewer, owner)) {
    const passes = issueFilter(ctx, { labels: input.labels, since: input.since }, repository);
    for (const issue of ctx.tx.issues.by('by_number', [repository.id])) {
      const isThere = issue.kind === 'pull' ? input.pulls !== false : repository.has_issues;
      if (isThere && (state === 'all' || issue.state === state) && isMine(issue) && passes(issue)) {
        found.push(issue);
      }
    }
  }
  return paged(ctx, input as JsonObject, {
    items: sortedIssues(found, input),
    path,
    show: (issue) => withRepository(ctx, issue),
  });
}

/** Among those of several repositories each issue tells where it is. */
function withRepository(ctx: Reading, issue: Issue): JsonObject {
  const repository = ctx.tx.repositories.get(issue.repository_id);
  if (!repository) return {};
  const view = issueView(ctx, placeOf(ctx, repository), issue);
  return { ...view, repository: minimalRepository(ctx, repository) };
}

const ISSUES = listOf('id', 'number', 'title', 'repository');

const listOwn = operation({
  id: 'issues/list',
  summary: "Lists issues that are the caller's business: those assigned to it, unless told otherwise.",
  effect: 'read',
  http: { method: 'GET', path: '/issues' },
  input: z.looseObject({ ...FILTERS, ...PAGE }),
  output: ISSUES,
  example: { filter: 'all' },
  run: (ctx, input) => inbox(ctx, input, { path: '/issues', owner: null }),
});

const listForViewer = operation({
  id: 'issues/list-for-authenticated-user',
  summary: 'Lists issues of repositories that the caller has to do with.',
  effect: 'read',
  http: { method: 'GET', path: '/user/issues' },
  input: z.looseObject({ ...FILTERS, ...PAGE }),
  output: ISSUES,
  example: { filter: 'all' },
  run: (ctx, input) => inbox(ctx, input, { path: '/user/issues', owner: null }),
});

const listForOrganization = operation({
  id: 'issues/list-for-org',
  summary: "Lists issues of an organisation's repositories that are the caller's business.",
  effect: 'read',
  http: { method: 'GET', path: '/orgs/{org}/issues' },
  input: z.looseObject({ org: z.string(), ...FILTERS, ...PAGE }),
  output: ISSUES,
  example: { org: 'octo-works', filter: 'all' },
  run(ctx, input) {
    const owner = organizationNamed(ctx, input.org);
    return inbox(ctx, input, { path: `/organizations/${owner.id}/issues`, owner });
  },
});

export const issueInboxOperations: readonly Operation[] = [listOwn, listForViewer, listForOrganization];
