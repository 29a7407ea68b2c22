import { describe, expect, it } from 'vitest';
import { openScene } from '../scene.test-kit.ts';

describe('the address of a label', () => {
  it('leaves what stands between the parts of an address as it is', () => {
    const { call } = openScene();
    const label = { owner: 'octo-works', repo: 'lamp', name: 'size/XS: why #1?' };
    expect(call('issues/create-label', label).body.url).toBe(
      'https://api.github.com/repos/octo-works/lamp/labels/size/XS:%20why%20%231?',
    );
  });
});
