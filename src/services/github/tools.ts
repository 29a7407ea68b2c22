import type { Operation, Tool } from '../../service/index.ts';
import { assigneeOperations } from './operations/assignees.ts';
import { issueCommentOperations } from './operations/issue-comments.ts';
import { issueEventOperations } from './operations/issue-events.ts';
import { issueOperations } from './operations/issues.ts';
import { labelOperations } from './operations/labels.ts';
import { milestoneOperations } from './operations/milestones.ts';
import { organizationOperations } from './operations/organizations.ts';
import { reactionOperations } from './operations/reactions.ts';
import { repositoryOperations } from './operations/repositories.ts';
import { secretOperationList } from './operations/secrets.ts';
import { subIssueOperations } from './operations/sub-issues.ts';
import { teamMemberOperations } from './operations/team-members.ts';
import { teamOperationList } from './operations/teams.ts';
import { userOperations } from './operations/users.ts';
import { variableOperationList } from './operations/variables.ts';

export const operations: readonly Operation[] = [
  ...userOperations,
  ...organizationOperations,
  ...repositoryOperations,
  ...labelOperations,
  ...milestoneOperations,
  ...issueOperations,
  ...issueCommentOperations,
  ...assigneeOperations,
  ...issueEventOperations,
  ...subIssueOperations,
  ...reactionOperations,
  ...secretOperationList,
  ...variableOperationList,
  ...teamOperationList,
  ...teamMemberOperations,
];

export const tools: readonly Tool[] = [];
