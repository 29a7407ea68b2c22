import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import { gitReader, textAt } from '../git/index.ts';
import { operation } from '../operation.ts';
import { type FoundCommit, type FoundFile, foundCommits, foundFiles } from '../rules/search/code.ts';
import { commitView, encodedPath } from '../views/git.ts';
import { placeOf } from '../views/issues.ts';
import { ownerOf, simpleRepository } from '../views/repositories.ts';
import { textMatches } from '../views/text-matches.ts';
import { API } from '../views/urls.ts';
import { FOUND, queryOf, results, SEARCH } from './search-issues.ts';

const searchCode = operation({
  id: 'search/code',
  summary: 'Finds files of default branches by the words in them.',
  effect: 'read',
  http: { method: 'GET', path: '/search/code' },
  input: z.looseObject(SEARCH),
  output: FOUND,
  example: { q: 'dim repo:octo-works/lamp' },
  run(ctx, input) {
    const query = queryOf(ctx, input.q);
    if (query.words.length + query.phrases.length === 0) {
      const message = [
        'Search text is required when searching source code.',
        'Searches that use qualifiers only are not allowed.',
      ].join(' ');
      ctx.fail('unprocessable', {
        message,
        errors: [{ message, resource: 'Search', field: 'q', code: 'invalid' }],
      });
    }
    const show = ({ repository, commit, path, sha }: FoundFile): JsonObject => {
      const numbered = `${API}/repositories/${repository.id}`;
      const view = {
        name: path.slice(path.lastIndexOf('/') + 1),
        path,
        sha,
        url: `${numbered}/contents/${encodedPath(path)}?ref=${commit}`,
        git_url: `${numbered}/git/blobs/${sha}`,
        html_url: `${placeOf(ctx, repository).web}/blob/${commit}/${encodedPath(path)}`,
        repository: simpleRepository(ownerOf(ctx, repository), repository),
      };
      const properties = [['content', textAt(gitReader(ctx.tx), sha) ?? '']] as const;
      return { ...view, ...textMatches(ctx, query, { view, type: 'FileContent', properties }) };
    };
    return results(ctx, input, { items: foundFiles(ctx, query), path: '/search/code', show });
  },
});

const searchCommits = operation({
  id: 'search/commits',
  summary: 'Finds commits of default branches by the words of their messages.',
  effect: 'read',
  http: { method: 'GET', path: '/search/commits' },
  input: z.looseObject(SEARCH),
  output: FOUND,
  example: { q: 'dim repo:octo-works/lamp' },
  run(ctx, input) {
    const query = queryOf(ctx, input.q);
    const items = foundCommits(ctx, query);
    if (input.sort !== undefined && input.order === 'asc') items.reverse();
    const show = ({ repository, sha }: FoundCommit): JsonObject => {
      const view = commitView(ctx, placeOf(ctx, repository), sha);
      const properties = [['message', ctx.tx.git_objects.get(sha)?.commit?.message ?? '']] as const;
      return {
        ...view,
        repository: simpleRepository(ownerOf(ctx, repository), repository),
        ...textMatches(ctx, query, { view, type: 'Commit', properties }),
      };
    };
    return results(ctx, input, { items, path: '/search/commits', show });
  },
});

export const searchCodeOperations = [searchCode, searchCommits];
