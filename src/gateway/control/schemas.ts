import { z } from 'zod';
import { faultRule as filedRule } from '../../faults/index.ts';

/**
 * What goes into the control plane and comes out of it. The server checks by these, the document of the API
 * is made from them, and the client's types are theirs.
 */

const name = z.string().min(1).max(200);
const step = z.int().nonnegative();
const json = z.json();

/** An actor, or the name of one who has nothing else. */
const actor = z.union([
  name.transform((id) => ({ id })),
  z.strictObject({
    id: name,
    roles: z.array(z.string()).optional(),
    attributes: z.record(z.string(), json).optional(),
  }),
]);

export const faultRule = filedRule.extend({ id: name, label: z.string() });

const budgets = z.strictObject({
  calls: z.int().positive().optional(),
  messages: z.int().positive().optional(),
  clockMs: z.int().positive().optional(),
});

export const openRequest = z.strictObject({
  scenario: name.optional().describe('One of the choices; a variant has ~ and its number behind it.'),
  services: z.array(name).min(1).optional().describe('NAME or NAME/SIZE, where no scenario is named.'),
  seed: z.string().optional(),
  trial: step.optional(),
  epochMs: z.int().optional().describe('Milliseconds since 1970 at virtual time 0.'),
  actors: z.array(actor).min(1).optional(),
  faults: z.strictObject({ rules: z.array(faultRule) }).optional(),
  budgets: budgets.optional(),
});

export const credential = z.strictObject({
  service: z.string().nullable().describe('Null for the token of the session itself.'),
  actor: z.string(),
  token: z.string(),
});

const told = {
  task: z.strictObject({ text: z.string(), intent: z.record(z.string(), json).optional() }).nullable(),
  policy: z.string(),
  opening: z.string().nullable().describe('What the user said first.'),
};

export const openedSession = z.strictObject({
  id: z.string(),
  environment: z.string(),
  baseUrl: z.string().describe('Where every service answers; the token says which session it is.'),
  services: z.array(
    z.strictObject({
      name: z.string(),
      prefixUrl: z.string().describe('Reaches the service without any token, as the first actor.'),
      hosts: z.array(z.string()),
      environment: z.record(z.string(), z.string()).describe('Variables with the token of the first actor.'),
    }),
  ),
  credentials: z.array(credential),
  mcp: z.strictObject({
    url: z.string().describe('Takes the token as bearer token.'),
    token: z.string(),
    pathUrl: z.string().describe('The same without a header.'),
  }),
  ...told,
});

export const environments = z.strictObject({
  choices: z.array(z.string()).describe('Scenarios that can be opened.'),
  services: z.array(z.strictObject({ name: z.string(), version: z.string(), summary: z.string() })),
  defaults: z.record(z.string(), json),
});

export const page = z.strictObject({
  after: z.string().optional().describe('The next of the page before.'),
  limit: z.int().min(1).max(1_000).optional().describe('100 when left out.'),
});

const next = z.string().nullable().describe('Null on the last page.');

export const sessionList = z.strictObject({
  sessions: z.array(
    z.strictObject({
      id: z.string(),
      environment: z
        .string()
        .nullable()
        .describe('What it was opened on; null for a session that is not in memory.'),
      touchedMs: z.number().describe('When it was last asked for anything, milliseconds since 1970.'),
    }),
  ),
  next,
});

export const summary = z.strictObject({
  id: z.string(),
  environment: z.string(),
  steps: step,
  messages: step,
  clockMs: z.number(),
  ended: z.string().nullable(),
  actors: z.array(z.string()),
  checkpoints: z.record(z.string(), step),
  content: z.string().describe('Digest of the business tables.'),
  full: z.string().describe('Digest of the whole state.'),
  ...told,
  forkOf: json.optional(),
});

export const credentials = z.strictObject({ credentials: z.array(credential) });
export const closed = z.strictObject({ closed: z.literal(true) });
export const forkRequest = z.strictObject({ at: step.optional().describe('Steps kept; all when left out.') });
export const checkpointRequest = z.strictObject({ name });
export const checkpointed = z.strictObject({ name: z.string(), step });
export const rollbackRequest = z
  .strictObject({ at: step.optional(), checkpoint: name.optional() })
  .refine(({ at, checkpoint }) => (at === undefined) !== (checkpoint === undefined), {
    error: 'give at or checkpoint',
  })
  .describe('Back to after so many steps, or to a checkpoint.');
export const joinRequest = z.strictObject({ actors: z.array(actor).min(1) });
export const waitRequest = z.strictObject({ durationMs: step });
export const waited = z.strictObject({ durationMs: z.number() });

export const state = z.strictObject({
  steps: step,
  clockMs: z.number(),
  content: z.string(),
  full: z.string(),
  merkle: z.string(),
  tables: z.array(
    z.strictObject({
      name: z.string(),
      rows: step,
      columns: z.array(z.string()),
      primaryKey: z.array(z.string()),
      redacted: z.array(z.string()),
      ambient: z.boolean(),
    }),
  ),
});

const row = z.record(z.string(), json);
export const tableRows = z.strictObject({ table: z.string(), rows: z.array(row), next });

export const diffQuery = z.strictObject({
  from: step.optional().describe('The state after so many steps; the start when left out.'),
});

export const diff = z.strictObject({
  from: step,
  to: step,
  changes: z.array(
    z.discriminatedUnion('op', [
      z.strictObject({ op: z.literal('insert'), table: z.string(), key: json, row }),
      z.strictObject({ op: z.literal('delete'), table: z.string(), key: json, row }),
      z.strictObject({
        op: z.literal('update'),
        table: z.string(),
        key: json,
        cells: z.record(z.string(), z.strictObject({ from: json.optional(), to: json.optional() })),
      }),
    ]),
  ),
});

export const injectRequest = z.strictObject({ rules: z.array(faultRule).min(1) });
export const injected = z.strictObject({ rules: step });

export const verdict = z.strictObject({
  success: z.boolean(),
  void: z.strictObject({ reason: z.string(), detail: z.string() }).nullable(),
  report: z.record(z.string(), json),
});
export const scoreRequest = z.strictObject({
  answer: z.string().optional().describe('Scored as if the agent answered this now.'),
});
export const score = z.strictObject({
  verdict: verdict.nullable(),
  reason: z.string().nullable().describe('Why there is no verdict.'),
});

export const answerRequest = z.strictObject({ text: z.string() });
export const ended = z.strictObject({ ended: z.string(), steps: step, verdict: verdict.nullable() });
export const messageRequest = z.strictObject({ text: z.string() });
export const said = z.strictObject({
  reply: z.strictObject({ text: z.string(), ended: z.boolean() }).nullable(),
  ended: z.string().nullable(),
});

export const callList = z.strictObject({
  calls: z.array(
    z.strictObject({
      step,
      door: z.string(),
      trace: z
        .strictObject({
          traceparent: z.string(),
          tracestate: z.string().optional(),
          baggage: z.string().optional(),
        })
        .optional(),
    }),
  ),
  next,
});

export const problem = z.strictObject({
  error: z.strictObject({ code: z.string(), message: z.string(), hint: z.string().optional() }),
});

export const health = z.strictObject({ status: z.literal('healthy'), sessions: step });
