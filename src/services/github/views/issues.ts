import { type JsonObject, keepText } from '../../../service/index.ts';
import { Kept } from '../kept.ts';
import type { Reading } from '../operation.ts';
import type { Issue, IssueComment, Label, Milestone } from '../schema/issues.ts';
import type { Repository } from '../schema/repositories.ts';
import { simpleUser, simpleUserOrNull } from './accounts.ts';
import { globalId } from './node-ids.ts';
import { reactionSummary } from './reactions.ts';
import { ownerOf } from './repositories.ts';
import { fullName, repositoryUrl, WEB } from './urls.ts';

/** A repository as the views of what is in it need it: its addresses are made once for a whole list. */
export interface Place {
  readonly repository: Repository;
  /** `https://api.github.com/repos/owner/name`. */
  readonly url: string;
  /** `https://github.com/owner/name`. */
  readonly web: string;
}

export function placeOf(ctx: Reading, repository: Repository): Place {
  const owner = ownerOf(ctx, repository);
  return {
    repository,
    url: repositoryUrl(owner, repository),
    web: `${WEB}/${fullName(owner, repository)}`,
  };
}

/** What a row is shown as at an address: made once, for neither ever changes. */
class Views<Row extends object> {
  readonly #views = new WeakMap<Row, { readonly url: string; readonly view: JsonObject }>();

  of(row: Row, url: string, make: () => JsonObject): JsonObject {
    const known = this.#views.get(row);
    if (known?.url === url) return known.view;
    const view = Object.freeze(make());
    this.#views.set(row, { url, view });
    return view;
  }
}

const labelViews = new Views<Label>();

export function labelView(place: Place, label: Label): JsonObject {
  return labelViews.of(label, place.url, () => madeLabelView(place, label));
}

/** A label's name as GitHub writes it in addresses: what stands between their parts is left as it is. */
function encodedLabel(name: string): string {
  return encodeURI(name.toWellFormed()).replaceAll('#', '%23');
}

function madeLabelView({ repository, url }: Place, label: Label): JsonObject {
  return {
    id: label.id,
    node_id: globalId('LA', [0, repository.id, label.id]),
    url: `${url}/labels/${encodedLabel(label.name)}`,
    name: label.name,
    color: label.color,
    default: label.is_default,
    description: label.description,
  };
}

export function milestoneView(
  { tx }: Reading,
  { repository, url, web }: Place,
  milestone: Milestone,
): JsonObject {
  const own = `${url}/milestones/${milestone.number}`;
  return {
    url: own,
    html_url: `${web}/milestone/${milestone.number}`,
    labels_url: `${own}/labels`,
    id: milestone.id,
    node_id: globalId('MI', [0, repository.id, milestone.id]),
    number: milestone.number,
    title: milestone.title,
    description: milestone.description,
    creator: simpleUserOrNull(milestone.creator_id === null ? null : tx.accounts.get(milestone.creator_id)),
    open_issues: milestone.open_issues,
    closed_issues: milestone.closed_issues,
    state: milestone.state,
    created_at: milestone.created_at,
    updated_at: milestone.updated_at,
    due_on: milestone.due_on,
    closed_at: milestone.closed_at,
  };
}

/** The labels of an issue, in the order in which they were made. */
export function labelsOf({ tx }: Reading, issue: Issue): Label[] {
  return [...tx.issue_labels.by('by_issue', [issue.id])].flatMap((row) => tx.labels.get(row.label_id) ?? []);
}

/** The people an issue is assigned to, in the order in which they were. */
export function assigneesOf({ tx }: Reading, issue: Issue): JsonObject[] {
  return [...tx.issue_assignees.by('by_position', [issue.id])].flatMap(({ user_id }) => {
    const account = tx.accounts.get(user_id);
    return account ? [simpleUser(account)] : [];
  });
}

