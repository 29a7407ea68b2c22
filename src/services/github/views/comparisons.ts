import type { JsonObject } from '../../../service/index.ts';
import type { Reading } from '../operation.ts';
import { type Compared, filesBetween } from '../rules/comparisons.ts';
import { commitView, fileView } from './git.ts';
import type { Place } from './issues.ts';
import { ownerOf } from './repositories.ts';

/** How many files a comparison shows, on its first page alone. */
const FILES = 300;

/** Two commits compared; `shown` are the commits of the page, of all that the head is ahead. */
export function comparisonView(
  ctx: Reading,
  { place, both, basehead }: { readonly place: Place; readonly both: Compared; readonly basehead: string },
  shown: { readonly shas: readonly string[]; readonly page: number },
): JsonObject {
  const { base, head, ahead, behindCount, status, mergeBase } = both;
  const web = `${place.web}/compare/${basehead}`;
  const permanent = [base, head].map(
    ({ repository, sha }) => `${ownerOf(ctx, repository).login}:${sha.slice(0, 7)}`,
  );
  return {
    url: `${place.url}/compare/${basehead}`,
    html_url: web,
    permalink_url: `${place.web}/compare/${permanent.join('...')}`,
    diff_url: `${web}.diff`,
    patch_url: `${web}.patch`,
    base_commit: commitView(ctx, place, base.sha),
    merge_base_commit: commitView(ctx, place, mergeBase ?? base.sha),
    status,
    ahead_by: ahead.length,
    behind_by: behindCount,
    total_commits: ahead.length,
    commits: shown.shas.map((sha) => commitView(ctx, place, sha)),
    files:
      shown.page > 1
        ? []
        : filesBetween(ctx, both)
            .slice(0, FILES)
            .map((file) => fileView(place, { head: head.sha, nowMs: ctx.nowMs }, file)),
  };
}
