import type { Json } from '../base/json.ts';
import { jsonEqual } from '../base/json.ts';
import { SeededRandom } from '../base/random.ts';
import {
  applied,
  asItWas,
  brokenBody,
  businessChanges,
  type DueRule,
  deprecatedOf,
  EFFECTS,
  type Effect,
  editAnswer,
  neighbouringInputs,
  partly,
  undoing,
  writtenByOther,
} from '../faults/index.ts';
import type { BodyForm } from '../service/types.ts';
import type { RowChange, WorldValue } from '../world/types.ts';
import { type Executed, type Execution, execute, refuseBeforehand, refuseInput } from './execute.ts';

/** How long, in virtual time, a client waits for an answer that never comes. */
export const LOST_RESPONSE_TIMEOUT_MS = 30_000;

/** What the agent is given where a fault made it differ from the true answer. */
export interface Altered {
  readonly status: number;
  readonly body: Json;
  readonly headers?: Readonly<Record<string, string>>;
  readonly lost?: true;
  readonly reset?: true;
  readonly broken?: true;
}

/** A call as far as faults went with it. */
export interface Faulted {
  readonly executed: Executed;
  readonly altered: Altered | null;
  /** Virtual time that the fault took. */
  readonly extraMs: number;
  /** That part of it in which the body came in. */
  readonly trickleMs?: number;
  /** The place in the answer, where there is one. */
  readonly at?: string;
  /** How the altered body is sent, where it is another answer altogether. */
  readonly form?: BodyForm | undefined;
}

/** A call that rules are due at. */
export interface FaultedCall {
  readonly execution: Execution;
  readonly step: number;
  /** The name that the step records. */
  readonly tool: string;
  readonly streamSeed: string;
  /** The world after so many steps of this episode. */
  worldAfter(steps: number): WorldValue;
  /** What a step of this episode changed. */
  changesOf(step: number): readonly RowChange[];
}

/** What came of the rules that were due. */
export interface StrikeResult extends Faulted {
  /** The rule that struck; null where none could change anything. */
  readonly by: DueRule | null;
  /** Standing rules that struck beside it. */
  readonly also: readonly DueRule[];
}

/**
 * Carries out what is due at a call. One rule strikes it: the first whose effect changes anything. Those that
 * stand, as an interface that drifted does, are carried out besides.
 */
export function carryOut(due: readonly DueRule[], call: FaultedCall): StrikeResult {
  const passing = due.filter(({ rule }) => !EFFECTS[rule.effect.kind].facts.standing);
  const standing = due.filter(({ rule }) => EFFECTS[rule.effect.kind].facts.standing);
  const drifted = inputDrift(standing, call);
  const truth = new Truth(drifted.call, drifted.executed);
  const first = drifted.executed ? null : firstStrike(passing, drifted.call, truth);
  let by = first?.by ?? null;
  let state: Faulted = first?.state ?? untouched(truth);
  const also: DueRule[] = [];
  for (const rule of standing) {
    const next: Faulted | null = drifted.by.includes(rule) ? state : beside(rule, drifted.call, state);
    if (!next) continue;
    state = next;
    if (by) also.push(rule);
    else by = rule;
  }
  return { ...state, by, also };
}

function firstStrike(
  due: readonly DueRule[],
  call: FaultedCall,
  truth: Truth,
): { readonly by: DueRule; readonly state: Faulted } | null {
  for (const by of due) {
    const state = strike(by, call, truth);
    if (state) return { by, state };
  }
  return null;
}

/** The true answer, found out once and only where it is asked for. */
class Truth {
  readonly #call: FaultedCall;
  #executed: Executed | null;

  constructor(call: FaultedCall, executed: Executed | null) {
    this.#call = call;
    this.#executed = executed;
  }

  get executed(): Executed {
    this.#executed ??= execute(this.#call.execution);
    return this.#executed;
  }
}

/** What drifted in how a tool is called: the call as it is then made, or its refusal. */
function inputDrift(
  standing: readonly DueRule[],
  call: FaultedCall,
): { readonly call: FaultedCall; readonly executed: Executed | null; readonly by: readonly DueRule[] } {
  let { execution } = call;
  const by: DueRule[] = [];
  for (const due of standing) {
    const { effect } = due.rule;
    if (effect.kind === 'parameter-required') {
      const given = membersOf(execution.input);
      if (!Object.hasOwn(given, effect.name)) {
        const issues = [{ path: effect.name, message: MISSING, received: undefined }];
        return { call, executed: refuseInput(execution, issues), by: [...by, due] };
      }
      const { [effect.name]: _extra, ...rest } = given;
      execution = { ...execution, input: rest, came: rest };
    }
    if (effect.kind === 'paging-changed') {
      const name = pageSizeName(execution);
      if (name === null || Object.hasOwn(membersOf(execution.input), name)) continue;
      const input = { ...membersOf(execution.input), [name]: effect.pageSize };
      execution = { ...execution, input, came: input };
      by.push(due);
    }
  }
  return { call: execution === call.execution ? call : { ...call, execution }, executed: null, by };
}

