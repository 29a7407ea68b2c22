import { z } from 'zod';
import type { Json, JsonObject } from '../../../service/index.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { nothing, shown } from '../output.ts';
import { branchAt } from '../rules/refs.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import type { BranchProtection } from '../schema/git.ts';
import type { Repository } from '../schema/repositories.ts';
import { placeOf } from '../views/issues.ts';
import { type Chosen, protectionView, type ReviewRules, SWITCHES } from '../views/protection.ts';
import { ownerOf } from '../views/repositories.ts';
import { REPOSITORY } from './repositories.ts';

export const BRANCH_PLACE = { ...REPOSITORY, branch: z.string() };

interface BranchInput {
  readonly owner: string;
  readonly repo: string;
  readonly branch: string;
}

/** A protected branch, for those who administer the repository; 404 when it is not protected. */
export function protectedBranch(
  ctx: Reading,
  input: BranchInput,
): { readonly repository: Repository; readonly protection: BranchProtection } {
  const repository = repositoryAt(ctx, input);
  const { name } = branchAt(ctx, repository, input.branch);
  requireRole(ctx, repository, 'admin');
  const protection = ctx.tx.branch_protections.get([repository.id, name]);
  return protection ? { repository, protection } : ctx.fail('absent', { message: 'Branch not protected' });
}

/** Sets some rules of a protected branch. */
export function setRules(
  ctx: Writing,
  { repository_id, branch }: BranchProtection,
  changes: Partial<BranchProtection>,
): BranchProtection {
  return ctx.tx.branch_protections.update([repository_id, branch], changes);
}

const CHOSEN = z.looseObject({
  users: z.array(z.string()).optional(),
  teams: z.array(z.string()).optional(),
  apps: z.array(z.string()).optional(),
});

export const CHECKS = {
  strict: z.boolean().optional(),
  contexts: z.array(z.string()).optional(),
  checks: z.array(z.looseObject({ context: z.string(), app_id: z.int().nullish() })).optional(),
};

export const REVIEWS = {
  dismissal_restrictions: CHOSEN.optional(),
  dismiss_stale_reviews: z.boolean().nullish(),
  require_code_owner_reviews: z.boolean().nullish(),
  required_approving_review_count: z.int().nullish(),
  require_last_push_approval: z.boolean().nullish(),
  bypass_pull_request_allowances: CHOSEN.optional(),
};

const checks = z.looseObject(CHECKS);
const reviews = z.looseObject(REVIEWS);

/** Checks by name alone may come from any app; -1 says the same. */
export function checksColumn({ strict = false, contexts = [], checks: sent }: z.infer<typeof checks>): Json {
  const named = sent ?? contexts.map((context) => ({ context, app_id: null }));
  return {
    strict,
    checks: named.map(({ context, app_id }) => ({
      context,
      app_id: app_id === undefined || app_id === -1 ? null : app_id,
    })),
  };
}

const MOST_REVIEWS = 6;

/** Review rules as they were sent, on top of those before. */
export function reviewsColumn(
  ctx: Writing,
  repository: Repository,
  { sent, before = null }: { sent: z.infer<typeof reviews>; before?: ReviewRules | null },
): Json {
  const count = sent.required_approving_review_count ?? before?.required_approving_review_count ?? 1;
  if (count < 0 || count > MOST_REVIEWS) {
    ctx.fail('unprocessable', { message: 'required_approving_review_count must be between 0 and 6' });
  }
  const chosen = (given: z.infer<typeof CHOSEN> | undefined, kept: Chosen | null): Chosen | null => {
    if (!given) return kept;
    if (Object.keys(given).length > 0) requireOrganization(ctx, repository);
    return given.users || given.teams || given.apps ? chosenColumn(given) : null;
  };
  return {
    dismiss_stale_reviews: sent.dismiss_stale_reviews ?? before?.dismiss_stale_reviews ?? false,
    require_code_owner_reviews:
      sent.require_code_owner_reviews ?? before?.require_code_owner_reviews ?? false,
    require_last_push_approval:
      sent.require_last_push_approval ?? before?.require_last_push_approval ?? false,
    required_approving_review_count: count,
    dismissal_restrictions: chosen(
      sent.dismissal_restrictions,
      before?.dismissal_restrictions ?? null,
    ) as Json,
    bypass_pull_request_allowances: chosen(
      sent.bypass_pull_request_allowances,
      before?.bypass_pull_request_allowances ?? null,
    ) as Json,
  };
}

