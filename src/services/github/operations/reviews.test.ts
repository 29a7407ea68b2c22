import { describe, expect, it } from 'vitest';
import { openScene, type Scene } from '../scene.test-kit.ts';

const LAMP = { owner: 'octo-works', repo: 'lamp' };
const DIMMER = { ...LAMP, pull_number: 4 };
const NIGHT = { ...LAMP, pull_number: 6 };

function commentOn(scene: Scene, more: object) {
  const commit_id = scene.call('pulls/get', DIMMER).body.head.sha;
  return scene.call('pulls/create-review-comment', {
    ...DIMMER,
    path: 'src/dim.js',
    body: 'A word',
    commit_id,
    ...more,
  });
}

describe('review comments', () => {
  it('stand at a line of either side', () => {
    const scene = openScene();
    const right = commentOn(scene, { line: 2, side: 'RIGHT' }).body;
    expect(right).toMatchObject({
      line: 2,
      side: 'RIGHT',
      position: 3,
      start_line: null,
      subject_type: 'line',
    });
    expect(right.diff_hunk.split('\n').at(-1)).toBe('+  return Math.max(0, level - 5);');
    const left = commentOn(scene, { line: 2, side: 'LEFT' }).body;
    expect(left).toMatchObject({ line: 2, side: 'LEFT', position: 2 });
    expect(left.pull_request_review_id).not.toBe(right.pull_request_review_id);
  });

  it('stand at a position, at several lines, or at a whole file', () => {
    const scene = openScene();
    expect(commentOn(scene, { position: 2 }).body).toMatchObject({ line: 2, side: 'LEFT' });
    expect(commentOn(scene, { start_line: 1, line: 2 }).body).toMatchObject({
      start_line: 1,
      start_side: 'RIGHT',
      line: 2,
    });
    expect(commentOn(scene, { subject_type: 'file' }).body).toMatchObject({
      diff_hunk: '',
      subject_type: 'file',
    });
  });

  it('are refused where the pull shows nothing', () => {
    const scene = openScene();
    const told = commentOn(scene, { line: 200 });
    expect(told.status).toBe(422);
    expect(told.body.errors[0]).toMatchObject({ field: 'pull_request_review_thread.line', code: 'invalid' });
    expect(commentOn(scene, { path: 'LICENSE', line: 1 }).body.errors[0].field).toBe('path');
    const { path: _, ...unplaced } = { path: '', ...DIMMER, body: 'Where?' };
    expect(scene.call('pulls/create-review-comment', unplaced).body.message).toBe(
      'Invalid request.\n\n"commit_id", "path" weren\'t supplied.',
    );
  });

  it('are answered, changed, counted and deleted', () => {
    const scene = openScene();
    const first = scene.call('pulls/list-review-comments', DIMMER).body[0];
    const reply = scene.call('pulls/create-reply-for-review-comment', {
      ...DIMMER,
      comment_id: first.id,
      body: 'Five is plenty.',
    }).body;
    expect(reply).toMatchObject({ in_reply_to_id: first.id, line: first.line, diff_hunk: first.diff_hunk });
    const other = commentOn(scene, { in_reply_to: reply.id }).body;
    expect(other.in_reply_to_id).toBe(first.id);
    expect(scene.call('pulls/get', DIMMER).body.review_comments).toBe(3);
    const at = { ...LAMP, comment_id: reply.id };
    expect(scene.call('pulls/update-review-comment', { ...at, body: 'Six.' }).body.body).toBe('Six.');
    expect(scene.call('pulls/delete-review-comment', at).status).toBe(204);
    expect(scene.call('pulls/get-review-comment', at).status).toBe(404);
    expect(scene.call('pulls/list-review-comments-for-repo', LAMP).body).toHaveLength(2);
  });

  it('are outdated when their line is changed, and move with it otherwise', () => {
    const scene = openScene();
    const write = (text: string) => {
      const at = { ...LAMP, path: 'src/dim.js' };
      const { sha } = scene.call('repos/get-content', { ...at, ref: 'dimmer' }).body;
      const content = Buffer.from(text).toString('base64');
      scene.call('repos/create-or-update-file-contents', {
        ...at,
        message: 'M',
        sha,
        content,
        branch: 'dimmer',
      });
    };
    const read = () => scene.call('pulls/list-review-comments', DIMMER).body[0];
    write('// Dims.\nexport function dim(level) {\n  return Math.max(0, level - 5);\n}\n');
    expect(read()).toMatchObject({ line: 3, original_line: 2 });
    write('// Dims.\nexport function dim(level) {\n  return Math.max(0, level - 4);\n}\n');
    expect(read()).toMatchObject({ line: null, position: null, original_line: 2 });
  });

  it('are reacted to', () => {
    const scene = openScene();
    const comment_id = scene.call('pulls/list-review-comments', DIMMER).body[0].id;
    const at = { ...LAMP, comment_id };
    const react = 'reactions/create-for-pull-request-review-comment';
    expect(scene.call(react, { ...at, content: 'eyes' }).status).toBe(201);
    expect(scene.call(react, { ...at, content: 'eyes' }).status).toBe(200);
    expect(scene.call('pulls/get-review-comment', at).body.reactions).toMatchObject({
      total_count: 2,
      eyes: 1,
    });
  });
});

