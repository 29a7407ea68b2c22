import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';

/**
 * Schemas that check each record of a version 1 file. They refuse unknown members: a reader that skips what
 * it does not know would pass edited files.
 */
const digest = z.string().regex(/^[0-9a-f]{64}$/u);
// Lines come from `JSON.parse`: what is there is JSON, and walking it again would take longer than parsing.
const json = z.custom<Json>((value) => value !== undefined);
const jsonObject = z.custom<JsonObject>(isJsonObject, 'Invalid input: expected object');
const count = z.int().nonnegative();

const change = z.discriminatedUnion('op', [
  z.strictObject({ op: z.enum(['insert', 'delete']), table: z.string(), key: json, row: jsonObject }),
  z.strictObject({
    op: z.literal('update'),
    table: z.string(),
    key: json,
    cells: z.record(z.string(), z.strictObject({ from: json.optional(), to: json.optional() })),
  }),
]);

const actor = z.strictObject({
  id: z.string(),
  roles: z.array(z.string()).optional(),
  attributes: jsonObject.optional(),
});

// A plan of a later release may know more kinds of fault: what a replay cannot carry out, it will say.
const faultRule = z.looseObject({
  id: z.string(),
  match: jsonObject,
  effect: z.looseObject({ kind: z.string() }),
  label: z.string(),
  hits: z.union([count, z.literal('all')]).optional(),
});

export const headerSchema = z.strictObject({
  type: z.literal('header'),
  format: z.literal('groundhog.trajectory'),
  version: z.literal(1),
  scenario: z.strictObject({ id: z.string(), hash: z.string(), variant: count.optional() }).optional(),
  trial: count.optional(),
  agent: z.strictObject({ name: z.string(), config: json.optional() }).optional(),
  behaviour: z.strictObject({ engine: z.string(), services: z.record(z.string(), z.string()) }),
  world: z.strictObject({
    services: z.array(z.strictObject({ name: z.string(), seed: z.string() })),
    overlay: z.array(change),
    streamSeed: z.string(),
    epochMs: z.int(),
    content: digest,
    full: digest,
    merkle: digest,
  }),
  actors: z.array(actor),
  tools: z.array(
    z.strictObject({ name: z.string(), service: z.string(), effect: z.enum(['read', 'write']) }),
  ),
  task: z.strictObject({ text: z.string(), intent: jsonObject.optional() }).optional(),
  budgets: z.strictObject({
    calls: count.optional(),
    messages: count.optional(),
    clockMs: count.optional(),
  }),
  faults: z.looseObject({ rules: z.array(faultRule) }).optional(),
  watches: z
    .array(
      z.strictObject({
        id: z.string(),
        table: z.string(),
        where: jsonObject.optional(),
        check: jsonObject,
      }),
    )
    .optional(),
});

export const stepSchema = z.strictObject({
  type: z.literal('step'),
  index: count,
  tool: z.string(),
  operations: z.array(z.strictObject({ id: z.string(), status: z.int() })),
  actor: z.string(),
  service: z.string().optional(),
  batch: z.string().optional(),
  waited: count.optional(),
  credential: z.string().optional(),
  requestHeaders: z.record(z.string(), z.string()).optional(),
  joined: z.array(actor).optional(),
  injected: z.array(faultRule).optional(),
  input: json,
  malformed: z.string().optional(),
  outcome: z.enum(['ok', 'error', 'invalid-input', 'unknown-tool', 'unmodelled']),
  error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
  status: z.int(),
  response: json,
  delivered: z
    .strictObject({
      status: z.int(),
      body: json,
      headers: z.record(z.string(), z.string()).optional(),
      lost: z.literal(true).optional(),
      reset: z.literal(true).optional(),
      broken: z.literal(true).optional(),
    })
    .optional(),
  headers: z.record(z.string(), z.string()).optional(),
  events: z.array(z.strictObject({ type: z.string(), data: json })),
  fault: z
    .strictObject({
      rule: z.string(),
      kind: z.string(),
      label: z.string(),
      hit: z.int().positive(),
      at: z.string().optional(),
      also: z.array(z.string()).optional(),
    })
    .optional(),
  breaches: z.array(z.strictObject({ id: z.string(), table: z.string(), key: json })),
  clock: count,
  before: digest,
  after: digest,
  full: digest,
  diff: z.array(change),
  prev: digest,
});

export const messageSchema = z.strictObject({
  type: z.literal('message'),
  index: count,
  afterStep: count,
  role: z.enum(['user', 'agent']),
  actor: z.string(),
  text: z.string(),
  prev: digest,
});

export const endSchema = z.strictObject({
  type: z.literal('end'),
  reason: z.enum([
    'answer',
    'budget-calls',
    'budget-messages',
    'budget-clock',
    'agent-stopped',
    'agent-crashed',
    'agent-timeout',
    'agent-protocol',
    'user-ended',
    'infrastructure',
  ]),
  answer: z.string().nullable(),
  detail: z.string().optional(),
  usage: z.strictObject({
    cost: z.number().optional(),
    inputTokens: z.number().optional(),
    outputTokens: z.number().optional(),
    cachedInputTokens: z.number().optional(),
    turns: count.optional(),
    model: z.string().optional(),
    ignored: z.array(z.string()).optional(),
  }),
  clock: count,
  steps: count,
  messages: count,
  content: digest,
  full: digest,
  merkle: digest,
  lastStep: digest,
  lastMessage: digest,
  seal: digest,
});