function chosenColumn({ users = [], teams = [], apps = [] }: z.infer<typeof CHOSEN>): Chosen {
  return { users, teams, apps };
}

/** Who may push or dismiss can be chosen in organisations alone. */
export function requireOrganization(ctx: Writing, repository: Repository): void {
  if (ownerOf(ctx, repository).type === 'Organization') return;
  const errors: Json = ['Only organization repositories can have users and team restrictions'];
  ctx.fail('validation_failed', { errors });
}

const get = operation({
  id: 'repos/get-branch-protection',
  summary: 'Reads the rules of a protected branch.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/branches/{branch}/protection' },
  input: z.looseObject(BRANCH_PLACE),
  output: shown('url', 'enforce_admins'),
  example: { owner: 'octo-works', repo: 'lamp', branch: 'main' },
  run(ctx, input) {
    const { repository, protection } = protectedBranch(ctx, input);
    return protectionView(ctx, placeOf(ctx, repository), protection);
  },
});

const flag = z.boolean().nullish();

const put = operation({
  id: 'repos/update-branch-protection',
  summary: 'Protects a branch, or sets its rules anew.',
  effect: 'write',
  http: { method: 'PUT', path: '/repos/{owner}/{repo}/branches/{branch}/protection' },
  input: z.looseObject({
    ...BRANCH_PLACE,
    required_status_checks: checks.nullable(),
    enforce_admins: z.boolean().nullable(),
    required_pull_request_reviews: reviews.nullable(),
    restrictions: CHOSEN.nullable(),
    ...Object.fromEntries(SWITCHES.map((name) => [name, flag])),
  }),
  output: shown('url', 'enforce_admins'),
  example: {
    owner: 'octo-works',
    repo: 'lamp',
    branch: 'dimmer',
    required_status_checks: { strict: true, contexts: ['build'] },
    enforce_admins: true,
    required_pull_request_reviews: null,
    restrictions: null,
  },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const { name: branch } = branchAt(ctx, repository, input.branch);
    requireRole(ctx, repository, 'admin');
    if (input.restrictions) requireOrganization(ctx, repository);
    const known = ctx.tx.branch_protections.get([repository.id, branch]);
    const sent = input as JsonObject;
    const { required_pull_request_reviews: asked } = input;
    const switches = [
      ...(input.enforce_admins === true ? ['enforce_admins'] : []),
      ...(known?.switches.includes('required_signatures') === true ? ['required_signatures'] : []),
      ...SWITCHES.filter((name) => sent[name] === true),
    ];
    const rules = {
      status_checks: input.required_status_checks && checksColumn(input.required_status_checks),
      reviews: asked && reviewsColumn(ctx, repository, { sent: asked }),
      restrictions: input.restrictions && (chosenColumn(input.restrictions) as unknown as Json),
      switches,
    };
    const protection = known
      ? setRules(ctx, known, rules)
      : ctx.tx.branch_protections.insert({ repository_id: repository.id, branch, ...rules });
    return protectionView(ctx, placeOf(ctx, repository), protection);
  },
});

const remove = operation({
  id: 'repos/delete-branch-protection',
  summary: 'Takes the rules of a branch away.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/branches/{branch}/protection', status: 204 },
  input: z.looseObject(BRANCH_PLACE),
  output: nothing,
  example: { owner: 'octo-works', repo: 'lamp', branch: 'main' },
  run(ctx, input) {
    const { protection } = protectedBranch(ctx, input);
    ctx.tx.branch_protections.delete([protection.repository_id, protection.branch]);
    return null;
  },
});

export const protectionOperations = [get, put, remove];