/** An issue, or a pull as issues show it; `closed_by` and the counts of parts included. */
export function issueView(ctx: Reading, place: Place, issue: Issue): JsonObject {
  const { tx } = ctx;
  const { repository, url, web } = place;
  const own = `${url}/issues/${issue.number}`;
  const account = (id: number | null): JsonObject | null =>
    simpleUserOrNull(id === null ? null : tx.accounts.get(id));
  const milestone = issue.milestone_id === null ? undefined : tx.milestones.get(issue.milestone_id);
  const assignees = assigneesOf(ctx, issue);
  const isPull = issue.kind === 'pull';
  return {
    url: own,
    repository_url: url,
    labels_url: `${own}/labels{/name}`,
    comments_url: `${own}/comments`,
    events_url: `${own}/events`,
    html_url: `${web}/${isPull ? 'pull' : 'issues'}/${issue.number}`,
    id: issue.id,
    node_id: globalId(isPull ? 'PR' : 'I', [0, repository.id, tx.pulls.get(issue.id)?.pull_id ?? issue.id]),
    number: issue.number,
    title: issue.title,
    user: account(issue.user_id),
    labels: labelsOf(ctx, issue).map((label) => labelView(place, label)),
    state: issue.state,
    locked: issue.locked,
    assignees,
    milestone: milestone ? milestoneView(ctx, place, milestone) : null,
    comments: issue.comments,
    created_at: issue.created_at,
    updated_at: issue.updated_at,
    closed_at: issue.closed_at,
    assignee: assignees[0] ?? null,
    author_association: issue.author_association,
    ...(!isPull && { issue_field_values: [] }),
    type: issue.type,
    active_lock_reason: issue.active_lock_reason,
    ...(isPull ? pullMembers(ctx, place, issue) : partsOf(ctx, issue)),
    body: issue.body,
    closed_by: account(issue.closed_by_id),
    reactions: reactionSummary(ctx, { kind: 'issue', id: issue.id }, own),
    timeline_url: `${own}/timeline`,
    performed_via_github_app: null,
    state_reason: issue.state_reason,
    ...(!isPull && { pinned_comment: null }),
  };
}

/** What a pull shows of itself among issues. */
function pullMembers({ tx }: Reading, { url, web }: Place, issue: Issue): JsonObject {
  const pull = tx.pulls.get(issue.id);
  const page = `${web}/pull/${issue.number}`;
  return {
    draft: pull?.draft ?? false,
    pull_request: {
      url: `${url}/pulls/${issue.number}`,
      html_url: page,
      diff_url: `${page}.diff`,
      patch_url: `${page}.patch`,
      merged_at: pull?.merged_at ?? null,
    },
  };
}

function partsOf(ctx: Reading, issue: Issue): JsonObject {
  const { total, completed } = countedParts(ctx, issue);
  const percent_completed = total === 0 ? 0 : Math.floor((completed * 100) / total);
  return {
    sub_issues_summary: { total, completed, percent_completed },
    issue_dependencies_summary: { blocked_by: 0, total_blocked_by: 0, blocking: 0, total_blocking: 0 },
  };
}

function countedParts(
  { tx }: Reading,
  { id }: Issue,
): { readonly total: number; readonly completed: number } {
  let total = 0;
  let completed = 0;
  for (const { state } of tx.issues.by('by_parent', [id])) {
    total += 1;
    if (state === 'closed') completed += 1;
  }
  return { total, completed };
}

/** Some lists of the longest pages. */
const VIEWS_KEPT = 300;
const keptViews = new Kept<Issue, JsonObject>(VIEWS_KEPT);

/** How issues are shown to those who only read: a view is made anew once something in it has changed. */
export function issueShower(ctx: Reading, place: Place): (issue: Issue) => JsonObject {
  const { accounts, labels, issue_labels, issue_assignees, milestones, pulls, reactions } = ctx.tx;
  const tables = [accounts, labels, issue_labels, issue_assignees, milestones, pulls, reactions];
  const versions = tables.map(({ version }) => version);
  return (issue) => {
    const { total, completed } = countedParts(ctx, issue);
    const of = [...versions, place.url, total, completed];
    return keptViews.of(issue, of, () => keepText(Object.freeze(issueView(ctx, place, issue))));
  };
}

/** A comment on an issue or pull. */
export function commentView(ctx: Reading, place: Place, comment: IssueComment): JsonObject {
  const { tx } = ctx;
  const { repository, url, web } = place;
  const issue = tx.issues.get(comment.issue_id);
  const own = `${url}/issues/comments/${comment.id}`;
  const page = `${web}/${issue?.kind === 'pull' ? 'pull' : 'issues'}/${issue?.number ?? 0}`;
  return {
    url: own,
    html_url: `${page}#issuecomment-${comment.id}`,
    issue_url: `${url}/issues/${issue?.number ?? 0}`,
    id: comment.id,
    node_id: globalId('IC', [0, repository.id, comment.id]),
    user: simpleUserOrNull(comment.user_id === null ? null : tx.accounts.get(comment.user_id)),
    created_at: comment.created_at,
    updated_at: comment.updated_at,
    author_association: comment.author_association,
    body: comment.body,
    reactions: reactionSummary(ctx, { kind: 'issue-comment', id: comment.id }, own),
    performed_via_github_app: null,
  };
}
