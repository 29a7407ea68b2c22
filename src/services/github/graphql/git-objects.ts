import type { Signature } from '../git/index.ts';
import {
  blobAt,
  commitAt,
  diffSinceBase,
  entriesAt,
  type GitReader,
  log,
  splitMessage,
  textAt,
  totalsOf,
  typeOfMode,
  utcSeconds,
} from '../git/index.ts';
import { accountOfEmail } from '../rules/commits.ts';
import { entryIn } from '../rules/contents.ts';
import { protectionOf } from '../rules/protection.ts';
import { objectsOf, type Ref, resolve } from '../rules/refs.ts';
import type { Repository } from '../schema/repositories.ts';
import { placeOf } from '../views/issues.ts';
import { globalId } from '../views/node-ids.ts';
import { accountNode, nothing } from './accounts.ts';
import { checkSuitesOf, rollupOf, statusOf } from './checks.ts';
import { connection, type PageArguments } from './connections.ts';
import type { Graph, GraphValue } from './graph.ts';
import { pullsIn } from './pulls.ts';
import { repositoryNode } from './repositories.ts';

/** The object of a hash as the kind that it is; null where it is not known. */
export function objectNode(graph: Graph, repository: Repository, sha: string): GraphValue | null {
  const reader = objectsOf(graph.ctx);
  const object = reader.get(sha);
  switch (object?.kind) {
    case 'commit':
      return commitNode(graph, repository, sha);
    case 'tree':
      return treeNode(graph, repository, { sha });
    case 'blob':
      return blobNode(graph, repository, sha);
    case 'tag':
      return {
        ...objectMembers(graph, repository, { kind: 'Tag', prefix: 'TA', sha }),
        message: object.message,
        name: object.tag,
        tagger: () => object.tagger && personNode(graph, object.tagger),
        target: () => objectNode(graph, repository, object.object),
      };
    default:
      return null;
  }
}

/** What `main:src/dim.js`, a ref or a hash names; null for nothing. */
export function objectNamed(graph: Graph, repository: Repository, expression: string): GraphValue | null {
  const { ctx } = graph;
  const [, word = '', path] = /^([^:]*)(?::(.*))?$/su.exec(expression) ?? [];
  const sha = resolve(ctx, repository, word);
  if (sha === undefined || path === undefined) {
    return sha === undefined ? null : objectNode(graph, repository, sha);
  }
  const commit = commitAt(objectsOf(ctx), sha);
  const entry = commit && entryIn(objectsOf(ctx), { commit: sha, tree: commit.tree, ref: word }, path);
  return entry ? objectNode(graph, repository, entry.sha) : null;
}

function objectMembers(
  graph: Graph,
  repository: Repository,
  { kind, prefix, sha }: { readonly kind: string; readonly prefix: string; readonly sha: string },
): GraphValue {
  const { web } = placeOf(graph.ctx, repository);
  return {
    __typename: kind,
    abbreviatedOid: sha.slice(0, 7),
    commitResourcePath: `${web}/commit/${sha}`.replace('https://github.com', ''),
    commitUrl: `${web}/commit/${sha}`,
    id: globalId(prefix, [0, repository.id, sha]),
    oid: sha,
    repository: () => repositoryNode(graph, repository),
  };
}

function blobNode(graph: Graph, repository: Repository, sha: string): GraphValue {
  const reader = objectsOf(graph.ctx);
  const text = textAt(reader, sha);
  return {
    ...objectMembers(graph, repository, { kind: 'Blob', prefix: 'B', sha }),
    byteSize: blobAt(reader, sha)?.size ?? 0,
    isBinary: text === null,
    isTruncated: false,
    text,
  };
}

function treeNode(
  graph: Graph,
  repository: Repository,
  { sha, prefix = '' }: { readonly sha: string; readonly prefix?: string },
): GraphValue {
  const reader = objectsOf(graph.ctx);
  return {
    ...objectMembers(graph, repository, { kind: 'Tree', prefix: 'T', sha }),
    entries: () => entriesAt(reader, sha).map((entry) => entryNode(graph, repository, { ...entry, prefix })),
  };
}

function entryNode(
  graph: Graph,
  repository: Repository,
  entry: { readonly path: string; readonly mode: string; readonly sha: string; readonly prefix: string },
): GraphValue {
  const extension = /\.[^./]+$/u.exec(entry.path)?.[0] ?? '';
  const path = `${entry.prefix}${entry.path}`;
  return {
    extension,
    mode: Number.parseInt(entry.mode, 8),
    name: entry.path.split('/').at(-1),
    object: () =>
      typeOfMode(entry.mode) === 'tree'
        ? treeNode(graph, repository, { sha: entry.sha, prefix: `${path}/` })
        : objectNode(graph, repository, entry.sha),
    oid: entry.sha,
    path,
    type: typeOfMode(entry.mode),
  };
}

function personNode(graph: Graph, person: Signature): GraphValue {
  const account = accountOfEmail(graph.ctx, person.email);
  const user = account?.type === 'User' ? accountNode(graph, account) : null;
  return {
    avatarUrl: user?.avatarUrl ?? 'https://avatars.githubusercontent.com/u/0?v=4',
    date: utcSeconds(person.date),
    email: person.email,
    name: person.name,
    user,
  };
}

