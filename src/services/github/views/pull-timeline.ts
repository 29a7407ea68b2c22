import type { JsonObject } from '../../../service/index.ts';
import { utcSeconds } from '../git/index.ts';
import type { Reading } from '../operation.ts';
import { commitsOf } from '../rules/pulls.ts';
import { seesReview } from '../rules/reviews.ts';
import type { Issue } from '../schema/issues.ts';
import { gitCommitView } from './git.ts';
import type { Place } from './issues.ts';
import { reviewView } from './reviews.ts';

/** An entry of a timeline and its moment. */
export interface TimelineEntry {
  readonly moment: string;
  readonly view: JsonObject;
}

/** What the timeline of a pull has beyond that of an issue: its commits and its reviews. */
export function pullEntries(ctx: Reading, place: Place, issue: Issue): TimelineEntry[] {
  const pull = ctx.tx.pulls.get(issue.id);
  if (!pull) return [];
  const commits = commitsOf(ctx, pull).map(({ sha, commit }): TimelineEntry => {
    const view = { ...gitCommitView(ctx, place, sha), event: 'committed' };
    return { moment: utcSeconds(commit.committer.date), view };
  });
  const reviews = [...ctx.tx.pull_reviews.by('by_issue', [issue.id])].flatMap((review) => {
    const { submitted_at: moment } = review;
    if (moment === null || !seesReview(ctx, review)) return [];
    return [{ moment, view: { ...reviewView(ctx, place, review), event: 'reviewed' } }];
  });
  return [...commits, ...reviews];
}
