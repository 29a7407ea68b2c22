import { describe, expect, it } from 'vitest';
import { openScene } from '../scene.test-kit.ts';

const NONE = { owner: 'octo-works', repo: 'none' };

describe('the body of an error', () => {
  it('repeats the status since the spring of 2024', () => {
    const missing = (atMs: number) => Object.keys(openScene(atMs).call('issues/list-for-repo', NONE).body);
    expect(missing(Date.UTC(2024, 1, 13))).toEqual(['message', 'documentation_url']);
    expect(missing(Date.UTC(2024, 10, 20))).toEqual(['message', 'documentation_url', 'status']);
  });
});
