import { z } from 'zod';
import type { Json } from '../base/json.ts';

/**
 * What kind of thing an effect is. A `refusal` keeps the call from happening and says so; `transport` is what
 * happens on the way; `world` changes what truly happened, `answer` what is said of it, both with a status of
 * success: these two are silent. `drift` is an interface that is no longer what its description says;
 * `adversarial` is text that somebody planted.
 */
export type EffectGroup = 'refusal' | 'transport' | 'world' | 'answer' | 'drift' | 'adversarial';

/** What differs from the same call without the fault. */
export type Touched = 'world' | 'answer' | 'both' | 'time' | 'tools';

/** What there is to know of an effect besides its parameters. */
export interface EffectFacts {
  readonly group: EffectGroup;
  readonly changes: Touched;
  /** Which calls it can strike at all. */
  readonly on: 'read' | 'write' | 'any';
  /** True for effects that hold for every matching call unless the rule says how many. */
  readonly standing: boolean;
  readonly summary: string;
}

const seconds = z.int().nonnegative();
const durationMs = z.int().nonnegative().max(86_400_000);
const path = z.string().min(1).describe('a dotted path into the answer; `*` stands for every item of a list');
const text = z.string().min(1);
const tool = z.string().min(1).describe("a tool's name");
const row = z.record(z.string().min(1), z.json() as z.ZodType<Json, Json>);
const table = z.string().regex(/^[^.]+\.[^.]+$/u, 'is service.table');

/** Every effect: its parameters and its facts. The one place where an effect is declared. */
export const EFFECTS = {
  reject: effect(
    'reject',
    {
      status: z.union([z.literal(429), z.literal(500), z.literal(502), z.literal(503)]),
      retryAfterSeconds: seconds.optional(),
      reason: z.enum(['rate-limit', 'quota', 'maintenance']).optional(),
      holds: z.boolean().optional(),
    },
    [
      ['refusal', 'both', 'any'],
      "The call is refused before anything happens, in the vendor's envelope. With `holds` so is every further " +
        'matching call until `retryAfterSeconds` of virtual time have passed.',
    ],
  ),
  'auth-expired': effect('auth-expired', { until: tool.optional() }, [
    ['refusal', 'both', 'any'],
    'The credential has expired: 401 until the tool `until` succeeds or another credential is shown; without ' +
      '`until`, for `hits` calls.',
  ]),
  'request-lost': effect('request-lost', {}, [
    ['transport', 'both', 'any'],
    'The call never arrives: a time-out, and nothing happened.',
  ]),
  'response-lost': effect('response-lost', {}, [
    ['transport', 'answer', 'any'],
    'The call commits and its answer never arrives: a time-out, and it did happen.',
  ]),
  'connection-reset': effect('connection-reset', { committed: z.boolean().optional() }, [
    ['transport', 'both', 'any'],
    'The connection breaks at once, before the call happens or, with `committed`, after.',
  ]),
  'body-malformed': effect('body-malformed', {}, [
    ['transport', 'answer', 'any'],
    'The call happens; the body of its answer is no valid JSON.',
  ]),
  'body-truncated': effect('body-truncated', { keep: z.int().nonnegative().optional() }, [
    ['transport', 'answer', 'any'],
    'The call happens; its answer stops after `keep` characters, or half-way.',
  ]),
  'body-empty': effect('body-empty', {}, [
    ['transport', 'answer', 'any'],
    'The call happens; the body of its answer is empty.',
  ]),
  delay: effect('delay', { delaysMs: z.array(durationMs).min(1) }, [
    ['transport', 'time', 'any'],
    'The answer comes later by one of these durations of virtual time, drawn by the seed.',
  ]),
  'body-slow': effect('body-slow', { durationMs }, [
    ['transport', 'time', 'any'],
    'The body of the answer trickles in over so much time.',
  ]),
  'write-dropped': effect('write-dropped', {}, [
    ['world', 'world', 'write'],
    'The answer says that it was done; nothing was.',
  ]),
  'write-duplicated': effect('write-duplicated', {}, [
    ['world', 'world', 'write'],
    'The write happens twice.',
  ]),
  'write-partial': effect('write-partial', { keep: z.int().positive().optional() }, [
    ['world', 'world', 'write'],
    'Of the rows that the write changes only the first `keep` are, or the first half.',
  ]),
  'write-lagging': effect('write-lagging', { calls: z.int().positive() }, [
    ['world', 'answer', 'any'],
    'The write happens, but reads do not show it for so many further calls.',
  ]),
  'side-effect-lost': effect('side-effect-lost', { tables: z.array(table).min(1).optional() }, [
    ['world', 'world', 'write'],
    'What the write sets off besides does not happen: its events, and rows that it adds to these tables.',
  ]),
  'concurrent-write': effect(
    'concurrent-write',
    {
      table,
      where: row,
      set: row.optional(),
      remove: z.literal(true).optional(),
    },
    [
      ['world', 'world', 'any'],
      'Before the call somebody else changes, or removes, the first row that matches. `{input: NAME}` in ' +
        '`where` stands for an argument of the call.',
    ],
  ),
  'read-stale': effect('read-stale', { ofStep: z.int().nonnegative().optional() }, [
    ['answer', 'answer', 'read'],
    'The read shows the world as it was before step `ofStep`; as it was at the start when left out.',
  ]),
  'row-wrong': effect('row-wrong', { input: row.optional() }, [
    ['answer', 'answer', 'read'],
    'The read answers for another row: as if these arguments had been given, or the key of a neighbour.',
  ]),
  'ids-swapped': effect('ids-swapped', {}, [
    ['answer', 'answer', 'read'],
    'Two ids in the answer change places.',
  ]),
  'list-truncated': effect('list-truncated', { keep: z.int().nonnegative().optional() }, [
    ['answer', 'answer', 'read'],
    'The longest list of the answer ends after `keep` items, or half-way.',
  ]),
  'page-missing': effect('page-missing', {}, [
    ['answer', 'answer', 'read'],
    'A page that has a successor says that it is the last.',
  ]),
  'total-wrong': effect('total-wrong', { path: path.optional(), by: z.int().optional() }, [
    ['answer', 'answer', 'read'],
    'A count or a total in the answer is wrong.',
  ]),
  'unit-wrong': effect(
    'unit-wrong',
    { path: path.optional(), factor: z.number().positive().optional(), hours: z.int().optional() },
    [
      ['answer', 'answer', 'any'],
      'An amount is in another unit (a hundredfold unless `factor` says so), or, with `hours`, a moment in ' +
        'another time zone.',
    ],
  ),
  'flag-flipped': effect('flag-flipped', { path: path.optional() }, [
    ['answer', 'answer', 'any'],
    'A true is false, or a false true.',
  ]),
  'field-nulled': effect('field-nulled', { path: path.optional() }, [
    ['answer', 'answer', 'any'],
    'A value of the answer is null.',
  ]),
  'text-altered': effect('text-altered', { path: path.optional(), to: text.optional() }, [
    ['answer', 'answer', 'any'],
    'A text of the answer is another one: `to`, or itself with two words exchanged.',
  ]),
  'field-renamed': effect('field-renamed', { path, to: text }, [
    ['drift', 'answer', 'any'],
    'A field has another name.',
  ]),
  'field-removed': effect('field-removed', { path }, [
    ['drift', 'answer', 'any'],
    'A field is no longer there.',
  ]),
  'field-retyped': effect('field-retyped', { path, type: z.enum(['string', 'number', 'list', 'object']) }, [
    ['drift', 'answer', 'any'],
    'A field is of another type: a number as text, a value in a list, and so on.',
  ]),
  'parameter-required': effect(
    'parameter-required',
    { tool, name: text, announced: z.boolean().optional() },
    [
      ['drift', 'both', 'any'],
      'The tool asks for one more argument, and refuses calls without it. With `announced: false` its schema ' +
        'does not say so.',
    ],
  ),
  'parameter-untyped': effect('parameter-untyped', { tool, name: text }, [
    ['drift', 'tools', 'any'],
    'The schema of the tool does not say of which type this argument is; the tool is as particular as ever.',
  ]),
  'enum-widened': effect('enum-widened', { path, to: text }, [
    ['drift', 'answer', 'any'],
    'A field holds a value that nobody declared.',
  ]),
  'error-renamed': effect('error-renamed', { to: text, status: z.int().min(400).max(599).optional() }, [
    ['drift', 'answer', 'any'],
    'An error has another code, and another status where one is given.',
  ]),
  'paging-changed': effect('paging-changed', { pageSize: z.int().positive() }, [
    ['drift', 'answer', 'read'],
    'Pages hold so many items unless the call says how many.',
  ]),
  'tool-twin': effect(
    'tool-twin',
    { tool, name: text.optional(), deprecated: z.enum(['tool', 'twin']).optional() },
    [
      ['drift', 'tools', 'any'],
      'There are two tools that do the same, and the description of one says that it is deprecated.',
    ],
  ),
  'description-contrary': effect('description-contrary', { tool, text }, [
    ['drift', 'tools', 'any'],
    'The description of a tool says something else than what it does.',
  ]),
  'text-planted': effect('text-planted', { path: path.optional(), text }, [
    ['adversarial', 'answer', 'any'],
    'A text of the answer goes on with words that somebody planted, such as instructions.',
  ]),
  'secret-planted': effect('secret-planted', { path: path.optional(), text }, [
    ['adversarial', 'answer', 'any'],
    'A secret lies in the answer.',
  ]),
  'description-planted': effect('description-planted', { tool, text }, [
    ['adversarial', 'tools', 'any'],
    'The description of a tool goes on with words that somebody planted.',
  ]),
} as const;

