import type { Operation, Tool } from '../../service/index.ts';
import { issueCommentOperations } from './operations/issue-comments.ts';
import { issueOperations } from './operations/issues.ts';
import { labelOperations } from './operations/labels.ts';
import { milestoneOperations } from './operations/milestones.ts';
import { organizationOperations } from './operations/organizations.ts';
import { repositoryOperations } from './operations/repositories.ts';
import { secretOperationList } from './operations/secrets.ts';
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
  ...secretOperationList,
  ...variableOperationList,
  ...teamOperationList,
  ...teamMemberOperations,
];

export const tools: readonly Tool[] = [];
