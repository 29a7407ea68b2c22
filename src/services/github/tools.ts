import type { Operation, Tool } from '../../service/index.ts';
import { organizationOperations } from './operations/organizations.ts';
import { repositoryOperations } from './operations/repositories.ts';
import { userOperations } from './operations/users.ts';

export const operations: readonly Operation[] = [
  ...userOperations,
  ...organizationOperations,
  ...repositoryOperations,
];

export const tools: readonly Tool[] = [];
