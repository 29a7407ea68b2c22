import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../base/json.ts';
import { ScenarioSeeder } from '../../../fidelity/seeding.ts';
import type { CorpusRecord } from '../../../fidelity/types.ts';
import { openSession } from '../../../session/index.ts';
import { PUBLISHED } from '../coverage.ts';
import { github } from '../index.ts';
import { openScene, type Scene } from '../scene.test-kit.ts';

const LAMP = { owner: 'octo-works', repo: 'lamp' };
const DIMMER = { ...LAMP, pull_number: 4 };
const NIGHT = { ...LAMP, pull_number: 6 };

type Call = readonly [operation: string, input: JsonObject];

/** What a scene answers, as a recording holds it. */
function recorded(scene: Scene, calls: readonly Call[]): CorpusRecord[] {
  return calls.map(([operation, input], seq) => {
    const { status, body, headers } = scene.call(operation, input);
    const { method = 'GET', path: template = '' } = PUBLISHED.get(operation) ?? {};
    const path = template.replaceAll(/\{(\w+)\}/gu, (_, name) => String(input[name]));
    const rest = Object.fromEntries(
      Object.entries(input).filter(([name]) => !template.includes(`{${name}}`)),
    );
    const isRead = method === 'GET';
    const request = {
      method,
      path,
      query: isRead ? rest : {},
      headers: {},
      auth: 'token',
      body: isRead ? null : rest,
    };
    const response = { status, headers, body, cuts: [] };
    return {
      operation,
      endpoint: `${method} ${template}`,
      seq,
      request,
      response,
    } as unknown as CorpusRecord;
  });
}

/** What an exchange was answered with: a list. */
function listIn(records: readonly CorpusRecord[], operation: string): JsonObject[] {
  const record = records.find((one) => one.operation === operation);
  return (record?.response.body ?? []) as JsonObject[];
}

/** A scene in the world that these records tell of. */
function rebuilt(records: readonly CorpusRecord[]): Scene {
  const { world, actor } = new ScenarioSeeder(github).seed({ name: 'told', records });
  const session = openSession({
    services: [github],
    world,
    actors: [actor],
    seeds: {},
    streamSeed: 'told',
    epochMs: github.epochMs,
    behaviour: { engine: '', services: {} },
  });
  return {
    session,
    call(tool, input = {}, headers = {}) {
      const { status, body, headers: told = {} } = session.call({ tool, input, headers });
      return { status, body, headers: told };
    },
  };
}

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
