import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../base/errors.ts';
import { corpusRecords, pathParameters, readCorpus, scenariosOf } from './corpus.ts';
import { exchangeOf } from './seeding.ts';

const LINE = {
  id: 'one',
  scenario: 's',
  seq: 2,
  endpoint: 'POST /boxes/{id}/notes',
  operation: 'notes/create',
  era: 'recent',
  recorded_at: '2021-03-04',
  source: { repo: 'a/b' },
  request: { method: 'post', path: '/boxes/a%2Fb/notes', query: { page: '2' }, body: { text: 'hi' } },
  response: {
    status: 201,
    headers: { ETag: 'x' },
    body: [1],
    truncated: [{ at: '', why: 'array', kept: 1, of: 9 }],
  },
  determined: ['/text'],
};

describe('a corpus', () => {
  it('is read line by line, names of headers in lower case', () => {
    const [record] = corpusRecords(`${JSON.stringify(LINE)}\n\n`, 'c.jsonl');
    expect(record).toMatchObject({
      era: 'recent',
      recordedAt: '2021-03-04',
      source: 'a/b',
      request: { method: 'POST', auth: 'unknown', host: null },
      response: { headers: { etag: 'x' }, cuts: [{ at: '', why: 'array', kept: 1, of: 9 }] },
    });
  });

  it('is given to observers with path, query and body as one input', () => {
    const [record] = corpusRecords(JSON.stringify(LINE), 'c.jsonl');
    expect(record && exchangeOf(record)).toMatchObject({
      operation: 'notes/create',
      input: { id: 'a/b', page: '2', text: 'hi' },
      status: 201,
      cut: [{ at: '', of: 9 }],
    });
  });

  it('leaves samples without a request out, and takes raw texts as texts', () => {
    const sample = { ...LINE, request: null, source: { kind: 'official-fixture' } };
    const raw = { ...LINE, response: { status: 200, body: { _raw: 'a, b' } } };
    const records = corpusRecords([sample, raw].map((line) => JSON.stringify(line)).join('\n'), 'c.jsonl');
    expect(records.map(({ response, kind }) => [response.body, kind])).toEqual([['a, b', 'recorded']]);
  });

  it('is played in order of seq', () => {
    const records = [3, 1, 2].flatMap((seq) =>
      corpusRecords(JSON.stringify({ ...LINE, seq, id: `r${seq}` }), 'c.jsonl'),
    );
    const [scenario] = scenariosOf(records);
    expect(scenario?.records.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it.each([
    ['{', 'is not JSON'],
    ['[]', 'no JSON object'],
    [JSON.stringify({ ...LINE, id: 3 }), 'no id'],
    [JSON.stringify({ ...LINE, scenario: null }), 'no scenario'],
    [JSON.stringify({ ...LINE, request: { path: '/' } }), 'no method and path'],
    [JSON.stringify({ ...LINE, response: {} }), 'no status'],
  ])('with the line %s is refused with its place', (line, sentence) => {
    const failing = () => corpusRecords(`${JSON.stringify(LINE)}\n${line}\n`, 'c.jsonl');
    expect(failing).toThrow(sentence);
    expect(failing).toThrow(expect.objectContaining({ place: { file: 'c.jsonl', line: 2 } }));
    expect(failing).toThrow(UsageError);
  });

  it('that is not there is refused', () => {
    expect(() => readCorpus(['/nowhere/at/all.jsonl'])).toThrow(UsageError);
  });
});

describe('path parameters', () => {
  it.each([
    ['/repos/{owner}/{repo}', '/repos/a/b', { owner: 'a', repo: 'b' }],
    ['/repos/{owner}/contents/{path}', '/repos/a/contents/x/y.md', { owner: 'a', path: 'x/y.md' }],
    ['/compare/{basehead}/files', '/compare/a...b/files', { basehead: 'a...b' }],
    ['/repos/{owner}', '/repositories/12', null],
    ['/a.b/{c}', '/axb/1', null],
  ])('of %s in %s', (template, path, expected) => {
    expect(pathParameters(template, path)).toEqual(expected);
  });
});

const SHARED = new URL('../../../shared/fidelity/github.jsonl', import.meta.url).pathname;

describe.skipIf(!existsSync(SHARED))('the shared recordings', () => {
  it('hold the counts that their description gives', () => {
    const scenarios = readCorpus([SHARED]);
    const records = scenarios.flatMap((scenario) => scenario.records);
    expect(records).toHaveLength(2025);
    expect(scenarios).toHaveLength(663);
    expect(records.filter(({ era }) => era !== 'legacy')).toHaveLength(1486);
  });
});
