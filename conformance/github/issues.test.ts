import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Bench, Calls, openBench } from './octokit.ts';

/** Issues and pulls, by the official client. */

let bench: Bench;
const lamp = { owner: 'octo-works', repo: 'lamp' };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

it('opens, changes and lists issues', async () => {
  const { rest } = bench;
  const calls = new Calls();
  const made = (await calls.is(
    'create',
    rest.issues.create({
      ...lamp,
      title: 'It hums',
      body: 'At night.',
      labels: ['bug'],
      assignees: ['hubert'],
    }),
    { status: 201, data: { state: 'open', labels: [{ name: 'bug' }], assignees: [{ login: 'hubert' }] } },
  )) as { number: number };
  const at = { ...lamp, issue_number: made.number };
  await calls.is('get', rest.issues.get(at), { status: 200, data: { title: 'It hums' } });
  await calls.is('list', rest.issues.listForRepo({ ...lamp, labels: 'bug' }), { status: 200 });
  await calls.is('list of viewer', rest.issues.listForAuthenticatedUser(), { status: 200 });
  await calls.is('update', rest.issues.update({ ...at, title: 'It hums at night' }), { status: 200 });
  await calls.is('close', rest.issues.update({ ...at, state: 'closed', state_reason: 'not_planned' }), {
    status: 200,
    data: { state: 'closed', state_reason: 'not_planned', closed_by: { login: 'mona' } },
  });
  await calls.is('bad state', rest.issues.update({ ...at, state: 'bogus' as 'open' }), { status: 422 });
  await calls.is('reopen', rest.issues.update({ ...at, state: 'open' }), { status: 200 });
  await calls.is('lock', rest.issues.lock(at), { status: 204 });
  await calls.is('unlock', rest.issues.unlock(at), { status: 204 });
  await calls.is('add labels', rest.issues.addLabels({ ...at, labels: ['question'] }), { status: 200 });
  await calls.is('labels', rest.issues.listLabelsOnIssue(at), { status: 200 });
  await calls.is('remove label', rest.issues.removeLabel({ ...at, name: 'bug' }), {
    status: 200,
    data: [{ name: 'question' }],
  });
  await calls.is('set labels', rest.issues.setLabels({ ...at, labels: ['bug', 'wontfix'] }), { status: 200 });
  await calls.is('no labels', rest.issues.removeAllLabels(at), { status: 204 });
  await calls.is('unassign', rest.issues.removeAssignees({ ...at, assignees: ['hubert'] }), {
    status: 200,
    data: { assignees: [] },
  });
  await calls.is('assign', rest.issues.addAssignees({ ...at, assignees: ['mona'] }), { status: 201 });
  await calls.is('assignable', rest.issues.checkUserCanBeAssigned({ ...lamp, assignee: 'hubert' }), {
    status: 204,
  });
  await calls.is('not assignable', rest.issues.checkUserCanBeAssigned({ ...lamp, assignee: 'nobody' }), {
    status: 404,
  });
  await calls.is('events', rest.issues.listEvents(at), { status: 200 });
  await calls.is('timeline', rest.issues.listEventsForTimeline(at), { status: 200 });
  calls.end();
});

