import type { JsonObject } from '../../../service/index.ts';
import type { Reading } from '../operation.ts';
import type { CommitComment } from '../schema/git.ts';
import { simpleUserOrNull } from './accounts.ts';
import type { Place } from './issues.ts';
import { globalId } from './node-ids.ts';
import { reactionSummary } from './reactions.ts';

/** A comment on a commit. */
export function commitCommentView(
  ctx: Reading,
  { repository, url, web }: Place,
  comment: CommitComment,
): JsonObject {
  const own = `${url}/comments/${comment.id}`;
  return {
    url: own,
    html_url: `${web}/commit/${comment.commit_sha}#commitcomment-${comment.id}`,
    id: comment.id,
    node_id: globalId('CC', [0, repository.id, comment.id]),
    user: simpleUserOrNull(comment.user_id === null ? null : ctx.tx.accounts.get(comment.user_id)),
    position: comment.position,
    line: comment.line,
    path: comment.path,
    commit_id: comment.commit_sha,
    created_at: comment.created_at,
    updated_at: comment.updated_at,
    author_association: comment.author_association,
    body: comment.body,
    reactions: reactionSummary(ctx, { kind: 'commit-comment', id: comment.id }, own),
  };
}
