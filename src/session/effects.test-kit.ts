import { expect } from 'vitest';
import type { Json, JsonObject } from '../base/json.ts';
import type { Effect, EffectKind, FaultRule } from '../faults/index.ts';
import { seedWorld } from '../service/seed.ts';
import { helpdesk } from '../services/helpdesk/index.ts';
import type { StepRecord } from '../trajectory/index.ts';
import { openSession, type Session } from './session.ts';
import type { Delivery, SessionOptions } from './types.ts';

/** The help desk under a fault plan, beside the same calls in a world without faults. */

const WORLD = seedWorld([{ service: helpdesk, seed: 'small' }]);

export function deskOptions(rules: readonly FaultRule[]): SessionOptions {
  return {
    services: [helpdesk],
    world: WORLD,
    seeds: { helpdesk: 'small' },
    streamSeed: 'effects',
    epochMs: helpdesk.epochMs,
    behaviour: { engine: 'test', services: { helpdesk: 'test' } },
    ...(rules.length > 0 && { faults: { rules } }),
  };
}

export type Call = readonly [tool: string, input: JsonObject];

/** One effect, and a call that it can strike. */
export interface Case<Kind extends EffectKind = EffectKind> {
  readonly effect: Omit<Effect<Kind>, 'kind'>;
  /** Calls before, which the rule does not speak of. */
  readonly before?: readonly Call[];
  readonly call: Call;
  readonly check: Check;
}

export type Check = (struck: Struck) => void;

/** What came of a call, in the record and for the agent. */
interface Made {
  readonly session: Session;
  readonly step: StepRecord;
  readonly given: Delivery;
}

/** What an effect did to a call. */
export interface Struck extends Made {
  /** The same call without the effect. */
  readonly clean: Made;
  /** Goes on calling under the plan. */
  call(...call: Call): Delivery;
}

export const LABEL = 'as a person calls it';

export function ruleOf(
  kind: EffectKind,
  { effect, before = [] }: Pick<Case, 'effect' | 'before'>,
): FaultRule {
  const match = before.length > 0 ? { step: before.length } : {};
  return { id: 'fault', match, effect: { kind, ...effect } as FaultRule['effect'], label: LABEL };
}

export function struck(kind: EffectKind, one: Case): Struck {
  const { before = [], call } = one;
  const faulty = made(deskOptions([ruleOf(kind, one)]), [...before, call]);
  const again = (...[tool, input]: Call): Delivery => faulty.session.call({ tool, input });
  return { ...faulty, clean: made(deskOptions([]), [...before, call]), call: again };
}

function made(options: SessionOptions, calls: readonly Call[]): Made {
  const session = openSession(options);
  const given = calls.map(([tool, input]) => session.call({ tool, input })).at(-1);
  const step = session.steps().at(-1);
  if (!given || !step) throw new Error('no call was made');
  return { session, step, given };
}

/** What has gone back of the order, in cents, in the true world. */
export function refundedCents(session: Session): number {
  return Number(session.world.table('helpdesk.orders').get('88213')?.refunded_cents);
}

/** A member of a body by its dotted path. */
export function at(body: Json, path: string): Json {
  return path
    .split('.')
    .reduce<Json>((value, name) => ((value as JsonObject | null)?.[name] ?? null) as Json, body);
}

/** An answer that lies once: the truth stands in the record, and is given when it is asked for again. */
export function liesOnce(lie: (given: Json, truth: Json) => void): Check {
  return ({ session, step, given, clean, call }) => {
    expect(step.response).toEqual(clean.step.response);
    expect(step.delivered).toMatchObject({ status: 200, body: given.body });
    expect(given.ok).toBe(true);
    lie(given.body, step.response);
    expect(call(step.tool, step.input as JsonObject).body).toEqual(step.response);
    expect(session.steps().at(-1)?.fault).toBeUndefined();
  };
}

/** An interface that stays as it has become. */
export function staysSo(look: (given: Json, truth: Json) => void): Check {
  return ({ session, step, given, call }) => {
    look(given.body, step.response);
    look(call(step.tool, step.input as JsonObject).body, step.response);
    expect(session.steps().at(-1)?.fault).toMatchObject({ rule: 'fault', hit: 2 });
  };
}