/** What schemas say of a member that is not there. */
const MISSING = 'Invalid input: expected string, received undefined';

const PAGE_SIZE_NAMES = ['per_page', 'perPage', 'page_size', 'pageSize', 'limit', 'first'];

/** The argument by which this tool is told how many items a page has. */
function pageSizeName({ callable }: Execution): string | null {
  const shape = (callable?.input as { readonly shape?: object } | undefined)?.shape ?? {};
  return PAGE_SIZE_NAMES.find((name) => Object.hasOwn(shape, name)) ?? null;
}

function membersOf(input: Json): Record<string, Json> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? (input as Record<string, Json>)
    : {};
}

/** A rule that stands, on an answer that another one may have changed already. */
function beside(due: DueRule, call: FaultedCall, state: Faulted): Faulted | null {
  if (state.altered?.lost || state.altered?.broken) return null;
  const { effect } = due.rule;
  if (EFFECTS[effect.kind].facts.changes === 'tools') {
    return effect.kind !== 'tool-twin' || deprecatedOf(effect) === call.tool ? state : null;
  }
  return edited(due, call, state);
}

/** One rule that does not stand. Null where its effect cannot change this call. */
function strike(due: DueRule, call: FaultedCall, truth: Truth): Faulted | null {
  const { effect } = due.rule;
  const { execution } = call;
  const effectOn = EFFECTS[effect.kind].facts.on;
  if (effectOn !== 'any' && execution.callable?.effect !== effectOn) return null;
  switch (effect.kind) {
    case 'reject':
      return before(refuseBeforehand(execution, refusalOf(due, effect, execution.world)));
    case 'auth-expired':
      return before(refuseBeforehand(execution, { status: 401 }));
    case 'request-lost':
      return gone(nothingDone(execution), { lost: true });
    case 'response-lost':
      return gone(truth.executed, { lost: true });
    case 'connection-reset':
      return gone(effect.committed ? truth.executed : nothingDone(execution), { lost: true, reset: true });
    case 'body-malformed':
    case 'body-truncated':
    case 'body-empty':
      return broken(effect, truth.executed);
    case 'delay':
      return { ...untouched(truth), extraMs: randomOf(due, call).pick(effect.delaysMs) };
    case 'body-slow':
      return { ...untouched(truth), extraMs: effect.durationMs, trickleMs: effect.durationMs };
    case 'write-lagging':
      return lagging(due, call, truth);
    case 'read-stale':
      return stale(effect, call, truth);
    case 'row-wrong':
      return ofAnotherRow(due, call, truth);
    case 'concurrent-write':
      return afterAnother(effect, call);
    case 'write-dropped':
    case 'write-duplicated':
    case 'write-partial':
    case 'side-effect-lost':
      return otherwiseWritten(effect, execution, truth.executed);
    default:
      return edited(due, call, untouched(truth));
  }
}

function untouched(truth: Truth): Faulted {
  return { executed: truth.executed, altered: null, extraMs: 0 };
}

function before(executed: Executed | null): Faulted | null {
  return executed && { executed, altered: null, extraMs: 0 };
}

/** Of a window that the rule names, until its end; else what the rule says, or what is left of it. */
function refusalOf({ rule, progress }: DueRule, effect: Effect<'reject'>, world: WorldValue) {
  const left = (endMs: number): number => Math.ceil((endMs - world.clockMs) / 1000);
  const end = rule.match.clockMs?.to;
  const whole = effect.retryAfterSeconds ?? (end === undefined ? undefined : left(end));
  // Who comes again too early is told what is left.
  const { untilMs } = progress;
  const retryAfterSeconds = untilMs !== undefined && untilMs > world.clockMs ? left(untilMs) : whole;
  return {
    status: effect.status,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(effect.reason !== undefined && { reason: effect.reason }),
  };
}

/** The call as if it had never arrived. */
function nothingDone({ world }: Execution): Executed {
  const response = null;
  return { world, changes: [], events: [], operations: [], outcome: 'error', status: 504, response };
}

function gone(executed: Executed, how: { readonly lost: true; readonly reset?: true }): Faulted {
  const extraMs = how.reset ? 0 : LOST_RESPONSE_TIMEOUT_MS;
  return { executed, altered: { status: 504, body: null, ...how }, extraMs };
}

function broken(
  effect: Effect<'body-malformed' | 'body-truncated' | 'body-empty'>,
  executed: Executed,
): Faulted | null {
  const body = brokenBody(effect, { body: executed.response, form: formOf(executed) });
  if (body === null) return null;
  return { executed, altered: { status: executed.status, body, broken: true }, extraMs: 0 };
}

/** A status that has no body sends none, whatever the operation gave. */
function formOf({ status, form }: Executed): Executed['form'] {
  return status === 204 || status === 304 ? 'empty' : form;
}

