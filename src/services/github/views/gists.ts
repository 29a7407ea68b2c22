import type { JsonObject } from '../../../service/index.ts';
import { blobOfText, bytesOfText, shaOf } from '../git/index.ts';
import type { Reading } from '../operation.ts';
import { languageOf, mediaTypeOfFile } from '../rules/file-kinds.ts';
import { filesOf, revisionsOf } from '../rules/gists.ts';
import type { Gist, GistComment, GistRevision } from '../schema/gists.ts';
import { simpleUserOrNull } from './accounts.ts';
import { globalId } from './node-ids.ts';
import { API } from './urls.ts';

const GIST = 'https://gist.github.com';
const RAW = 'https://gist.githubusercontent.com';

function ownerOf(ctx: Reading, { owner_id }: Gist): JsonObject | null {
  return simpleUserOrNull(owner_id === null ? null : ctx.tx.accounts.get(owner_id));
}

/** A gist as lists show it: files without their contents. */
export function listedGist(ctx: Reading, gist: Gist): JsonObject {
  return gistView(ctx, gist, { revision: revisionsOf(ctx, gist)[0], contents: false });
}

function gistView(
  ctx: Reading,
  gist: Gist,
  { revision, contents }: { readonly revision: GistRevision | undefined; readonly contents: boolean },
): JsonObject {
  const url = `${API}/gists/${gist.id}`;
  const owner = ownerOf(ctx, gist);
  const files = Object.entries(filesOf(revision)).map(([filename, content]) => [
    filename,
    {
      filename,
      type: mediaTypeOfFile(filename),
      language: languageOf(filename),
      raw_url: rawUrl(gist, String(owner?.login ?? 'anonymous'), { filename, content }),
      size: bytesOfText(content).length,
      ...(contents && { truncated: false, content, encoding: 'utf-8' }),
    },
  ]);
  return {
    url,
    forks_url: `${url}/forks`,
    commits_url: `${url}/commits`,
    id: gist.id,
    node_id: globalId('G', [0, gist.id.length]),
    git_pull_url: `${GIST}/${gist.id}.git`,
    git_push_url: `${GIST}/${gist.id}.git`,
    html_url: `${GIST}/${gist.id}`,
    files: Object.fromEntries(files) as JsonObject,
    public: gist.public,
    created_at: gist.created_at,
    updated_at: gist.updated_at,
    description: gist.description,
    comments: gist.comments,
    user: null,
    comments_enabled: true,
    comments_url: `${url}/comments`,
    ...(owner && { owner }),
    truncated: false,
  };
}

function rawUrl(
  gist: Gist,
  owner: string,
  file: { readonly filename: string; readonly content: string },
): string {
  const sha = shaOf(blobOfText(file.content));
  return `${RAW}/${owner}/${gist.id}/raw/${sha}/${encodeURIComponent(file.filename.toWellFormed())}`;
}

/** A single gist at a revision, the latest unless another is asked for: everything. */
export function fullGist(ctx: Reading, gist: Gist, at?: GistRevision): JsonObject {
  const revisions = revisionsOf(ctx, gist);
  const forks = [...ctx.tx.gists.by('by_parent', [gist.id])];
  const parent = gist.parent_id === null ? undefined : ctx.tx.gists.get(gist.parent_id);
  const { truncated, ...view } = gistView(ctx, gist, { revision: at ?? revisions[0], contents: true });
  return {
    ...view,
    ...(parent && { fork_of: listedGist(ctx, parent) }),
    forks: forks.map((fork) => forkView(ctx, fork)),
    history: revisions.map((revision) => revisionView(ctx, gist, revision)),
    truncated: truncated ?? false,
  };
}

function forkView(ctx: Reading, fork: Gist): JsonObject {
  return {
    url: `${API}/gists/${fork.id}`,
    user: ownerOf(ctx, fork),
    id: fork.id,
    created_at: fork.created_at,
    updated_at: fork.updated_at,
  };
}

export function revisionView(ctx: Reading, gist: Gist, revision: GistRevision): JsonObject {
  const { additions, deletions, version, user_id } = revision;
  return {
    user: simpleUserOrNull(user_id === null ? null : ctx.tx.accounts.get(user_id)),
    version,
    committed_at: revision.committed_at,
    change_status: { total: additions + deletions, additions, deletions },
    url: `${API}/gists/${gist.id}/${version}`,
  };
}

export function gistCommentView(ctx: Reading, gist: Gist, comment: GistComment): JsonObject {
  const user = comment.user_id === null ? undefined : ctx.tx.accounts.get(comment.user_id);
  return {
    id: comment.id,
    node_id: globalId('GC', [0, comment.id]),
    url: `${API}/gists/${gist.id}/comments/${comment.id}`,
    body: comment.body,
    user: simpleUserOrNull(user),
    created_at: comment.created_at,
    updated_at: comment.updated_at,
    author_association: user && user.id === gist.owner_id ? 'OWNER' : 'NONE',
  };
}
