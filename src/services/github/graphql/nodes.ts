import { roleIn } from '../rules/repositories.ts';
import type { Account } from '../schema/accounts.ts';
import type { Issue } from '../schema/issues.ts';
import type { Repository } from '../schema/repositories.ts';
import { type NodeIdParts, nodeIdParts } from '../views/node-ids.ts';
import { accountNode, teamNode } from './accounts.ts';
import { commentNode } from './comments.ts';
import { discussionCommentNode, discussionNode } from './discussions.ts';
import { objectNode, refNode } from './git-objects.ts';
import { type Graph, GraphError, type GraphValue } from './graph.ts';
import { issueNode } from './issues.ts';
import { labelNode, milestoneNode } from './labels.ts';
import { fieldNode, itemNode, projectNode, seesProject } from './projects.ts';
import { pullNode } from './pulls.ts';
import { releaseNode } from './releases.ts';
import { repositoryNode } from './repositories.ts';
import { reviewCommentNode, reviewNode, threadNode } from './reviews.ts';

/** A row of a table that has a number, wherever it is. */
type Find = (graph: Graph, parts: Parts) => GraphValue | null;

/** What a global id holds: the number of what it belongs to, and its own number or name. */
interface Parts {
  readonly home: number;
  readonly own: number;
  readonly name: string;
}

/** A thing in a repository that the caller may see. */
function within(
  make: (graph: Graph, repository: Repository, parts: Parts) => GraphValue | null | undefined,
): Find {
  return (graph, parts) => {
    const repository = graph.ctx.tx.repositories.get(parts.home);
    if (!repository || roleIn(graph.ctx, repository) === null) return null;
    return make(graph, repository, parts) ?? null;
  };
}

function account(graph: Graph, { own }: Parts): GraphValue | null {
  const row = graph.ctx.tx.accounts.get(own);
  return row ? accountNode(graph, row) : null;
}

const object = within((graph, repository, { name }) => objectNode(graph, repository, name));

const FINDERS: Readonly<Record<string, Find>> = {
  U: account,
  O: account,
  BOT: account,
  R: (graph, { own }) => {
    const row = graph.ctx.tx.repositories.get(own);
    return row && roleIn(graph.ctx, row) !== null ? repositoryNode(graph, row) : null;
  },
  T: (graph, parts) => {
    const team = graph.ctx.tx.teams.get(parts.own);
    const org = team && graph.ctx.tx.accounts.get(team.org_id);
    return team && org ? teamNode(graph, team, org) : object(graph, parts);
  },
  I: within((graph, _repository, { own }) => {
    const row = graph.ctx.tx.issues.get(own);
    return row && issueNode(graph, row);
  }),
  PR: within((graph, _repository, { own }) => {
    const row = graph.ctx.tx.pulls.unique('by_pull_id', [own]);
    return row && pullNode(graph, row.issue_id);
  }),
  LA: within((graph, repository, { own }) => {
    const row = graph.ctx.tx.labels.get(own);
    return row && labelNode(graph, repository, row);
  }),
  MI: within((graph, repository, { own }) => {
    const row = graph.ctx.tx.milestones.get(own);
    return row && milestoneNode(graph, repository, row);
  }),
  IC: within((graph, _repository, { own }) => {
    const row = graph.ctx.tx.issue_comments.get(own);
    return row && commentNode(graph, row);
  }),
  PRR: within((graph, _repository, { own }) => {
    const row = graph.ctx.tx.pull_reviews.get(own);
    return row && reviewNode(graph, row);
  }),
  PRRC: within((graph, repository, { own }) => {
    const row = graph.ctx.tx.review_comments.get(own);
    return row && reviewCommentNode(graph, repository, row);
  }),
  PRRT: within((graph, repository, { own }) => {
    const row = graph.ctx.tx.review_comments.get(own);
    return row && threadNode(graph, repository, row);
  }),
  RE: within((graph, repository, { own }) => {
    const row = graph.ctx.tx.releases.get(own);
    return row && releaseNode(graph, repository, row);
  }),
  D: within((graph, repository, { own }) => {
    const row = graph.ctx.tx.discussions.get(own);
    return row && discussionNode(graph, repository, row);
  }),
  DC: within((graph, _repository, { own }) => {
    const row = graph.ctx.tx.discussion_comments.get(own);
    return row && discussionCommentNode(graph, row);
  }),
  REF: within((graph, repository, { name }) => {
    const row = graph.ctx.tx.git_refs.get([repository.id, name]);
    return row && refNode(graph, repository, row);
  }),
  C: object,
  B: object,
  TA: object,
  PVT: (graph, { own }) => {
    const row = graph.ctx.tx.projects.get(own);
    return row && seesProject(graph, row) ? projectNode(graph, row) : null;
  },
  PVTI: (graph, { own }) => {
    const row = graph.ctx.tx.project_items.get(own);
    const project = row && graph.ctx.tx.projects.get(row.project_id);
    return row && project && seesProject(graph, project) ? itemNode(graph, row) : null;
  },
  PVTF: field,
  PVTSSF: field,
};

