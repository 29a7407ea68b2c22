import type { Json, JsonObject } from '../../../service/index.ts';
import { commitAt, entriesAt } from '../git/index.ts';
import { isAssignable } from '../rules/issues.ts';
import { labelNamed } from '../rules/labels.ts';
import { findBranch, isEmpty, objectsOf, refNamed, refsUnder } from '../rules/refs.ts';
import { latestOf, releasesOf } from '../rules/releases.ts';
import { roleIn } from '../rules/repositories.ts';
import { viewerOf } from '../rules/viewer.ts';
import type { Account } from '../schema/accounts.ts';
import type { Repository } from '../schema/repositories.ts';
import { placeOf } from '../views/issues.ts';
import { licenseView } from '../views/licenses.ts';
import { globalId, nodeId } from '../views/node-ids.ts';
import { MERGING, ownerOf } from '../views/repositories.ts';
import { WEB } from '../views/urls.ts';
import { accountNode, accounts, issueTypesOf, nothing, repositoriesIn } from './accounts.ts';
import { connection, type Order, ordered, type PageArguments, page } from './connections.ts';
import { categoriesOf, categoryNamed, discussionNamed, discussionsOf } from './discussions.ts';
import { noRefs, objectNamed, objectNode, refNode } from './git-objects.ts';
import { type Graph, GraphError, type GraphValue } from './graph.ts';
import { issueNamed, issueNode, issuesIn } from './issues.ts';
import { labelNode, labelsIn, milestoneNode, milestonesIn } from './labels.ts';
import { projectNamed, projectsOf } from './projects.ts';
import { pullNamed, pullNode, pullsIn } from './pulls.ts';
import { releaseNode } from './releases.ts';

/** A repository. */
export function repositoryNode(graph: Graph, repository: Repository): GraphValue {
  return {
    __typename: 'Repository',
    id: nodeId('Repository', repository.id),
    databaseId: repository.id,
    name: repository.name,
    ...facts(graph, repository),
    ...releaseMembers(graph, repository),
    ...settings(graph, repository),
    ...issueMembers(graph, repository),
    ...gitMembers(graph, repository),
    ...peopleMembers(graph, repository),
  };
}

function facts(graph: Graph, repository: Repository): GraphValue {
  const { ctx } = graph;
  const { tx } = ctx;
  const owner = ownerOf(ctx, repository);
  const { web } = placeOf(ctx, repository);
  const related = (id: number | null): GraphValue | null => {
    const found = id === null ? undefined : tx.repositories.get(id);
    return found && roleIn(ctx, found) !== null ? repositoryNode(graph, found) : null;
  };
  const languages = () => [...tx.languages.by('by_size', [repository.id])].reverse();
  return {
    nameWithOwner: `${owner.login}/${repository.name}`,
    owner: () => accountNode(graph, owner),
    description: repository.description,
    homepageUrl: repository.homepage,
    url: web,
    resourcePath: web.slice(WEB.length),
    sshUrl: `git@github.com:${owner.login}/${repository.name}.git`,
    mirrorUrl: repository.mirror_url,
    openGraphImageUrl: `https://opengraph.githubassets.com/${owner.login}/${repository.name}`,
    usesCustomOpenGraphImage: false,
    createdAt: repository.created_at,
    updatedAt: repository.updated_at,
    pushedAt: repository.pushed_at,
    diskUsage: repository.size,
    forkCount: repository.forks,
    stargazerCount: repository.stargazers,
    parent: () => related(repository.parent_id),
    templateRepository: () => related(repository.template_id),
    forks: (args: PageArguments) =>
      repositoriesIn(graph, page(args, 'forks'), [...tx.repositories.by('by_parent', [repository.id])]),
    licenseInfo: () => licenseNode(licenseView(repository.license_key)),
    primaryLanguage: () => languageNode(repository.language),
    languages: (args: PageArguments) =>
      connection(args, {
        name: 'languages',
        items: languages,
        key: ({ name }) => name,
        show: ({ name }) => languageNode(name),
        extra: {
          totalSize: () => languages().reduce((sum, { bytes }) => sum + bytes, 0),
          edges: () =>
            languages().map(({ name, bytes }) => ({ cursor: name, size: bytes, node: languageNode(name) })),
        },
      }),
    repositoryTopics: (args: PageArguments) =>
      connection(args, {
        name: 'repositoryTopics',
        items: () => repository.topics,
        key: (name) => name,
        show: (name) => ({
          id: globalId('RT', [0, repository.id, name]),
          topic: { id: globalId('TO', [0, name]), name },
          url: `${WEB}/topics/${name}`,
        }),
      }),
    codeOfConduct: null,
    securityPolicyUrl: null,
    isSecurityPolicyEnabled: false,
  };
}

