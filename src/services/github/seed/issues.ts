import type { Seeding } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { DEFAULT_LABELS } from '../rules/labels.ts';
import type { Issue } from '../schema/issues.ts';
import type { Repository } from '../schema/repositories.ts';
import type { GithubSchema } from '../schema.ts';

const DAY_MS = 86_400_000;

/** The default labels everywhere; in `lamp` a milestone and three issues with a comment. */
export function seedIssues(seeding: Seeding<GithubSchema>, epochMs: number): void {
  const { tx, nextId } = seeding;
  for (const repository of [...tx.repositories.scan()]) seedLabels(seeding, repository);
  const [mona, hubert] = [...tx.accounts.scan()];
  const lamp = [...tx.repositories.scan()].find(({ name }) => name === 'lamp');
  if (!mona || !hubert || !lamp) return;
  const milestone_id = Number(nextId('milestones'));
  const moment = momentText(epochMs - 20 * DAY_MS);
  tx.milestones.insert({
    id: milestone_id,
    repository_id: lamp.id,
    number: 1,
    title: 'Evening mode',
    description: 'Light that does not wake anybody.',
    state: 'open',
    creator_id: mona.id,
    due_on: '2026-04-01T07:00:00Z',
    open_issues: 1,
    closed_issues: 0,
    created_at: moment,
    updated_at: moment,
    closed_at: null,
  });
  const issue = issuesOf(seeding, { repository_id: lamp.id, user_id: hubert.id, epochMs });
  const body = 'Below ten percent the light flickers. Seen on three lamps.';
  const flicker = issue(1, 'Flickers when dimmed', { body, milestone_id, comments: 1 });
  issue(2, 'Say which voice commands there are', { parent_id: flicker.id, position: 1 });
  const closed_at = momentText(epochMs - 5 * DAY_MS);
  const typo = issue(3, 'Typo on the box', {
    state: 'closed',
    state_reason: 'completed',
    closed_at,
    closed_by_id: mona.id,
  });
  const bug = tx.labels.unique('by_name', [lamp.id, 'bug']);
  if (bug) tx.issue_labels.insert({ issue_id: flicker.id, label_id: bug.id });
  const comment_id = Number(nextId('issue_comments'));
  tx.issue_comments.insert({
    id: comment_id,
    issue_id: flicker.id,
    repository_id: lamp.id,
    user_id: mona.id,
    author_association: 'MEMBER',
    body: 'I can see it too.',
    created_at: flicker.updated_at,
    updated_at: flicker.updated_at,
  });
  tx.issue_events.insert({
    id: Number(nextId('issue_events')),
    issue_id: typo.id,
    repository_id: lamp.id,
    event: 'closed',
    actor_id: mona.id,
    commit_id: null,
    details: { state_reason: 'completed' },
    created_at: closed_at,
  });
  seedThread(seeding, { user_id: mona.id, issue: flicker });
  seedReactions(seeding, { repository_id: lamp.id, user_id: mona.id, issue_id: flicker.id, comment_id });
  tx.repositories.update(lamp.id, { next_number: 4, open_issues: 2 });
}

/** Inserts issues of one person, the first nineteen days ago and each a day after the one before. */
function issuesOf(
  { tx, nextId }: Seeding<GithubSchema>,
  by: { readonly repository_id: number; readonly user_id: number; readonly epochMs: number },
): (number: number, title: string, columns: Partial<Issue>) => Issue {
  const { epochMs, repository_id, user_id } = by;
  return (number, title, columns) =>
    tx.issues.insert({
      id: Number(nextId('issues')),
      repository_id,
      number,
      kind: 'issue',
      title,
      body: null,
      user_id,
      author_association: 'MEMBER',
      state: 'open',
      state_reason: null,
      locked: false,
      active_lock_reason: null,
      milestone_id: null,
      comments: 0,
      closed_by_id: null,
      parent_id: null,
      position: 0,
      type: null,
      created_at: momentText(epochMs - (20 - number) * DAY_MS),
      updated_at: momentText(epochMs - (20 - number) * DAY_MS),
      closed_at: null,
      ...columns,
    });
}

function seedLabels(
  { tx, nextId }: Seeding<GithubSchema>,
  { id: repository_id, created_at: updated_at }: Repository,
): void {
  for (const [name, color, description] of DEFAULT_LABELS) {
    const id = Number(nextId('labels'));
    tx.labels.insert({
      id,
      repository_id,
      name,
      name_key: name,
      color,
      is_default: true,
      description,
      updated_at,
    });
  }
}

/** One reaction of the caller to the issue, and one to the comment. */
function seedReactions(
  { tx, nextId }: Seeding<GithubSchema>,
  on: {
    readonly repository_id: number;
    readonly user_id: number;
    readonly issue_id: number;
    readonly comment_id: number;
  },
): void {
  const { repository_id, user_id, issue_id, comment_id } = on;
  const rest = { repository_id, user_id, content: '+1', created_at: '2026-02-20T09:00:00Z' };
  for (const [subject, subject_id] of [
    ['issue', issue_id],
    ['issue-comment', comment_id],
  ] as const) {
    tx.reactions.insert({ id: Number(nextId('reactions')), subject, subject_id, ...rest });
  }
}

/** The caller is told of the issue, and follows it. */
function seedThread(
  { tx, nextId }: Seeding<GithubSchema>,
  { user_id, issue }: { readonly user_id: number; readonly issue: Issue },
): void {
  const id = Number(nextId('notifications'));
  const url = `https://api.github.com/repos/octo-works/lamp/issues/${issue.number}`;
  tx.notifications.insert({
    id,
    user_id,
    repository_id: issue.repository_id,
    subject: { title: issue.title, url, latest_comment_url: url, type: 'Issue' },
    issue_id: issue.id,
    reason: 'subscribed',
    unread: true,
    position: 1,
    updated_at: issue.updated_at,
    last_read_at: null,
  });
  tx.thread_subscriptions.insert({ thread_id: id, ignored: false, created_at: issue.created_at });
}
