import { describe, expect, it } from 'vitest';
import { openScene } from '../scene.test-kit.ts';
import { type Call, rebuilt, recorded } from './recorded.test-kit.ts';

const LAMP = { owner: 'octo-works', repo: 'lamp' };
const DISPATCH: Call = [
  'actions/create-workflow-dispatch',
  { ...LAMP, workflow_id: 'release.yml', ref: 'main' },
];
const LIST: Call = ['actions/list-workflow-runs-for-repo', { ...LAMP, event: 'workflow_dispatch' }];

describe('a recording of a workflow that was started', () => {
  it('holds no run that its own request made', () => {
    const scene = openScene();
    const records = recorded(scene, [LIST, DISPATCH, LIST]);
    const again = rebuilt(records);
    const before = again.call(...LIST).body.total_count;
    expect(before).toBe(scene.call(...LIST).body.total_count - 1);
    again.call(...DISPATCH);
    expect(again.call(...LIST).body.total_count).toBe(before + 1);
  });
});
