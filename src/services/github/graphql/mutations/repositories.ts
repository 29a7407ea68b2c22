import type { JsonObject } from '../../../../service/index.ts';
import { nodeIdParts } from '../../views/node-ids.ts';
import { type Graph, type GraphValue, performed } from '../graph.ts';
import { loginsOf, nodeOf, repositoryOf } from '../nodes.ts';
import { type MutationInput, type Mutator, renamed, textIn } from './issues.ts';

function createRepository(graph: Graph, input: MutationInput): GraphValue {
  const members: JsonObject = {
    ...renamed(input, {
      name: 'name',
      description: 'description',
      homepageUrl: 'homepage',
      template: 'is_template',
      hasWikiEnabled: 'has_wiki',
      hasIssuesEnabled: 'has_issues',
    }),
    visibility: textIn(input, 'visibility').toLowerCase(),
  };
  const [login] = typeof input.ownerId === 'string' ? loginsOf(graph, [input.ownerId]) : [];
  const isOrganization = typeof input.ownerId === 'string' && input.ownerId.startsWith('O_');
  const made =
    isOrganization && login !== undefined
      ? performed(graph, 'repos/create-in-org', { org: login, ...members })
      : performed(graph, 'repos/create-for-authenticated-user', members);
  return { repository: nodeOf(graph, String(made.node_id)) };
}

function updateRepository(graph: Graph, input: MutationInput): GraphValue {
  const id = textIn(input, 'repositoryId');
  const { owner, repo } = repositoryOf(graph, id);
  const members = renamed(input, {
    name: 'name',
    description: 'description',
    homepageUrl: 'homepage',
    template: 'is_template',
    hasWikiEnabled: 'has_wiki',
    hasIssuesEnabled: 'has_issues',
    hasProjectsEnabled: 'has_projects',
    hasDiscussionsEnabled: 'has_discussions',
  });
  performed(graph, 'repos/update', { owner, repo, ...members });
  return { repository: nodeOf(graph, id) };
}

function starred(operation: string): Mutator {
  return (graph, input) => {
    const id = textIn(input, 'starrableId');
    const { owner, repo } = repositoryOf(graph, id);
    graph.perform(operation, { owner, repo });
    return { starrable: nodeOf(graph, id) };
  };
}

/** The place of a ref by its global id, as REST names it: without `refs/`. */
function refPath(graph: Graph, id: string): JsonObject {
  nodeOf(graph, id);
  const { parts = [] } = nodeIdParts(id) ?? {};
  return { owner: ':id', repo: String(parts[1]), ref: String(parts[2]).replace(/^refs\//u, '') };
}

/** Changes to repositories and their refs. */
export const repositoryMutations: Readonly<Record<string, Mutator>> = {
  addStar: starred('activity/star-repo-for-authenticated-user'),
  createRef: (graph, input) => {
    const { owner, repo } = repositoryOf(graph, textIn(input, 'repositoryId'));
    const made = performed(graph, 'git/create-ref', {
      owner,
      repo,
      ref: textIn(input, 'name'),
      sha: textIn(input, 'oid'),
    });
    return { ref: nodeOf(graph, String(made.node_id)) };
  },
  createRepository,
  deleteRef: (graph, input) => {
    graph.perform('git/delete-ref', refPath(graph, textIn(input, 'refId')));
    return {};
  },
  removeStar: starred('activity/unstar-repo-for-authenticated-user'),
  updateRef: (graph, input) => {
    const id = textIn(input, 'refId');
    const members = { sha: textIn(input, 'oid'), force: input.force === true };
    performed(graph, 'git/update-ref', { ...refPath(graph, id), ...members });
    return { ref: nodeOf(graph, id) };
  },
  updateRepository,
};
