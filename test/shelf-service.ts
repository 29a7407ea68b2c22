/**
 * A small service whose protocol completes its answers, for tests of the engine and its doors: papers on
 * shelves, with ETags, conditional reads, a count of calls, answers that are no JSON, and callers without a
 * credential. And a world, sessions and a source of it.
 */
import { z } from 'zod';
import type { EnvironmentSource } from '../src/gateway/host/index.ts';
import {
  type Answer,
  type Completion,
  composedTool,
  defineErrors,
  defineSchema,
  defineService,
  digestText,
  operationFor,
  PLAIN_ERRORS,
  type Protocol,
  plainAccess,
  plainProtocol,
  providerError,
  table,
  toolOf,
} from '../src/service/index.ts';
import { seedWorld } from '../src/service/seed.ts';
import { openSession, type Session, type SessionOptions } from '../src/session/index.ts';

export const SHELF_ORIGIN = 'https://api.shelf.example';
/** Calls that one actor may make. */
export const CALLS_MOST = 50;

const text = z.string();
const schema = defineSchema({
  papers: table({
    primaryKey: ['shelf', 'path'],
    columns: { shelf: text, path: text, content: text, type: text, labels: z.array(text) },
  }),
  counts: table({
    primaryKey: 'actor',
    columns: { actor: text, calls: z.int() },
    ambient: true,
  }),
});

const errors = defineErrors({
  ...PLAIN_ERRORS,
  no_paper: { status: 404, message: 'There is no paper {path}.' },
  too_often: { status: 403, message: 'That is enough for today.' },
  not_welcome: { status: 403, message: 'Not with these headers.' },
});

const operation = operationFor(schema, errors);
const place = { shelf: text, path: text };
const paperView = z.strictObject({ url: text, labels: z.array(text), note: text });

const get = operation({
  id: 'papers.get',
  summary: 'Shows a paper.',
  effect: 'read',
  http: {
    method: 'GET',
    path: '/shelves/{shelf}/papers/{path*}',
    aliases: [{ path: '/by-shelf/{number}/{path*}', values: { shelf: 'shelf-{number}' } }],
  },
  input: z.looseObject(place),
  output: paperView,
  example: { shelf: 'shelf-1', path: 'a/b.txt' },
  errors: ['no_paper'],
  run(ctx, { shelf, path }) {
    const paper = ctx.tx.papers.get([shelf, path]) ?? ctx.fail('no_paper', { path });
    ctx.reply({ headers: { 'x-accept': ctx.headers.accept ?? 'none' }, facts: { tagged: true } });
    const url = `${SHELF_ORIGIN}/shelves/${shelf}/papers/${path}`;
    return { url, labels: [...paper.labels], note: `see "${SHELF_ORIGIN}/x"` };
  },
});

const getContent = operation({
  id: 'papers.content',
  summary: 'Gives what is on a paper, as it is.',
  effect: 'read',
  http: { method: 'GET', path: '/shelves/{shelf}/contents/{path*}' },
  input: z.strictObject(place),
  output: text,
  example: { shelf: 'shelf-1', path: 'a/b.txt' },
  errors: ['no_paper'],
  run(ctx, { shelf, path }) {
    const paper = ctx.tx.papers.get([shelf, path]) ?? ctx.fail('no_paper', { path });
    if (ctx.headers.accept === 'text/plain') {
      ctx.reply({ form: 'text' });
      return `content of ${path}: ü`;
    }
    ctx.reply({ form: 'base64', headers: { 'content-type': paper.type } });
    return paper.content;
  },
});

const putContent = operation({
  id: 'papers.put',
  summary: 'Puts a paper onto a shelf, or another content onto a paper.',
  effect: 'write',
  http: { method: 'PUT', path: '/shelves/{shelf}/contents/{path*}', status: 201, rawBody: 'content' },
  input: z.strictObject({ ...place, content: text, content_type: text.optional(), name: text.optional() }),
  output: z.strictObject({ path: text }),
  example: { shelf: 'shelf-1', path: 'c.txt', content: 'eA==' },
  errors: [],
  run(ctx, { shelf, path, content, content_type: type = 'application/octet-stream' }) {
    const known = ctx.tx.papers.get([shelf, path]);
    if (known) ctx.tx.papers.update([shelf, path], { content, type });
    else ctx.tx.papers.insert({ shelf, path, content, type, labels: [] });
    ctx.reply({ status: known ? 200 : 201, headers: { location: `${SHELF_ORIGIN}/${path}` } });
    return { path };
  },
});

const setLabels = operation({
  id: 'papers.label',
  summary: 'Sets the labels of a paper.',
  effect: 'write',
  http: { method: 'PUT', path: '/shelves/{shelf}/labels/{path*}', bareBody: 'labels' },
  input: z.strictObject({ ...place, labels: z.array(text), color: text.optional() }),
  output: z.array(text),
  example: { shelf: 'shelf-1', path: 'a/b.txt', labels: ['new'] },
  errors: ['no_paper'],
  run(ctx, { shelf, path, labels }) {
    if (!ctx.tx.papers.has([shelf, path])) ctx.fail('no_paper', { path });
    ctx.tx.papers.update([shelf, path], { labels });
    return labels;
  },
});

