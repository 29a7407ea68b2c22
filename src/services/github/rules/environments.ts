import type { Environment } from '../schema/deployments.ts';

/** An environment without rules; its number is to be set. */
export function blankEnvironment(repository_id: number, name: string, moment: string): Environment {
  return {
    id: 0,
    repository_id,
    name,
    can_admins_bypass: true,
    wait_timer: null,
    prevent_self_review: false,
    reviewers: [],
    branch_policy: null,
    created_at: moment,
    updated_at: moment,
  };
}
