import { PUBLISHED } from '../coverage.ts';
import { oldPageOf } from './old-pages.ts';

/** Where the pages for people were in turn: the last of these that began before a moment holds then. */
const MOVED_TO_DOCS_MS = Date.UTC(2020, 7, 1);
const SPLIT_BY_RESOURCE_MS = Date.UTC(2022, 9, 15);

const OLD_SITE = 'https://developer.github.com/v3';
const SITE = 'https://docs.github.com/rest';

/** Operations whose errors still name the page of before the split. */
const LEFT_BEHIND: ReadonlySet<string> = new Set(['repos/get', 'repos/get-content']);

/** What an answer names that sends on to another place. */
export function redirectsUrl(nowMs: number): string {
  const host = nowMs < MOVED_TO_DOCS_MS ? 'developer' : 'docs';
  return `https://${host}.github.com/v3/#http-redirects`;
}

/** The page that an error names: the operation's own, or the general one where it is about none. */
export function documentationUrl(
  { operation, status }: { readonly operation: string | undefined; readonly status: number },
  nowMs: number,
): string {
  const published = operation === undefined ? undefined : PUBLISHED.get(operation);
  const isGeneral = status === 401 || (status === 404 && operation === 'users/get-by-username');
  if (nowMs < MOVED_TO_DOCS_MS) {
    const page = published && !isGeneral ? oldPageOf(published.operation) : undefined;
    return page === undefined ? OLD_SITE : `${OLD_SITE}/${page}`;
  }
  if (!published || isGeneral) return SITE;
  if (nowMs >= SPLIT_BY_RESOURCE_MS && !LEFT_BEHIND.has(published.operation))
    return published.documentationUrl;
  const [area = ''] = published.operation.split('/');
  return `${SITE}/reference/${area}#${published.documentationUrl.split('#')[1] ?? ''}`;
}
