import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import { operation, type Writing } from '../operation.ts';
import { shown } from '../output.ts';
import { type PullFound, pullAt, pullOf } from '../rules/pulls.ts';
import { requireRole } from '../rules/repositories.ts';
import { requestReviews, withdrawRequests } from '../rules/review-requests.ts';
import { requireViewer } from '../rules/viewer.ts';
import { placeOf } from '../views/issues.ts';
import { listedPull, requestedOf } from '../views/pulls.ts';
import { EXAMPLE_PULL, PULL, PULL_PLACE } from './pulls.ts';

const REVIEWERS = {
  reviewers: z.array(z.string()).optional().describe('Logins.'),
  team_reviewers: z.array(z.string()).optional().describe('Slugs of teams.'),
};

const listRequested = operation({
  id: 'pulls/list-requested-reviewers',
  summary: 'Lists who is asked to review a pull request.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers' },
  input: z.looseObject(PULL_PLACE),
  output: shown('users', 'teams'),
  example: EXAMPLE_PULL,
  run(ctx, input) {
    const { issue } = pullAt(ctx, input);
    const { requested_reviewers: users = [], requested_teams: teams = [] } = requestedOf(ctx, issue.id);
    return { users, teams };
  },
});

const requestReviewers = operation({
  id: 'pulls/request-reviewers',
  summary: 'Asks people and teams to review a pull request.',
  effect: 'write',
  http: {
    method: 'POST',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers',
    status: 201,
  },
  input: z.looseObject({ ...PULL_PLACE, ...REVIEWERS }),
  output: PULL,
  example: { ...EXAMPLE_PULL, reviewers: ['mona'] },
  run(ctx, input) {
    const found = pullAt(ctx, input);
    mayAsk(ctx, found);
    requestReviews(ctx, found, input);
    const view = shortView(ctx, found);
    ctx.reply({ facts: { location: view.url ?? null } });
    return view;
  },
});

const removeRequested = operation({
  id: 'pulls/remove-requested-reviewers',
  summary: 'Asks people and teams no more to review a pull request.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers' },
  input: z.looseObject({ ...PULL_PLACE, ...REVIEWERS, reviewers: z.array(z.string()) }),
  output: PULL,
  example: { ...EXAMPLE_PULL, reviewers: ['mona'] },
  run(ctx, input) {
    const found = pullAt(ctx, input);
    mayAsk(ctx, found);
    withdrawRequests(ctx, found, input);
    return shortView(ctx, found);
  },
});

/** Authors and those who may write ask for reviews. */
function mayAsk(ctx: Writing, { repository, issue }: PullFound): void {
  if (issue.user_id !== requireViewer(ctx).id) requireRole(ctx, repository, 'triage');
}

function shortView(ctx: Writing, { repository, issue }: PullFound): JsonObject {
  return listedPull(ctx, placeOf(ctx, repository), pullOf(ctx, issue.id));
}

export const reviewRequestOperations = [listRequested, requestReviewers, removeRequested];
