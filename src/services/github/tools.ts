import type { Operation, Tool } from '../../service/index.ts';
import { organizationOperations } from './operations/organizations.ts';
import { repositoryOperations } from './operations/repositories.ts';
import { secretOperationList } from './operations/secrets.ts';
import { userOperations } from './operations/users.ts';
import { variableOperationList } from './operations/variables.ts';

export const operations: readonly Operation[] = [
  ...userOperations,
  ...organizationOperations,
  ...repositoryOperations,
  ...secretOperationList,
  ...variableOperationList,
];

export const tools: readonly Tool[] = [];
