import type { Operation } from '../../service/index.ts';
import { graphOperations } from './graphql/operation.ts';
import { appHookOperations } from './operations/app-hooks.ts';
import { appOperations } from './operations/apps.ts';
import { archiveOperations } from './operations/archives.ts';
import { artifactOperations } from './operations/artifacts.ts';
import { assigneeOperations } from './operations/assignees.ts';
import { branchOperations } from './operations/branches.ts';
import { checkRunOperations } from './operations/check-runs.ts';
import { checkSuiteOperations } from './operations/check-suites.ts';
import { codeScanningOperations } from './operations/code-scanning.ts';
import { collaboratorOperations } from './operations/collaborators.ts';
import { commitCommentOperations } from './operations/commit-comments.ts';
import { commitOperations } from './operations/commits.ts';
import { contentOperations } from './operations/contents.ts';
import { deploymentOperations } from './operations/deployments.ts';
import { environmentOperations } from './operations/environments.ts';
import { eventOperations } from './operations/events.ts';
import { followerOperations } from './operations/followers.ts';
import { forkOperations } from './operations/forks.ts';
import { gistCommentOperations } from './operations/gist-comments.ts';
import { gistOperations } from './operations/gists.ts';
import { gitObjectOperations } from './operations/git-objects.ts';
import { gitRefOperations } from './operations/git-refs.ts';
import { gitTagOperations } from './operations/git-tags.ts';
import { hookDeliveryOperations } from './operations/hook-deliveries.ts';
import { hookOperations } from './operations/hooks.ts';
import { installationOperations } from './operations/installations.ts';
import { issueCommentOperations } from './operations/issue-comments.ts';
import { issueEventOperations } from './operations/issue-events.ts';
import { issueInboxOperations } from './operations/issue-inboxes.ts';
import { issueTypeOperations } from './operations/issue-types.ts';
import { issueOperations } from './operations/issues.ts';
import { labelOperations } from './operations/labels.ts';
import { marketplaceOperations } from './operations/marketplace.ts';
import { mergeOperations } from './operations/merges.ts';
import { metaOperations } from './operations/meta.ts';
import { migrationOperations } from './operations/migrations.ts';
import { milestoneOperations } from './operations/milestones.ts';
import { notificationOperations } from './operations/notifications.ts';
import { oauthFlowOperations } from './operations/oauth-flows.ts';
import { oauthTokenOperations } from './operations/oauth-tokens.ts';
import { orgInvitationOperations } from './operations/org-invitations.ts';
import { orgMemberOperations } from './operations/org-members.ts';
import { orgSettingOperations } from './operations/org-settings.ts';
import { organizationOperations } from './operations/organizations.ts';
import { pagesOperations } from './operations/pages.ts';
import { profileOperations } from './operations/profile.ts';
import { protectionOperations } from './operations/protection.ts';
import { protectionContextOperations } from './operations/protection-contexts.ts';
import { protectionPartOperations } from './operations/protection-parts.ts';
import { protectionRestrictionOperations } from './operations/protection-restrictions.ts';
import { pullContentOperations } from './operations/pull-contents.ts';
import { pullOperations } from './operations/pulls.ts';
import { reactionOperations } from './operations/reactions.ts';
import { releaseAssetOperations } from './operations/release-assets.ts';
import { releaseOperations } from './operations/releases.ts';
import { repositoryOperations } from './operations/repositories.ts';
import { repositoryFactOperations } from './operations/repository-facts.ts';
import { repositoryFeatureOperations } from './operations/repository-features.ts';
import { repositoryInvitationOperations } from './operations/repository-invitations.ts';
import { repositoryKeyOperations } from './operations/repository-keys.ts';
import { repositoryListOperations } from './operations/repository-lists.ts';
import { reviewCommentOperations } from './operations/review-comments.ts';
import { reviewRequestOperations } from './operations/review-requests.ts';
import { reviewOperations } from './operations/reviews.ts';
import { rulesetOperations } from './operations/rulesets.ts';
import { scanningAnalysisOperations } from './operations/scanning-analyses.ts';
import { searchOperations } from './operations/search.ts';
import { secretOperationList } from './operations/secrets.ts';
import { viewerRepositoryOperations } from './operations/selected-repositories.ts';
import { starOperations } from './operations/stars.ts';
import { statisticsOperations } from './operations/statistics.ts';
import { statusOperations } from './operations/statuses.ts';
import { subIssueOperations } from './operations/sub-issues.ts';
import { subscriptionOperations } from './operations/subscriptions.ts';
import { teamMemberOperations } from './operations/team-members.ts';
import { teamRepositoryOperations } from './operations/team-repositories.ts';
import { teamOperationList } from './operations/teams.ts';
import { templateOperations } from './operations/templates.ts';
import { userKeyOperations } from './operations/user-keys.ts';
import { userSecretOperations } from './operations/user-secrets.ts';
import { userOperations } from './operations/users.ts';
import { variableOperationList } from './operations/variables.ts';
import { workflowRunOperations } from './operations/workflow-runs.ts';
import { workflowOperations } from './operations/workflows.ts';

