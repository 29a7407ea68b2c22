import { filesOf, gistsOf, revisionsOf } from '../rules/gists.ts';
import { viewerOf } from '../rules/viewer.ts';
import type { Account } from '../schema/accounts.ts';
import type { Gist } from '../schema/gists.ts';
import { globalId } from '../views/node-ids.ts';
import { accountNodeOrNull } from './accounts.ts';
import { connection, type Order, ordered, type PageArguments } from './connections.ts';
import type { Graph, GraphValue } from './graph.ts';

interface GistArguments extends PageArguments {
  readonly privacy?: 'ALL' | 'PUBLIC' | 'SECRET' | null;
  readonly orderBy?: Order | null;
}

/** The gists of somebody; secret ones are their owner's alone, and told where they are asked for. */
export function gistsIn(graph: Graph, args: GistArguments, owner: Account): GraphValue {
  const { ctx } = graph;
  const { privacy, orderBy } = args;
  const isOwn = viewerOf(ctx)?.id === owner.id;
  return connection(args, {
    name: 'gists',
    items: () => {
      const seen = gistsOf(ctx, owner).filter((gist) => {
        if (!gist.public && !isOwn) return false;
        return privacy === 'ALL' || gist.public === (privacy !== 'SECRET');
      });
      const member = orderBy?.field === 'UPDATED_AT' ? 'updated_at' : 'created_at';
      return orderBy ? ordered(seen, (gist) => gist[member], orderBy.direction) : seen;
    },
    key: ({ id }) => id,
    show: (gist) => gistNode(graph, gist),
  });
}

function gistNode(graph: Graph, gist: Gist): GraphValue {
  const files = () => Object.entries(filesOf(revisionsOf(graph.ctx, gist)[0]));
  return {
    __typename: 'Gist',
    createdAt: gist.created_at,
    description: gist.description,
    files: ({ limit = 10 }: { limit?: number }) =>
      files()
        .slice(0, limit)
        .map(([name, text]) => ({ name, encodedName: name, size: String(text).length, text: String(text) })),
    id: globalId('G', [0, gist.id]),
    isFork: gist.parent_id !== null,
    isPublic: gist.public,
    name: gist.id,
    owner: () => accountNodeOrNull(graph, gist.owner_id),
    updatedAt: gist.updated_at,
    url: `https://gist.github.com/${gist.id}`,
  };
}
