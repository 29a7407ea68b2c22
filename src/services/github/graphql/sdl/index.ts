import { type GraphqlSchema, graphqlSchema } from '../../../../service/index.ts';
import { ACCOUNTS } from './accounts.ts';
import { CONVERSATIONS } from './conversations.ts';
import { CORE } from './core.ts';
import { ISSUE_FIELDS } from './issue-fields.ts';
import { ISSUES } from './issues.ts';
import { MUTATION_ROOT } from './mutations.ts';
import { PULLS } from './pulls.ts';
import { REPOSITORIES } from './repositories.ts';

let built: GraphqlSchema | undefined;

/** The schema; built when it is first asked for. */
export function schemaOfGraph(): GraphqlSchema {
  built ??= graphqlSchema(
    [CORE, ACCOUNTS, REPOSITORIES, ISSUES, ISSUE_FIELDS, PULLS, CONVERSATIONS, MUTATION_ROOT].join('\n'),
    { wide: ['databaseId'] },
  );
  return built;
}
