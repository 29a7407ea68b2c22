import { z } from 'zod';
import type { Json, JsonObject } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading } from '../operation.ts';
import { nothing, shown } from '../output.ts';
import { blankEnvironment } from '../rules/environments.ts';
import { freshId } from '../rules/ids.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import type { BranchPolicy, Environment } from '../schema/deployments.ts';
import type { Repository } from '../schema/repositories.ts';
import { branchPolicyView, environmentView } from '../views/deployments.ts';
import { placeOf } from '../views/issues.ts';
import { numberedPath } from '../views/repositories.ts';
import { REPOSITORY, writableRepository } from './repositories.ts';

const ENVIRONMENT = shown('id', 'name', 'protection_rules');
const ENVIRONMENT_PLACE = { ...REPOSITORY, environment_name: z.string() };

const list = operation({
  id: 'repos/get-all-environments',
  summary: 'Lists the environments of a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/environments' },
  input: z.looseObject({ ...REPOSITORY, ...PAGE }),
  output: shown('total_count', 'environments'),
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const place = placeOf(ctx, repository);
    const items = [...ctx.tx.environments.by('by_name', [repository.id])];
    const path = numberedPath(repository, '/environments');
    const show = (environment: Environment) => environmentView(ctx, place, environment);
    return { total_count: items.length, environments: paged(ctx, input, { items, path, show }) };
  },
});

function environmentAt(
  ctx: Reading,
  input: { owner: string; repo: string; environment_name: string },
): { readonly repository: Repository; readonly environment: Environment } {
  const repository = repositoryAt(ctx, input);
  const environment = ctx.tx.environments.unique('by_name', [repository.id, input.environment_name]);
  return environment ? { repository, environment } : ctx.fail('not_found');
}

const get = operation({
  id: 'repos/get-environment',
  summary: 'Reads an environment with its rules.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/environments/{environment_name}' },
  input: z.looseObject(ENVIRONMENT_PLACE),
  output: ENVIRONMENT,
  example: { owner: 'octo-works', repo: 'lamp', environment_name: 'production' },
  run(ctx, input) {
    const { repository, environment } = environmentAt(ctx, input);
    return environmentView(ctx, placeOf(ctx, repository), environment);
  },
});

const LONGEST_WAIT_MINUTES = 43_200;
const MOST_REVIEWERS = 6;

const put = operation({
  id: 'repos/create-or-update-environment',
  summary: 'Makes an environment, or sets its rules anew.',
  effect: 'write',
  http: { method: 'PUT', path: '/repos/{owner}/{repo}/environments/{environment_name}' },
  input: z.looseObject({
    ...ENVIRONMENT_PLACE,
    wait_timer: z.int().nullish(),
    prevent_self_review: z.boolean().nullish(),
    reviewers: z.array(z.looseObject({ type: z.enum(['User', 'Team']), id: z.int() })).nullish(),
    deployment_branch_policy: z
      .looseObject({ protected_branches: z.boolean(), custom_branch_policies: z.boolean() })
      .nullish(),
  }),
  output: ENVIRONMENT,
  example: { owner: 'octo-works', repo: 'lamp', environment_name: 'staging', wait_timer: 30 },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    requireRole(ctx, repository, 'admin');
    const { wait_timer, reviewers, deployment_branch_policy: policy } = input;
    if (wait_timer && (wait_timer < 0 || wait_timer > LONGEST_WAIT_MINUTES)) {
      ctx.fail('unprocessable', { message: 'Wait timer must be between 0 and 43200' });
    }
    if ((reviewers ?? []).length > MOST_REVIEWERS) {
      ctx.fail('unprocessable', { message: 'Only up to 6 reviewers can be set' });
    }
    if (policy && policy.protected_branches === policy.custom_branch_policies) {
      const message = 'protected_branches and custom_branch_policies cannot have the same value';
      ctx.fail('unprocessable', { message });
    }
    const moment = momentText(ctx.nowMs);
    const rules = {
      wait_timer: wait_timer || null,
      prevent_self_review: input.prevent_self_review === true,
      reviewers: (reviewers ?? []).map(({ type, id }) => ({ type, id })) as unknown as Json,
      branch_policy: policyOf(policy),
      updated_at: moment,
    };
    const { environments } = ctx.tx;
    const name = input.environment_name;
    const known = environments.unique('by_name', [repository.id, name]);
    const kept = known
      ? environments.update(known.id, rules)
      : environments.insert({
          ...blankEnvironment(repository.id, name, moment),
          id: freshId(ctx, 'environments'),
          ...rules,
        });
    return environmentView(ctx, placeOf(ctx, repository), kept);
  },
});

function policyOf(
  policy: { protected_branches: boolean; custom_branch_policies: boolean } | null | undefined,
): JsonObject | null {
  if (!policy) return null;
  const { protected_branches, custom_branch_policies } = policy;
  return { protected_branches, custom_branch_policies };
}

const remove = operation({
  id: 'repos/delete-an-environment',
  summary: 'Deletes an environment with its secrets and variables.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/environments/{environment_name}', status: 204 },
  input: z.looseObject(ENVIRONMENT_PLACE),
  output: nothing,
  example: { owner: 'octo-works', repo: 'lamp', environment_name: 'production' },
  run(ctx, input) {
    const { repository, environment } = environmentAt(ctx, input);
    requireRole(ctx, repository, 'admin');
    ctx.tx.environments.delete(environment.id);
    return null;
  },
});

const POLICY = shown('id', 'name');

