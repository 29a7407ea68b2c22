import { viewerNode } from '../comments.ts';
import type { Graph, GraphValue } from '../graph.ts';
import { conversationMutations } from './conversations.ts';
import { issueMutations, type MutationInput, type Mutator } from './issues.ts';
import { pullMutations } from './pulls.ts';
import { repositoryMutations } from './repositories.ts';

const MUTATORS: Readonly<Record<string, Mutator>> = {
  ...issueMutations,
  ...pullMutations,
  ...conversationMutations,
  ...repositoryMutations,
};

/** The names of all changes that there are. */
export const MUTATORS_BY_NAME: readonly string[] = Object.keys(MUTATORS);

/** The fields of the root of all changes; `done` hears of each that went through. */
export function mutationRoot(graph: Graph, done: () => void): GraphValue {
  return Object.fromEntries(
    Object.entries(MUTATORS).map(([name, mutate]) => [
      name,
      ({ input }: { readonly input: MutationInput }) => {
        const payload = mutate(graph, input);
        done();
        return {
          clientMutationId: input.clientMutationId ?? null,
          actor: () => viewerNode(graph),
          ...payload,
        };
      },
    ]),
  );
}
