import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import { operation, type Reading } from '../operation.ts';
import { shown } from '../output.ts';
import { PAGE, pageOf } from '../rules/paging.ts';
import { reactionsOf } from '../rules/search/issue-qualifiers.ts';
import { foundIssues } from '../rules/search/issues.ts';
import { firstInOrder, type Sort, type SortKey } from '../rules/search/order.ts';
import { parseQuery, type Query, valuesOf } from '../rules/search/query.ts';
import type { Issue } from '../schema/issues.ts';
import { issueView, type Place, placeOf } from '../views/issues.ts';
import type { CONTENTS } from '../views/reactions.ts';
import { textMatches } from '../views/text-matches.ts';

/** As many results as a search gives at most, over all pages. */
const RESULTS_MOST = 1_000;

export const SEARCH = {
  q: z.string().describe('Words and qualifiers.'),
  sort: z.string().optional(),
  order: z.enum(['asc', 'desc']).optional(),
  ...PAGE,
};

/** The query of a search; 422 where it is blank. */
export function queryOf(ctx: Reading, q: string): Query {
  if (q.trim() === '') {
    ctx.fail('validation_failed', { errors: [{ resource: 'Search', field: 'q', code: 'missing' }] });
  }
  return parseQuery(q);
}

/** What every search gives. */
export const FOUND = shown('total_count', 'incomplete_results', 'items');

/** One page of what was found, in the envelope of every search. */
export function results<Item>(
  ctx: Reading,
  input: { readonly page?: number | string | undefined; readonly per_page?: number | string | undefined },
  found: {
    readonly items: readonly Item[];
    /** In the order of the items where there is none. */
    readonly sort?: Sort<Item> | null;
    readonly path: string;
    readonly show: (item: Item) => JsonObject;
  },
): JsonObject {
  const { items, sort, path, show } = found;
  const { page, size } = pageOf(input);
  if ((page - 1) * size >= RESULTS_MOST) {
    ctx.fail('unprocessable', { message: 'Only the first 1000 search results are available' });
  }
  const last = Math.max(1, Math.ceil(Math.min(items.length, RESULTS_MOST) / size));
  ctx.reply({ facts: { page: { page, last, more: page < last, path, inPath: [] } } });
  const until = Math.min(page * size, RESULTS_MOST);
  const inOrder = sort ? firstInOrder(items, sort, until) : items;
  return {
    total_count: items.length,
    incomplete_results: false,
    items: inOrder.slice((page - 1) * size, until).map((item) => ({ ...show(item), score: 1 })),
  };
}

const REACTION_SORTS: Readonly<Record<string, (typeof CONTENTS)[number]>> = {
  'reactions-+1': '+1',
  'reactions--1': '-1',
  'reactions-smile': 'laugh',
  'reactions-thinking_face': 'confused',
  'reactions-heart': 'heart',
  'reactions-tada': 'hooray',
};

/** By what results are sorted; null leaves the newest first. */
function sortKey(ctx: Reading, sort: string | undefined): SortKey<Issue> | null {
  if (sort === 'updated') return (issue) => issue.updated_at;
  if (sort === 'comments') return (issue) => issue.comments;
  if (sort === 'interactions') return (issue) => issue.comments + reactionsOf(ctx, issue);
  if (sort === 'reactions') return (issue) => reactionsOf(ctx, issue);
  const content = REACTION_SORTS[sort ?? ''];
  return content === undefined ? null : (issue) => reactionsOf(ctx, issue, content);
}

interface Ordering {
  readonly sort?: string | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
}

/** A sort in the query, such as `sort:updated-asc`, holds where no member says it. */
function orderOf(query: Query, input: Ordering): Ordering {
  const [said] = valuesOf(query, 'sort');
  if (input.sort !== undefined || said === undefined) return input;
  const [, sort = said, order] = /^(.*)-(asc|desc)$/u.exec(said) ?? [];
  return { sort, order: order === 'asc' ? 'asc' : 'desc' };
}

export const searchIssues = operation({
  id: 'search/issues-and-pull-requests',
  summary: 'Finds issues and pulls by words and qualifiers.',
  effect: 'read',
  http: { method: 'GET', path: '/search/issues' },
  input: z.looseObject(SEARCH),
  output: FOUND,
  example: { q: 'repo:octo-works/lamp is:issue flickers' },
  run(ctx, input) {
    const query = queryOf(ctx, input.q);
    const { sort, order } = orderOf(query, input);
    const newest = foundIssues(ctx, query);
    const key = sortKey(ctx, sort);
    const items = sort === 'created' && order === 'asc' ? newest.reverse() : newest;
    const places = new Map<number, Place>();
    const show = (issue: Issue): JsonObject => {
      const place = places.get(issue.repository_id) ?? placeOfIssue(ctx, issue);
      places.set(issue.repository_id, place);
      const { closed_by: _closedBy, ...view } = issueView(ctx, place, issue);
      const properties = [
        ['title', issue.title],
        ['body', issue.body ?? ''],
      ] as const;
      return { ...view, ...textMatches(ctx, query, { view, type: 'Issue', properties }) };
    };
    return results(ctx, input, { items, sort: key && { key, order }, path: '/search/issues', show });
  },
});

function placeOfIssue(ctx: Reading, issue: Issue): Place {
  const repository = ctx.tx.repositories.get(issue.repository_id);
  return repository ? placeOf(ctx, repository) : ctx.fail('not_found');
}
