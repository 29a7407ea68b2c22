import { isJsonObject, type JsonObject } from '../../../service/index.ts';
import { viewerOf } from '../rules/viewer.ts';
import type { Account } from '../schema/accounts.ts';
import type { Project, ProjectField, ProjectItem } from '../schema/conversations.ts';
import type { Repository } from '../schema/repositories.ts';
import { globalId } from '../views/node-ids.ts';
import { WEB } from '../views/urls.ts';
import { accountNode, accountNodeOrNull, nothing } from './accounts.ts';
import { connection, type Order, ordered, type PageArguments } from './connections.ts';
import { type Graph, GraphError, type GraphValue } from './graph.ts';
import { issueNode } from './issues.ts';
import { pullNode } from './pulls.ts';

/** Whether the caller may see a project: its owner, members of its organisation, and all if it is public. */
export function seesProject({ ctx }: Graph, project: Project): boolean {
  const viewer = viewerOf(ctx);
  if (project.public || viewer?.id === project.owner_id) return true;
  return viewer !== null && ctx.tx.org_members.get([project.owner_id, viewer.id])?.state === 'active';
}

export function projectNamed(graph: Graph, owner: Account, number: number): GraphValue {
  const project = graph.ctx.tx.projects.unique('by_number', [owner.id, number]);
  if (project && seesProject(graph, project)) return projectNode(graph, project);
  throw new GraphError('NOT_FOUND', `Could not resolve to a ProjectV2 with the number ${number}.`);
}

interface ProjectArguments extends PageArguments {
  readonly query?: string | null;
  readonly orderBy?: Order | null;
}

/** The projects of an account; only those of a repository where one is given. */
export function projectsOf(
  graph: Graph,
  args: ProjectArguments,
  { owner, repository }: { readonly owner: Account; readonly repository?: Repository },
): GraphValue {
  const word = (args.query ?? '').toLowerCase();
  return connection(args, {
    name: 'projectsV2',
    items: () => {
      const found = [...graph.ctx.tx.projects.by('by_number', [owner.id])].filter(
        (project) =>
          seesProject(graph, project) &&
          (!repository || project.repository_id === repository.id) &&
          project.title.toLowerCase().includes(word),
      );
      return ordered(found, ({ number }) => number, args.orderBy?.direction ?? 'ASC');
    },
    key: ({ id }) => id,
    show: (project) => projectNode(graph, project),
  });
}

export function projectNode(graph: Graph, project: Project): GraphValue {
  const { tx } = graph.ctx;
  const owner = tx.accounts.get(project.owner_id);
  const kind = owner?.type === 'Organization' ? 'orgs' : 'users';
  const url = `${WEB}/${kind}/${owner?.login ?? ''}/projects/${project.number}`;
  const fields = (): ProjectField[] => [...tx.project_fields.by('by_project', [project.id])];
  return {
    __typename: 'ProjectV2',
    closed: project.closed_at !== null,
    closedAt: project.closed_at,
    createdAt: project.created_at,
    creator: () => accountNodeOrNull(graph, project.creator_id),
    databaseId: project.id,
    field: ({ name }: { name: string }) => {
      const field = fields().find((row) => row.name === name);
      return field ? fieldNode(graph, field) : null;
    },
    fields: (args: PageArguments) =>
      connection(args, {
        name: 'fields',
        items: fields,
        key: ({ id }) => id,
        show: (field) => fieldNode(graph, field),
      }),
    fullDatabaseId: String(project.id),
    id: globalId('PVT', [0, project.owner_id, project.id]),
    items: (args: PageArguments) =>
      connection(args, {
        name: 'items',
        items: () => [...tx.project_items.by('by_project', [project.id])],
        key: ({ id }) => id,
        show: (item) => itemNode(graph, item),
      }),
    number: project.number,
    owner: () => (owner ? accountNode(graph, owner) : null),
    public: project.public,
    readme: project.readme,
    resourcePath: url.slice(WEB.length),
    shortDescription: project.short_description,
    title: project.title,
    updatedAt: project.updated_at,
    url,
    viewerCanUpdate: () => viewerOf(graph.ctx) !== null,
  };
}

/** The options of a single select. */
export function optionsOf({ options }: ProjectField): JsonObject[] {
  return Array.isArray(options) ? options.filter(isJsonObject) : [];
}