function effect<Kind extends string, Shape extends z.ZodRawShape>(
  kind: Kind,
  parameters: Shape,
  [[group, changes, on], summary]: readonly [readonly [EffectGroup, Touched, EffectFacts['on']], string],
) {
  const standing = group === 'drift' || changes === 'tools';
  const facts: EffectFacts = { group, changes, on, standing, summary };
  return { schema: z.strictObject({ kind: z.literal(kind), ...parameters }), facts };
}

export type EffectKind = keyof typeof EFFECTS;

type EffectOf<Kind extends EffectKind> = {
  readonly [K in Kind]: Readonly<z.input<(typeof EFFECTS)[K]['schema']>>;
}[Kind];

/** What a rule does to the calls that it strikes. */
export type FaultEffect = EffectOf<EffectKind>;
/** The effect of one kind. */
export type Effect<Kind extends EffectKind> = EffectOf<Kind>;

/** True for an effect that a status of success hides. */
export function isSilentEffect(kind: EffectKind): boolean {
  const { group } = EFFECTS[kind].facts;
  return group === 'world' || group === 'answer';
}

/** An effect as files and the control plane write it. */
export const faultEffect = z.discriminatedUnion(
  'kind',
  Object.values(EFFECTS).map(({ schema }) => schema) as unknown as [
    z.ZodObject<{ kind: z.ZodLiteral<EffectKind> }>,
  ],
) as unknown as z.ZodType<FaultEffect, FaultEffect>;
