import type { Json, JsonObject } from '../base/json.ts';
import { holds, holdsAll, type Predicate } from '../base/predicate.ts';
import { type PreparedScenario, runReference, shapeOf } from '../runner/prepare.ts';
import { type Contract, checkContract, netDiff, type Witness, type WorldShape } from '../scoring/index.ts';
import { checkChanges, checkRows, checkScenario, checkState } from './demands.ts';
import { failureText } from './message.ts';
import { isPrepared, type MatcherOptions, type ReceivedRun, receivedRun } from './received.ts';
import type { Matched } from './types.ts';

/** Rows that must be there at the end, by table (`service.table`): every named column passes its test. */
export type ExpectedRows = Readonly<Record<string, readonly ExpectedRow[]>>;
export type ExpectedRow = Readonly<Record<string, Predicate | Json>>;

/**
 * What a run should leave: the contract of a scenario (what its reference changes, and nothing else), a
 * contract of your own, or rows.
 */
export type ExpectedState =
  | PreparedScenario
  | (Pick<Contract, 'expect'> & Partial<Omit<Contract, 'expect'>>)
  | ExpectedRows;

/**
 * Whether a run leaves the expected state.
 * @throws UsageError for what is no run, and for a state that no run could miss or none could reach
 */
export function reachesState(
  received: unknown,
  expected: ExpectedState,
  options: MatcherOptions = {},
): Matched {
  checkState(expected);
  const given = isPrepared(expected) ? { environment: expected, ...options } : options;
  const run = receivedRun(received, given);
  const witnesses = witnessesOf(run, expected);
  return {
    pass: witnesses.length === 0,
    message: () =>
      witnesses.length === 0
        ? 'the run reaches the state, and was expected not to'
        : failureText('the run does not reach the expected state', witnesses, run.trajectory),
  };
}

function witnessesOf(run: ReceivedRun, expected: ExpectedState): readonly Witness[] {
  const { steps, header } = run.trajectory;
  if (isPrepared(expected)) {
    checkScenario(run.trajectory, expected.scenario.id);
    const { contract } = runReference(expected, header.world.streamSeed);
    return checkContract(contract, netDiff(steps), { shape: expected.shape });
  }
  if (isContract(expected)) {
    const { expect, allow = [], mask = [] } = expected;
    checkChanges(expected, run.environment().world.tableNames);
    return checkContract({ expect, allow, mask }, netDiff(steps), { shape: shapeFor(run) });
  }
  return missingRows(run, expected);
}

function isContract(expected: object): expected is Pick<Contract, 'expect'> & Partial<Contract> {
  return 'expect' in expected && Array.isArray(expected.expect);
}

function shapeFor(run: ReceivedRun): WorldShape {
  const { world, services } = run.environment();
  return shapeOf(world, services);
}

/** A witness for every expected row that has no row of its own. */
function missingRows(run: ReceivedRun, expected: ExpectedRows): readonly Witness[] {
  const world = run.world();
  checkRows(expected, world);
  return Object.entries(expected).flatMap(([table, wanted]) => {
    const rows = [...world.table(table).scan()] as readonly JsonObject[];
    const taken = new Set<JsonObject>();
    return wanted.flatMap((row): Witness[] => {
      const found = rows.find((candidate) => !taken.has(candidate) && holdsAll(row, candidate));
      if (found) taken.add(found);
      return found ? [] : [missing(run, table, { row, rows: rows.filter((one) => !taken.has(one)) })];
    });
  });
}

/** Says how the row that comes nearest differs, and which step wrote it last. */
function missing(
  run: ReceivedRun,
  table: string,
  { row, rows }: { readonly row: ExpectedRow; readonly rows: readonly JsonObject[] },
): Witness {
  const expected = row as unknown as Json;
  const keys = keyColumns(run, table);
  /** Columns that differ; a row under another key is another row before anything else. */
  const distance = (wrong: readonly string[]): number =>
    wrong.length + (wrong.some((column) => keys.includes(column)) ? Object.keys(row).length : 0);
  let nearest: { readonly row: JsonObject; readonly wrong: readonly string[] } | null = null;
  for (const candidate of rows) {
    const wrong = Object.keys(row).filter((column) => !holds(row[column] ?? null, candidate[column]));
    const bound = nearest ? distance(nearest.wrong) : Object.keys(row).length;
    if (distance(wrong) < bound) nearest = { row: candidate, wrong };
  }
  if (nearest === null) return { steps: [], message: `${table} has no such row`, expected };
  const { row: got, wrong } = nearest;
  const columns = wrong.map((column) => `${column} is ${JSON.stringify(got[column])}`).join(', ');
  return {
    steps: writersOf(run, table, got),
    message: `${table} has no such row; in the nearest, ${columns}`,
    expected,
    got,
  };
}

/** The last step that wrote this row, if any did. */
function writersOf(run: ReceivedRun, table: string, row: JsonObject): readonly number[] {
  const keys = keyColumns(run, table).map((column) => row[column]);
  const text = JSON.stringify(keys.length === 1 ? keys[0] : keys);
  const last = run.trajectory.steps.findLast(({ diff }) =>
    diff.some((change) => change.table === table && JSON.stringify(change.key) === text),
  );
  return last ? [last.index] : [];
}

function keyColumns({ world }: ReceivedRun, table: string): readonly string[] {
  const { primaryKey } = world().spec(table);
  return typeof primaryKey === 'string' ? [primaryKey] : primaryKey;
}