export function fieldNode(graph: Graph, field: ProjectField): GraphValue {
  const isSelect = field.data_type === 'SINGLE_SELECT';
  const project = graph.ctx.tx.projects.get(field.project_id);
  return {
    __typename: isSelect ? 'ProjectV2SingleSelectField' : 'ProjectV2Field',
    databaseId: field.id,
    dataType: field.data_type,
    id: globalId(isSelect ? 'PVTSSF' : 'PVTF', [0, field.project_id, field.id]),
    name: field.name,
    options: ({ names }: { names?: readonly string[] }) =>
      optionsOf(field).filter(({ name }) => !names || names.includes(String(name))),
    project: () => (project ? projectNode(graph, project) : null),
  };
}

export function itemNode(graph: Graph, item: ProjectItem): GraphValue {
  const { tx } = graph.ctx;
  const issue = item.issue_id === null ? undefined : tx.issues.get(item.issue_id);
  const project = tx.projects.get(item.project_id);
  const id = globalId('PVTI', [0, item.project_id, item.id]);
  const values = (): { field: ProjectField; value: unknown }[] => {
    const kept = (item.values ?? {}) as JsonObject;
    return [...tx.project_fields.by('by_project', [item.project_id])].flatMap((field) => {
      const value = field.data_type === 'TITLE' ? (issue?.title ?? item.title) : kept[String(field.id)];
      return value === undefined || value === null ? [] : [{ field, value }];
    });
  };
  return {
    __typename: 'ProjectV2Item',
    content: () => {
      if (issue) return issue.kind === 'pull' ? pullNode(graph, issue.id) : issueNode(graph, issue);
      return draftNode(graph, item);
    },
    createdAt: item.created_at,
    creator: () => accountNodeOrNull(graph, item.creator_id),
    databaseId: item.id,
    fieldValueByName: ({ name }: { name: string }) => {
      const found = values().find(({ field }) => field.name === name);
      return found ? valueNode(graph, item, found) : null;
    },
    fieldValues: (args: PageArguments) =>
      connection(args, {
        name: 'fieldValues',
        items: values,
        key: ({ field }) => field.id,
        show: (value) => valueNode(graph, item, value),
      }),
    fullDatabaseId: String(item.id),
    id,
    isArchived: item.is_archived,
    project: () => (project ? projectNode(graph, project) : null),
    type: issue ? (issue.kind === 'pull' ? 'PULL_REQUEST' : 'ISSUE') : 'DRAFT_ISSUE',
    updatedAt: item.updated_at,
  };
}

function draftNode(graph: Graph, item: ProjectItem): GraphValue {
  return {
    __typename: 'DraftIssue',
    assignees: (args: PageArguments) => nothing(args, 'assignees'),
    body: item.body ?? '',
    createdAt: item.created_at,
    creator: () => accountNodeOrNull(graph, item.creator_id),
    id: globalId('DI', [0, item.project_id, item.id]),
    title: item.title ?? '',
    updatedAt: item.updated_at,
  };
}

function valueNode(
  graph: Graph,
  item: ProjectItem,
  { field, value }: { readonly field: ProjectField; readonly value: unknown },
): GraphValue {
  const common = {
    field: () => fieldNode(graph, field),
    id: globalId('PVTFV', [0, item.id, field.id]),
  };
  switch (field.data_type) {
    case 'NUMBER':
      return { __typename: 'ProjectV2ItemFieldNumberValue', ...common, number: value };
    case 'DATE':
      return { __typename: 'ProjectV2ItemFieldDateValue', ...common, date: value };
    case 'SINGLE_SELECT': {
      const option = optionsOf(field).find(({ id }) => id === value);
      const name = option?.name ?? null;
      return { __typename: 'ProjectV2ItemFieldSingleSelectValue', ...common, name, optionId: value };
    }
    default:
      return { __typename: 'ProjectV2ItemFieldTextValue', ...common, text: value };
  }
}

/** Where an issue or pull stands on projects that the caller may see. */
export function itemsOf(graph: Graph, args: PageArguments, issue_id: number): GraphValue {
  const { tx } = graph.ctx;
  return connection(args, {
    name: 'projectItems',
    items: () =>
      [...tx.project_items.by('by_issue', [issue_id])].filter(({ project_id }) => {
        const project = tx.projects.get(project_id);
        return project !== undefined && seesProject(graph, project);
      }),
    key: ({ id }) => id,
    show: (item) => itemNode(graph, item),
  });
}
