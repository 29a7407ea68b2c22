import { isJsonObject, type Json, type RecordedExchange } from '../../../service/index.ts';
import { blankIssue, blankMilestone, followNumber, issueCalled, seeLabel, UNSEEN_MOMENT } from './issues.ts';
import { repositoryCalled } from './repositories.ts';
import { inputOf, type Sight, textIn, type Watcher } from './sight.ts';

/** Labels that a request names, in any of the forms of its body. */
function labelNames(value: Json | undefined): string[] {
  const list = isJsonObject(value) ? value.labels : value;
  if (!Array.isArray(list)) return [];
  return (list as readonly Json[]).flatMap((one) => (typeof one === 'string' ? one : []));
}

/** What labels a request puts on are made by it where no answer showed them before. */
const labelling: Watcher = (sight, exchange) => {
  const { response } = exchange;
  const issue_id = issueCalled(sight, exchange);
  if (issue_id === undefined || !Array.isArray(response) || !sight.first(`labels of ${issue_id}`)) return;
  const added = new Set(labelNames(inputOf(exchange).labels).map((name) => name.toLowerCase()));
  for (const label of (response as readonly Json[]).filter(isJsonObject)) {
    if (added.has(String(label.name).toLowerCase())) continue;
    const label_id = seeLabel(sight, label, exchange);
    if (label_id !== undefined) sight.tx.issue_labels.insert({ issue_id, label_id });
  }
};

/** The label of a request's path: there, and plain, as far as nothing else tells. */
const labelCalled = (sight: Sight, exchange: RecordedExchange): number | undefined => {
  const { name } = inputOf(exchange);
  const repository_id = repositoryCalled(sight, exchange);
  if (repository_id === undefined || typeof name !== 'string' || exchange.status >= 400) return undefined;
  const name_key = name.toLowerCase();
  const isMade =
    sight.isMade('repositories', repository_id) || sight.isMade('labels', [repository_id, name_key]);
  if (isMade) return undefined;
  const known = sight.tx.labels.unique('by_name', [repository_id, name_key]);
  if (known) return known.id;
  if (!sight.first(`label ${name_key} in ${repository_id}`)) return undefined;
  const id = sight.freshId('labels');
  const blank = {
    id,
    repository_id,
    name,
    name_key,
    color: 'ededed',
    is_default: false,
    description: null,
    updated_at: UNSEEN_MOMENT,
  };
  sight.learn('labels', id, { blank, columns: {} });
  return id;
};

/** A label that was taken off was on. */
const unlabelling: Watcher = (sight, exchange) => {
  const issue_id = issueCalled(sight, exchange);
  const label_id = labelCalled(sight, exchange);
  if (issue_id === undefined || label_id === undefined || !sight.first(`label ${label_id} of ${issue_id}`))
    return;
  if (!sight.tx.issue_labels.has([issue_id, label_id])) sight.tx.issue_labels.insert({ issue_id, label_id });
};

/** A milestone that a request names was there. */
const milestoneCalled: Watcher = (sight, exchange) => {
  const number = Number(inputOf(exchange).milestone_number);
  const repository_id = repositoryCalled(sight, exchange);
  if (repository_id === undefined || exchange.status >= 400 || !Number.isSafeInteger(number)) return;
  if (sight.isMade('milestones', [repository_id, number])) return;
  if (sight.tx.milestones.unique('by_number', [repository_id, number])) return;
  const id = sight.freshId('milestones');
  sight.learn('milestones', id, { blank: blankMilestone({ id, repository_id, number }), columns: {} });
};

/** A comment that a request names was there, on some issue of the repository. */
const commentCalled: Watcher = (sight, exchange) => {
  const id = Number(inputOf(exchange).comment_id);
  const repository_id = repositoryCalled(sight, exchange);
  if (repository_id === undefined || exchange.status >= 400 || !Number.isSafeInteger(id)) return;
  if (sight.tx.issue_comments.has(id) || sight.isMade('issue_comments', id)) return;
  const [issue = someIssue(sight, repository_id)] = sight.tx.issues.by('by_number', [repository_id]);
  const blank = {
    id,
    issue_id: issue.id,
    repository_id,
    user_id: sight.viewerId,
    author_association: 'NONE',
    body: '',
    created_at: UNSEEN_MOMENT,
    updated_at: UNSEEN_MOMENT,
  };
  sight.learn('issue_comments', id, { blank, columns: {} });
};

function someIssue(sight: Sight, repository_id: number): { readonly id: number } {
  const id = sight.freshId('issues');
  const blank = blankIssue({ id, repository_id, number: 1, user_id: sight.viewerId });
  sight.learn('issues', id, { blank, columns: {} });
  followNumber(sight, repository_id, 1);
  return { id };
}

/**
 * A page of a list of issues holds as many as it says, and the pages before the last are full: what was cut
 * from the recording is filled in behind what was kept, by age.
 */
const listing: Watcher = (sight, exchange) => {
  const repository_id = repositoryCalled(sight, exchange);
  const { response, cut = [] } = exchange;
  const whole = cut.find(({ at }) => at === '');
  if (repository_id === undefined || !Array.isArray(response) || !whole) return;
  const kept = (response as readonly Json[]).filter(isJsonObject);
  const last = kept.at(-1);
  if (!last) return;
  const moment = textIn(last, 'created_at') ?? UNSEEN_MOMENT;
  let number = Number(last.number);
  for (let missing = whole.of - kept.length; missing > 0 && number > 1; missing -= 1) {
    number -= 1;
    while (number > 1 && sight.tx.issues.unique('by_number', [repository_id, number])) number -= 1;
    const id = sight.freshId('issues');
    const columns = { state: textIn(last, 'state'), created_at: moment, updated_at: moment };
    const blank = blankIssue({ id, repository_id, number, user_id: sight.viewerId });
    sight.learn('issues', id, { blank, columns });
  }
};

export const issueWatchers: Readonly<Record<string, Watcher>> = {
  'issues/add-labels': labelling,
  'issues/set-labels': labelling,
  'issues/remove-label': unlabelling,
  'issues/get-label': labelCalled,
  'issues/update-label': labelCalled,
  'issues/delete-label': labelCalled,
  'issues/get-milestone': milestoneCalled,
  'issues/update-milestone': milestoneCalled,
  'issues/delete-milestone': milestoneCalled,
  'issues/list-labels-for-milestone': milestoneCalled,
  'issues/get-comment': commentCalled,
  'issues/update-comment': commentCalled,
  'issues/delete-comment': commentCalled,
  'reactions/list-for-issue-comment': commentCalled,
  'reactions/create-for-issue-comment': commentCalled,
  'reactions/delete-for-issue-comment': commentCalled,
  'issues/list-for-repo': listing,
};