function field(graph: Graph, { own }: Parts): GraphValue | null {
  const row = graph.ctx.tx.project_fields.get(own);
  return row ? fieldNode(graph, row) : null;
}

function partsOf({ parts }: NodeIdParts): Parts {
  const last = parts.at(-1);
  return { home: Number(parts[1] ?? 0), own: typeof last === 'number' ? last : 0, name: String(last ?? '') };
}

/** The thing of a global id. */
export function nodeOf(graph: Graph, id: string): GraphValue {
  const read = nodeIdParts(id);
  const found = read && FINDERS[read.prefix]?.(graph, partsOf(read));
  return found ?? missing(id);
}

function missing(id: string): never {
  throw new GraphError('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`);
}

/** The number in the global id of a thing of this kind; the thing need not be there. */
export function numberIn(id: string, ...prefixes: readonly string[]): number {
  const read = nodeIdParts(id);
  return read && prefixes.includes(read.prefix) ? partsOf(read).own : missing(id);
}

/** A repository by its global id, as REST paths name it. */
export function repositoryOf(
  { ctx }: Graph,
  id: string,
): { readonly row: Repository; readonly owner: string; readonly repo: string } {
  const row = ctx.tx.repositories.get(numberIn(id, 'R'));
  if (!row || roleIn(ctx, row) === null) return missing(id);
  return { row, ...placeIn(ctx.tx.accounts.get(row.owner_id), row) };
}

function placeIn(owner: Account | undefined, row: Repository): { owner: string; repo: string } {
  return { owner: owner?.login ?? '', repo: row.name };
}

/** An issue or pull by its global id, as REST paths name it. */
export interface SubjectPlace {
  readonly row: Issue;
  readonly repository: Repository;
  readonly at: { readonly owner: string; readonly repo: string };
}

export function subjectOf({ ctx }: Graph, id: string): SubjectPlace {
  const { tx } = ctx;
  const number = numberIn(id, 'I', 'PR');
  const pull = id.startsWith('PR_') ? tx.pulls.unique('by_pull_id', [number]) : undefined;
  const row = tx.issues.get(pull?.issue_id ?? number);
  const repository = row && tx.repositories.get(row.repository_id);
  if (!row || !repository || roleIn(ctx, repository) === null) return missing(id);
  return { row, repository, at: placeIn(tx.accounts.get(repository.owner_id), repository) };
}

/** Logins of accounts by their global ids. */
export function loginsOf({ ctx }: Graph, ids: readonly string[]): string[] {
  return ids.map((id) => ctx.tx.accounts.get(numberIn(id, 'U', 'BOT', 'O'))?.login ?? missing(id));
}

/** Names of labels by their global ids. */
export function labelNamesOf({ ctx }: Graph, ids: readonly string[]): string[] {
  return ids.map((id) => ctx.tx.labels.get(numberIn(id, 'LA'))?.name ?? missing(id));
}
