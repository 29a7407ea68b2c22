import type { JsonObject, RecordedExchange } from '../../../service/index.ts';
import { seeAccount } from './accounts.ts';
import { seeAssociation, UNSEEN_MOMENT } from './issues.ts';
import { notePage } from './lists.ts';
import { factOfPull, noteFile, notesOf } from './pull-facts.ts';
import { placeOfPull, pullCalled } from './pulls.ts';
import { seeReactionCounts } from './reactions.ts';
import { repositoryCalled } from './repositories.ts';
import {
  inputOf,
  type Maker,
  nullableTextIn,
  numberIn,
  objectIn,
  type Seer,
  type Shown,
  type Sight,
  textIn,
  type Watcher,
} from './sight.ts';

const COMMENT_URL = /\/repos\/[^/]+\/[^/]+\/pulls\/comments\/\d+$/u;

export const reviewSeers: readonly Seer[] = [
  {
    fits: (object) =>
      textIn(object, 'html_url')?.includes('#pullrequestreview-') === true &&
      textIn(object, 'pull_request_url') !== undefined &&
      numberIn(object, 'id') !== undefined,
    see: seeReview,
  },
  {
    fits: (object) =>
      COMMENT_URL.test(textIn(object, 'url') ?? '') && textIn(object, 'diff_hunk') !== undefined,
    see: seeComment,
  },
];

/** Columns that a request may have set in the answer that is looked at. */
function seeReview(sight: Sight, object: JsonObject, { exchange }: Shown): void {
  const id = numberIn(object, 'id') ?? 0;
  const place = placeOfPull(sight, textIn(object, 'pull_request_url'));
  if (!place || sight.isMade('pull_reviews', id) || isOnMade(sight, place)) return;
  const issue_id = pullCalled(sight, place.repository_id, place.number);
  const user = objectIn(object, 'user');
  seeAssociation(sight, { ...object, url: object.pull_request_url ?? null });
  const isChange =
    exchange.operation !== null && /\/(?:update|submit|dismiss)-review$/u.test(exchange.operation);
  const isSubmitted = exchange.operation === 'pulls/submit-review';
  const isDismissed = exchange.operation === 'pulls/dismiss-review';
  sight.learn('pull_reviews', id, {
    blank: blankReview({ id, issue_id, repository_id: place.repository_id, user_id: null }),
    columns: {
      user_id: user ? seeAccount(sight, user) : undefined,
      author_association: textIn(object, 'author_association'),
      body: isChange ? undefined : textIn(object, 'body'),
      state: isSubmitted
        ? 'PENDING'
        : isDismissed
          ? 'APPROVED'
          : isChange
            ? undefined
            : textIn(object, 'state'),
      commit_sha: textIn(object, 'commit_id'),
      submitted_at: isSubmitted || object.state === 'PENDING' ? null : nullableTextIn(object, 'submitted_at'),
    },
  });
}

function isOnMade(
  sight: Sight,
  { repository_id, number }: { readonly repository_id: number; readonly number: number },
): boolean {
  return sight.isMade('repositories', repository_id) || sight.isMade('issues', [repository_id, number]);
}

function blankReview(known: {
  readonly id: number;
  readonly issue_id: number;
  readonly repository_id: number;
  readonly user_id: number | null;
}) {
  return {
    ...known,
    author_association: 'NONE',
    body: '',
    state: 'COMMENTED',
    commit_sha: '',
    submitted_at: UNSEEN_MOMENT,
  };
}

function seeComment(sight: Sight, object: JsonObject, { exchange }: Shown): void {
  const id = numberIn(object, 'id') ?? 0;
  const place = placeOfPull(sight, textIn(object, 'pull_request_url'));
  if (!place) return;
  noteHunk(sight, place, object);
  const review = numberIn(object, 'pull_request_review_id');
  if (review !== undefined && sight.isMade('pull_reviews', review)) sight.making('review_comments', id);
  if (sight.isMade('review_comments', id) || isOnMade(sight, place)) return;
  const { repository_id, number } = place;
  const issue_id = pullCalled(sight, repository_id, number);
  const user = objectIn(object, 'user');
  const isChange = exchange.operation === 'pulls/update-review-comment';
  seeAssociation(sight, { ...object, url: object.pull_request_url ?? null });
  sight.learn('review_comments', id, {
    blank: blankComment({ id, issue_id, repository_id }),
    columns: {
      review_id: review === undefined ? undefined : reviewOf(sight, { review, issue_id, repository_id }),
      user_id: user ? seeAccount(sight, user) : undefined,
      author_association: textIn(object, 'author_association'),
      body: isChange ? undefined : textIn(object, 'body'),
      path: textIn(object, 'path'),
      subject_type: textIn(object, 'subject_type'),
      diff_hunk: textIn(object, 'diff_hunk'),
      commit_sha: textIn(object, 'commit_id'),
      original_commit_sha: textIn(object, 'original_commit_id'),
      side: textIn(object, 'side'),
      start_side: nullableTextIn(object, 'start_side'),
      ...Object.fromEntries(NUMBERS.map((name) => [name, nullableNumberIn(object, name)])),
      in_reply_to_id: numberIn(object, 'in_reply_to_id'),
      created_at: textIn(object, 'created_at'),
      updated_at: textIn(object, 'updated_at'),
    },
  });
  seeReactionCounts(sight, object, { kind: 'review-comment', id, repository_id });
}

