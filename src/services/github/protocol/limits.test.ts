import { describe, expect, it } from 'vitest';
import { openScene, type Scene } from '../scene.test-kit.ts';

const lamp = { owner: 'octo-works', repo: 'lamp' };

function create({ session }: Scene, index: number, waitedMs = 0) {
  return session.call({ tool: 'issues/create', input: { ...lamp, title: `Hums ${index}` }, waitedMs });
}

describe('primary limits', () => {
  it('name the account by its number', () => {
    const scene = openScene();
    const search = () => scene.call('search/labels', { repository_id: 990_000_001, q: 'bug' });
    for (let index = 0; index < 30; index += 1) expect(search().status).toBe(200);
    const { status, body, headers } = search();
    expect([status, headers['x-ratelimit-remaining'], headers['retry-after']]).toEqual([403, '0', undefined]);
    expect(body.message).toMatch(/^API rate limit exceeded for user ID 190000001\./u);
  });
});

describe('secondary limits', () => {
  it('take eighty things made in a minute, and say when the next is taken', () => {
    const scene = openScene();
    for (let index = 0; index < 80; index += 1) expect(create(scene, index).status).toBe(201);
    const refused = create(scene, 80);
    expect(refused).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(/^You have exceeded a secondary rate limit/u) as string },
    });
    expect(Number(refused.headers?.['x-ratelimit-remaining'])).toBe(5_000 - 80);
    const waitSeconds = Number(refused.headers?.['retry-after']);
    expect(waitSeconds).toBeGreaterThan(0);
    expect(waitSeconds).toBeLessThanOrEqual(60);
    expect(scene.call('issues/get', { ...lamp, issue_number: 1 }).status).toBe(200);
    expect(create(scene, 81, (waitSeconds - 2) * 1_000).status).toBe(403);
    expect(create(scene, 82, 2_000).status).toBe(201);
  });

  it('weigh writes five times as much as reads', () => {
    const scene = openScene();
    const statuses = Array.from(
      { length: 181 },
      () => scene.call('issues/update', { ...lamp, issue_number: 1, title: 'Flickers' }).status,
    );
    expect(statuses.indexOf(403)).toBe(180);
  });

  it('take five hundred things made in an hour', () => {
    const scene = openScene();
    const statuses: number[] = [];
    for (let index = 0; index < 501; index += 1) statuses.push(create(scene, index, 1_000).status);
    expect(statuses.indexOf(403)).toBe(500);
  });
});
