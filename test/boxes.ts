/** A small service with numbered boxes, and a recording of it as if a real one ran elsewhere. */
import { z } from 'zod';
import { pathParameters } from '../src/fidelity/corpus.ts';
import type { CorpusRecord } from '../src/fidelity/types.ts';
import {
  defineErrors,
  defineSchema,
  defineService,
  isJsonObject,
  type Json,
  operationFor,
  PLAIN_ERRORS,
  plainAccess,
  plainProtocol,
  type RowOf,
  type Seeding,
  table,
} from '../src/service/index.ts';
import type { Answer, Completion, Service } from '../src/service/types.ts';

const schema = defineSchema({
  boxes: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: 'b', start: 5000 },
    columns: { id: z.string(), name: z.string(), note: z.string().nullable(), opened: z.boolean() },
    unique: { by_name: ['name'] },
    volatile: ['id'],
  }),
});

const errors = defineErrors({
  ...PLAIN_ERRORS,
  box_not_found: { status: 404, message: 'Not Found' },
  box_exists: { status: 422, message: 'Validation Failed' },
});

const operation = operationFor(schema, errors);
const idText = z.string().regex(/^\d+$/u);
const view = z.strictObject({
  id: z.int(),
  url: z.string(),
  name: z.string(),
  note: z.string().nullable(),
  opened: z.boolean(),
  created_at: z.string(),
});

type Box = RowOf<(typeof schema)['boxes']['columns']>;

function viewOf({ id, name, note, opened }: Box): z.infer<typeof view> {
  const number = Number(id.slice(1));
  const url = `https://api.boxes.example/boxes/${number}`;
  return { id: number, url, name, note, opened, created_at: '2026-01-01T00:00:00Z' };
}

const operations = [
  operation({
    id: 'boxes/create',
    summary: 'Makes a box.',
    effect: 'write',
    http: { method: 'POST', path: '/boxes', status: 201 },
    input: z.strictObject({ name: z.string(), note: z.string().nullable().optional() }),
    output: view,
    example: { name: 'Red' },
    errors: ['box_exists'],
    run(ctx, { name, note = null }) {
      if (ctx.tx.boxes.unique('by_name', [name])) ctx.fail('box_exists');
      return viewOf(ctx.tx.boxes.insert({ id: ctx.nextId('boxes'), name, note, opened: false }));
    },
  }),
  operation({
    id: 'boxes/get',
    summary: 'Shows a box.',
    effect: 'read',
    http: { method: 'GET', path: '/boxes/{box_id}' },
    input: z.strictObject({ box_id: idText }),
    output: view,
    example: { box_id: '1' },
    errors: ['box_not_found'],
    run: (ctx, { box_id }) => viewOf(ctx.tx.boxes.get(`b${box_id}`) ?? ctx.fail('box_not_found')),
  }),
  operation({
    id: 'boxes/list',
    summary: 'Lists boxes.',
    effect: 'read',
    http: { method: 'GET', path: '/boxes' },
    input: z.strictObject({}),
    output: z.array(view),
    example: {},
    errors: [],
    run: (ctx) => [...ctx.tx.boxes.scan()].map(viewOf).sort((one, other) => other.id - one.id),
  }),
  operation({
    id: 'boxes/create-in-org',
    summary: 'Makes a box of an organisation.',
    effect: 'write',
    http: { method: 'POST', path: '/orgs/{org}/boxes', status: 201 },
    input: z.strictObject({ org: z.string(), name: z.string(), note: z.string().nullable().optional() }),
    output: view,
    example: { org: 'acme', name: 'Red' },
    errors: [],
    run: (ctx, { org, name, note = null }) =>
      viewOf(ctx.tx.boxes.insert({ id: ctx.nextId('boxes'), name: `${org}/${name}`, note, opened: false })),
  }),
  operation({
    id: 'boxes/delete',
    summary: 'Throws a box away.',
    effect: 'write',
    http: { method: 'DELETE', path: '/boxes/{box_id}', status: 204 },
    input: z.strictObject({ box_id: idText }),
    output: z.null(),
    example: { box_id: '1' },
    errors: ['box_not_found'],
    run(ctx, { box_id }) {
      if (!ctx.tx.boxes.has(`b${box_id}`)) ctx.fail('box_not_found');
      ctx.tx.boxes.delete(`b${box_id}`);
      return null;
    },
  }),
  operation({
    id: 'boxes/open',
    summary: 'Opens a box.',
    effect: 'write',
    http: { method: 'PUT', path: '/boxes/{box_id}/open' },
    input: z.strictObject({ box_id: idText }),
    output: view,
    example: { box_id: '1' },
    errors: ['box_not_found'],
    run(ctx, { box_id }) {
      if (!ctx.tx.boxes.has(`b${box_id}`)) ctx.fail('box_not_found');
      return viewOf(ctx.tx.boxes.update(`b${box_id}`, { opened: true }));
    },
  }),
];

/** What is done to an answer before it leaves: a planted defect. */
export type Defect = (answer: Answer, call: Completion) => Answer;