const NUMBERS = [
  'position',
  'original_position',
  'line',
  'original_line',
  'start_line',
  'original_start_line',
] as const;

function nullableNumberIn(object: JsonObject, name: string): number | null | undefined {
  return object[name] === null ? null : numberIn(object, name);
}

/** The review that a comment belongs to, whether or not it was seen. */
function reviewOf(
  sight: Sight,
  {
    review,
    issue_id,
    repository_id,
  }: { readonly review: number; readonly issue_id: number; readonly repository_id: number },
): number {
  if (!sight.tx.pull_reviews.has(review)) {
    const known = { id: review, issue_id, repository_id, user_id: sight.viewerId };
    sight.learn('pull_reviews', review, { blank: blankReview(known), columns: {} });
  }
  return review;
}

function blankComment(known: {
  readonly id: number;
  readonly issue_id: number;
  readonly repository_id: number;
}) {
  return {
    ...known,
    review_id: null,
    user_id: null,
    author_association: 'NONE',
    body: '',
    path: 'README.md',
    subject_type: 'line',
    diff_hunk: '@@ -1 +1 @@',
    commit_sha: '',
    original_commit_sha: '',
    position: 1,
    original_position: 1,
    side: 'RIGHT',
    line: 1,
    original_line: 1,
    start_side: null,
    start_line: null,
    original_start_line: null,
    in_reply_to_id: null,
    created_at: UNSEEN_MOMENT,
    updated_at: UNSEEN_MOMENT,
  };
}

/** As many comments on lines as a pull counts were there; those that nobody showed are outdated. */
export function fillComments(sight: Sight, issue_id: number, count: number): void {
  const { tx } = sight;
  const repository_id = tx.issues.get(issue_id)?.repository_id;
  if (repository_id === undefined) return;
  const known = [...tx.review_comments.by('by_issue', [issue_id])].length;
  const [seen] = tx.pull_reviews.by('by_issue', [issue_id]);
  for (let missing = count - known; missing > 0; missing -= 1) {
    const id = sight.freshId('review_comments');
    const review = seen?.id ?? sight.freshId('pull_reviews');
    const review_id = reviewOf(sight, { review, issue_id, repository_id });
    const blank = { ...blankComment({ id, issue_id, repository_id }), review_id, user_id: sight.viewerId };
    sight.learn('review_comments', id, { blank: { ...blank, position: null, line: null }, columns: {} });
  }
}

/** A comment on a line that still stands shows a part of the pull's patch; one on a file, that it changed. */
function noteHunk(
  sight: Sight,
  place: { readonly repository_id: number; readonly number: number },
  object: JsonObject,
): void {
  const { repository_id, number } = place;
  const path = textIn(object, 'path');
  const hunk = textIn(object, 'diff_hunk');
  if (path === undefined || hunk === undefined || object.position === null) return;
  const file = { path, patches: hunk === '' ? [] : [hunk] };
  const fact = factOfPull(sight, repository_id, number);
  if (!fact) notesOf(sight, repository_id, number).files.push(file);
  else {
    noteFile(fact, file);
    const commit = textIn(object, 'original_commit_id');
    if (commit !== undefined && commit !== fact.head_sha) fact.holds.add(commit);
  }
}

