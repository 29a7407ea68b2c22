import type { JsonObject } from '../../../service/index.ts';
import type { Reading } from '../operation.ts';
import type { BranchPolicy, Deployment, DeploymentStatus, Environment } from '../schema/deployments.ts';
import { simpleUser, simpleUserOrNull } from './accounts.ts';
import type { Place } from './issues.ts';
import { globalId } from './node-ids.ts';
import { listedTeam } from './teams.ts';

/** Who must approve a deployment. */
export interface Reviewer {
  readonly type: 'User' | 'Team';
  readonly id: number;
}

/** An environment with its rules. */
export function environmentView(ctx: Reading, place: Place, environment: Environment): JsonObject {
  const { repository, url, web } = place;
  const name = encodeURIComponent(environment.name.toWellFormed());
  return {
    id: environment.id,
    node_id: globalId('EN', [0, repository.id, environment.id]),
    name: environment.name,
    url: `${url}/environments/${name}`,
    html_url: `${web}/deployments/activity_log?environments_filter=${name}`,
    created_at: environment.created_at,
    updated_at: environment.updated_at,
    can_admins_bypass: environment.can_admins_bypass,
    protection_rules: rulesView(ctx, place, environment),
    deployment_branch_policy: environment.branch_policy,
  };
}

/** Rules have numbers of their own; an environment has one of a kind at most. */
function rulesView(ctx: Reading, { repository }: Place, environment: Environment): JsonObject[] {
  const rule = (offset: number, members: JsonObject): JsonObject => {
    const id = environment.id * 4 + offset;
    return { id, node_id: globalId('GA', [0, repository.id, id]), ...members };
  };
  const reviewers = environment.reviewers as unknown as readonly Reviewer[];
  const { wait_timer } = environment;
  return [
    ...(wait_timer === null ? [] : [rule(0, { type: 'wait_timer', wait_timer })]),
    ...(reviewers.length === 0
      ? []
      : [
          rule(1, {
            type: 'required_reviewers',
            prevent_self_review: environment.prevent_self_review,
            reviewers: reviewers.flatMap((reviewer) => reviewerView(ctx, reviewer)),
          }),
        ]),
    ...(environment.branch_policy === null ? [] : [rule(2, { type: 'branch_policy' })]),
  ];
}

function reviewerView(ctx: Reading, { type, id }: Reviewer): JsonObject[] {
  if (type === 'User') {
    const account = ctx.tx.accounts.get(id);
    return account ? [{ type, reviewer: simpleUser(account) }] : [];
  }
  const team = ctx.tx.teams.get(id);
  const org = team && ctx.tx.accounts.get(team.org_id);
  return team && org ? [{ type, reviewer: listedTeam(ctx, team, org) }] : [];
}

/** A pattern of branches or tags that may be deployed. */
export function branchPolicyView({ repository }: Place, { id, name, type }: BranchPolicy): JsonObject {
  return { id, node_id: globalId('GABP', [0, repository.id, id]), name, type };
}

/** A deployment. */
export function deploymentView(ctx: Reading, { repository, url }: Place, deployment: Deployment): JsonObject {
  const own = `${url}/deployments/${deployment.id}`;
  return {
    url: own,
    id: deployment.id,
    node_id: globalId('DE', [0, repository.id, deployment.id]),
    task: deployment.task,
    original_environment: deployment.original_environment,
    environment: deployment.environment,
    description: deployment.description,
    created_at: deployment.created_at,
    updated_at: deployment.updated_at,
    statuses_url: `${own}/statuses`,
    repository_url: url,
    creator: creatorOf(ctx, deployment.creator_id),
    sha: deployment.sha,
    ref: deployment.ref,
    payload: deployment.payload,
    transient_environment: deployment.transient_environment,
    production_environment: deployment.production_environment,
    performed_via_github_app: null,
  };
}

function creatorOf({ tx }: Reading, id: number | null): JsonObject | null {
  return simpleUserOrNull(id === null ? null : tx.accounts.get(id));
}

/** How a deployment stood at a moment. */
export function deploymentStatusView(
  ctx: Reading,
  { repository, url }: Place,
  status: DeploymentStatus,
): JsonObject {
  const deployment = `${url}/deployments/${status.deployment_id}`;
  return {
    url: `${deployment}/statuses/${status.id}`,
    id: status.id,
    node_id: globalId('DES', [0, repository.id, status.id]),
    state: status.state,
    creator: creatorOf(ctx, status.creator_id),
    description: status.description,
    environment: status.environment,
    target_url: status.log_url,
    created_at: status.created_at,
    updated_at: status.updated_at,
    deployment_url: deployment,
    repository_url: url,
    environment_url: status.environment_url,
    log_url: status.log_url,
    performed_via_github_app: null,
  };
}
