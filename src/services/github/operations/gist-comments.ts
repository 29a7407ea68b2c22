import { z } from 'zod';
import type { Operation } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { gistAt } from '../rules/gists.ts';
import { freshId, idOf } from '../rules/ids.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { requireViewer } from '../rules/viewer.ts';
import type { Gist, GistComment } from '../schema/gists.ts';
import { gistCommentView } from '../views/gists.ts';
import { API } from '../views/urls.ts';
import { SEEDED_GIST } from './gists.ts';

const GIST = { gist_id: z.string() };
const COMMENT = { ...GIST, comment_id: z.union([z.int(), z.string()]) };
const example = { gist_id: SEEDED_GIST };
const one = { ...example, comment_id: 5_400_001 };

const listComments = operation({
  id: 'gists/list-comments',
  summary: "Lists a gist's comments.",
  effect: 'read',
  http: { method: 'GET', path: '/gists/{gist_id}/comments' },
  input: z.looseObject({ ...GIST, ...PAGE }),
  output: listOf('id', 'body', 'user'),
  example,
  run(ctx, input) {
    const gist = gistAt(ctx, input.gist_id);
    const items = [...ctx.tx.gist_comments.by('by_gist', [gist.id])];
    const path = `/gists/${gist.id}/comments`;
    return paged(ctx, input, {
      items,
      path,
      inPath: ['gist_id'],
      show: (row) => gistCommentView(ctx, gist, row),
    });
  },
});

const createComment = operation({
  id: 'gists/create-comment',
  summary: 'Comments on a gist.',
  effect: 'write',
  http: { method: 'POST', path: '/gists/{gist_id}/comments', status: 201 },
  input: z.looseObject({ ...GIST, body: z.string() }),
  output: shown('id', 'body', 'user'),
  example: { ...example, body: 'Warm enough.' },
  run(ctx, input) {
    const gist = gistAt(ctx, input.gist_id);
    const moment = momentText(ctx.nowMs);
    const comment = ctx.tx.gist_comments.insert({
      id: freshId(ctx, 'gist_comments'),
      gist_id: gist.id,
      user_id: requireViewer(ctx).id,
      body: input.body,
      created_at: moment,
      updated_at: moment,
    });
    ctx.tx.gists.update(gist.id, { comments: gist.comments + 1 });
    ctx.reply({ facts: { location: `${API}/gists/${gist.id}/comments/${comment.id}` } });
    return gistCommentView(ctx, gist, comment);
  },
});

interface Found {
  readonly gist: Gist;
  readonly comment: GistComment;
}

function commentAt(ctx: Reading, input: { gist_id: string; comment_id: number | string }): Found {
  const gist = gistAt(ctx, input.gist_id);
  const comment = ctx.tx.gist_comments.get(idOf(input.comment_id));
  return comment?.gist_id === gist.id ? { gist, comment } : ctx.fail('not_found');
}

/** The same for a call that changes it: its author may; the gist's owner may take it away. */
function ownComment(
  ctx: Writing,
  input: { gist_id: string; comment_id: number | string },
  byOwner = false,
): Found {
  const found = commentAt(ctx, input);
  const viewer = requireViewer(ctx);
  const own = found.comment.user_id === viewer.id || (byOwner && found.gist.owner_id === viewer.id);
  return own ? found : ctx.fail('not_found');
}

const getComment = operation({
  id: 'gists/get-comment',
  summary: 'Reads a comment on a gist.',
  effect: 'read',
  http: { method: 'GET', path: '/gists/{gist_id}/comments/{comment_id}' },
  input: z.looseObject(COMMENT),
  output: shown('id', 'body', 'user'),
  example: one,
  run(ctx, input) {
    const { gist, comment } = commentAt(ctx, input);
    return gistCommentView(ctx, gist, comment);
  },
});

const updateComment = operation({
  id: 'gists/update-comment',
  summary: 'Changes a comment on a gist.',
  effect: 'write',
  http: { method: 'PATCH', path: '/gists/{gist_id}/comments/{comment_id}' },
  input: z.looseObject({ ...COMMENT, body: z.string() }),
  output: shown('id', 'body', 'user'),
  example: { ...one, body: 'Warmer, please.' },
  run(ctx, input) {
    const { gist, comment } = ownComment(ctx, input);
    const changes = { body: input.body, updated_at: momentText(ctx.nowMs) };
    return gistCommentView(ctx, gist, ctx.tx.gist_comments.update(comment.id, changes));
  },
});

const deleteComment = operation({
  id: 'gists/delete-comment',
  summary: 'Deletes a comment on a gist.',
  effect: 'write',
  http: { method: 'DELETE', path: '/gists/{gist_id}/comments/{comment_id}', status: 204 },
  input: z.looseObject(COMMENT),
  output: nothing,
  example: one,
  run(ctx, input) {
    const { gist, comment } = ownComment(ctx, input, true);
    ctx.tx.gist_comments.delete(comment.id);
    ctx.tx.gists.update(gist.id, { comments: Math.max(0, gist.comments - 1) });
    return null;
  },
});

function isStarred(ctx: Reading, gist: Gist): boolean {
  return ctx.tx.gist_stars.has([requireViewer(ctx).id, gist.id]);
}

const checkStar = operation({
  id: 'gists/check-is-starred',
  summary: 'Says whether the caller has starred a gist.',
  effect: 'read',
  http: { method: 'GET', path: '/gists/{gist_id}/star', status: 204 },
  input: z.looseObject(GIST),
  output: nothing,
  example,
  run: (ctx, { gist_id }) => (isStarred(ctx, gistAt(ctx, gist_id)) ? null : ctx.fail('not_found')),
});

const star = operation({
  id: 'gists/star',
  summary: 'Stars a gist.',
  effect: 'write',
  http: { method: 'PUT', path: '/gists/{gist_id}/star', status: 204 },
  input: z.looseObject(GIST),
  output: nothing,
  example,
  run(ctx, { gist_id }) {
    const gist = gistAt(ctx, gist_id);
    if (!isStarred(ctx, gist)) ctx.tx.gist_stars.insert({ user_id: requireViewer(ctx).id, gist_id: gist.id });
    return null;
  },
});

const unstar = operation({
  id: 'gists/unstar',
  summary: 'Stars a gist no longer.',
  effect: 'write',
  http: { method: 'DELETE', path: '/gists/{gist_id}/star', status: 204 },
  input: z.looseObject(GIST),
  output: nothing,
  example,
  run(ctx, { gist_id }) {
    const gist = gistAt(ctx, gist_id);
    if (isStarred(ctx, gist)) ctx.tx.gist_stars.delete([requireViewer(ctx).id, gist.id]);
    return null;
  },
});

export const gistCommentOperations: readonly Operation[] = [
  checkStar,
  star,
  unstar,
  listComments,
  createComment,
  getComment,
  updateComment,
  deleteComment,
];