/** A comment that a request names was there. */
const watchComment: Watcher = (sight, exchange) => {
  const id = Number(inputOf(exchange).comment_id);
  const repository_id = repositoryCalled(sight, exchange);
  if (repository_id === undefined || exchange.status >= 400 || !Number.isSafeInteger(id)) return;
  if (sight.isMade('repositories', repository_id) || sight.isMade('review_comments', id)) return;
  if (sight.tx.review_comments.has(id)) return;
  const number = Number(inputOf(exchange).pull_number);
  const issue_id = pullCalled(sight, repository_id, Number.isSafeInteger(number) ? number : 1);
  const review = sight.freshId('pull_reviews');
  const blank = blankComment({ id, issue_id, repository_id });
  const review_id = reviewOf(sight, { review, issue_id, repository_id });
  sight.learn('review_comments', id, {
    blank: { ...blank, review_id, user_id: sight.viewerId },
    columns: {},
  });
};

/** A review that a request names was there; one that is submitted or dropped was pending. */
const watchReview: Watcher = (sight, exchange) => {
  const { pull_number: number, review_id: id } = inputOf(exchange);
  const repository_id = repositoryCalled(sight, exchange);
  if (repository_id === undefined || exchange.status >= 400) return;
  if (typeof number !== 'number' || typeof id !== 'number' || sight.isMade('pull_reviews', id)) return;
  if (isOnMade(sight, { repository_id, number })) return;
  const issue_id = pullCalled(sight, repository_id, number);
  reviewOf(sight, { review: id, issue_id, repository_id });
};

/** A list of reviews is as long as it was. */
const watchReviews: Watcher = (sight, exchange) => {
  const place = pullIn(sight, exchange);
  if (!place) return;
  const issue_id = pullCalled(sight, place.repository_id, place.number);
  notePage(sight, exchange, {
    key: `reviews of ${issue_id}`,
    isMade: ({ id }) => sight.isMade('pull_reviews', id ?? 0),
    known: () => [...sight.tx.pull_reviews.by('by_issue', [issue_id])].length,
    fill: () => {
      const review = sight.freshId('pull_reviews');
      reviewOf(sight, { review, issue_id, repository_id: place.repository_id });
    },
  });
};

/** A list of comments on lines is as long as it was. */
const watchComments: Watcher = (sight, exchange) => {
  const place = pullIn(sight, exchange);
  if (!place) return;
  const issue_id = pullCalled(sight, place.repository_id, place.number);
  notePage(sight, exchange, {
    key: `review comments of ${issue_id}`,
    isMade: ({ id }) => sight.isMade('review_comments', id ?? 0),
    known: () => [...sight.tx.review_comments.by('by_issue', [issue_id])].length,
    fill: () => {
      const known = [...sight.tx.review_comments.by('by_issue', [issue_id])].length;
      fillComments(sight, issue_id, known + 1);
    },
  });
};

/** The pull that a request names, unless the recording made it. */
function pullIn(sight: Sight, exchange: RecordedExchange) {
  const number = Number(inputOf(exchange).pull_number);
  const repository_id = repositoryCalled(sight, exchange);
  if (repository_id === undefined || exchange.status >= 400 || !Number.isSafeInteger(number))
    return undefined;
  const place = { repository_id, number };
  return isOnMade(sight, place) ? undefined : place;
}

export const reviewWatchers: Readonly<Record<string, Watcher>> = {
  'pulls/get-review-comment': watchComment,
  'pulls/update-review-comment': watchComment,
  'pulls/delete-review-comment': watchComment,
  'pulls/create-reply-for-review-comment': watchComment,
  'reactions/list-for-pull-request-review-comment': watchComment,
  'reactions/create-for-pull-request-review-comment': watchComment,
  'reactions/delete-for-pull-request-comment': watchComment,
  'pulls/list-comments-for-review': watchReview,
  'pulls/dismiss-review': watchReview,
  'pulls/list-reviews': watchReviews,
  'pulls/list-review-comments': watchComments,
};

const madeReview: Maker = (body, _exchange, sight) => {
  seeAssociation(sight, { ...body, url: body.pull_request_url ?? null });
  return [['pull_reviews', body.id ?? 0]];
};

const madeComment: Maker = (body, _exchange, sight) => {
  seeAssociation(sight, { ...body, url: body.pull_request_url ?? null });
  return [
    ['review_comments', body.id ?? 0],
    ['pull_reviews', body.pull_request_review_id ?? 0],
  ];
};

export const reviewMakers: Readonly<Record<string, Maker>> = {
  'pulls/create-review': madeReview,
  'pulls/create-review-comment': madeComment,
  'pulls/create-reply-for-review-comment': madeComment,
};