function releaseMembers(graph: Graph, repository: Repository): GraphValue {
  const { ctx } = graph;
  return {
    latestRelease: () => {
      const latest = latestOf(ctx, repository);
      return latest ? releaseNode(graph, repository, latest) : null;
    },
    release: ({ tagName }: { tagName: string }) => {
      const found = releasesOf(ctx, repository).find(({ tag_name }) => tag_name === tagName);
      return found ? releaseNode(graph, repository, found) : null;
    },
    releases: (args: PageArguments & { orderBy?: Order }) =>
      connection(args, {
        name: 'releases',
        items: () => releasesSorted(graph, repository, args.orderBy),
        key: ({ id }) => id,
        show: (release) => releaseNode(graph, repository, release),
      }),
  };
}

function releasesSorted(graph: Graph, repository: Repository, order: Order | undefined) {
  const all = releasesOf(graph.ctx, repository);
  if (!order) return all;
  const isByName = order.field === 'NAME';
  return ordered(all, ({ name, created_at }) => (isByName ? (name ?? '') : created_at), order.direction);
}

function licenseNode(license: Json): GraphValue | null {
  if (license === null) return null;
  const { key, name, spdx_id, url, node_id } = license as JsonObject;
  return { id: node_id, key, name, nickname: null, spdxId: spdx_id, url };
}

function languageNode(name: string | null): GraphValue | null {
  return name === null ? null : { color: null, id: globalId('LANG', [0, name]), name };
}

function settings(graph: Graph, repository: Repository): GraphValue {
  const { ctx } = graph;
  const merging: JsonObject = { ...MERGING, ...(repository.merging as JsonObject) };
  const owner = ownerOf(ctx, repository);
  const role = roleIn(ctx, repository);
  const viewer = viewerOf(ctx);
  const method =
    merging.allow_merge_commit === false
      ? merging.allow_squash_merge === false
        ? 'REBASE'
        : 'SQUASH'
      : 'MERGE';
  return {
    autoMergeAllowed: merging.allow_auto_merge === true,
    deleteBranchOnMerge: merging.delete_branch_on_merge === true,
    mergeCommitAllowed: merging.allow_merge_commit !== false,
    rebaseMergeAllowed: merging.allow_rebase_merge !== false,
    squashMergeAllowed: merging.allow_squash_merge !== false,
    hasDiscussionsEnabled: repository.has_discussions,
    hasIssuesEnabled: repository.has_issues,
    hasProjectsEnabled: repository.has_projects,
    hasWikiEnabled: repository.has_wiki,
    isArchived: repository.archived,
    isBlankIssuesEnabled: true,
    isDisabled: repository.disabled,
    isEmpty: () => isEmpty(ctx, repository),
    isFork: repository.fork,
    isInOrganization: owner.type === 'Organization',
    isMirror: repository.mirror_url !== null,
    isPrivate: repository.visibility !== 'public',
    isTemplate: repository.is_template,
    isUserConfigurationRepository: owner.login === repository.name,
    visibility: repository.visibility.toUpperCase(),
    viewerCanAdminister: role === 'admin',
    viewerPermission: viewer && role ? role.toUpperCase() : null,
    viewerDefaultMergeMethod: method,
    viewerDefaultCommitEmail: viewer?.email ?? null,
    viewerPossibleCommitEmails: viewer?.email ? [viewer.email] : [],
    viewerHasStarred: () => {
      if (!viewer) return false;
      return [...ctx.tx.stars.by('by_repository', [repository.id])].some(
        ({ user_id }) => user_id === viewer.id,
      );
    },
    viewerSubscription: viewer ? 'UNSUBSCRIBED' : null,
  };
}

