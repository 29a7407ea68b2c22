import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import { operation, type Reading } from '../operation.ts';
import { roleIn } from '../rules/repositories.ts';
import type { Sort, SortKey } from '../rules/search/order.ts';
import { foundAccounts, foundRepositories } from '../rules/search/repositories.ts';
import { wordsOf } from '../rules/search/words.ts';
import type { Account } from '../schema/accounts.ts';
import type { Label } from '../schema/issues.ts';
import type { Repository } from '../schema/repositories.ts';
import { simpleUser } from '../views/accounts.ts';
import { labelView, placeOf } from '../views/issues.ts';
import { minimalRepository } from '../views/repositories.ts';
import { textMatches } from '../views/text-matches.ts';
import { searchCodeOperations } from './search-code.ts';
import { FOUND, queryOf, results, SEARCH, searchIssues } from './search-issues.ts';

function sortBy<Item>(key: SortKey<Item> | undefined, order: 'asc' | 'desc' | undefined): Sort<Item> | null {
  return key ? { key, order } : null;
}

const REPOSITORY_SORTS: Readonly<Record<string, SortKey<Repository>>> = {
  stars: ({ stargazers }) => stargazers,
  forks: ({ forks }) => forks,
  updated: ({ pushed_at }) => pushed_at,
  'help-wanted-issues': ({ open_issues }) => open_issues,
};

const searchRepositories = operation({
  id: 'search/repos',
  summary: 'Finds repositories by words and qualifiers.',
  effect: 'read',
  http: { method: 'GET', path: '/search/repositories' },
  input: z.looseObject(SEARCH),
  output: FOUND,
  example: { q: 'lamp user:octo-works' },
  run(ctx, input) {
    const query = queryOf(ctx, input.q);
    const items = foundRepositories(ctx, query);
    const sort = sortBy(REPOSITORY_SORTS[input.sort ?? ''], input.order);
    const show = (repository: Repository): JsonObject => {
      const view = minimalRepository(ctx, repository);
      const properties = [
        ['name', repository.name],
        ['description', repository.description ?? ''],
      ] as const;
      return { ...view, ...textMatches(ctx, query, { view, type: 'Repository', properties }) };
    };
    return results(ctx, input, { items, sort, path: '/search/repositories', show });
  },
});

const ACCOUNT_SORTS: Readonly<Record<string, SortKey<Account>>> = {
  followers: ({ followers }) => followers,
  repositories: ({ public_repos }) => public_repos,
  joined: ({ created_at }) => created_at,
};

const searchUsers = operation({
  id: 'search/users',
  summary: 'Finds people and organisations by words and qualifiers.',
  effect: 'read',
  http: { method: 'GET', path: '/search/users' },
  input: z.looseObject(SEARCH),
  output: FOUND,
  example: { q: 'mona type:user' },
  run(ctx, input) {
    const query = queryOf(ctx, input.q);
    const items = foundAccounts(ctx, query);
    const sort = sortBy(ACCOUNT_SORTS[input.sort ?? ''], input.order);
    const show = (account: Account): JsonObject => {
      const view = simpleUser(account);
      const properties = [['login', account.login]] as const;
      return { ...view, ...textMatches(ctx, query, { view, type: 'User', properties }) };
    };
    return results(ctx, input, { items, sort, path: '/search/users', show });
  },
});

const searchLabels = operation({
  id: 'search/labels',
  summary: 'Finds labels of one repository by words in their names and descriptions.',
  effect: 'read',
  http: { method: 'GET', path: '/search/labels' },
  input: z.looseObject({ ...SEARCH, repository_id: z.int() }),
  output: FOUND,
  example: { q: 'bug', repository_id: 990_000_001 },
  run(ctx, input) {
    const query = queryOf(ctx, input.q);
    const repository = ctx.tx.repositories.get(input.repository_id);
    if (!repository || roleIn(ctx, repository) === null) return ctx.fail('not_found');
    const place = placeOf(ctx, repository);
    const items = [...ctx.tx.labels.by('by_name', [repository.id])].filter((label) => {
      const words = wordsOf(`${label.name} ${label.description ?? ''}`);
      return query.words.every((word) => words.has(word));
    });
    const show = (label: Label): JsonObject => {
      const view = labelView(place, label);
      const properties = [['name', label.name]] as const;
      return { ...view, ...textMatches(ctx, query, { view, type: 'Label', properties }) };
    };
    return results(ctx, input, { items, path: '/search/labels', show });
  },
});

/** How often each topic is on repositories that the caller may see. */
function topicCounts(ctx: Reading): Map<string, number> {
  const counts = new Map<string, number>();
  for (const repository of ctx.tx.repositories.scan()) {
    if (repository.topics.length === 0 || roleIn(ctx, repository) === null) continue;
    for (const topic of repository.topics) counts.set(topic, (counts.get(topic) ?? 0) + 1);
  }
  return counts;
}

const searchTopics = operation({
  id: 'search/topics',
  summary: 'Finds topics that repositories have.',
  effect: 'read',
  http: { method: 'GET', path: '/search/topics' },
  input: z.looseObject(SEARCH),
  output: FOUND,
  example: { q: 'firmware' },
  run(ctx, input) {
    const query = queryOf(ctx, input.q);
    const asked = query.qualifiers.filter(({ name }) => !['sort', 'in'].includes(name));
    const counts = topicCounts(ctx);
    const items = [...counts.keys()].sort().filter((topic) => {
      const words = wordsOf(topic);
      const repositories = asked.every(({ name }) => name === 'repositories' || name === 'is');
      return repositories && query.words.every((word) => words.has(word));
    });
    const show = (name: string): JsonObject => ({
      name,
      display_name: null,
      short_description: null,
      description: null,
      created_by: null,
      released: null,
      created_at: '2016-12-07T00:00:00Z',
      updated_at: '2016-12-07T00:00:00Z',
      featured: false,
      curated: false,
    });
    return results(ctx, input, { items, path: '/search/topics', show });
  },
});

export const searchOperations = [
  searchIssues,
  searchRepositories,
  searchUsers,
  searchLabels,
  searchTopics,
  ...searchCodeOperations,
];
