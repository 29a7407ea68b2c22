import type { Tool } from '../../../service/index.ts';
import { actionTools } from './actions.ts';
import { olderTools } from './aliases.ts';
import { fileTools } from './files.ts';
import { issuePartTools } from './issue-parts.ts';
import { issueTools } from './issues.ts';
import { pullTools } from './pulls.ts';
import { repositoryTools } from './repositories.ts';
import { reviewTools } from './reviews.ts';
import { searchTools } from './search.ts';
import { toolsetTools } from './toolsets.ts';

/** All tools that the official server offers by default, in its order: by name. */
const current: readonly Tool[] = Object.entries({
  ...fileTools,
  ...issueTools,
  ...issuePartTools,
  ...pullTools,
  ...repositoryTools,
  ...reviewTools,
  ...searchTools,
})
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(([, tool]) => tool);

export const tools: readonly Tool[] = [...current, ...toolsetTools, ...actionTools, ...olderTools];
