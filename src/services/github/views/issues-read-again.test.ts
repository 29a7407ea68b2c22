import { describe, expect, it } from 'vitest';
import { openScene } from '../scene.test-kit.ts';

const LAMP = { owner: 'octo-works', repo: 'lamp' };

/** The same world, in which nothing was asked for before: no view of it has been made yet. */
type Scene = ReturnType<typeof openScene>;

describe('an issue that was read before', () => {
  const changes: Readonly<Record<string, (scene: Scene, number: number) => unknown>> = {
    'its words': (scene, issue_number) =>
      scene.call('issues/update', { ...LAMP, issue_number, title: 'New' }),
    'its state': (scene, issue_number) =>
      scene.call('issues/update', { ...LAMP, issue_number, state: 'closed' }),
    'its labels': (scene, issue_number) =>
      scene.call('issues/add-labels', { ...LAMP, issue_number, labels: ['bug', 'brand new'] }),
    'the name of a label': (scene, issue_number) => {
      scene.call('issues/add-labels', { ...LAMP, issue_number, labels: ['bug'] });
      return scene.call('issues/update-label', { ...LAMP, name: 'bug', new_name: 'defect' });
    },
    'its people': (scene, issue_number) =>
      scene.call('issues/add-assignees', { ...LAMP, issue_number, assignees: ['mona'] }),
    'its reactions': (scene, issue_number) =>
      scene.call('reactions/create-for-issue', { ...LAMP, issue_number, content: 'heart' }),
    'its parts': (scene, issue_number) => {
      const { id } = scene.call('issues/create', { ...LAMP, title: 'A part' }).body;
      return scene.call('issues/add-sub-issue', { ...LAMP, issue_number, sub_issue_id: id });
    },
    'its comments': (scene, issue_number) =>
      scene.call('issues/create-comment', { ...LAMP, issue_number, body: 'Seen.' }),
    'the name of its repository': (scene) => scene.call('repos/update', { ...LAMP, name: 'torch' }),
  };

  it.each(Object.entries(changes))('is shown with what changed since: %s', (_, change) => {
    const [asked, unasked] = [openScene(), openScene()];
    const opened = (scene: Scene): number =>
      scene.call('issues/create', { ...LAMP, title: 'It flickers' }).body.number;
    const number = opened(asked);
    const read = (scene: Scene, repo = 'lamp') => ({
      one: scene.call('issues/get', { ...LAMP, repo, issue_number: number }).body,
      list: scene.call('issues/list-for-repo', { ...LAMP, repo, state: 'all' }).body,
    });
    expect(opened(unasked)).toBe(number);
    const before = read(asked);
    expect(before.list).toContainEqual(before.one);
    change(asked, number);
    change(unasked, number);
    const repo = asked.call('repos/get', LAMP).body.name ?? 'torch';
    const after = read(asked, repo);
    expect(withoutMoments(after)).toEqual(withoutMoments(read(unasked, repo)));
    expect(after).not.toEqual(before);
  });
});

/** Worlds that were asked more are a little older. */
function withoutMoments(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/"\d{4}-\d\d-\d\dT[\d:]+Z"/gu, '"a moment"'));
}