/** The service, as it is or with a defect. */
export function boxes(defect: Defect = (answer) => answer): Service {
  return defineService({
    name: 'boxes',
    version: '1.0.0',
    summary: 'Numbered boxes.',
    schema,
    errors,
    operations,
    tools: [],
    protocol: {
      ...plainProtocol(errors),
      errorBody: ({ code, message }) => ({
        message,
        ...(code === 'box_exists' && { errors: [{ resource: 'Box', field: 'name', code: 'taken' }] }),
      }),
      anonymous: { id: 'nobody' },
      authorise: ({ actor }) => actor,
      complete: (call) =>
        defect({ ...call.answer, headers: { etag: '"e"', link: '</boxes?page=2>; rel="next"' } }, call),
    },
    access: plainAccess('boxes'),
    coverage: [
      ...operations.map(({ id }) => ({ operation: id, status: 'supported' as const })),
      { operation: 'boxes/weigh', status: 'absent', http: { method: 'GET', path: '/boxes/{box_id}/weight' } },
    ],
    epochMs: 0,
    seeds: { small: () => undefined },
    observe: (seeding, exchanges) => {
      const made = new Set<Json>();
      for (const { operation: called, response, status } of exchanges) {
        const shown = Array.isArray(response) ? (response as readonly Json[]) : [response];
        if (status >= 300) continue;
        if (called?.startsWith('boxes/create') && isJsonObject(response)) made.add(response.id ?? null);
        else for (const item of shown) seed(seeding, item, made);
      }
      return { actor: { id: 'ann' } };
    },
  });
}

function seed({ tx }: Seeding<typeof schema>, shown: Json, made: ReadonlySet<Json>): void {
  if (!isJsonObject(shown) || typeof shown.id !== 'number' || made.has(shown.id)) return;
  const { name, note, opened } = shown;
  if (name === 'Breaks') throw new Error('nobody can seed this');
  if (tx.boxes.has(`b${shown.id}`)) return;
  tx.boxes.insert({
    id: `b${shown.id}`,
    name: String(name),
    note: typeof note === 'string' ? note : null,
    opened: opened === true,
  });
}

const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  etag: '"recorded"',
  link: '<https://api.boxes.example/boxes?page=2>; rel="next"',
};

/** What a line of the recording says, besides what it says by itself. */
export interface Line {
  readonly scenario: string;
  readonly endpoint: string;
  readonly operation: string;
  readonly path: string;
  readonly body?: Json;
  readonly status: number;
  readonly response: Json;
  readonly determined?: readonly string[];
  readonly era?: CorpusRecord['era'];
}

/** A recorded exchange from what is particular about it. */
export function recorded(line: Line, index: number): CorpusRecord {
  const { endpoint, path, scenario, operation: called, body = null, determined = [], era = 'current' } = line;
  const [method = '', template = ''] = endpoint.split(' ');
  if (pathParameters(template, path) === null) throw new Error(`${path} is no ${template}`);
  return {
    id: `x-${index}`,
    source: 'boxes/recorded',
    kind: 'recorded',
    scenario,
    seq: index,
    recordedAt: '2026-01-01',
    era,
    endpoint,
    operation: called,
    request: { method, path, body, host: 'api.boxes.example', query: {}, headers: {}, auth: 'bearer' },
    response: { status: line.status, headers: HEADERS, body: line.response, cuts: [] },
    determined,
  };
}

export function shownBox(id: number, name: string, more: { note?: string | null; opened?: boolean } = {}) {
  const url = `https://api.boxes.example/boxes/${id}`;
  return { id, url, name, note: null, opened: false, created_at: '2024-05-05T05:05:05Z', ...more };
}

const create = { endpoint: 'POST /boxes', operation: 'boxes/create', path: '/boxes' };
const get = { endpoint: 'GET /boxes/{box_id}', operation: 'boxes/get' };
const list = { endpoint: 'GET /boxes', operation: 'boxes/list', path: '/boxes' };

/** A recording of the service without defects, its ids those of another world. */
export const RECORDING: readonly CorpusRecord[] = (
  [
    { ...get, path: '/boxes/1700', status: 200, response: shownBox(1700, 'Old', { note: 'seeded' }) },
    {
      ...create,
      status: 201,
      body: { name: 'Blue', note: 'made' },
      response: shownBox(4711, 'Blue', { note: 'made' }),
      determined: ['/name', '/note'],
    },
    {
      ...create,
      status: 201,
      body: { name: 'Green' },
      response: shownBox(4712, 'Green'),
      determined: ['/name'],
    },
    { ...get, path: '/boxes/4711', status: 200, response: shownBox(4711, 'Blue', { note: 'made' }) },
    {
      endpoint: 'PUT /boxes/{box_id}/open',
      operation: 'boxes/open',
      path: '/boxes/4711/open',
      status: 200,
      response: shownBox(4711, 'Blue', { note: 'made', opened: true }),
    },
    {
      ...list,
      status: 200,
      response: [
        shownBox(4712, 'Green'),
        shownBox(4711, 'Blue', { note: 'made', opened: true }),
        shownBox(1700, 'Old', { note: 'seeded' }),
      ],
    },
    {
      ...create,
      status: 422,
      body: { name: 'Blue' },
      response: {
        message: 'Validation Failed',
        errors: [{ resource: 'Box', field: 'name', code: 'taken' }],
      },
    },
    { ...get, path: '/boxes/99', status: 404, response: { message: 'Not Found' } },
  ] as const
).map((line, index) => recorded({ scenario: 'one', ...line }, index));
