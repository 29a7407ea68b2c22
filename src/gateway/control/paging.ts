import { UsageError } from '../../base/errors.ts';

/** Items of a page where a caller does not say. */
export const PAGE = 100;

/** What a caller says of the page it wants. */
export interface PageQuery {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/** Where a page starts whose `next` is a count. @throws UsageError for a text that is none. */
export function startOf(after = '0'): number {
  if (/^\d{1,15}$/u.test(after)) return Number(after);
  throw badPage();
}

export function badPage(): UsageError {
  return new UsageError('bad-page', 'after is not the next of a page', {
    hint: 'give it as it came, percent-encoded',
  });
}