it('comments, reacts, labels and plans', async () => {
  const { rest } = bench;
  const calls = new Calls();
  const at = { ...lamp, issue_number: 1 };
  const comment = (await calls.is('comment', rest.issues.createComment({ ...at, body: 'Seen.' }), {
    status: 201,
    data: { body: 'Seen.' },
  })) as { id: number };
  const on = { ...lamp, comment_id: comment.id };
  await calls.is('comments', rest.issues.listComments(at), { status: 200 });
  await calls.is('get comment', rest.issues.getComment(on), { status: 200 });
  await calls.is('update comment', rest.issues.updateComment({ ...on, body: 'Seen twice.' }), {
    status: 200,
  });
  await calls.is('react', rest.reactions.createForIssue({ ...at, content: 'heart' }), { status: 201 });
  await calls.is('react again', rest.reactions.createForIssue({ ...at, content: 'heart' }), { status: 200 });
  await calls.is('reactions', rest.reactions.listForIssue(at), {
    status: 200,
    data: expect.arrayContaining([expect.objectContaining({ content: 'heart' })]),
  });
  await calls.is('react to comment', rest.reactions.createForIssueComment({ ...on, content: '+1' }), {
    status: 201,
  });
  await calls.is('delete comment', rest.issues.deleteComment(on), { status: 204 });
  await calls.is('create label', rest.issues.createLabel({ ...lamp, name: 'Warm', color: 'ffaa00' }), {
    status: 201,
    data: { color: 'ffaa00' },
  });
  await calls.is('same label', rest.issues.createLabel({ ...lamp, name: 'warm', color: 'ffffff' }), {
    status: 422,
    data: { errors: [{ resource: 'Label', code: 'already_exists', field: 'name' }] },
  });
  await calls.is('get label', rest.issues.getLabel({ ...lamp, name: 'WARM' }), { status: 200 });
  await calls.is('rename label', rest.issues.updateLabel({ ...lamp, name: 'warm', new_name: 'hot' }), {
    status: 200,
    data: { name: 'hot' },
  });
  await calls.is('labels', rest.issues.listLabelsForRepo(lamp), { status: 200 });
  await calls.is('delete label', rest.issues.deleteLabel({ ...lamp, name: 'hot' }), { status: 204 });
  const milestone = (await calls.is(
    'milestone',
    rest.issues.createMilestone({ ...lamp, title: 'Dawn', due_on: '2026-05-01T13:00:00Z' }),
    { status: 201, data: { title: 'Dawn', open_issues: 0 } },
  )) as { number: number };
  const plan = { ...lamp, milestone_number: milestone.number };
  await calls.is('plan', rest.issues.update({ ...at, milestone: milestone.number }), {
    status: 200,
    data: { milestone: { title: 'Dawn' } },
  });
  await calls.is('get milestone', rest.issues.getMilestone(plan), { status: 200, data: { open_issues: 1 } });
  await calls.is('milestones', rest.issues.listMilestones(lamp), { status: 200 });
  await calls.is('close milestone', rest.issues.updateMilestone({ ...plan, state: 'closed' }), {
    status: 200,
  });
  await calls.is('delete milestone', rest.issues.deleteMilestone(plan), { status: 204 });
  await calls.is('sub-issues', rest.issues.listSubIssues(at), { status: 200, data: [{ number: 2 }] });
  calls.end();
});

