import type { JsonObject } from '../../../../service/index.ts';
import { nodeId } from '../../views/node-ids.ts';
import { REACTIONS } from '../comments.ts';
import { type Graph, GraphError, type GraphValue, performed } from '../graph.ts';
import { issueNode } from '../issues.ts';
import {
  labelNamesOf,
  loginsOf,
  nodeOf,
  numberIn,
  repositoryOf,
  type SubjectPlace,
  subjectOf,
} from '../nodes.ts';

/** The members of a mutation's input, as they came. */
export type MutationInput = Readonly<Record<string, unknown>>;
export type Mutator = (graph: Graph, input: MutationInput) => GraphValue;

/** A text that the schema has asked for. */
export function textIn(input: MutationInput, name: string): string {
  return String(input[name] ?? '');
}

export function listIn(input: MutationInput, name: string): string[] {
  const value = input[name];
  return Array.isArray(value) ? value.map(String) : [];
}

/** Members under their REST names; those that were not sent are left out. */
export function renamed(input: MutationInput, names: Readonly<Record<string, string>>): JsonObject {
  const entries = Object.entries(names).filter(([name]) => input[name] !== undefined && input[name] !== null);
  return Object.fromEntries(entries.map(([name, rest]) => [rest, input[name]])) as JsonObject;
}

/** The path of an issue in REST. */
export function issuePath({ row, at }: SubjectPlace): JsonObject {
  return { ...at, issue_number: row.number };
}

/** An issue or pull after a change. */
export function subjectNode(graph: Graph, id: string): GraphValue {
  return nodeOf(graph, id);
}

/** Labels, people and milestone of an issue's or pull's input, as REST takes them. */
export function furniture(graph: Graph, input: MutationInput): JsonObject {
  const { tx } = graph.ctx;
  const milestone = input.milestoneId;
  return {
    ...(Array.isArray(input.assigneeIds) && { assignees: loginsOf(graph, listIn(input, 'assigneeIds')) }),
    ...(Array.isArray(input.labelIds) && { labels: labelNamesOf(graph, listIn(input, 'labelIds')) }),
    ...(typeof milestone === 'string' && {
      milestone: tx.milestones.get(numberIn(milestone, 'MI'))?.number ?? 0,
    }),
    ...(milestone === null && { milestone: null }),
  };
}

function setState(graph: Graph, id: string, state: JsonObject): GraphValue {
  performed(graph, 'issues/update', { ...issuePath(subjectOf(graph, id)), ...state });
  return subjectNode(graph, id);
}

function createIssue(graph: Graph, input: MutationInput): GraphValue {
  const { owner, repo } = repositoryOf(graph, textIn(input, 'repositoryId'));
  const made = performed(graph, 'issues/create', {
    owner,
    repo,
    ...renamed(input, { title: 'title', body: 'body' }),
    ...furniture(graph, input),
  });
  const row = graph.ctx.tx.issues.get(Number(made.id));
  if (row && typeof input.parentIssueId === 'string') {
    const parent = subjectOf(graph, input.parentIssueId);
    performed(graph, 'issues/add-sub-issue', { ...issuePath(parent), sub_issue_id: row.id });
  }
  return { issue: row ? issueNode(graph, graph.ctx.tx.issues.get(row.id) ?? row) : null };
}

function updateIssue(graph: Graph, input: MutationInput): GraphValue {
  const id = textIn(input, 'id');
  const state = typeof input.state === 'string' ? { state: input.state.toLowerCase() } : {};
  performed(graph, 'issues/update', {
    ...issuePath(subjectOf(graph, id)),
    ...renamed(input, { title: 'title', body: 'body' }),
    ...furniture(graph, input),
    ...state,
  });
  return { issue: subjectNode(graph, id) };
}

function closeIssue(graph: Graph, input: MutationInput): GraphValue {
  const reason = (textIn(input, 'stateReason') || 'COMPLETED').toLowerCase();
  const issue = setState(graph, textIn(input, 'issueId'), { state: 'closed', state_reason: reason });
  return { issue };
}

function deleteIssue(graph: Graph, input: MutationInput): GraphValue {
  const { row, repository } = subjectOf(graph, textIn(input, 'issueId'));
  if (
    performed(graph, 'repos/get', { owner: ':id', repo: String(repository.id) }).permissions === undefined
  ) {
    throw new GraphError('FORBIDDEN', 'You cannot delete this issue.');
  }
  const open_issues = Math.max(0, repository.open_issues - (row.state === 'open' ? 1 : 0));
  graph.ctx.tx.repositories.update(repository.id, { open_issues });
  graph.ctx.tx.issues.delete(row.id);
  return { repository: nodeOf(graph, nodeId('Repository', repository.id)) };
}

