import { z } from 'zod';
import { operation, type Reading } from '../operation.ts';
import { nothing, shown } from '../output.ts';
import type { BranchProtection } from '../schema/git.ts';
import { statusChecksOf } from '../views/branches.ts';
import { placeOf } from '../views/issues.ts';
import { checksView, type ReviewRules, reviewsView, switchView } from '../views/protection.ts';
import {
  BRANCH_PLACE,
  CHECKS,
  checksColumn,
  protectedBranch,
  REVIEWS,
  reviewsColumn,
  setRules,
} from './protection.ts';

const PATH = '/repos/{owner}/{repo}/branches/{branch}/protection';
const EXAMPLE = { owner: 'octo-works', repo: 'lamp', branch: 'main' };
const input = z.looseObject(BRANCH_PLACE);

/** The three operations of a rule that is on or off, and has an address of its own. */
function switchOperations(
  name: 'enforce_admins' | 'required_signatures',
  ids: { readonly get: string; readonly set: string; readonly remove: string },
  what: string,
) {
  const path = `${PATH}/${name}`;
  const output = shown('url', 'enabled');
  const turned = ({ switches }: BranchProtection, on: boolean): string[] => [
    ...switches.filter((other) => other !== name),
    ...(on ? [name] : []),
  ];
  return [
    operation({
      id: ids.get,
      summary: `Reads whether ${what}.`,
      effect: 'read',
      http: { method: 'GET', path },
      input,
      output,
      example: EXAMPLE,
      run(ctx, place) {
        const { repository, protection } = protectedBranch(ctx, place);
        return switchView(placeOf(ctx, repository), protection, name);
      },
    }),
    operation({
      id: ids.set,
      summary: `Sets that ${what}.`,
      effect: 'write',
      http: { method: 'POST', path },
      input,
      output,
      example: EXAMPLE,
      run(ctx, place) {
        const { repository, protection } = protectedBranch(ctx, place);
        const changed = setRules(ctx, protection, { switches: turned(protection, true) });
        return switchView(placeOf(ctx, repository), changed, name);
      },
    }),
    operation({
      id: ids.remove,
      summary: `Sets that not any more ${what}.`,
      effect: 'write',
      http: { method: 'DELETE', path, status: 204 },
      input,
      output: nothing,
      example: EXAMPLE,
      run(ctx, place) {
        const { protection } = protectedBranch(ctx, place);
        setRules(ctx, protection, { switches: turned(protection, false) });
        return null;
      },
    }),
  ];
}

const getReviews = operation({
  id: 'repos/get-pull-request-review-protection',
  summary: 'Reads how pulls into a branch must be reviewed.',
  effect: 'read',
  http: { method: 'GET', path: `${PATH}/required_pull_request_reviews` },
  input,
  output: shown('url', 'dismiss_stale_reviews'),
  example: EXAMPLE,
  run(ctx, place) {
    const { repository, protection } = protectedBranch(ctx, place);
    return reviewsView(ctx, placeOf(ctx, repository), protection) ?? ctx.fail('not_found');
  },
});

const updateReviews = operation({
  id: 'repos/update-pull-request-review-protection',
  summary: 'Changes how pulls into a branch must be reviewed.',
  effect: 'write',
  http: { method: 'PATCH', path: `${PATH}/required_pull_request_reviews` },
  input: z.looseObject({ ...BRANCH_PLACE, ...REVIEWS }),
  output: shown('url', 'dismiss_stale_reviews'),
  example: { ...EXAMPLE, required_approving_review_count: 2 },
  run(ctx, place) {
    const { repository, protection } = protectedBranch(ctx, place);
    const before = protection.reviews as unknown as ReviewRules | null;
    const reviews = reviewsColumn(ctx, repository, { sent: place, before });
    const changed = setRules(ctx, protection, { reviews });
    return reviewsView(ctx, placeOf(ctx, repository), changed) ?? ctx.fail('not_found');
  },
});

const deleteReviews = operation({
  id: 'repos/delete-pull-request-review-protection',
  summary: 'Lets pulls into a branch go without review.',
  effect: 'write',
  http: { method: 'DELETE', path: `${PATH}/required_pull_request_reviews`, status: 204 },
  input,
  output: nothing,
  example: EXAMPLE,
  run(ctx, place) {
    const { protection } = protectedBranch(ctx, place);
    if (protection.reviews === null) ctx.fail('not_found');
    setRules(ctx, protection, { reviews: null });
    return null;
  },
});

const getChecks = operation({
  id: 'repos/get-status-checks-protection',
  summary: 'Reads which checks must pass before a branch moves.',
  effect: 'read',
  http: { method: 'GET', path: `${PATH}/required_status_checks` },
  input,
  output: shown('url', 'contexts'),
  example: EXAMPLE,
  run(ctx, place) {
    const { repository, protection } = protectedBranch(ctx, place);
    return checksView(placeOf(ctx, repository), protection) ?? noChecks(ctx);
  },
});

function noChecks(ctx: Reading): never {
  return ctx.fail('absent', { message: 'Required status checks not enabled' });
}

const updateChecks = operation({
  id: 'repos/update-status-check-protection',
  summary: 'Changes which checks must pass before a branch moves.',
  effect: 'write',
  http: { method: 'PATCH', path: `${PATH}/required_status_checks` },
  input: z.looseObject({ ...BRANCH_PLACE, ...CHECKS }),
  output: shown('url', 'contexts'),
  example: { ...EXAMPLE, strict: true },
  run(ctx, place) {
    const { repository, protection } = protectedBranch(ctx, place);
    const before = statusChecksOf(protection) ?? noChecks(ctx);
    const { strict = before.strict, contexts, checks } = place;
    const kept = contexts === undefined && checks === undefined ? [...before.checks] : checks;
    const status_checks = checksColumn({ strict, contexts, checks: kept });
    const changed = setRules(ctx, protection, { status_checks });
    return checksView(placeOf(ctx, repository), changed) ?? noChecks(ctx);
  },
});

const deleteChecks = operation({
  id: 'repos/remove-status-check-protection',
  summary: 'Lets a branch move whether or not checks have passed.',
  effect: 'write',
  http: { method: 'DELETE', path: `${PATH}/required_status_checks`, status: 204 },
  input,
  output: nothing,
  example: EXAMPLE,
  run(ctx, place) {
    const { protection } = protectedBranch(ctx, place);
    setRules(ctx, protection, { status_checks: null });
    return null;
  },
});

export const protectionPartOperations = [
  ...switchOperations(
    'enforce_admins',
    {
      get: 'repos/get-admin-branch-protection',
      set: 'repos/set-admin-branch-protection',
      remove: 'repos/delete-admin-branch-protection',
    },
    'the rules of a branch hold for administrators',
  ),
  ...switchOperations(
    'required_signatures',
    {
      get: 'repos/get-commit-signature-protection',
      set: 'repos/create-commit-signature-protection',
      remove: 'repos/delete-commit-signature-protection',
    },
    'commits on a branch must be signed',
  ),
  getReviews,
  updateReviews,
  deleteReviews,
  getChecks,
  updateChecks,
  deleteChecks,
];