it('opens, reviews and merges pulls', async () => {
  const { rest } = bench;
  const calls = new Calls();
  const { sha } = (await rest.git.getRef({ ...lamp, ref: 'heads/main' })).data.object;
  await rest.git.createRef({ ...lamp, ref: 'refs/heads/dusk', sha });
  const change = { message: 'Dusk', content: base64('dusk\n'), branch: 'dusk' };
  await rest.repos.createOrUpdateFileContents({ ...lamp, path: 'dusk.txt', ...change });
  const wish = { ...lamp, title: 'Dusk', head: 'dusk', base: 'main', body: 'Fixes #1' };
  const made = (await calls.is('create', rest.pulls.create(wish), {
    status: 201,
    data: { changed_files: 1, commits: 1, additions: 1 },
  })) as { number: number };
  await calls.is('again', rest.pulls.create(wish), {
    status: 422,
    data: { errors: [{ message: 'A pull request already exists for octo-works:dusk.' }] },
  });
  await calls.is('nothing', rest.pulls.create({ ...wish, head: 'main' }), { status: 422 });
  const at = { ...lamp, pull_number: made.number };
  await calls.is('get', rest.pulls.get(at), { status: 200, data: { merged: false } });
  await calls.is('diff', rest.pulls.get({ ...at, mediaType: { format: 'diff' } }), { status: 200 });
  await calls.is('list', rest.pulls.list({ ...lamp, head: 'octo-works:dusk' }), { status: 200, data: [{}] });
  await calls.is('files', rest.pulls.listFiles(at), { status: 200, data: [{ filename: 'dusk.txt' }] });
  await calls.is('commits', rest.pulls.listCommits(at), { status: 200, data: [{}] });
  await calls.is('update', rest.pulls.update({ ...at, title: 'Dusk light' }), { status: 200 });
  await calls.is('ask', rest.pulls.requestReviewers({ ...at, reviewers: ['hubert'] }), {
    status: 201,
    data: { requested_reviewers: [{ login: 'hubert' }] },
  });
  await calls.is('asked', rest.pulls.listRequestedReviewers(at), { status: 200 });
  await calls.is('ask no more', rest.pulls.removeRequestedReviewers({ ...at, reviewers: ['hubert'] }), {
    status: 200,
  });
  await calls.is('approve own', rest.pulls.createReview({ ...at, event: 'APPROVE' }), { status: 422 });
  const review = (await calls.is('pending', rest.pulls.createReview({ ...at }), {
    status: 200,
    data: { state: 'PENDING' },
  })) as { id: number };
  await calls.is('reviews', rest.pulls.listReviews(at), { status: 200 });
  const of = { ...at, review_id: review.id };
  await calls.is('submit', rest.pulls.submitReview({ ...of, event: 'COMMENT', body: 'Fine.' }), {
    status: 200,
    data: { state: 'COMMENTED' },
  });
  await calls.is('get review', rest.pulls.getReview(of), { status: 200 });
  const head = (await rest.pulls.get(at)).data.head.sha;
  const remark = { ...at, body: 'Why?', commit_id: head, path: 'dusk.txt', line: 1, side: 'RIGHT' as const };
  const comment = (await calls.is('remark', rest.pulls.createReviewComment(remark), { status: 201 })) as {
    id: number;
  };
  const reply = { ...at, comment_id: comment.id, body: 'So.' };
  await calls.is('reply', rest.pulls.createReplyForReviewComment(reply), {
    status: 201,
    data: { in_reply_to_id: comment.id },
  });
  await calls.is('remarks', rest.pulls.listReviewComments(at), { status: 200 });
  await calls.is('not merged', rest.pulls.checkIfMerged(at), { status: 404 });
  // The client sends no body: an empty one must do.
  await calls.is('merge', rest.pulls.merge(at), { status: 200, data: { merged: true } });
  await calls.is('merged', rest.pulls.checkIfMerged(at), { status: 204 });
  await calls.is('merge again', rest.pulls.merge(at), { status: 405 });
  await calls.is('closed by words', rest.issues.get({ ...lamp, issue_number: 1 }), {
    status: 200,
    data: { state: 'closed' },
  });
  calls.end();
});

it('checks commits', async () => {
  const { rest } = bench;
  const calls = new Calls();
  const { sha } = (await rest.git.getRef({ ...lamp, ref: 'heads/main' })).data.object;
  const status = { ...lamp, sha, state: 'success' as const, context: 'build' };
  await calls.is('status', rest.repos.createCommitStatus(status), {
    status: 201,
    data: { state: 'success' },
  });
  await calls.is('combined', rest.repos.getCombinedStatusForRef({ ...lamp, ref: sha }), {
    status: 200,
    data: { state: 'success', total_count: 1 },
  });
  await calls.is('statuses', rest.repos.listCommitStatusesForRef({ ...lamp, ref: 'main' }), { status: 200 });
  const run = (await calls.is('run', rest.checks.create({ ...lamp, name: 'lint', head_sha: sha }), {
    status: 201,
    data: { status: 'queued' },
  })) as { id: number };
  const done = {
    ...lamp,
    check_run_id: run.id,
    status: 'completed' as const,
    conclusion: 'success' as const,
  };
  await calls.is('done', rest.checks.update(done), { status: 200, data: { conclusion: 'success' } });
  await calls.is('runs', rest.checks.listForRef({ ...lamp, ref: sha }), {
    status: 200,
    data: { total_count: 1 },
  });
  await calls.is('suites', rest.checks.listSuitesForRef({ ...lamp, ref: sha }), { status: 200 });
  calls.end();
});

it('was asked eighty times', () => {
  expect(bench.count()).toBeGreaterThanOrEqual(80);
});