const rest: readonly Operation[] = [
  ...userOperations,
  ...organizationOperations,
  ...repositoryOperations,
  ...contentOperations,
  ...gitObjectOperations,
  ...gitRefOperations,
  ...branchOperations,
  ...commitOperations,
  ...commitCommentOperations,
  ...archiveOperations,
  ...checkRunOperations,
  ...checkSuiteOperations,
  ...deploymentOperations,
  ...environmentOperations,
  ...forkOperations,
  ...gitTagOperations,
  ...mergeOperations,
  ...pagesOperations,
  ...protectionOperations,
  ...protectionContextOperations,
  ...protectionPartOperations,
  ...protectionRestrictionOperations,
  ...releaseAssetOperations,
  ...releaseOperations,
  ...repositoryFactOperations,
  ...repositoryFeatureOperations,
  ...repositoryKeyOperations,
  ...repositoryListOperations,
  ...rulesetOperations,
  ...statisticsOperations,
  ...statusOperations,
  ...labelOperations,
  ...milestoneOperations,
  ...issueOperations,
  ...issueInboxOperations,
  ...issueTypeOperations,
  ...issueCommentOperations,
  ...assigneeOperations,
  ...issueEventOperations,
  ...subIssueOperations,
  ...searchOperations,
  ...notificationOperations,
  ...pullOperations,
  ...pullContentOperations,
  ...reviewRequestOperations,
  ...reviewOperations,
  ...reviewCommentOperations,
  ...reactionOperations,
  ...secretOperationList,
  ...variableOperationList,
  ...teamOperationList,
  ...teamMemberOperations,
  ...teamRepositoryOperations,
  ...orgSettingOperations,
  ...orgMemberOperations,
  ...orgInvitationOperations,
  ...collaboratorOperations,
  ...repositoryInvitationOperations,
  ...hookOperations,
  ...hookDeliveryOperations,
  ...profileOperations,
  ...followerOperations,
  ...userKeyOperations,
  ...workflowOperations,
  ...workflowRunOperations,
  ...artifactOperations,
  ...gistOperations,
  ...gistCommentOperations,
  ...starOperations,
  ...subscriptionOperations,
  ...eventOperations,
  ...appOperations,
  ...installationOperations,
  ...appHookOperations,
  ...oauthTokenOperations,
  ...oauthFlowOperations,
  ...marketplaceOperations,
  ...metaOperations,
  ...templateOperations,
  ...codeScanningOperations,
  ...scanningAnalysisOperations,
  ...migrationOperations,
  ...userSecretOperations,
  ...viewerRepositoryOperations,
];

export const operations: readonly Operation[] = [...rest, ...graphOperations(rest)];

export { tools } from './tools/index.ts';
