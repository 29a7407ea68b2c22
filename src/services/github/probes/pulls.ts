import type { Probe } from '../../../service/index.ts';

const LAMP = { owner: 'octo-works', repo: 'lamp' };
const DIMMER = { ...LAMP, pull_number: 4 };
const MERGED = { ...LAMP, pull_number: 5 };
const NIGHT = { ...LAMP, pull_number: 6 };
const REVIEW = { ...DIMMER, review_id: 3_700_000_001 };
const PENDING = { ...DIMMER, review_id: 3_700_000_002 };
const COMMENT = { ...LAMP, comment_id: 2_700_000_001 };
const DOCS = 'https://docs.github.com/en/rest/';
const DATE = '2026-11-30';

type Fact = Omit<Probe, 'operation' | 'source' | 'date'>;

/** A fact from the page of the reference that the operation is on. */
const documented =
  (page: string) =>
  (operation: string, fact: Fact): Probe => ({ operation, ...fact, source: DOCS + page, date: DATE });

const pulls = documented('pulls/pulls');
const reviews = documented('pulls/reviews');
const requests = documented('pulls/review-requests');
const comments = documented('pulls/comments');
const reactions = documented('reactions/reactions');

const refused = (status: number, message: string): Probe['expect'] => ({ status, facts: { message } });

/** Pulls themselves. */
const pullProbes: readonly Probe[] = [
  pulls('pulls/create', {
    title: 'is open, and its mergeability is not known at once',
    input: { ...LAMP, title: 'Dim at night', head: 'night', base: 'dimmer' },
    expect: { status: 201, facts: { number: 7, state: 'open', mergeable: null, commits: 1 } },
  }),
  pulls('pulls/create', {
    title: 'one for each pair of branches',
    input: { ...LAMP, title: 'Again', head: 'night', base: 'main' },
    expect: {
      status: 422,
      facts: { 'errors.0.message': 'A pull request already exists for octo-works:night.' },
    },
  }),
  pulls('pulls/get', {
    title: 'counts what it changes',
    input: DIMMER,
    expect: { facts: { commits: 1, additions: 1, deletions: 1, changed_files: 1, mergeable: true } },
  }),
  pulls('pulls/get', {
    title: 'as a diff',
    input: DIMMER,
    headers: { accept: 'application/vnd.github.diff' },
    expect: { facts: { '': { matches: '^diff --git a/src/dim\\.js b/src/dim\\.js\n' } } },
  }),
  pulls('pulls/list', {
    title: 'the open ones, the newest first; without counts',
    input: LAMP,
    expect: {
      facts: { '0.number': 6, '1.number': 4, '2': { exists: false }, '0.commits': { exists: false } },
    },
  }),
  pulls('pulls/update', {
    title: 'closes',
    input: { ...DIMMER, state: 'closed' },
    expect: { facts: { state: 'closed', merged: false, closed_at: { exists: true } } },
  }),
  pulls('pulls/list-files', {
    title: 'with patches',
    input: DIMMER,
    expect: { facts: { '0.filename': 'src/dim.js', '0.status': 'modified', '0.patch': { matches: '^@@ ' } } },
  }),
  pulls('pulls/list-commits', {
    title: 'the oldest first',
    input: DIMMER,
    expect: { facts: { '0.commit.message': 'Dim to nothing', '1': { exists: false } } },
  }),
  pulls('pulls/check-if-merged', {
    title: 'merged',
    input: MERGED,
    expect: { status: 204, facts: { '': null } },
  }),
  pulls('pulls/check-if-merged', { title: 'not merged', input: NIGHT, expect: refused(404, 'Not Found') }),
  pulls('pulls/merge', {
    title: 'needs no body',
    input: DIMMER,
    expect: { facts: { merged: true, message: 'Pull Request successfully merged' } },
  }),
  pulls('pulls/merge', {
    title: 'not twice',
    input: MERGED,
    expect: refused(405, 'Pull Request is not mergeable'),
  }),
  pulls('pulls/merge', {
    title: 'not when the head is another one',
    input: { ...DIMMER, sha: '0123456789012345678901234567890123456789' },
    expect: refused(409, 'Head branch was modified. Review and try the merge again.'),
  }),
  pulls('pulls/update-branch', {
    title: 'is accepted',
    input: NIGHT,
    expect: { status: 202, facts: { message: 'Updating pull request branch.' } },
  }),
  documented('commits/commits')('repos/list-pull-requests-associated-with-commit', {
    title: 'the pull that a branch’s commit is in',
    input: { ...LAMP, commit_sha: 'dimmer' },
    expect: { facts: { '0.number': 4, '1': { exists: false } } },
  }),
];

