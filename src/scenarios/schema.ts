import { z } from 'zod';
import { faultRule } from '../faults/index.ts';

/** The form of a scenario file. `docs/reference` carries the JSON Schema made from it, for editors. */
const name = z
  .string()
  .min(1)
  .regex(/^[a-z0-9][a-z0-9-]*$/u, 'expected lower-case letters, digits and dashes');
const text = z.string().min(1);
const json = z.json();
const jsonObject = z.record(z.string(), json);
const tests = z.record(z.string(), json);
const tableName = z
  .string()
  .regex(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?$/u, 'expected a table name such as orders or helpdesk.orders');

const overlayEntry = z.union([
  z.strictObject({ table: tableName, insert: jsonObject }),
  z.strictObject({ table: tableName, key: json, set: jsonObject }),
  z.strictObject({ table: tableName, key: json, delete: z.literal(true) }),
]);

const binding = z.strictObject({
  from: tableName,
  where: tests.optional(),
  pick: z.enum(['random', 'first']),
  match: z.record(z.string(), z.string()).optional(),
  distinctFrom: z.array(z.string()).optional(),
});

const callPattern = z.strictObject({ tool: text, where: tests.optional() });
const change = z.union([
  z.strictObject({ op: z.enum(['insert', 'delete']), table: tableName, key: json, row: jsonObject }),
  z.strictObject({
    op: z.literal('update'),
    table: tableName,
    key: json,
    cells: z.record(z.string(), z.strictObject({ from: json.optional(), to: json.optional() })),
  }),
]);

const invariantBase = { id: name, attempts: z.literal('all').optional() };
export const invariantSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...invariantBase,
    kind: z.literal('ordering'),
    each: z.string().optional(),
    first: callPattern,
    // biome-ignore lint/suspicious/noThenProperty: the word of the published scenario format
    then: callPattern,
  }),
  z.strictObject({ ...invariantBase, kind: z.literal('arguments'), tool: text, require: tests }),
  z.strictObject({ ...invariantBase, kind: z.literal('prohibition'), tool: text, where: tests.optional() }),
  z.strictObject({
    ...invariantBase,
    kind: z.literal('cardinality'),
    tool: text,
    where: tests.optional(),
    each: z.string().optional(),
    max: z.int().nonnegative().optional(),
    min: z.int().nonnegative().optional(),
  }),
  z.strictObject({ ...invariantBase, kind: z.literal('termination'), by: z.literal('answer') }),
  z.strictObject({
    ...invariantBase,
    kind: z.literal('grounding'),
    in: z.literal('answer'),
    match: text,
    from: z.enum(['results', 'results-and-task']),
  }),
  z.strictObject({
    ...invariantBase,
    kind: z.literal('state'),
    always: z.strictObject({ table: tableName, where: tests.optional(), check: tests }),
  }),
]);

const answerCheck = z.strictObject({
  contains: z.array(text).optional(),
  excludes: z.array(text).optional(),
  matches: z.array(text).optional(),
  anyOf: z.array(text).optional(),
});

const grader = z.strictObject({
  kind: z.enum(['contract', 'milestones', 'invariants', 'answer', 'reads']),
  required: z.boolean().default(true),
  check: answerCheck.optional(),
  in: z.enum(['answer', 'messages']).optional(),
  calls: z.array(callPattern).min(1).optional(),
});

const userTransition = z.strictObject({
  when: z
    .strictObject({
      agentSays: text.optional(),
      state: z.strictObject({ table: tableName, where: tests, absent: z.boolean().optional() }).optional(),
    })
    .optional(),
  say: text,
  goTo: z.string().optional(),
});

/** What a reference is, in the file or from its module. */
export const referenceSchema = z.strictObject({
  calls: z.array(
    z.strictObject({
      tool: text,
      arguments: jsonObject.default({}),
      /** The error that the call must meet; without it, the call must succeed. */
      fails: text.optional(),
    }),
  ),
  answer: text,
});

export const scenarioSchema = z.strictObject({
  id: name,
  title: text,
  cluster: name,
  /** How many attempts the user gets: the report leads with pass@k for `many`, with pass^k for `one`. */
  attempts: z.enum(['one', 'many']).optional(),
  tags: z.array(name).default([]),
  world: z.strictObject({
    services: z.array(name).min(1),
    /** `loaded`: rows from files of the user's own, which are named where the scenario is used. */
    seed: z.enum(['small', 'standard', 'large', 'loaded']),
    epoch: z.iso.datetime().optional(),
    overlay: z.array(overlayEntry).default([]),
  }),
  bindings: z.record(z.string().regex(/^[a-z][A-Za-z0-9_]*$/u), binding).optional(),
  task: z.strictObject({ text, intent: jsonObject.optional() }),
  user: z
    .strictObject({
      opening: text,
      start: z.string(),
      states: z.record(z.string(), z.array(userTransition)),
      fallback: text,
    })
    .optional(),
  tools: z.union([z.literal('all'), z.array(text).min(1)]).default('all'),
  reference: z.union([
    referenceSchema,
    z.strictObject({
      module: z.string().regex(/^[\w-]+\.(ts|js|mjs)$/u, 'expected a module beside the bank file'),
    }),
  ]),
  contract: z
    .strictObject({
      expect: z.array(change).optional(),
      allow: z
        .array(
          z.strictObject({
            table: tableName,
            op: z.enum(['insert', 'update', 'delete']).optional(),
            where: tests.optional(),
            columns: z.array(z.string()).optional(),
          }),
        )
        .default([]),
      mask: z.array(z.string()).default([]),
    })
    .default({ allow: [], mask: [] }),
  milestones: z
    .array(z.strictObject({ id: name, after: z.array(name).optional(), expect: z.array(change).min(1) }))
    .default([]),
  invariants: z.array(invariantSchema).default([]),
  graders: z.array(grader).min(1, 'expected at least one grader'),
  budgets: z
    .strictObject({
      calls: z.int().positive(),
      messages: z.int().positive().optional(),
      clockMs: z.int().positive().optional(),
    })
    .default({ calls: 50 }),
  faults: z.strictObject({ rules: z.array(faultRule) }).optional(),
  /** Other calls that do as well as one that a fault struck. */
  alternatives: z.array(z.strictObject({ tool: text, instead: callPattern })).optional(),
  freeText: z.record(z.string(), z.array(z.string())).optional(),
});

/** A scenario file as written: bindings and templates not yet resolved. */
export type ScenarioFile = z.infer<typeof scenarioSchema>;

export const bankSchema = z.strictObject({
  name,
  version: z.string().regex(/^\d+\.\d+\.\d+$/u, 'expected a version such as 1.0.0'),
  title: text,
  description: text,
  license: text,
});

export type BankFile = z.infer<typeof bankSchema>;
