import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../base/json.ts';
import { openScene, type Scene } from '../scene.test-kit.ts';
import { type Call, listIn, rebuilt, recorded } from './recorded.test-kit.ts';

const LAMP = { owner: 'octo-works', repo: 'lamp' };
const DIMMER = { ...LAMP, pull_number: 4 };
const NIGHT = { ...LAMP, pull_number: 6 };

function push(scene: Scene, path: string, text: string): void {
  const content = Buffer.from(text).toString('base64');
  const file = { ...LAMP, path, message: `Write ${path}`, content, branch: 'dimmer' };
  expect(scene.call('repos/create-or-update-file-contents', file).status).toBe(201);
}

const OPENING: readonly Call[] = [
  ['users/get-authenticated', {}],
  ['repos/get', LAMP],
];

describe('a recording of pulls', () => {
  it('tells how many commits and lines there were, without their files', () => {
    const scene = openScene();
    push(scene, 'docs/a.md', 'one\ntwo\nthree\n');
    push(scene, 'docs/b.md', 'four\n');
    const again = rebuilt(recorded(scene, [...OPENING, ['pulls/get', DIMMER]]));
    const told = again.call('pulls/get', DIMMER).body;
    expect(told).toMatchObject({ commits: 3, additions: 5, deletions: 1, changed_files: 3, state: 'open' });
    expect(again.call('pulls/list-files', DIMMER).body).toHaveLength(3);
    expect(again.call('pulls/merge', DIMMER).status).toBe(200);
  });

  it('tells files by their patches, whatever is read first', () => {
    const scene = openScene();
    push(scene, 'docs/a.md', 'one\ntwo\nthree\n');
    const calls: Call[] = [...OPENING, ['pulls/list-files', DIMMER], ['pulls/list-commits', DIMMER]];
    const records = recorded(scene, calls);
    const again = rebuilt(records);
    const files = (told: JsonObject[]) =>
      told.map(({ filename, status, additions, patch }) => ({ filename, status, additions, patch }));
    const shown = listIn(records, 'pulls/list-files');
    expect(files(again.call('pulls/list-files', DIMMER).body)).toEqual(files(shown));
    const commits = again.call('pulls/list-commits', DIMMER).body;
    expect(commits.map(({ sha }: { sha: string }) => sha)).toEqual(
      listIn(records, 'pulls/list-commits').map(({ sha }) => sha),
    );
  });

  it('tells reviews and comments, and the lines that these stand at', () => {
    const scene = openScene();
    const calls: Call[] = [
      ...OPENING,
      ['pulls/get', DIMMER],
      ['pulls/list-reviews', DIMMER],
      ['pulls/list-review-comments', DIMMER],
    ];
    const records = recorded(scene, calls);
    const again = rebuilt(records);
    expect(again.call('pulls/list-reviews', DIMMER).body).toEqual(listIn(records, 'pulls/list-reviews'));
    expect(again.call('pulls/list-review-comments', DIMMER).body).toEqual(
      listIn(records, 'pulls/list-review-comments'),
    );
    const [file] = again.call('pulls/list-files', DIMMER).body;
    expect(file.patch).toContain('+  return Math.max(0, level - 5);');
  });

  it('holds nothing that its own requests made', () => {
    const scene = openScene();
    const opening: JsonObject = { ...LAMP, title: 'Dim at night', head: 'night', base: 'dimmer' };
    const again = rebuilt(recorded(scene, [...OPENING, ['pulls/create', opening], ['pulls/merge', NIGHT]]));
    expect(again.call('pulls/get', { ...LAMP, pull_number: 7 }).status).toBe(404);
    expect(again.call('pulls/get', NIGHT).body).toMatchObject({ merged: false, state: 'open' });
    const made = again.call('pulls/create', opening);
    expect([made.status, made.body.number, made.body.commits]).toEqual([201, 7, 1]);
    expect(again.call('pulls/merge', NIGHT).status).toBe(200);
  });
});