function issueMembers(graph: Graph, repository: Repository): GraphValue {
  const { ctx } = graph;
  const missing = (number: number): GraphError =>
    new GraphError(
      'NOT_FOUND',
      `Could not resolve to an issue or pull request with the number of ${number}.`,
    );
  return {
    issue: ({ number }: { number: number }) => issueNamed(graph, repository, number),
    pullRequest: ({ number }: { number: number }) => pullNamed(graph, repository, number),
    issueOrPullRequest: ({ number }: { number: number }) => {
      const issue = ctx.tx.issues.unique('by_number', [repository.id, number]);
      if (!issue) throw missing(number);
      return issue.kind === 'pull' ? pullNode(graph, issue.id) : issueNode(graph, issue);
    },
    issues: (args: Parameters<typeof issuesIn>[1]) => issuesIn(graph, args, repository),
    pullRequests: (args: PageArguments) => pullsIn(graph, args, { repository }),
    issueFields: (args: PageArguments) => nothing(args, 'issueFields'),
    issueTypes: (args: PageArguments) => issueTypesOf(graph, args, repository.owner_id),
    issueTemplates: () => templatesOf(graph, repository),
    pullRequestTemplates: [],
    label: ({ name }: { name: string }) => {
      const label = labelNamed(ctx, repository, name);
      return label ? labelNode(graph, repository, label) : null;
    },
    labels: (args: Parameters<typeof labelsIn>[1]) => labelsIn(graph, args, repository),
    milestone: ({ number }: { number: number }) => {
      const milestone = ctx.tx.milestones.unique('by_number', [repository.id, number]);
      return milestone ? milestoneNode(graph, repository, milestone) : null;
    },
    milestones: (args: Parameters<typeof milestonesIn>[1]) => milestonesIn(graph, args, repository),
    discussion: ({ number }: { number: number }) => discussionNamed(graph, repository, number),
    discussionCategories: (args: PageArguments) => categoriesOf(graph, args, repository),
    discussionCategory: ({ slug }: { slug: string }) => categoryNamed(graph, repository, slug),
    discussions: (args: Parameters<typeof discussionsOf>[1]) => discussionsOf(graph, args, repository),
    projectV2: ({ number }: { number: number }) => projectNamed(graph, ownerOf(ctx, repository), number),
    projectsV2: (args: PageArguments) =>
      projectsOf(graph, args, { owner: ownerOf(ctx, repository), repository }),
  };
}