const check = operation({
  id: 'papers.check',
  summary: 'Says by its status whether there is a paper.',
  effect: 'read',
  http: { method: 'GET', path: '/shelves/{shelf}/known/{path*}', status: 204 },
  input: z.strictObject(place),
  output: z.null(),
  example: { shelf: 'shelf-1', path: 'a/b.txt' },
  errors: [],
  run(ctx, { shelf, path }) {
    ctx.reply({ status: ctx.tx.papers.has([shelf, path]) ? 204 : 404, form: 'empty' });
    return null;
  },
});

const compare = composedTool({
  name: 'compare_papers',
  description: 'Shows two papers of a shelf.',
  input: z.strictObject({ shelf: text, one: text, other: text }),
  operations: ['papers.get'],
  compose: (invoke, { shelf, one, other }) => [
    invoke('papers.get', { shelf, path: one }),
    invoke('papers.get', { shelf, path: other }),
  ],
});

const PICKED = ['accept', 'if-none-match', 'x-mood'] as const;

const protocol: Protocol = {
  ...plainProtocol(errors),
  errorBody: ({ code, message }, called) => ({ code, message, called: called ?? null }),
  anonymous: { id: 'nobody' },
  requestHeaders(headers) {
    const picked = PICKED.flatMap((name) => {
      const value = headers[name];
      return value === undefined || value === '*/*' ? [] : [[name, value] as const];
    });
    return picked.length > 0 ? Object.fromEntries(picked) : undefined;
  },
  authorise({ actor, headers, table: rows }) {
    if (headers['x-mood'] === 'bad') return providerError(errors, 'not_welcome');
    const calls = rows('counts').get(actor.id)?.calls ?? 0;
    return Number(calls) < CALLS_MOST ? actor : providerError(errors, 'too_often');
  },
  complete: (call) => withTag(call, counted(call)),
};

/** Every call counts, whatever became of it. */
function counted({ actor, table: rows, operation: called }: Completion): Record<string, string> {
  const counts = rows('counts');
  const calls = Number(counts.get(actor.id)?.calls ?? 0) + 1;
  if (calls > 1) counts.update(actor.id, { calls });
  else counts.insert({ actor: actor.id, calls });
  return { 'x-calls-left': String(CALLS_MOST - calls), 'x-called': called?.id ?? 'nothing' };
}

function withTag({ answer, error, facts, headers }: Completion, own: Record<string, string>): Answer {
  const completed = { ...answer, headers: { ...answer.headers, ...own } };
  if (error || facts.tagged !== true) return completed;
  const etag = `"${digestText(JSON.stringify(answer.body)).slice(0, 8)}"`;
  if (headers['if-none-match'] === etag) return { ...completed, status: 304, body: null, form: 'empty' };
  return { ...completed, headers: { ...completed.headers, etag, 'content-type': 'application/shelf+json' } };
}

export const shelf = defineService({
  name: 'shelf',
  version: '1.0.0',
  summary: 'Papers on shelves.',
  schema,
  errors,
  operations: [get, getContent, putContent, setLabels, check],
  tools: [toolOf(get, { name: 'get_paper' }), toolOf(putContent, { name: 'put_paper' }), compare],
  protocol,
  access: {
    ...plainAccess('shelf'),
    origins: [SHELF_ORIGIN],
    places: [
      { in: 'authorization', scheme: 'Bearer' },
      { in: 'authorization', scheme: 'token' },
      { in: 'basic', part: 'password' },
    ],
  },
  coverage: [get, getContent, putContent, setLabels, check].map(({ id }) => ({
    operation: id,
    status: 'supported' as const,
  })),
  epochMs: Date.UTC(2026, 0, 1),
  seeds: {
    small: ({ tx }) => {
      const paper = { shelf: 'shelf-1', type: 'image/png', labels: ['old'] };
      tx.papers.insert({ ...paper, path: 'a/b.txt', content: 'AAEC/w==' });
    },
  },
});

const services = [shelf];
export const shelfWorld = seedWorld([{ service: shelf, seed: 'small' }]);
export const shelfBehaviour = { engine: 'test', services: { shelf: '1' } };

export function shelfOptions(options: Partial<SessionOptions> = {}): SessionOptions {
  const { epochMs } = shelf;
  const seeds = { shelf: 'small' };
  return {
    services,
    world: shelfWorld,
    seeds,
    epochMs,
    behaviour: shelfBehaviour,
    streamSeed: '1',
    ...options,
  };
}

export function openShelf(options: Partial<SessionOptions> = {}): Session {
  return openSession(shelfOptions(options));
}

/** Serves the shelf alone. */
export const shelfSource: EnvironmentSource = {
  choices: [],
  defaults: { services: ['shelf'] },
  services,
  open: ({ actors }) => ({
    name: 'shelf',
    services,
    options: shelfOptions(actors ? { actors } : {}),
    task: null,
    policy: '',
    user: null,
    score: null,
  }),
};
