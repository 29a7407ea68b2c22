import type { JsonObject } from '../../../service/index.ts';
import { totalsOf } from '../git/index.ts';
import type { Reading } from '../operation.ts';
import { standingOf } from '../rules/pull-trials.ts';
import { commitsOf, filesOf, headLabel, type PullFound } from '../rules/pulls.ts';
import type { Pull } from '../schema/pulls.ts';
import type { Repository } from '../schema/repositories.ts';
import { simpleUser, simpleUserOrNull } from './accounts.ts';
import { assigneesOf, labelsOf, labelView, milestoneView, type Place, placeOf } from './issues.ts';
import { globalId } from './node-ids.ts';
import { minimalRepository, ownerOf } from './repositories.ts';
import { listedTeam } from './teams.ts';

/** The addresses of what belongs to a pull. */
function addressesOf({ url, web }: Place, number: number, head_sha: string): Record<string, string> {
  const own = `${url}/pulls/${number}`;
  return {
    self: own,
    html: `${web}/pull/${number}`,
    issue: `${url}/issues/${number}`,
    comments: `${url}/issues/${number}/comments`,
    review_comments: `${own}/comments`,
    review_comment: `${url}/pulls/comments{/number}`,
    commits: `${own}/commits`,
    statuses: `${url}/statuses/${head_sha}`,
  };
}

/** A pull as lists show it: without what came of trying to merge it, and without counts. */
export function listedPull(ctx: Reading, place: Place, { repository, issue, pull }: PullFound): JsonObject {
  const { tx } = ctx;
  const to = addressesOf(place, issue.number, pull.head_sha);
  const assignees = assigneesOf(ctx, issue);
  const milestone = issue.milestone_id === null ? undefined : tx.milestones.get(issue.milestone_id);
  const isTold = ctx.nowMs >= pull.tried_ms || pull.merged_at !== null;
  return {
    url: to.self ?? '',
    id: pull.pull_id,
    node_id: globalId('PR', [0, repository.id, pull.pull_id]),
    html_url: to.html ?? '',
    diff_url: `${to.html}.diff`,
    patch_url: `${to.html}.patch`,
    issue_url: to.issue ?? '',
    number: issue.number,
    state: issue.state,
    locked: issue.locked,
    title: issue.title,
    user: simpleUserOrNull(issue.user_id === null ? null : tx.accounts.get(issue.user_id)),
    body: issue.body,
    created_at: issue.created_at,
    updated_at: issue.updated_at,
    closed_at: issue.closed_at,
    merged_at: pull.merged_at,
    merge_commit_sha: isTold ? pull.merge_commit_sha : null,
    assignee: assignees[0] ?? null,
    assignees,
    ...requestedOf(ctx, issue.id),
    labels: labelsOf(ctx, issue).map((label) => labelView(place, label)),
    milestone: milestone ? milestoneView(ctx, place, milestone) : null,
    draft: pull.draft,
    commits_url: to.commits ?? '',
    review_comments_url: to.review_comments ?? '',
    review_comment_url: to.review_comment ?? '',
    comments_url: to.comments ?? '',
    statuses_url: to.statuses ?? '',
    head: headView(ctx, pull),
    base: endView(ctx, repository, { ref: pull.base_ref, sha: pull.base_sha }),
    _links: Object.fromEntries(Object.entries(to).map(([name, href]) => [name, { href }])),
    author_association: issue.author_association,
    auto_merge: pull.auto_merge,
    active_lock_reason: issue.active_lock_reason,
  };
}

/** People and teams that are asked to review a pull. */
export function requestedOf(ctx: Reading, issue_id: number): JsonObject {
  const { tx } = ctx;
  const users = [...tx.review_requests.by('by_position', [issue_id, 'user'])];
  const teams = [...tx.review_requests.by('by_position', [issue_id, 'team'])];
  return {
    requested_reviewers: users.flatMap(({ subject_id }) => {
      const account = tx.accounts.get(subject_id);
      return account ? [simpleUser(account)] : [];
    }),
    requested_teams: teams.flatMap(({ subject_id }) => {
      const team = tx.teams.get(subject_id);
      const org = team && tx.accounts.get(team.org_id);
      return team && org ? [listedTeam(ctx, team, org)] : [];
    }),
  };
}

/** Where a pull comes from; a repository that is gone is null. */
function headView(ctx: Reading, pull: Pull): JsonObject {
  const { head_repository_id: id, head_owner_id: owner, head_ref: ref, head_sha: sha } = pull;
  const home = id === null ? undefined : ctx.tx.repositories.get(id);
  if (home) return endView(ctx, home, { ref, sha });
  const user = simpleUserOrNull(owner === null ? null : ctx.tx.accounts.get(owner));
  return { label: headLabel(ctx, pull), ref, sha, user, repo: null };
}

function endView(
  ctx: Reading,
  repository: Repository,
  { ref, sha }: { readonly ref: string; readonly sha: string },
): JsonObject {
  const owner = ownerOf(ctx, repository);
  const { permissions, security_and_analysis, ...repo } = minimalRepository(ctx, repository);
  return { label: `${owner.login}:${ref}`, ref, sha, user: simpleUser(owner), repo: repo as JsonObject };
}

/** A single pull: everything. */
export function pullView(ctx: Reading, found: PullFound): JsonObject {
  const { repository, issue, pull } = found;
  const { additions, deletions, files } = totalsOf(filesOf(ctx, pull));
  const { mergeable, rebaseable, state } = standingOf(ctx, pull);
  const merger = pull.merged_by_id === null ? undefined : ctx.tx.accounts.get(pull.merged_by_id);
  return {
    ...listedPull(ctx, placeOf(ctx, repository), found),
    merged: pull.merged_at !== null,
    mergeable,
    rebaseable,
    mergeable_state: state,
    merged_by: simpleUserOrNull(merger),
    comments: issue.comments,
    review_comments: commentCount(ctx, issue.id),
    maintainer_can_modify: pull.maintainer_can_modify,
    commits: commitsOf(ctx, pull).length,
    additions,
    deletions,
    changed_files: files,
  };
}

/** Comments on lines that everybody sees: those of pending reviews don't count yet. */
function commentCount({ tx }: Reading, issue_id: number): number {
  let count = 0;
  for (const { review_id } of tx.review_comments.by('by_issue', [issue_id])) {
    const review = review_id === null ? undefined : tx.pull_reviews.get(review_id);
    if (review?.state !== 'PENDING') count += 1;
  }
  return count;
}
