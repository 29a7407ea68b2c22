import type { JsonObject } from '../../../service/index.ts';
import type { Reading, Writing } from '../operation.ts';
import type { Account } from '../schema/accounts.ts';
import type { Repository } from '../schema/repositories.ts';
import type { Team } from '../schema/teams.ts';
import { addEvent, isAssignable, touch } from './issues.ts';
import type { PullFound } from './pulls.ts';

/** Who is to be asked, or asked no more, to review a pull. */
export interface ReviewersWish {
  readonly reviewers?: readonly string[] | undefined;
  readonly team_reviewers?: readonly string[] | undefined;
}

/** A person or a team, by number. */
type Reviewer = readonly ['user' | 'team', number];

interface Reviewers {
  readonly people: readonly Account[];
  readonly teams: readonly Team[];
}

const NOT_COLLABORATOR =
  'Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the %s repository.';

/** The people and teams of a request; 422 when one of them may not review. */
function reviewersIn(ctx: Reading, { repository, issue }: PullFound, wish: ReviewersWish): Reviewers {
  const { tx } = ctx;
  const owner = tx.accounts.get(repository.owner_id);
  const refuse = (message: string): never => ctx.fail('unprocessable', { message });
  const name = `${owner?.login ?? ''}/${repository.name}`;
  const people = (wish.reviewers ?? []).map((login) => {
    const account = tx.accounts.unique('by_login', [login.toLowerCase()]);
    if (account?.id === issue.user_id) refuse('Review cannot be requested from pull request author.');
    if (!account || !isAssignable(ctx, repository, account)) {
      return refuse(NOT_COLLABORATOR.replace('%s', name));
    }
    return account;
  });
  const teams = (wish.team_reviewers ?? []).map(
    (slug) => teamNamed(ctx, repository, slug) ?? refuse(NOT_COLLABORATOR.replace('%s', name)),
  );
  return { people, teams };
}

function teamNamed({ tx }: Reading, repository: Repository, slug: string): Team | undefined {
  return tx.teams.unique('by_slug', [repository.owner_id, slug.toLowerCase()]);
}

/** Asks people and teams to review a pull. */
export function requestReviews(ctx: Writing, found: PullFound, wish: ReviewersWish): void {
  const { people, teams } = reviewersIn(ctx, found, wish);
  for (const { id } of people) ask(ctx, found, ['user', id]);
  for (const { id } of teams) ask(ctx, found, ['team', id]);
  touch(ctx, found.issue);
}

function ask(ctx: Writing, { issue }: PullFound, [kind, subject_id]: Reviewer): void {
  const { tx } = ctx;
  if (tx.review_requests.has([issue.id, kind, subject_id])) return;
  const last = [...tx.review_requests.by('by_position', [issue.id, kind])].at(-1)?.position ?? 0;
  tx.review_requests.insert({ issue_id: issue.id, kind, subject_id, position: last + 1 });
  addEvent(ctx, issue, { event: 'review_requested', details: detailsOf(kind, subject_id) });
}

function detailsOf(kind: 'user' | 'team', id: number): JsonObject {
  return kind === 'user' ? { requested_reviewer_id: id } : { requested_team_id: id };
}

/** Asks people and teams no more; those who were not asked are left out without a word. */
export function withdrawRequests(ctx: Writing, found: PullFound, wish: ReviewersWish): void {
  const { tx } = ctx;
  for (const login of wish.reviewers ?? []) {
    const account = tx.accounts.unique('by_login', [login.toLowerCase()]);
    if (account) withdraw(ctx, found, ['user', account.id]);
  }
  for (const slug of wish.team_reviewers ?? []) {
    const team = teamNamed(ctx, found.repository, slug);
    if (team) withdraw(ctx, found, ['team', team.id]);
  }
  touch(ctx, found.issue);
}

function withdraw(ctx: Writing, { issue }: PullFound, [kind, subject_id]: Reviewer): void {
  const key = [issue.id, kind, subject_id];
  if (!ctx.tx.review_requests.has(key)) return;
  ctx.tx.review_requests.delete(key);
  addEvent(ctx, issue, { event: 'review_request_removed', details: detailsOf(kind, subject_id) });
}

/** Who has reviewed need not be asked any more. */
export function fulfilRequest({ tx }: Writing, { issue }: PullFound, user_id: number): void {
  const key = [issue.id, 'user', user_id];
  if (tx.review_requests.has(key)) tx.review_requests.delete(key);
}
