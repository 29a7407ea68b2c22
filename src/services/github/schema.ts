import { defineSchema, type ReadTables, type WriteTables } from '../../service/index.ts';
import { gitObjects } from './git/schema.ts';
import { accountTables } from './schema/accounts.ts';
import { actionTables } from './schema/actions.ts';
import { activityTables } from './schema/activity.ts';
import { appTables } from './schema/apps.ts';
import { checkTables } from './schema/checks.ts';
import { conversationTables } from './schema/conversations.ts';
import { deploymentTables } from './schema/deployments.ts';
import { gistTables } from './schema/gists.ts';
import { gitTables } from './schema/git.ts';
import { hookTables } from './schema/hooks.ts';
import { invitationTables } from './schema/invitations.ts';
import { issueTables } from './schema/issues.ts';
import { limitTables } from './schema/limits.ts';
import { migrationTables } from './schema/migrations.ts';
import { notificationTables } from './schema/notifications.ts';
import { oauthTables } from './schema/oauth.ts';
import { peopleTables } from './schema/people.ts';
import { pullTables } from './schema/pulls.ts';
import { releaseTables } from './schema/releases.ts';
import { repositoryTables } from './schema/repositories.ts';
import { repositoryPartTables } from './schema/repository-parts.ts';
import { rulesetTables } from './schema/rulesets.ts';
import { scanningTables } from './schema/scanning.ts';
import { secretTables } from './schema/secrets.ts';
import { teamTables } from './schema/teams.ts';

/** All tables, by area; what a column means stands where it is declared. */
export const schema = defineSchema({
  ...accountTables,
  ...repositoryTables,
  ...gitTables,
  ...releaseTables,
  ...deploymentTables,
  ...checkTables,
  ...repositoryPartTables,
  ...rulesetTables,
  git_objects: gitObjects,
  ...issueTables,
  ...pullTables,
  ...notificationTables,
  ...secretTables,
  ...teamTables,
  ...invitationTables,
  ...hookTables,
  ...actionTables,
  ...gistTables,
  ...activityTables,
  ...appTables,
  ...scanningTables,
  ...migrationTables,
  ...peopleTables,
  ...conversationTables,
  ...oauthTables,
  ...limitTables,
});

export type GithubSchema = typeof schema;
export type Tables = WriteTables<GithubSchema>;
export type Reader = ReadTables<GithubSchema>;
