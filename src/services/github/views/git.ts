import type { JsonObject } from '../../../service/index.ts';
import {
  blobAt,
  commitAt,
  type FileDiff,
  type GitCommit,
  type GitReader,
  type GitTag,
  type Signature,
  totalsOf,
  utcSeconds,
  verificationOf,
} from '../git/index.ts';
import type { Reading } from '../operation.ts';
import { accountOfEmail } from '../rules/commits.ts';
import { objectsOf, type Ref } from '../rules/refs.ts';
import { simpleUserOrNull } from './accounts.ts';
import type { Place } from './issues.ts';
import { globalId } from './node-ids.ts';

/** Path segments as GitHub writes them in addresses: everything but letters, digits and `-_.~!*'()`. */
export function encodedPath(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

function personView({ name, email, date }: Signature): JsonObject {
  return { name, email, date: utcSeconds(date) };
}

/** What was found when a commit's signature was checked. */
export function verificationView(ctx: Reading, sha: string, commit: GitCommit): JsonObject {
  const checked = ctx.tx.commit_verifications.get(sha);
  const { signature, payload, ...found } = verificationOf(commit, false);
  return {
    verified: checked?.verified ?? found.verified,
    reason: checked?.reason ?? found.reason,
    signature,
    payload,
    verified_at: checked?.verified_at ?? null,
  };
}

/** A commit of the git database. */
export function gitCommitView(ctx: Reading, { repository, url, web }: Place, sha: string): JsonObject {
  const commit = commitAt(objectsOf(ctx), sha);
  if (!commit) return ctx.fail('not_found');
  return {
    sha,
    node_id: globalId('C', [0, repository.id, sha]),
    url: `${url}/git/commits/${sha}`,
    html_url: `${web}/commit/${sha}`,
    author: personView(commit.author),
    committer: personView(commit.committer),
    tree: { sha: commit.tree, url: `${url}/git/trees/${commit.tree}` },
    message: commit.message,
    parents: commit.parents.map((parent) => ({
      sha: parent,
      url: `${url}/git/commits/${parent}`,
      html_url: `${web}/commit/${parent}`,
    })),
    verification: verificationView(ctx, sha, commit),
  };
}

/** A commit as repositories show it: with accounts, without files. */
export function commitView(ctx: Reading, { repository, url, web }: Place, sha: string): JsonObject {
  const commit = commitAt(objectsOf(ctx), sha);
  if (!commit) return ctx.fail('not_found');
  const comments = [...ctx.tx.commit_comments.by('by_commit', [repository.id, sha])].length;
  return {
    sha,
    node_id: globalId('C', [0, repository.id, sha]),
    commit: {
      author: personView(commit.author),
      committer: personView(commit.committer),
      message: commit.message,
      tree: { sha: commit.tree, url: `${url}/git/trees/${commit.tree}` },
      url: `${url}/git/commits/${sha}`,
      comment_count: comments,
      verification: verificationView(ctx, sha, commit),
    },
    url: `${url}/commits/${sha}`,
    html_url: `${web}/commit/${sha}`,
    comments_url: `${url}/commits/${sha}/comments`,
    author: simpleUserOrNull(accountOfEmail(ctx, commit.author.email)),
    committer: simpleUserOrNull(accountOfEmail(ctx, commit.committer.email)),
    parents: commit.parents.map((parent) => ({
      sha: parent,
      url: `${url}/commits/${parent}`,
      html_url: `${web}/commit/${parent}`,
    })),
  };
}

/** How much a commit changes. */
export function statsView(files: readonly FileDiff[]): JsonObject {
  const { total, additions, deletions } = totalsOf(files);
  return { total, additions, deletions };
}

/** From this day the paths of changed files stand in their addresses as one segment. */
const ENCODED_MS = Date.UTC(2022, 5, 1);

/** A file that a commit, pull or comparison changes; `head` is the commit after. */
export function fileView(
  { url, web }: Place,
  { head, nowMs }: { readonly head: string; readonly nowMs: number },
  file: FileDiff,
): JsonObject {
  const path = nowMs < ENCODED_MS ? encodedPath(file.path) : encodeURIComponent(file.path.toWellFormed());
  return {
    sha: file.sha,
    filename: file.path,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.changes,
    blob_url: `${web}/blob/${head}/${path}`,
    raw_url: `${web}/raw/${head}/${path}`,
    contents_url: `${url}/contents/${path}?ref=${head}`,
    ...(file.patch !== null && { patch: file.patch }),
    ...(file.previousPath !== null && { previous_filename: file.previousPath }),
  };
}

/** A ref of the git database. */
export function refView(ctx: Reading, { repository, url }: Place, { ref, sha }: Ref): JsonObject {
  const kind = objectsOf(ctx).get(sha)?.kind ?? 'commit';
  return {
    ref,
    node_id: globalId('REF', [0, repository.id, ref]),
    url: `${url}/git/${ref}`,
    object: { sha, type: kind, url: `${url}/git/${kind}s/${sha}` },
  };
}

/** An annotated tag of the git database. */
export function tagView({ repository, url }: Place, sha: string, tag: GitTag): JsonObject {
  return {
    node_id: globalId('TA', [0, repository.id, sha]),
    sha,
    url: `${url}/git/tags/${sha}`,
    tagger: tag.tagger && personView(tag.tagger),
    object: { sha: tag.object, type: tag.type, url: `${url}/git/${tag.type}s/${tag.object}` },
    tag: tag.tag,
    message: tag.message,
    verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
  };
}

/** One entry of a tree, with the size of a file. */
export function treeEntryView(
  reader: GitReader,
  url: string,
  entry: { readonly path: string; readonly mode: string; readonly type: string; readonly sha: string },
): JsonObject {
  const { path, mode, type, sha } = entry;
  const view = { path, mode, type, sha };
  if (type === 'commit') return view;
  if (type === 'tree') return { ...view, url: `${url}/git/trees/${sha}` };
  return { ...view, size: blobAt(reader, sha)?.size ?? 0, url: `${url}/git/blobs/${sha}` };
}
