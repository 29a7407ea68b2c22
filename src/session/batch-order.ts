import { canonicalJson } from '../base/canonical.ts';
import { nearestName, UsageError } from '../base/errors.ts';
import { type Json, jsonEqual } from '../base/json.ts';
import type { StepRecord, Trajectory } from '../trajectory/index.ts';
import type { RowChange, TableSpec, WorldValue } from '../world/types.ts';
import { type ReplayEnvironment, requestOf, sessionAt } from './replay.ts';
import type { Session } from './session.ts';

/** Whether the order of one batch mattered, from playing it in other orders. */
export interface BatchOrder {
  readonly matters: boolean;
  /** Other orders that were played before an answer was found. */
  readonly orders: number;
  readonly first: OrderDifference | null;
}

/** The first difference that another order made. Calls are numbered within the batch, from 0. */
export interface OrderDifference {
  readonly order: readonly number[];
  /** `answer` of the call, or the `state` that the batch left. */
  readonly field: 'answer' | 'state';
  readonly call: number | null;
  readonly expected: Json;
  readonly got: Json;
}

/** Up to so many calls, every order is played; beyond, the reverse and every exchange of two neighbours. */
const CALLS_FULLY_PERMUTED = 4;

/**
 * Plays a batch of parallel calls in other orders, each on a fork from before it, and compares every call's
 * answer and the state that the batch leaves. Drawn ids count as the same when the same call drew them; other
 * volatile cells, such as moments, do not count. A fault plan stays in force, so it may strike another call
 * than before.
 * @throws UsageError when the trajectory has no batch of this name.
 */
export function batchOrderMatters(
  trajectory: Trajectory,
  environment: ReplayEnvironment,
  batch: string,
): BatchOrder {
  const steps = stepsOf(trajectory, batch);
  const start = sessionAt(trajectory, environment, steps[0]?.index ?? 0);
  const recorded = play(start.fork(), steps, identityOf(steps));
  let orders = 0;
  for (const order of otherOrders(steps.length)) {
    orders += 1;
    const first = differenceOf(recorded, play(start.fork(), steps, order), order);
    if (first) return { matters: true, orders, first };
  }
  return { matters: false, orders, first: null };
}

function stepsOf(trajectory: Trajectory, batch: string): readonly StepRecord[] {
  const steps = trajectory.steps.filter((step) => step.batch === batch);
  if (steps.length > 0) return steps;
  const known = new Set(trajectory.steps.flatMap((step) => step.batch ?? []));
  const near = nearestName(batch, known);
  throw new UsageError('unknown-batch', `the trajectory has no batch named ${batch}`, {
    hint: near ? `did you mean ${near}?` : `batches are ${[...known].join(', ') || 'none'}`,
  });
}

/**
 * What one order came to: answers by call number, and the rows that differ from before, both with names for
 * ids.
 */
interface Played {
  readonly answers: readonly Json[];
  readonly state: Json;
}

function play(session: Session, steps: readonly StepRecord[], order: readonly number[]): Played {
  const before = session.world;
  const names = new VolatileNames(before);
  const bodies: Json[] = steps.map(() => null);
  for (const call of order) {
    const step = steps[call];
    if (!step || session.ended) continue;
    const from = session.world;
    const { status, body, lost, reset } = session.call(requestOf(step));
    bodies[call] = lost ? { lost, ...(reset && { reset }) } : { status, body };
    names.learn(from.diff(session.world), call);
  }
  const changes = before.diff(session.world).filter((change) => !before.spec(change.table).ambient);
  const texts = changes.map((change) => canonicalJson(names.inRow(change)));
  return { answers: bodies.map((body) => names.inText(body)), state: texts.sort() };
}

function differenceOf(recorded: Played, other: Played, order: readonly number[]): OrderDifference | null {
  for (const [call, expected] of recorded.answers.entries()) {
    const got = other.answers[call] ?? null;
    if (!jsonEqual(expected, got)) return { order, field: 'answer', call, expected, got };
  }
  if (jsonEqual(recorded.state, other.state)) return null;
  return { order, field: 'state', call: null, expected: recorded.state, got: other.state };
}

const VOLATILE = '(volatile)';
const WORD_LENGTH_LEAST = 4;

/**
 * Names for what streams and clock give, which another order gives otherwise without meaning anything by it.
 */
class VolatileNames {
  readonly #world: WorldValue;
  readonly #names = new Map<Json, string>();

  constructor(world: WorldValue) {
    this.#world = world;
  }

  /**
   * Takes note of the values that a call brought into volatile columns: keys get its name, the rest a common
   * one.
   */
  learn(changes: readonly RowChange[], call: number): void {
    let drawn = 0;
    for (const change of changes) {
      const spec = this.#world.spec(change.table);
      const keys = keyColumns(spec);
      for (const column of spec.volatile ?? []) {
        const value = newValue(change, column);
        if (typeof value !== 'string' || this.#names.has(value)) continue;
        const isKey = change.op === 'insert' && keys.includes(column);
        this.#names.set(value, isKey ? `(id ${drawn++} of call ${call})` : VOLATILE);
      }
    }
  }

  /** A change with names for ids, and other volatile cells left out. */
  inRow(change: RowChange): Json {
    const { volatile = [] } = this.#world.spec(change.table);
    const members = change.op === 'update' ? change.cells : change.row;
    const kept = Object.entries(members).map(([column, value]) => {
      const named = this.inText(value as Json);
      return [column, volatile.includes(column) && !isName(named) ? VOLATILE : named] as const;
    });
    return [change.op, change.table, this.inText(change.key as Json), Object.fromEntries(kept)];
  }

  /** Ids stand within texts too, such as a log line; short ones are left alone, they could be anything. */
  #inWords(text: string): string {
    let named = text;
    for (const [value, name] of this.#names) {
      if (isName(name) && String(value).length >= WORD_LENGTH_LEAST) {
        named = named.replaceAll(String(value), name);
      }
    }
    return named;
  }

  /** A value with names in place of the texts that have one. */
  inText(value: Json): Json {
    if (typeof value === 'string') return this.#names.get(value) ?? this.#inWords(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item: Json) => this.inText(item));
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.inText((member ?? null) as Json)]),
    );
  }
}

function isName(value: Json): boolean {
  return typeof value === 'string' && value.startsWith('(id ');
}

function keyColumns({ primaryKey }: TableSpec): readonly string[] {
  return typeof primaryKey === 'string' ? [primaryKey] : primaryKey;
}

function newValue(change: RowChange, column: string): Json | undefined {
  if (change.op === 'insert') return change.row[column];
  return change.op === 'update' ? change.cells[column]?.to : undefined;
}

function identityOf(steps: readonly StepRecord[]): number[] {
  return steps.map((_step, index) => index);
}

function* otherOrders(count: number): Generator<readonly number[]> {
  const recorded = Array.from({ length: count }, (_, index) => index);
  if (count <= CALLS_FULLY_PERMUTED) {
    for (const order of permutations(recorded)) {
      if (order.some((call, index) => call !== index)) yield order;
    }
    return;
  }
  yield recorded.toReversed();
  for (let at = 0; at + 1 < count; at += 1) {
    yield recorded.map((call) => (call === at ? at + 1 : call === at + 1 ? at : call));
  }
}

function* permutations(items: readonly number[]): Generator<readonly number[]> {
  if (items.length <= 1) yield items;
  for (const [index, item] of items.entries()) {
    if (items.length <= 1) return;
    for (const rest of permutations(items.toSpliced(index, 1))) yield [item, ...rest];
  }
}