/** The first strike is the write itself; further ones are reads that do not see it. */
function lagging({ progress }: DueRule, call: FaultedCall, truth: Truth): Faulted | null {
  const { lag } = progress;
  const { executed } = truth;
  const { execution } = call;
  if (!lag) {
    const wrote = execution.callable?.effect === 'write' && executed.outcome === 'ok';
    return wrote && businessChanges(executed.world, executed.changes).length > 0 ? untouched(truth) : null;
  }
  if (execution.callable?.effect !== 'read') return null;
  const unseen = businessChanges(execution.world, call.changesOf(lag.step));
  const world = applied(execution.world, undoing(unseen));
  return world && seenIn(world, execution, executed);
}

function stale({ ofStep = 0 }: Effect<'read-stale'>, call: FaultedCall, truth: Truth): Faulted | null {
  if (ofStep >= call.step) return null;
  const world = asItWas(call.execution.world, call.worldAfter(ofStep));
  return world && seenIn(world, call.execution, truth.executed);
}

/** The answer that a read would have in another world; null where it is the same. */
function seenIn(world: WorldValue, execution: Execution, executed: Executed): Faulted | null {
  const seen = execute({ ...execution, world });
  if (seen.status === executed.status && jsonEqual(seen.response, executed.response)) return null;
  return { executed, altered: answerOf(seen), form: seen.form ?? 'json', extraMs: 0 };
}

function answerOf({ status, response, headers }: Executed): Altered {
  return { status, body: response, ...(headers && { headers }) };
}

function ofAnotherRow(due: DueRule, call: FaultedCall, truth: Truth): Faulted | null {
  const { effect } = due.rule;
  const { executed } = truth;
  const { execution } = call;
  const service = execution.callable?.service.name;
  if (effect.kind !== 'row-wrong' || executed.outcome !== 'ok' || service === undefined) return null;
  const world = execution.world;
  const candidates = effect.input
    ? [{ ...membersOf(execution.input), ...effect.input }]
    : neighbouringInputs(execution.input, { world, service }, randomOf(due, call));
  for (const input of candidates) {
    const other = execute({ ...execution, input, came: input });
    if (other.outcome !== 'ok' || jsonEqual(other.response, executed.response)) continue;
    return { executed, altered: answerOf(other), form: other.form ?? 'json', extraMs: 0 };
  }
  return null;
}

function afterAnother(effect: Effect<'concurrent-write'>, call: FaultedCall): Faulted | null {
  const { execution } = call;
  const world = writtenByOther(execution.world, effect, execution.input);
  if (!world) return null;
  const executed = execute({ ...execution, world });
  const changes = execution.world.diff(executed.world);
  return { executed: { ...executed, changes }, altered: null, extraMs: 0 };
}

/** The write as it really happened: not at all, twice, in part, or without what it sets off. */
function otherwiseWritten(
  effect: Effect<'write-dropped' | 'write-duplicated' | 'write-partial' | 'side-effect-lost'>,
  execution: Execution,
  executed: Executed,
): Faulted | null {
  if (executed.outcome !== 'ok') return null;
  const changes = businessChanges(executed.world, executed.changes);
  switch (effect.kind) {
    case 'write-dropped':
      return changes.length === 0
        ? null
        : inWorld(applied(executed.world, undoing(changes)), execution, executed);
    case 'write-partial':
      return inWorld(partly(executed.world, changes, effect.keep), execution, executed);
    case 'write-duplicated': {
      const again = execute({ ...execution, world: executed.world });
      if (again.world.contentDigest() === executed.world.contentDigest()) return null;
      return inWorld(again.world, execution, {
        ...executed,
        events: [...executed.events, ...again.events],
        operations: [...executed.operations, ...again.operations],
      });
    }
    case 'side-effect-lost': {
      const added = changes.filter(({ op, table }) => op === 'insert' && effect.tables?.includes(table));
      if (added.length === 0 && (executed.events.length === 0 || effect.tables)) return null;
      const world = added.length === 0 ? executed.world : applied(executed.world, undoing(added));
      return inWorld(world, execution, { ...executed, events: effect.tables ? executed.events : [] });
    }
  }
}

/** The same answer about a world that is another one. */
function inWorld(world: WorldValue | null, execution: Execution, executed: Executed): Faulted | null {
  if (!world) return null;
  return {
    executed: { ...executed, world, changes: execution.world.diff(world) },
    altered: null,
    extraMs: 0,
  };
}

/** The answer as an edit makes it; on what another rule made of it, where one did. */
function edited(due: DueRule, call: FaultedCall, state: Faulted): Faulted | null {
  const { executed, altered } = state;
  const answer = altered ?? { status: executed.status, body: executed.response };
  const headers = altered?.headers ?? executed.headers;
  const edit = editAnswer(due.rule.effect, { ...answer, headers }, randomOf(due, call));
  if (!edit) return null;
  const told = edit.headers ?? altered?.headers;
  return {
    ...state,
    altered: { status: edit.status, body: edit.body, ...(told && { headers: told }) },
    at: edit.at,
  };
}

/** Draws of a fault are its own: they leave the world's streams alone. */
function randomOf({ rule }: DueRule, { streamSeed, step }: FaultedCall): SeededRandom {
  return SeededRandom.from(JSON.stringify(['fault', streamSeed, rule.id, step]));
}