const listPolicies = operation({
  id: 'repos/list-deployment-branch-policies',
  summary: 'Lists which branches and tags an environment takes.',
  effect: 'read',
  http: {
    method: 'GET',
    path: '/repos/{owner}/{repo}/environments/{environment_name}/deployment-branch-policies',
  },
  input: z.looseObject({ ...ENVIRONMENT_PLACE, ...PAGE }),
  output: shown('total_count', 'branch_policies'),
  example: { owner: 'octo-works', repo: 'lamp', environment_name: 'production' },
  run(ctx, input) {
    const { repository, environment } = environmentAt(ctx, input);
    const place = placeOf(ctx, repository);
    const items = [...ctx.tx.branch_policies.by('by_environment', [environment.id])];
    const rest = `/environments/${encodeURIComponent(environment.name.toWellFormed())}/deployment-branch-policies`;
    const path = numberedPath(repository, rest);
    const show = (policy: BranchPolicy) => branchPolicyView(place, policy);
    const shownPolicies = paged(ctx, input, { items, path, inPath: ['environment_name'], show });
    return { total_count: items.length, branch_policies: shownPolicies };
  },
});

const POLICY_PATH =
  '/repos/{owner}/{repo}/environments/{environment_name}/deployment-branch-policies/{branch_policy_id}';
const POLICY_PLACE = { ...ENVIRONMENT_PLACE, branch_policy_id: z.int() };

function policyAt(
  ctx: Reading,
  input: { owner: string; repo: string; environment_name: string; branch_policy_id: number },
): { readonly repository: Repository; readonly policy: BranchPolicy } {
  const { repository, environment } = environmentAt(ctx, input);
  const policy = ctx.tx.branch_policies.get(input.branch_policy_id);
  return policy?.environment_id === environment.id ? { repository, policy } : ctx.fail('not_found');
}

const createPolicy = operation({
  id: 'repos/create-deployment-branch-policy',
  summary: 'Lets an environment take branches or tags of a pattern.',
  effect: 'write',
  http: {
    method: 'POST',
    path: '/repos/{owner}/{repo}/environments/{environment_name}/deployment-branch-policies',
  },
  input: z.looseObject({
    ...ENVIRONMENT_PLACE,
    name: z.string(),
    type: z.enum(['branch', 'tag']).optional(),
  }),
  output: POLICY,
  example: { owner: 'octo-works', repo: 'lamp', environment_name: 'production', name: 'release/*' },
  run(ctx, input) {
    const { repository, environment } = environmentAt(ctx, input);
    requireRole(ctx, repository, 'admin');
    const custom = (environment.branch_policy as { custom_branch_policies?: boolean } | null)
      ?.custom_branch_policies;
    if (custom !== true) ctx.fail('not_found');
    const { name, type = 'branch' } = input;
    const known = [...ctx.tx.branch_policies.by('by_environment', [environment.id])];
    if (known.some((policy) => policy.name === name && policy.type === type)) {
      // The same pattern again is sent on to the one that is there.
      ctx.fail('unprocessable', { message: 'Name has already been taken' });
    }
    const id = freshId(ctx, 'branch_policies');
    const policy = ctx.tx.branch_policies.insert({ id, environment_id: environment.id, name, type });
    return branchPolicyView(placeOf(ctx, repository), policy);
  },
});

const getPolicy = operation({
  id: 'repos/get-deployment-branch-policy',
  summary: 'Reads a pattern of branches that an environment takes.',
  effect: 'read',
  http: { method: 'GET', path: POLICY_PATH },
  input: z.looseObject(POLICY_PLACE),
  output: POLICY,
  example: {
    owner: 'octo-works',
    repo: 'lamp',
    environment_name: 'production',
    branch_policy_id: 40_000_001,
  },
  run(ctx, input) {
    const { repository, policy } = policyAt(ctx, input);
    return branchPolicyView(placeOf(ctx, repository), policy);
  },
});

const updatePolicy = operation({
  id: 'repos/update-deployment-branch-policy',
  summary: 'Changes a pattern of branches that an environment takes.',
  effect: 'write',
  http: { method: 'PUT', path: POLICY_PATH },
  input: z.looseObject({ ...POLICY_PLACE, name: z.string() }),
  output: POLICY,
  example: {
    owner: 'octo-works',
    repo: 'lamp',
    environment_name: 'production',
    branch_policy_id: 40_000_001,
    name: 'main',
  },
  run(ctx, input) {
    const { repository, policy } = policyAt(ctx, input);
    requireRole(ctx, repository, 'admin');
    const changed = ctx.tx.branch_policies.update(policy.id, { name: input.name });
    return branchPolicyView(placeOf(ctx, repository), changed);
  },
});

const deletePolicy = operation({
  id: 'repos/delete-deployment-branch-policy',
  summary: 'Deletes a pattern of branches that an environment takes.',
  effect: 'write',
  http: { method: 'DELETE', path: POLICY_PATH, status: 204 },
  input: z.looseObject(POLICY_PLACE),
  output: nothing,
  example: {
    owner: 'octo-works',
    repo: 'lamp',
    environment_name: 'production',
    branch_policy_id: 40_000_001,
  },
  run(ctx, input) {
    const { repository, policy } = policyAt(ctx, input);
    requireRole(ctx, repository, 'admin');
    ctx.tx.branch_policies.delete(policy.id);
    return null;
  },
});

export const environmentOperations = [
  list,
  get,
  put,
  remove,
  listPolicies,
  createPolicy,
  getPolicy,
  updatePolicy,
  deletePolicy,
];
