import { isJsonObject, type Json, type JsonObject } from '../../../../service/index.ts';
import { momentText } from '../../moments.ts';
import { associationOf } from '../../rules/associations.ts';
import { freshId } from '../../rules/ids.ts';
import { requireRole } from '../../rules/repositories.ts';
import { requireViewer } from '../../rules/viewer.ts';
import type { Discussion, DiscussionComment, Project, ProjectItem } from '../../schema/conversations.ts';
import { discussionCommentNode, discussionNode } from '../discussions.ts';
import { type Graph, GraphError, type GraphValue } from '../graph.ts';
import { nodeOf, numberIn, repositoryOf, subjectOf } from '../nodes.ts';
import { fieldNode, itemNode, optionsOf, projectNode, seesProject } from '../projects.ts';
import { type MutationInput, type Mutator, textIn } from './issues.ts';

function missing(id: string): never {
  throw new GraphError('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`);
}

function discussionAt(graph: Graph, id: string): Discussion {
  // Looked up as everybody sees it: what is hidden is not there.
  nodeOf(graph, id);
  return graph.ctx.tx.discussions.get(numberIn(id, 'D')) ?? missing(id);
}

function commentAt(graph: Graph, id: string): DiscussionComment {
  nodeOf(graph, id);
  return graph.ctx.tx.discussion_comments.get(numberIn(id, 'DC')) ?? missing(id);
}

function shown(graph: Graph, { id }: Discussion): GraphValue {
  const row = graph.ctx.tx.discussions.get(id);
  const repository = row && graph.ctx.tx.repositories.get(row.repository_id);
  return { discussion: row && repository ? discussionNode(graph, repository, row) : null };
}

function createDiscussion(graph: Graph, input: MutationInput): GraphValue {
  const { ctx } = graph;
  const { row } = repositoryOf(graph, textIn(input, 'repositoryId'));
  const viewer = requireViewer(ctx);
  if (!row.has_discussions)
    throw new GraphError('FORBIDDEN', 'Discussions are disabled for this repository.');
  const category = ctx.tx.discussion_categories.get(numberIn(textIn(input, 'categoryId'), 'DIC'));
  if (category?.repository_id !== row.id) return missing(textIn(input, 'categoryId'));
  const number = row.next_number;
  ctx.tx.repositories.update(row.id, { next_number: number + 1 });
  const moment = momentText(ctx.nowMs);
  const made = ctx.tx.discussions.insert({
    id: freshId(ctx, 'discussions'),
    repository_id: row.id,
    category_id: category.id,
    number,
    title: textIn(input, 'title'),
    body: textIn(input, 'body'),
    user_id: viewer.id,
    author_association: associationOf(ctx, row, viewer),
    state_reason: null,
    answer_id: null,
    answer_chosen_at: null,
    answer_chosen_by_id: null,
    created_at: moment,
    updated_at: moment,
    closed_at: null,
  });
  return shown(graph, made);
}

function changed(graph: Graph, row: Discussion, columns: Partial<Discussion>): GraphValue {
  const updated_at = momentText(graph.ctx.nowMs);
  return shown(graph, graph.ctx.tx.discussions.update(row.id, { ...columns, updated_at }));
}

/** @throws 403 unless the caller wrote it or may triage its repository. */
function requireOwn(
  { ctx }: Graph,
  row: { readonly user_id: number | null; readonly repository_id: number },
): void {
  const repository = ctx.tx.repositories.get(row.repository_id);
  if (row.user_id !== requireViewer(ctx).id && repository) requireRole(ctx, repository, 'triage');
}

function addComment(graph: Graph, input: MutationInput): GraphValue {
  const { ctx } = graph;
  const discussion = discussionAt(graph, textIn(input, 'discussionId'));
  const viewer = requireViewer(ctx);
  const repository = ctx.tx.repositories.get(discussion.repository_id);
  const parent = typeof input.replyToId === 'string' ? commentAt(graph, input.replyToId) : null;
  if (parent && parent.reply_to_id !== null) {
    throw new GraphError('UNPROCESSABLE', 'Parent comment is already in a thread, cannot reply to it');
  }
  const moment = momentText(ctx.nowMs);
  const row = ctx.tx.discussion_comments.insert({
    id: freshId(ctx, 'discussion_comments'),
    discussion_id: discussion.id,
    repository_id: discussion.repository_id,
    reply_to_id: parent?.id ?? null,
    user_id: viewer.id,
    author_association: repository ? associationOf(ctx, repository, viewer) : 'NONE',
    body: textIn(input, 'body'),
    created_at: moment,
    updated_at: moment,
  });
  ctx.tx.discussions.update(discussion.id, { updated_at: moment });
  return { comment: discussionCommentNode(graph, row) };
}

function answered(isAnswer: boolean): Mutator {
  return (graph, input) => {
    const comment = commentAt(graph, textIn(input, 'id'));
    const row = graph.ctx.tx.discussions.get(comment.discussion_id) ?? missing(textIn(input, 'id'));
    requireOwn(graph, row);
    if (isAnswer && graph.ctx.tx.discussion_categories.get(row.category_id)?.is_answerable !== true) {
      throw new GraphError('UNPROCESSABLE', 'Discussions in this category cannot be answered');
    }
    const moment = momentText(graph.ctx.nowMs);
    return changed(graph, row, {
      answer_id: isAnswer ? comment.id : null,
      answer_chosen_at: isAnswer ? moment : null,
      answer_chosen_by_id: isAnswer ? requireViewer(graph.ctx).id : null,
    });
  };
}

function projectAt(graph: Graph, id: string): Project {
  const { ctx } = graph;
  const row = ctx.tx.projects.get(numberIn(id, 'PVT'));
  const viewer = requireViewer(ctx);
  if (!row || !seesProject(graph, row)) return missing(id);
  const isMember = ctx.tx.org_members.get([row.owner_id, viewer.id])?.state === 'active';
  if (row.owner_id !== viewer.id && !isMember) {
    throw new GraphError(
      'FORBIDDEN',
      `${viewer.login} does not have the correct permissions to update projects`,
    );
  }
  return row;
}

function itemAt(graph: Graph, input: MutationInput): ProjectItem {
  const project = projectAt(graph, textIn(input, 'projectId'));
  const item = graph.ctx.tx.project_items.get(numberIn(textIn(input, 'itemId'), 'PVTI'));
  return item?.project_id === project.id ? item : missing(textIn(input, 'itemId'));
}

const STATUS = [
  ['Todo', 'GREEN', "This item hasn't been started"],
  ['In Progress', 'YELLOW', 'This is actively being worked on'],
  ['Done', 'PURPLE', 'This has been completed'],
] as const;

function optionRows(graph: Graph, options: readonly JsonObject[]): Json {
  const digits = (): string => graph.ctx.random.integer(0, 0xffff).toString(16).padStart(4, '0');
  return options.map((option) => ({ id: digits() + digits(), ...option }));
}

function createProject(graph: Graph, input: MutationInput): GraphValue {
  const { ctx } = graph;
  const { tx } = ctx;
  const owner = tx.accounts.get(numberIn(textIn(input, 'ownerId'), 'U', 'O'));
  const viewer = requireViewer(ctx);
  if (!owner) return missing(textIn(input, 'ownerId'));
  const isMember = tx.org_members.get([owner.id, viewer.id])?.state === 'active';
  if (owner.id !== viewer.id && !isMember) {
    throw new GraphError(
      'FORBIDDEN',
      `${viewer.login} does not have permission to create projects on owner ${owner.login}.`,
    );
  }
  const moment = momentText(ctx.nowMs);
  const last = [...tx.projects.by('by_number', [owner.id])].at(-1)?.number ?? 0;
  const project = tx.projects.insert({
    id: freshId(ctx, 'projects'),
    owner_id: owner.id,
    number: last + 1,
    title: textIn(input, 'title'),
    short_description: null,
    readme: null,
    public: false,
    creator_id: viewer.id,
    repository_id:
      typeof input.repositoryId === 'string' ? repositoryOf(graph, input.repositoryId).row.id : null,
    created_at: moment,
    updated_at: moment,
    closed_at: null,
  });
  const field = (name: string, data_type: 'TITLE' | 'SINGLE_SELECT', options: Json): void => {
    tx.project_fields.insert({
      id: freshId(ctx, 'project_fields'),
      project_id: project.id,
      name,
      data_type,
      options,
    });
  };
  field('Title', 'TITLE', null);
  const options = STATUS.map(([name, color, description]) => ({ name, color, description }));
  field('Status', 'SINGLE_SELECT', optionRows(graph, options));
  return { projectV2: projectNode(graph, project) };
}

function addItem(graph: Graph, input: MutationInput, issue_id: number | null): ProjectItem {
  const { ctx } = graph;
  const project = projectAt(graph, textIn(input, 'projectId'));
  const known = [...ctx.tx.project_items.by('by_project', [project.id])].find(
    (item) => issue_id !== null && item.issue_id === issue_id,
  );
  if (known) return known;
  const moment = momentText(ctx.nowMs);
  return ctx.tx.project_items.insert({
    id: freshId(ctx, 'project_items'),
    project_id: project.id,
    issue_id,
    title: issue_id === null ? textIn(input, 'title') : null,
    body: issue_id === null ? textIn(input, 'body') : null,
    creator_id: requireViewer(ctx).id,
    is_archived: false,
    values: {},
    created_at: moment,
    updated_at: moment,
  });
}

function setValue(graph: Graph, input: MutationInput): GraphValue {
  const { ctx } = graph;
  const item = itemAt(graph, input);
  const field = ctx.tx.project_fields.get(numberIn(textIn(input, 'fieldId'), 'PVTF', 'PVTSSF'));
  if (field?.project_id !== item.project_id) return missing(textIn(input, 'fieldId'));
  const given = isJsonObject(input.value as Json) ? (input.value as JsonObject) : {};
  const value = given.text ?? given.number ?? given.date ?? given.singleSelectOptionId ?? null;
  const isOption = optionsOf(field).some(({ id }) => id === value);
  if (field.data_type === 'SINGLE_SELECT' && value !== null && !isOption) {
    throw new GraphError('VALIDATION', 'The single select option Id does not belong to the field');
  }
  const values = { ...(item.values as JsonObject), [String(field.id)]: value };
  const updated_at = momentText(ctx.nowMs);
  return { projectV2Item: itemNode(graph, ctx.tx.project_items.update(item.id, { values, updated_at })) };
}

function createField(graph: Graph, input: MutationInput): GraphValue {
  const { ctx } = graph;
  const project = projectAt(graph, textIn(input, 'projectId'));
  const wished = (Array.isArray(input.singleSelectOptions) ? input.singleSelectOptions : []) as JsonObject[];
  const options = wished.map(({ name = '', color = 'GRAY', description = '' }) => ({
    name,
    color,
    description,
  }));
  const field = ctx.tx.project_fields.insert({
    id: freshId(ctx, 'project_fields'),
    project_id: project.id,
    name: textIn(input, 'name'),
    data_type: textIn(input, 'dataType') as 'TEXT',
    options: options.length > 0 ? optionRows(graph, options) : null,
  });
  return { projectV2Field: fieldNode(graph, field) };
}

function updateProject(graph: Graph, input: MutationInput): GraphValue {
  const project = projectAt(graph, textIn(input, 'projectId'));
  const moment = momentText(graph.ctx.nowMs);
  const row = graph.ctx.tx.projects.update(project.id, {
    ...(typeof input.title === 'string' && { title: input.title }),
    ...(typeof input.shortDescription === 'string' && { short_description: input.shortDescription }),
    ...(typeof input.readme === 'string' && { readme: input.readme }),
    ...(typeof input.public === 'boolean' && { public: input.public }),
    ...(typeof input.closed === 'boolean' && { closed_at: input.closed ? moment : null }),
    updated_at: moment,
  });
  return { projectV2: projectNode(graph, row) };
}

/** Changes to discussions and projects. */
export const conversationMutations: Readonly<Record<string, Mutator>> = {
  addDiscussionComment: addComment,
  addProjectV2DraftIssue: (graph, input) => ({ projectItem: itemNode(graph, addItem(graph, input, null)) }),
  addProjectV2ItemById: (graph, input) => ({
    item: itemNode(graph, addItem(graph, input, subjectOf(graph, textIn(input, 'contentId')).row.id)),
  }),
  clearProjectV2ItemFieldValue: (graph, input) => setValue(graph, { ...input, value: {} }),
  closeDiscussion: (graph, input) => {
    const row = discussionAt(graph, textIn(input, 'discussionId'));
    requireOwn(graph, row);
    const state_reason = textIn(input, 'reason') || 'RESOLVED';
    return changed(graph, row, { closed_at: momentText(graph.ctx.nowMs), state_reason });
  },
  createDiscussion,
  createProjectV2: createProject,
  createProjectV2Field: createField,
  deleteDiscussionComment: (graph, input) => {
    const row = commentAt(graph, textIn(input, 'id'));
    requireOwn(graph, row);
    const shownComment = discussionCommentNode(graph, row);
    const discussion = graph.ctx.tx.discussions.get(row.discussion_id);
    if (discussion?.answer_id === row.id) changed(graph, discussion, { answer_id: null });
    graph.ctx.tx.discussion_comments.delete(row.id);
    return { comment: shownComment };
  },
  deleteProjectV2Item: (graph, input) => {
    graph.ctx.tx.project_items.delete(itemAt(graph, input).id);
    return { deletedItemId: input.itemId };
  },
  markDiscussionCommentAsAnswer: answered(true),
  reopenDiscussion: (graph, input) => {
    const row = discussionAt(graph, textIn(input, 'discussionId'));
    requireOwn(graph, row);
    return changed(graph, row, { closed_at: null, state_reason: 'REOPENED' });
  },
  unmarkDiscussionCommentAsAnswer: answered(false),
  updateDiscussion: (graph, input) => {
    const row = discussionAt(graph, textIn(input, 'discussionId'));
    requireOwn(graph, row);
    const category = input.categoryId;
    return changed(graph, row, {
      ...(typeof input.title === 'string' && { title: input.title }),
      ...(typeof input.body === 'string' && { body: input.body }),
      ...(typeof category === 'string' && { category_id: numberIn(category, 'DIC') }),
    });
  },
  updateDiscussionComment: (graph, input) => {
    const row = commentAt(graph, textIn(input, 'commentId'));
    requireOwn(graph, row);
    const columns = { body: textIn(input, 'body'), updated_at: momentText(graph.ctx.nowMs) };
    return {
      comment: discussionCommentNode(graph, graph.ctx.tx.discussion_comments.update(row.id, columns)),
    };
  },
  updateProjectV2: updateProject,
  updateProjectV2ItemFieldValue: setValue,
};
