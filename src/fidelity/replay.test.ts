import { describe, expect, it } from 'vitest';
import { boxes, type Defect, RECORDING, recorded, shownBox } from '../../test/boxes.ts';
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { scenariosOf } from './corpus.ts';
import { missGroups } from './misses.ts';
import { publishedMembers } from './published.ts';
import { replayCorpus } from './replay.ts';
import { scoreOf } from './score.ts';
import type { CorpusRecord, ExchangeResult } from './types.ts';

const BEHAVIOUR = { engine: '0', services: { boxes: '0' } };

const published = publishedMembers({
  paths: Object.fromEntries(
    ['create', 'get', 'list', 'open'].map((name) => [
      `/${name}`,
      {
        get: {
          operationId: `boxes/${name}`,
          responses: { 200: { content: { 'application/json': { schema: schemaOf(name) } } } },
        },
      },
    ]),
  ),
});

function schemaOf(name: string): JsonObject {
  const box = { type: 'object', properties: { id: {}, published: { type: 'string' }, message: {} } };
  return name === 'list' ? { type: 'array', items: box } : box;
}

function replay(defect?: Defect, records: readonly CorpusRecord[] = RECORDING) {
  return replayCorpus(scenariosOf(records), { service: boxes(defect), behaviour: BEHAVIOUR, published });
}

/** Alters the answers of one operation. */
function at(operation: string, alter: (body: Json) => Json): Defect {
  return (answer, call) =>
    call.operation?.id === operation ? { ...answer, body: alter(answer.body) } : answer;
}

function changed(body: Json, members: JsonObject): Json {
  return isJsonObject(body) ? { ...body, ...members } : body;
}

function without(body: Json, name: string): Json {
  if (!isJsonObject(body)) return body;
  const { [name]: _gone, ...rest } = body;
  return rest;
}

function kinds(results: readonly ExchangeResult[]): string[] {
  return missGroups(results).map(({ kind, at: place, endpoint }) => `${kind} ${place} ${endpoint}`);
}

describe('a recording of the very service', () => {
  it('passes strictly, every exchange and check, although the ids are others', async () => {
    const results = await replay();
    expect(missGroups(results)).toEqual([]);
    expect(scoreOf(results)).toMatchObject({
      exchanges: 8,
      served: 8,
      strict: { value: 1 },
      pass: { value: 1 },
      field: { value: 1 },
      scenarioStrict: { value: 1 },
      stateful: { exchanges: 7 },
      seededReads: { exchanges: 1 },
      proofReads: { exchanges: 2 },
      byArea: { boxes: { exchanges: 8, strict: 1 } },
      byStatus: { '2xx': { exchanges: 6 }, '4xx': { exchanges: 2 } },
    });
    const later = results.find(({ record }) => record.seq === 3);
    expect(later?.sent?.path).toBe('/boxes/5000');
  });
});

const DEFECTS: readonly (readonly [name: string, defect: Defect, misses: readonly string[]])[] = [
  [
    'a wrong status',
    (answer, call) => (call.operation?.id === 'boxes/open' ? { ...answer, status: 202 } : answer),
    ['status 202 in place of 200 PUT /boxes/{box_id}/open'],
  ],
  [
    'another message',
    (answer) => (answer.status === 404 ? { ...answer, body: { message: 'Gone' } } : answer),
    ['error /message GET /boxes/{box_id}', 'strict /message GET /boxes/{box_id}'],
  ],
  [
    'another code in an item of errors',
    at('boxes/create', (body) =>
      isJsonObject(body) && 'errors' in body
        ? { ...body, errors: [{ resource: 'Box', field: 'name', code: 'other' }] }
        : body,
    ),
    ['error /errors/* POST /boxes', 'strict /errors/*/code POST /boxes'],
  ],
  [
    'no errors where some are listed',
    at('boxes/create', (body) => without(body, 'errors')),
    ['error /errors POST /boxes', 'presence /errors POST /boxes'],
  ],
  [
    'a missing member',
    at('boxes/open', (body) => without(body, 'opened')),
    ['presence /opened PUT /boxes/{box_id}/open'],
  ],
  [
    'a member that some items of a list lack',
    at('boxes/list', (body) =>
      Array.isArray(body) ? body.map((item, index) => (index === 1 ? without(item, 'url') : item)) : body,
    ),
    ['presence /*/url GET /boxes'],
  ],
  [
    'a wrong type',
    at('boxes/open', (body) => changed(body, { id: 'x' })),
    ['type /id PUT /boxes/{box_id}/open'],
  ],
  [
    'null where the request said more',
    at('boxes/get', (body) => (isJsonObject(body) && body.note === 'made' ? { ...body, note: null } : body)),
    ['strict /note GET /boxes/{box_id}', 'type /note GET /boxes/{box_id}'],
  ],
  [
    'an invented member',
    at('boxes/open', (body) => changed(body, { invented: { deep: 1 }, published: 'fine' })),
    ['invention /invented PUT /boxes/{box_id}/open'],
  ],
  [
    'a header that is gone',
    (answer, call) =>
      call.operation?.id === 'boxes/open'
        ? { ...answer, headers: { link: answer.headers.link ?? '' } }
        : answer,
    ['header etag PUT /boxes/{box_id}/open'],
  ],
  [
    'a link to another page',
    (answer, call) =>
      call.operation?.id === 'boxes/list'
        ? { ...answer, headers: { ...answer.headers, link: '</boxes?page=3>; rel="next"' } }
        : answer,
    ['header link GET /boxes'],
  ],
  [
    'another content type',
    (answer, call) =>
      call.operation?.id === 'boxes/list'
        ? { ...answer, headers: { ...answer.headers, 'content-type': 'application/json' } }
        : answer,
    ['header content-type GET /boxes'],
  ],
  [
    'a value that the request fixed',
    at('boxes/create', (body) =>
      isJsonObject(body) && body.name === 'Green' ? { ...body, name: 'Red' } : body,
    ),
    ['determined /name POST /boxes', 'strict /name POST /boxes'],
  ],
  [
    'fewer items',
    at('boxes/list', (body) => (Array.isArray(body) ? body.slice(0, 2) : body)),
    ['determined  (items) GET /boxes', 'strict /*/name GET /boxes'],
  ],
  [
    'another order',
    at('boxes/list', (body) => (Array.isArray(body) ? [body[1], body[0], body[2]] : body)),
    ['determined  (order) GET /boxes', 'strict /*/name GET /boxes'],
  ],
  [
    'a leaf that state decides',
    at('boxes/open', (body) => changed(body, { opened: false })),
    ['strict /opened PUT /boxes/{box_id}/open'],
  ],
];