function addComment(graph: Graph, input: MutationInput): GraphValue {
  const subjectId = textIn(input, 'subjectId');
  const place = subjectOf(graph, subjectId);
  const made = performed(graph, 'issues/create-comment', {
    ...issuePath(place),
    body: textIn(input, 'body'),
  });
  const id = String(made.node_id);
  return {
    commentEdge: { cursor: id, node: nodeOf(graph, id) },
    subject: () => nodeOf(graph, subjectId),
  };
}

function ofComment(graph: Graph, id: string): JsonObject {
  const comment = graph.ctx.tx.issue_comments.get(numberIn(id, 'IC'));
  if (!comment)
    throw new GraphError('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`);
  return { owner: ':id', repo: String(comment.repository_id), comment_id: comment.id };
}

function labelled(operation: 'issues/add-labels' | 'remove'): Mutator {
  return (graph, input) => {
    const id = textIn(input, 'labelableId');
    const path = issuePath(subjectOf(graph, id));
    const names = labelNamesOf(graph, listIn(input, 'labelIds'));
    if (operation === 'remove') {
      for (const name of names) performed(graph, 'issues/remove-label', { ...path, name });
    } else {
      performed(graph, operation, { ...path, labels: names });
    }
    return { labelable: nodeOf(graph, id) };
  };
}

function assigned(operation: string): Mutator {
  return (graph, input) => {
    const id = textIn(input, 'assignableId');
    const assignees = loginsOf(graph, listIn(input, 'assigneeIds'));
    performed(graph, operation, { ...issuePath(subjectOf(graph, id)), assignees });
    return { assignable: nodeOf(graph, id) };
  };
}

function ofRow(input: MutationInput, graph: Graph): { readonly path: JsonObject; readonly name: string } {
  const label = graph.ctx.tx.labels.get(numberIn(textIn(input, 'id'), 'LA'));
  if (!label) return nodeOf(graph, textIn(input, 'id')) as never;
  return { path: { owner: ':id', repo: String(label.repository_id) }, name: label.name };
}

const subIssue: Mutator = (graph, input) => {
  const parent = subjectOf(graph, textIn(input, 'issueId'));
  const child = subjectOf(graph, textIn(input, 'subIssueId'));
  performed(graph, 'issues/add-sub-issue', {
    ...issuePath(parent),
    sub_issue_id: child.row.id,
    ...(input.replaceParent === true && { replace_parent: true }),
  });
  return {
    issue: nodeOf(graph, textIn(input, 'issueId')),
    subIssue: nodeOf(graph, textIn(input, 'subIssueId')),
  };
};

/** Where REST keeps the reactions of a thing. */
const REACTED: Readonly<Record<string, readonly [operation: string, parameter: string]>> = {
  IC: ['issue-comment', 'comment_id'],
  PRRC: ['pull-request-review-comment', 'comment_id'],
  RE: ['release', 'release_id'],
};

function reactionPlace(graph: Graph, id: string): { readonly kind: string; readonly path: JsonObject } {
  const prefix = id.slice(0, id.indexOf('_'));
  if (prefix === 'I' || prefix === 'PR') return { kind: 'issue', path: issuePath(subjectOf(graph, id)) };
  const [kind = '', parameter = ''] = REACTED[prefix] ?? [];
  const node = nodeOf(graph, id);
  const repository = (node.repository as (() => GraphValue) | undefined)?.();
  const path = { owner: ':id', repo: String(repository?.databaseId), [parameter]: Number(node.databaseId) };
  return { kind, path };
}

const addReaction: Mutator = (graph, input) => {
  const id = textIn(input, 'subjectId');
  const { kind, path } = reactionPlace(graph, id);
  const content = REACTIONS[textIn(input, 'content')] ?? '';
  const made = performed(graph, `reactions/create-for-${kind}`, { ...path, content });
  const reaction = {
    content: input.content,
    createdAt: made.created_at,
    databaseId: made.id,
    id: made.node_id,
    user: null,
  };
  return { reaction, subject: nodeOf(graph, id) };
};

const removeReaction: Mutator = (graph, input) => {
  const id = textIn(input, 'subjectId');
  const { kind, path } = reactionPlace(graph, id);
  const viewer = performed(graph, 'users/get-authenticated', {});
  const listed = graph.perform(`reactions/list-for-${kind}`, { ...path, per_page: 100 }) as JsonObject[];
  const content = REACTIONS[textIn(input, 'content')];
  const own = listed.find(
    (reaction) => reaction.content === content && (reaction.user as JsonObject).id === viewer.id,
  );
  if (own)
    performed(
      graph,
      `reactions/delete-for-${kind === 'pull-request-review-comment' ? 'pull-request-comment' : kind}`,
      { ...path, reaction_id: own.id ?? 0 },
    );
  return { subject: nodeOf(graph, id) };
};

function locked(isLocking: boolean): Mutator {
  return (graph, input) => {
    const id = textIn(input, 'lockableId');
    const path = issuePath(subjectOf(graph, id));
    const words = textIn(input, 'lockReason').toLowerCase().replaceAll('_', ' ');
    const lock_reason = words === 'off topic' ? 'off-topic' : words;
    if (isLocking) performed(graph, 'issues/lock', { ...path, ...(lock_reason !== '' && { lock_reason }) });
    else performed(graph, 'issues/unlock', path);
    return { lockedRecord: nodeOf(graph, id), unlockedRecord: nodeOf(graph, id) };
  };
}

const createLabel: Mutator = (graph, input) => {
  const { owner, repo } = repositoryOf(graph, textIn(input, 'repositoryId'));
  const members = renamed(input, { name: 'name', color: 'color', description: 'description' });
  const made = performed(graph, 'issues/create-label', { owner, repo, ...members });
  return { label: nodeOf(graph, String(made.node_id)) };
};

const updateLabel: Mutator = (graph, input) => {
  const { path, name } = ofRow(input, graph);
  const members = renamed(input, { name: 'new_name', color: 'color', description: 'description' });
  performed(graph, 'issues/update-label', { ...path, name, ...members });
  return { label: nodeOf(graph, textIn(input, 'id')) };
};

/** Changes to issues, their comments, labels, parts and reactions. */
export const issueMutations: Readonly<Record<string, Mutator>> = {
  addAssigneesToAssignable: assigned('issues/add-assignees'),
  addComment,
  addLabelsToLabelable: labelled('issues/add-labels'),
  addReaction,
  addSubIssue: subIssue,
  closeIssue,
  createIssue,
  createLabel,
  deleteIssue,
  deleteIssueComment: (graph, input) => {
    performed(graph, 'issues/delete-comment', ofComment(graph, textIn(input, 'id')));
    return {};
  },
  deleteLabel: (graph, input) => {
    const { path, name } = ofRow(input, graph);
    performed(graph, 'issues/delete-label', { ...path, name });
    return {};
  },
  lockLockable: locked(true),
  removeAssigneesFromAssignable: assigned('issues/remove-assignees'),
  removeLabelsFromLabelable: labelled('remove'),
  removeReaction,
  removeSubIssue: (graph, input) => {
    const parent = subjectOf(graph, textIn(input, 'issueId'));
    const child = subjectOf(graph, textIn(input, 'subIssueId'));
    performed(graph, 'issues/remove-sub-issue', { ...issuePath(parent), sub_issue_id: child.row.id });
    return {
      issue: nodeOf(graph, textIn(input, 'issueId')),
      subIssue: nodeOf(graph, textIn(input, 'subIssueId')),
    };
  },
  reopenIssue: (graph, input) => ({ issue: setState(graph, textIn(input, 'issueId'), { state: 'open' }) }),
  reprioritizeSubIssue: (graph, input) => {
    const parent = subjectOf(graph, textIn(input, 'issueId'));
    const beside = (name: string): number => subjectOf(graph, textIn(input, name)).row.id;
    performed(graph, 'issues/reprioritize-sub-issue', {
      ...issuePath(parent),
      sub_issue_id: beside('subIssueId'),
      ...(typeof input.afterId === 'string' && { after_id: beside('afterId') }),
      ...(typeof input.beforeId === 'string' && { before_id: beside('beforeId') }),
    });
    return { issue: nodeOf(graph, textIn(input, 'issueId')) };
  },
  unlockLockable: locked(false),
  updateIssue,
  updateIssueComment: (graph, input) => {
    const id = textIn(input, 'id');
    performed(graph, 'issues/update-comment', { ...ofComment(graph, id), body: textIn(input, 'body') });
    return { issueComment: nodeOf(graph, id) };
  },
  updateLabel,
};
