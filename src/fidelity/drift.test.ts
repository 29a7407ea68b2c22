import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boxes } from '../../test/boxes.ts';
import type { JsonObject } from '../base/json.ts';
import { describedOperations } from './description.ts';
import { driftOf, hasDrifted } from './drift.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-drift-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const id = { name: 'box_id', in: 'path', required: true };

/** A description that says what the service says, but for the given paths. */
function description(paths: JsonObject = {}): JsonObject {
  return {
    servers: [{ url: 'https://api.boxes.example/' }],
    paths: {
      '/boxes': {
        get: { operationId: 'boxes/list' },
        post: {
          operationId: 'boxes/create',
          requestBody: {
            content: {
              'application/json': { schema: { required: ['name'], properties: { name: {}, note: {} } } },
            },
          },
        },
      },
      '/boxes/{id}': {
        parameters: [id],
        get: { operationId: 'boxes/get' },
        delete: { operationId: 'boxes/delete' },
      },
      '/orgs/{org}/boxes': { post: { operationId: 'boxes/create-in-org' } },
      '/boxes/{box_id}/open': { parameters: [id], put: { operationId: 'boxes/open' } },
      '/boxes/{box_id}/weight': { get: { operationId: 'boxes/weigh', parameters: [id] } },
      ...paths,
    },
  };
}

function drift(value: JsonObject) {
  return driftOf(boxes(), describedOperations(write('spec.json', JSON.stringify(value))));
}

describe('drift from a description', () => {
  it('is none where it says the same, names of path parameters aside', () => {
    const same = drift(description());
    expect(same).toEqual({ added: [], gone: [], moved: [], renamed: [], required: [] });
    expect(hasDrifted(same)).toBe(false);
  });

  it('tells what is new, gone, moved and renamed', () => {
    const changed = drift(
      description({
        '/boxes/{id}': { delete: { operationId: 'boxes/delete' } },
        '/crates/{id}': { get: { operationId: 'boxes/get', parameters: [id] } },
        '/boxes/{box_id}/open': { put: { operationId: 'boxes/unlock', parameters: [id] } },
        '/boxes/{box_id}/weight': {},
        '/lids': { get: { operationId: 'lids/list' } },
      }),
    );
    expect(changed).toEqual({
      added: [{ operation: 'lids/list', at: 'GET /lids', status: 'new' }],
      gone: [{ operation: 'boxes/weigh', at: 'GET /boxes/{box_id}/weight', status: 'absent' }],
      moved: [{ operation: 'boxes/get', from: 'GET /boxes/{box_id}', to: 'GET /crates/{id}' }],
      renamed: [{ from: 'boxes/open', to: 'boxes/unlock', at: 'PUT /boxes/{box_id}/open' }],
      required: [],
    });
    expect(hasDrifted(changed)).toBe(true);
  });

  it('calls nothing gone that no description ever had', () => {
    const now = description({ '/boxes/{box_id}/weight': {} });
    const { '/boxes/{box_id}/weight': _weight, ...rest } = description().paths as JsonObject;
    const never = describedOperations(write('never.json', JSON.stringify({ ...description(), paths: rest })));
    expect(driftOf(boxes(), describedOperations(write('now.json', JSON.stringify(now))), never).gone).toEqual(
      [],
    );
  });

  it('tells parameters that must be given now', () => {
    const body = { required: ['name', 'size'], properties: { name: {}, size: {} } };
    const changed = description({
      '/boxes': {
        get: { operationId: 'boxes/list', parameters: [{ name: 'owner', in: 'query', required: true }] },
        post: {
          operationId: 'boxes/create',
          requestBody: { content: { 'application/json': { schema: body } } },
        },
      },
    });
    expect(drift(changed).required).toEqual([
      { operation: 'boxes/create', parameter: 'size' },
      { operation: 'boxes/list', parameter: 'owner' },
    ]);
  });

  it('tells one that was free before by an older description, though the service knows its name', () => {
    const older = describedOperations(write('older.json', JSON.stringify(description())));
    const now = description();
    const stricter = JSON.parse(JSON.stringify(now).replace('["name"]', '["name","note"]')) as JsonObject;
    const described = describedOperations(write('now.json', JSON.stringify(stricter)));
    expect(driftOf(boxes(), described).required).toEqual([]);
    expect(driftOf(boxes(), described, older).required).toEqual([
      { operation: 'boxes/create', parameter: 'note' },
    ]);
  });
});

describe('descriptions', () => {
  it('are read from YAML, with references, and the path of their server', () => {
    const file = write(
      'spec.yaml',
      [
        'servers: [{url: "https://h/v2"}]',
        'paths:',
        '  /x/{a}:',
        '    parameters: [{$ref: "#/components/parameters/a"}]',
        '    get: {operationId: x, parameters: [{name: h, in: header, required: true}]}',
        'components: {parameters: {a: {name: a, in: path, required: true}}}',
      ].join('\n'),
    );
    expect(describedOperations(file)).toEqual([
      { id: 'x', method: 'GET', path: '/v2/x/{a}', inputs: ['a'], required: ['a'] },
    ]);
  });

  it('are read from a table with an operation a line', () => {
    const line = {
      operation: 'x/y',
      method: 'post',
      path: '/x',
      params: [{ name: 'p', in: 'query' }],
      body: [{ name: 'b', required: true }],
    };
    expect(describedOperations(write('table.jsonl', `${JSON.stringify(line)}\n`))).toEqual([
      { id: 'x/y', method: 'POST', path: '/x', inputs: ['p', 'b'], required: ['b'] },
    ]);
    expect(() => describedOperations(write('bad.jsonl', '{}\n'))).toThrow('names no operation');
  });

  it.each([
    ['no.json', '{"paths": '],
    ['none.json', '{"a": 1}'],
    ['empty.json', '{"paths": {}}'],
  ])('that are none are refused: %s', (name, text) => {
    expect(() => describedOperations(write(name, text))).toThrow(
      expect.objectContaining({ code: 'bad-description' }),
    );
  });
});