/** The templates of issues that the default branch holds. */
function templatesOf(graph: Graph, repository: Repository): GraphValue[] {
  const { ctx } = graph;
  const reader = objectsOf(ctx);
  const folder = objectNamed(graph, repository, 'HEAD:.github/ISSUE_TEMPLATE');
  if (folder?.__typename !== 'Tree') return [];
  return entriesAt(reader, String(folder.oid))
    .filter(({ path }) => path.endsWith('.md'))
    .map(({ path, sha }) => {
      const text = String(objectNode(graph, repository, sha)?.text ?? '');
      const [, head = '', body = text] = /^---\n(.*?)\n---\n?(.*)$/su.exec(text) ?? [];
      const member = (name: string): string | null =>
        new RegExp(`^${name}:\\s*(.*)$`, 'mu').exec(head)?.[1]?.replaceAll(/^['"]|['"]$/gu, '') ?? null;
      return {
        about: member('about'),
        body,
        filename: path,
        name: member('name') ?? path,
        title: member('title'),
      };
    });
}

interface RefArguments extends PageArguments {
  readonly refPrefix: string;
  readonly query?: string | null;
  readonly direction?: 'ASC' | 'DESC' | null;
  readonly orderBy?: Order | null;
}

function gitMembers(graph: Graph, repository: Repository): GraphValue {
  const { ctx } = graph;
  return {
    defaultBranchRef: () => {
      const branch = findBranch(ctx, repository, repository.default_branch);
      return branch
        ? refNode(graph, repository, { ref: `refs/heads/${branch.name}`, sha: branch.sha })
        : null;
    },
    ref: ({ qualifiedName }: { qualifiedName: string }) => {
      const names = qualifiedName.startsWith('refs/')
        ? [qualifiedName]
        : [`refs/heads/${qualifiedName}`, `refs/tags/${qualifiedName}`, `refs/${qualifiedName}`];
      const found = names.map((name) => refNamed(ctx, repository, name)).find((ref) => ref !== undefined);
      return found ? refNode(graph, repository, found) : null;
    },
    refs: (args: RefArguments) => {
      const prefix = args.refPrefix.endsWith('/') ? args.refPrefix : `${args.refPrefix}/`;
      if (!prefix.startsWith('refs/')) return noRefs(args);
      return connection(args, {
        name: 'refs',
        items: () => refsSorted(graph, repository, { ...args, prefix }),
        key: ({ ref }) => ref,
        show: (ref) => refNode(graph, repository, ref),
      });
    },
    object: ({ expression, oid }: { expression?: string; oid?: string }) =>
      typeof oid === 'string'
        ? objectNode(graph, repository, oid)
        : objectNamed(graph, repository, expression ?? 'HEAD'),
  };
}

function refsSorted(
  { ctx }: Graph,
  repository: Repository,
  { prefix, query, direction, orderBy }: RefArguments & { readonly prefix: string },
): { readonly ref: string; readonly sha: string }[] {
  const word = (query ?? '').toLowerCase();
  const all = refsUnder(ctx, repository, prefix).filter(({ ref }) =>
    ref.slice(prefix.length).toLowerCase().includes(word),
  );
  const isByMoment = orderBy?.field === 'TAG_COMMIT_DATE';
  const momentOf = (sha: string): string => commitAt(objectsOf(ctx), sha)?.committer.date ?? '';
  const key = ({ ref, sha }: { ref: string; sha: string }): string => (isByMoment ? momentOf(sha) : ref);
  return ordered(all, key, orderBy?.direction ?? direction ?? 'ASC');
}

function peopleMembers(graph: Graph, repository: Repository): GraphValue {
  const { ctx } = graph;
  const { tx } = ctx;
  const matching =
    (query: string | null | undefined) =>
    (account: Account): boolean =>
      !query || `${account.login} ${account.name ?? ''}`.toLowerCase().includes(query.toLowerCase());
  const assignable = (query: string | null | undefined): Account[] =>
    [...tx.accounts.scan()]
      .filter((account) => account.type === 'User' && isAssignable(ctx, repository, account))
      .filter(matching(query));
  const users = (args: PageArguments & { query?: string | null }, name: string): GraphValue =>
    accounts(graph, page(args, name), () => assignable(args.query).map(({ id }) => id));
  const bots = (): Account[] => [...tx.accounts.scan()].filter((account) => account.type === 'Bot');
  return {
    assignableUsers: (args: PageArguments) => users(args, 'assignableUsers'),
    mentionableUsers: (args: PageArguments) => users(args, 'mentionableUsers'),
    suggestedActors: (args: PageArguments & { query?: string | null }) =>
      accounts(graph, page(args, 'suggestedActors'), () =>
        [...bots().filter(matching(args.query)), ...assignable(args.query)].map(({ id }) => id),
      ),
    stargazers: (args: PageArguments) =>
      accounts(graph, page(args, 'stargazers'), () =>
        [...tx.stars.by('by_repository', [repository.id])].map(({ user_id }) => user_id),
      ),
    watchers: (args: PageArguments) => ({
      ...accounts(graph, page(args, 'watchers'), () => []),
      totalCount: repository.watchers,
    }),
  };
}