describe('reviews', () => {
  it('wait until they are submitted, one at a time', () => {
    const scene = openScene();
    const started = scene.call('pulls/create-review', {
      ...NIGHT,
      body: 'Draft',
      comments: [{ path: 'docs/night.md', line: 1, body: 'Why ten?' }],
    }).body;
    expect(started.state).toBe('PENDING');
    expect(started.submitted_at).toBeUndefined();
    expect(scene.call('pulls/get', NIGHT).body.review_comments).toBe(0);
    const second = scene.call('pulls/create-review', { ...NIGHT, body: 'Another' });
    expect(second.body).toMatchObject({
      message: 'Unprocessable Entity',
      errors: ['User can only have one pending review per pull request'],
    });
    const at = { ...NIGHT, review_id: started.id };
    const told = scene.call('pulls/submit-review', { ...at, event: 'COMMENT', body: 'Done' }).body;
    expect(told).toMatchObject({ id: started.id, state: 'COMMENTED', body: 'Done' });
    expect(scene.call('pulls/get', NIGHT).body.review_comments).toBe(1);
    expect(scene.call('pulls/list-comments-for-review', at).body).toHaveLength(1);
  });

  it('are not of one’s own pull, nor without words', () => {
    const scene = openScene();
    const errors = (input: object) => scene.call('pulls/create-review', { ...NIGHT, ...input }).body.errors;
    expect(errors({ event: 'APPROVE' })).toEqual(['Can not approve your own pull request']);
    expect(errors({ event: 'REQUEST_CHANGES', body: 'No' })).toEqual([
      'Can not request changes on your own pull request',
    ]);
    expect(errors({ event: 'COMMENT' })).toEqual(['Body can not be blank']);
  });

  it('are dismissed with a reason, and dropped while they wait', () => {
    const scene = openScene();
    const [approved, pending] = scene.call('pulls/list-reviews', DIMMER).body;
    const dismissed = scene.call('pulls/dismiss-review', {
      ...DIMMER,
      review_id: approved.id,
      message: 'Too old.',
    }).body;
    expect(dismissed.state).toBe('DISMISSED');
    const dropped = scene.call('pulls/delete-pending-review', { ...DIMMER, review_id: pending.id });
    expect([dropped.status, dropped.body.state]).toEqual([200, 'PENDING']);
    expect(scene.call('pulls/get-review', { ...DIMMER, review_id: pending.id }).status).toBe(404);
    const fixed = scene.call('pulls/delete-pending-review', { ...DIMMER, review_id: approved.id });
    expect(fixed.status).toBe(422);
  });
});

describe('review requests', () => {
  it('ask people and teams, and are taken back', () => {
    const scene = openScene();
    const asked = scene.call('pulls/request-reviewers', {
      ...NIGHT,
      reviewers: ['hubert'],
      team_reviewers: ['makers'],
    });
    expect(asked.status).toBe(201);
    expect(asked.body.requested_reviewers[0].login).toBe('hubert');
    expect(asked.body.requested_teams[0].slug).toBe('makers');
    const listed = scene.call('pulls/list-requested-reviewers', NIGHT).body;
    expect([listed.users.length, listed.teams.length]).toEqual([1, 1]);
    const left = scene.call('pulls/remove-requested-reviewers', { ...NIGHT, reviewers: ['hubert'] }).body;
    expect([left.requested_reviewers.length, left.requested_teams.length]).toEqual([0, 1]);
  });

  it('do not ask the author, nor strangers', () => {
    const scene = openScene();
    const own = scene.call('pulls/request-reviewers', { ...NIGHT, reviewers: ['mona'] });
    expect([own.status, own.body.message]).toEqual([
      422,
      'Review cannot be requested from pull request author.',
    ]);
    const stranger = scene.call('pulls/request-reviewers', { ...NIGHT, reviewers: ['rowan'] });
    expect(stranger.body.message).toContain('is not a collaborator of the octo-works/lamp repository.');
  });
});

describe('an archived repository', () => {
  it('takes no reviews and comments', () => {
    const scene = openScene();
    scene.call('repos/update', { ...LAMP, archived: true });
    const told = scene.call('pulls/create-review', { ...NIGHT, body: 'Late', event: 'COMMENT' });
    expect([told.status, told.body.message]).toEqual([403, 'Repository was archived so is read-only.']);
  });
});
