import { describe, expect, it } from 'vitest';
import { openScene } from '../scene.test-kit.ts';

describe('a new repository', () => {
  it('is watched by its maker, which the answer counted for some years', () => {
    const counts = [2019, 2020, 2026].map((year) => {
      const { call } = openScene(Date.UTC(year, 3, 1));
      const own = call('repos/create-for-authenticated-user', { name: 'notes' }).body.subscribers_count;
      const shared = call('repos/create-in-org', { org: 'octo-works', name: 'notes' }).body.subscribers_count;
      const later = call('repos/get', { owner: 'mona', repo: 'notes' }).body.subscribers_count;
      return [own, shared, later];
    });
    expect(counts).toEqual([
      [0, 0, 1],
      [1, 0, 1],
      [0, 0, 1],
    ]);
  });
});