describe('a planted defect', () => {
  it.each(DEFECTS)('is told: %s', async (_name, defect, misses) => {
    const results = await replay(defect);
    expect(kinds(results)).toEqual(expect.arrayContaining([...misses]));
    const strictAlone = misses.every((miss) => miss.startsWith('strict'));
    const score = scoreOf(results);
    expect(score.strict.value).toBeLessThan(1);
    if (strictAlone) expect(score.pass.value).toBe(1);
    else expect(score.pass.value).toBeLessThan(1);
  });

  it('costs nothing where both sides may differ: ids, moments, redacted texts', async () => {
    const results = await replay(
      at('boxes/open', (body) => changed(body, { id: 9, created_at: '1999-01-01T00:00:00Z' })),
    );
    expect(missGroups(results)).toEqual([]);
  });
});

describe('an exchange that cannot be played', () => {
  const weight = recorded(
    {
      scenario: 'weigh',
      endpoint: 'GET /boxes/{box_id}/weight',
      operation: 'boxes/weigh',
      path: '/boxes/1/weight',
      status: 404,
      response: { message: 'Not Found' },
    },
    50,
  );

  it('fails with all its checks where the endpoint is not served, whatever it would have answered', async () => {
    const [result] = await replay(undefined, [weight]);
    expect(result).toMatchObject({ isServed: false, passes: false, comparison: { agreeing: 0 } });
    expect(result?.comparison.checks).toBeGreaterThan(3);
    expect(missGroups(result ? [result] : [])).toMatchObject([{ kind: 'unserved' }]);
  });

  it('fails with its whole scenario where the observer breaks, and the others go on', async () => {
    const breaking = recorded(
      {
        scenario: 'breaks',
        endpoint: 'GET /boxes/{box_id}',
        operation: 'boxes/get',
        path: '/boxes/5',
        status: 200,
        response: shownBox(5, 'Breaks'),
      },
      60,
    );
    const results = await replay(undefined, [breaking, ...RECORDING]);
    expect(missGroups(results)).toMatchObject([
      { kind: 'seeding', cause: expect.stringContaining('seeding broke: ') },
    ]);
    expect(scoreOf(results)).toMatchObject({ exchanges: 9, strict: { value: expect.closeTo(8 / 9, 9) } });
  });

  it('fails where the service breaks while it answers', async () => {
    const results = await replay((answer, call) => {
      if (call.operation?.id === 'boxes/list') throw new Error('broken inside');
      return answer;
    });
    expect(missGroups(results)).toMatchObject([{ kind: 'transport', count: 1 }]);
  });

  it('is played in its own time, years apart where a read was', async () => {
    const moments: number[] = [];
    const parts = RECORDING.map((record, index) => ({
      ...record,
      recordedAt: index < RECORDING.length - 1 ? '2019-10-26' : '2024-11-20',
    }));
    const last = parts.at(-1);
    expect(last?.request.method).toBe('GET');
    await replay((answer, call) => {
      moments.push(call.nowMs);
      return answer;
    }, parts);
    const day = (atMs: number | undefined) => new Date(atMs ?? 0).toISOString().slice(0, 10);
    expect([day(moments[0]), day(moments.at(-1))]).toEqual(['2019-10-26', '2024-11-20']);
  });

  it('counts apart where it is of before', async () => {
    const old = RECORDING.map((record) => ({ ...record, era: 'legacy' as const }));
    const score = scoreOf(await replay(undefined, old));
    expect(score.exchanges).toBe(0);
    expect(score.byEra.legacy?.strict).toMatchObject({ value: 1 });
  });
});
