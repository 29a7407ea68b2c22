import { momentText } from '../moments.ts';
import type { Writing } from '../operation.ts';
import type { Issue } from '../schema/issues.ts';
import { API, fullName } from '../views/urls.ts';
import { freshId } from './ids.ts';
import { viewerOf } from './viewer.ts';

/**
 * Tells people of what happened to an issue or pull: its author, those assigned and those who commented, and
 * whoever is named here; never the one who did it.
 */
export function notify(
  ctx: Writing,
  issue: Issue,
  told: { readonly also?: readonly number[]; readonly reason?: string; readonly commentId?: number } = {},
): void {
  const { tx } = ctx;
  const reasons = new Map<number, string>();
  if (issue.user_id !== null) reasons.set(issue.user_id, 'author');
  for (const { user_id } of tx.issue_comments.by('by_issue', [issue.id])) {
    if (user_id !== null && !reasons.has(user_id)) reasons.set(user_id, 'comment');
  }
  for (const { user_id } of tx.issue_assignees.by('by_position', [issue.id])) reasons.set(user_id, 'assign');
  for (const id of told.also ?? []) reasons.set(id, told.reason ?? 'subscribed');
  reasons.delete(viewerOf(ctx)?.id ?? 0);
  for (const [user_id, reason] of reasons) tell(ctx, issue, { user_id, reason, commentId: told.commentId });
}

function tell(
  ctx: Writing,
  issue: Issue,
  {
    user_id,
    reason,
    commentId,
  }: { readonly user_id: number; readonly reason: string; readonly commentId: number | undefined },
): void {
  const { tx } = ctx;
  const repository = tx.repositories.get(issue.repository_id);
  const owner = repository && tx.accounts.get(repository.owner_id);
  if (!repository || !owner) return;
  const place = `${API}/repos/${fullName(owner, repository)}`;
  const url = `${place}/${issue.kind === 'pull' ? 'pulls' : 'issues'}/${issue.number}`;
  const columns = {
    subject: {
      title: issue.title,
      url,
      latest_comment_url: commentId === undefined ? url : `${place}/issues/comments/${commentId}`,
      type: issue.kind === 'pull' ? 'PullRequest' : 'Issue',
    },
    reason,
    unread: true,
    position: positionAfter(ctx, user_id),
    updated_at: momentText(ctx.nowMs),
  };
  const [known] = tx.notifications.by('by_issue', [issue.id, user_id]);
  if (known) {
    tx.notifications.update(known.id, columns);
    return;
  }
  const id = freshId(ctx, 'notifications');
  tx.notifications.insert({
    id,
    user_id,
    repository_id: repository.id,
    issue_id: issue.id,
    last_read_at: null,
    ...columns,
  });
}

/** The place after everything that somebody was told so far. */
function positionAfter({ tx }: Writing, user_id: number): number {
  const [newest] = tx.notifications.by('by_user', [user_id], { reverse: true, limit: 1 });
  return (newest?.position ?? 0) + 1;
}