/** A commit. */
export function commitNode(graph: Graph, repository: Repository, sha: string): GraphValue | null {
  const { ctx } = graph;
  const reader = objectsOf(ctx);
  const commit = commitAt(reader, sha);
  if (!commit) return null;
  const { web } = placeOf(ctx, repository);
  const { title, body } = splitMessage(commit.message);
  const totals = () => totalsOf(diffSinceBase(reader, commit.parents[0] ?? '', sha));
  return {
    ...objectMembers(graph, repository, { kind: 'Commit', prefix: 'C', sha }),
    additions: () => totals().additions,
    associatedPullRequests: (args: PageArguments) =>
      pullsIn(graph, args, {
        repository,
        test: (pull) => pull.head_sha === sha || pull.merge_commit_sha === sha,
      }),
    author: () => personNode(graph, commit.author),
    authoredDate: utcSeconds(commit.author.date),
    authors: (args: PageArguments) =>
      connection(args, {
        name: 'authors',
        items: () => [commit.author],
        key: ({ email }) => email,
        show: (author) => personNode(graph, author),
      }),
    changedFilesIfAvailable: () => totals().files,
    checkSuites: (args: PageArguments) => checkSuitesOf(graph, args, { repository, sha }),
    committedDate: utcSeconds(commit.committer.date),
    committer: () => personNode(graph, commit.committer),
    deletions: () => totals().deletions,
    file: ({ path }: { path: string }) => {
      const entry = entryIn(reader, { commit: sha, tree: commit.tree, ref: sha }, path);
      return entry && entryNode(graph, repository, { ...entry, prefix: '' });
    },
    history: (args: HistoryArguments) => historyOf(graph, args, { repository, head: sha }),
    message: commit.message,
    messageBody: body,
    messageHeadline: title,
    parents: (args: PageArguments) =>
      connection(args, {
        name: 'parents',
        items: () => commit.parents,
        key: (parent) => parent,
        show: (parent) => commitNode(graph, repository, parent),
      }),
    pushedDate: null,
    resourcePath: `${web}/commit/${sha}`.replace('https://github.com', ''),
    status: () => statusOf(graph, repository, sha),
    statusCheckRollup: () => rollupOf(graph, repository, sha),
    tree: () => treeNode(graph, repository, { sha: commit.tree }),
    url: `${web}/commit/${sha}`,
  };
}

interface HistoryArguments extends PageArguments {
  readonly path?: string | null;
  readonly since?: string | null;
  readonly until?: string | null;
}

function historyOf(
  graph: Graph,
  args: HistoryArguments,
  { repository, head }: { readonly repository: Repository; readonly head: string },
): GraphValue {
  const reader = objectsOf(graph.ctx);
  const { path, since, until } = args;
  return connection(args, {
    name: 'history',
    items: () =>
      [...log(reader, [head])]
        .filter(({ sha, commit }) => {
          const moment = Date.parse(commit.committer.date);
          if (since && moment < Date.parse(since)) return false;
          if (until && moment > Date.parse(until)) return false;
          return !path || touches(reader, sha, path);
        })
        .map(({ sha }) => sha),
    key: (sha) => sha,
    show: (sha) => commitNode(graph, repository, sha),
  });
}

/** Whether a commit changes a file, or something in a directory. */
function touches(reader: GitReader, sha: string, path: string): boolean {
  const shaIn = (commit: string | undefined): string | undefined => {
    const tree = commit === undefined ? undefined : commitAt(reader, commit)?.tree;
    return tree === undefined || commit === undefined
      ? undefined
      : entryIn(reader, { commit, tree, ref: commit }, path)?.sha;
  };
  return shaIn(sha) !== shaIn(commitAt(reader, sha)?.parents[0]);
}

/** A branch, tag or other ref. */
export function refNode(graph: Graph, repository: Repository, ref: Ref): GraphValue {
  const [, prefix = 'refs/', name = ref.ref] =
    /^(refs\/(?:heads|tags|pull)\/|refs\/)(.*)$/su.exec(ref.ref) ?? [];
  return {
    __typename: 'Ref',
    associatedPullRequests: (args: PageArguments & { states?: readonly string[] }) =>
      pullsIn(graph, args, { repository, test: (pull) => pull.head_ref === name }),
    branchProtectionRule: () => {
      const protection = protectionOf(graph.ctx, repository, name);
      if (!protection || prefix !== 'refs/heads/') return null;
      const reviews = protection.reviews as { required_approving_review_count?: number } | null;
      const checks = protection.status_checks as { strict?: boolean } | null;
      return {
        id: globalId('BPR', [0, repository.id, name]),
        pattern: name,
        requiredApprovingReviewCount: reviews?.required_approving_review_count ?? null,
        requiresApprovingReviews: reviews !== null,
        requiresStatusChecks: checks !== null,
        requiresStrictStatusChecks: checks?.strict ?? false,
      };
    },
    id: globalId('REF', [0, repository.id, ref.ref]),
    name,
    prefix,
    repository: () => repositoryNode(graph, repository),
    target: () => objectNode(graph, repository, ref.sha),
  };
}

/** A list of refs that is empty because it was asked for what no ref starts with. */
export function noRefs(args: PageArguments): GraphValue {
  return nothing(args, 'refs');
}