/** Reviews, and who is asked for them. */
const reviewProbes: readonly Probe[] = [
  requests('pulls/list-requested-reviewers', {
    title: 'people and teams apart',
    input: NIGHT,
    after: [{ operation: 'pulls/request-reviewers', input: { ...NIGHT, team_reviewers: ['makers'] } }],
    expect: { facts: { users: [], 'teams.0.slug': 'makers' } },
  }),
  requests('pulls/request-reviewers', {
    title: 'is answered with the pull',
    input: { ...NIGHT, reviewers: ['hubert'] },
    expect: { status: 201, facts: { number: 6, 'requested_reviewers.0.login': 'hubert' } },
  }),
  requests('pulls/remove-requested-reviewers', {
    title: 'is answered with the pull and 200',
    input: { ...NIGHT, reviewers: ['hubert'] },
    expect: { facts: { number: 6, requested_reviewers: [] } },
  }),
  reviews('pulls/list-reviews', {
    title: 'the oldest first; one’s own pending one too',
    input: DIMMER,
    expect: { facts: { '0.state': 'APPROVED', '1.state': 'PENDING' } },
  }),
  reviews('pulls/create-review', {
    title: 'without a verdict it is pending',
    input: { ...NIGHT, body: 'Later.' },
    expect: { facts: { state: 'PENDING', submitted_at: { exists: false } } },
  }),
  reviews('pulls/create-review', {
    title: 'nobody approves their own',
    input: { ...NIGHT, event: 'APPROVE' },
    expect: { status: 422, facts: { 'errors.0': 'Can not approve your own pull request' } },
  }),
  reviews('pulls/get-review', { title: 'one', input: REVIEW, expect: { facts: { state: 'APPROVED' } } }),
  reviews('pulls/update-review', {
    title: 'its words',
    input: { ...PENDING, body: 'Nearly there.' },
    expect: { facts: { body: 'Nearly there.', state: 'PENDING' } },
  }),
  reviews('pulls/delete-pending-review', {
    title: 'is answered with the review',
    input: PENDING,
    expect: { facts: { id: PENDING.review_id } },
  }),
  reviews('pulls/submit-review', {
    title: 'is answered with 200',
    input: { ...PENDING, event: 'COMMENT' },
    expect: { facts: { state: 'COMMENTED', submitted_at: { exists: true } } },
  }),
  reviews('pulls/dismiss-review', {
    title: 'is still there',
    input: { ...REVIEW, message: 'Too old.' },
    expect: { facts: { state: 'DISMISSED' } },
  }),
  reviews('pulls/list-comments-for-review', {
    title: 'tell their place by position',
    input: REVIEW,
    expect: { facts: { '0.path': 'src/dim.js', '0.position': 3, '0.line': { exists: false } } },
  }),
];

/** Comments on lines. */
const commentProbes: readonly Probe[] = [
  comments('pulls/list-review-comments', {
    title: 'of one pull',
    input: DIMMER,
    expect: { facts: { '0.line': 2, '0.side': 'RIGHT', '0.subject_type': 'line' } },
  }),
  comments('pulls/list-review-comments-for-repo', {
    title: 'of all pulls',
    input: LAMP,
    expect: { facts: { '0.id': COMMENT.comment_id } },
  }),
  comments('pulls/get-review-comment', {
    title: 'with its hunk',
    input: COMMENT,
    expect: { facts: { diff_hunk: { matches: '^@@ ' }, original_line: 2 } },
  }),
  comments('pulls/create-review-comment', {
    title: 'makes a review of its own',
    input: { ...DIMMER, in_reply_to: COMMENT.comment_id, body: 'Ten was fine.' },
    expect: { status: 201, facts: { side: 'RIGHT', pull_request_review_id: { ne: REVIEW.review_id } } },
  }),
  comments('pulls/create-reply-for-review-comment', {
    title: 'stands where the comment does',
    input: { ...DIMMER, comment_id: COMMENT.comment_id, body: 'Five is plenty.' },
    expect: { status: 201, facts: { in_reply_to_id: COMMENT.comment_id, line: 2 } },
  }),
  comments('pulls/update-review-comment', {
    title: 'its words',
    input: { ...COMMENT, body: 'Why not ten?' },
    expect: { facts: { body: 'Why not ten?' } },
  }),
  comments('pulls/delete-review-comment', {
    title: 'is gone',
    input: COMMENT,
    expect: { status: 204, facts: { '': null } },
  }),
  reactions('reactions/list-for-pull-request-review-comment', {
    title: 'the first',
    input: COMMENT,
    expect: { facts: { '0.content': '+1' } },
  }),
  reactions('reactions/create-for-pull-request-review-comment', {
    title: 'the same again is answered with 200',
    input: { ...COMMENT, content: '+1' },
    expect: { facts: { content: '+1' } },
  }),
  reactions('reactions/delete-for-pull-request-comment', {
    title: 'is gone',
    input: { ...COMMENT, reaction_id: 400_000_003 },
    expect: { status: 204, facts: { '': null } },
  }),
];

/** Pulls, reviews and comments on lines. */
export const pullAreaProbes: readonly Probe[] = [...pullProbes, ...reviewProbes, ...commentProbes];
