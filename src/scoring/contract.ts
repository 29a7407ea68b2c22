import { canonicalJson } from '../base/canonical.ts';
import type { Json } from '../base/json.ts';
import type { ChangeRecord } from '../trajectory/types.ts';
import { type FixedPair, pairInsertedRows } from './inserted-rows.ts';
import type { NetChange } from './net-diff.ts';
import { type BlankedCell, type InsertedSide, insertedSide, type RowView } from './row-view.ts';
import { isAllowed, rowName, type TableRules, tableRules } from './rules.ts';
import type { Contract, Witness, WorldShape } from './types.ts';

export interface ContractOptions {
  readonly shape: WorldShape;
  /**
   * `fail` (default): nothing else may change. `ignore`: only what is expected is looked for, as milestones
   * do.
   */
  readonly extras?: 'fail' | 'ignore';
}

/**
 * Compares a run's net diff with a contract; no witnesses means that it holds.
 *
 * Ambient tables, unhashed and masked columns are left out; volatile columns too, except where they refer to
 * a row that was inserted. Inserted rows are paired by content (see `pairInsertedRows`); updates and deletes
 * by key.
 */
export function checkContract(
  contract: Contract,
  net: readonly NetChange[],
  options: ContractOptions,
): Witness[] {
  return contractBreaches(contract, net, options).map(({ witness }) => witness);
}

/** A breach of a contract: its witness, the table that it is about, and what was or should have been done. */
export interface ContractBreach {
  readonly table: string;
  readonly op: ChangeRecord['op'];
  readonly witness: Witness;
}

/** What `checkContract` finds, in its order, with what each witness is about. */
export function contractBreaches(
  contract: Contract,
  net: readonly NetChange[],
  options: ContractOptions,
): ContractBreach[] {
  const rulesOf = tableRules(options.shape, contract.mask);
  const counts = ({ change }: NetChange): boolean => !rulesOf(change.table).ambient;
  const expected = contract.expect.map((change) => ({ change, steps: [] })).filter(counts);
  const got = net.filter(counts);
  const comparison: Comparison = {
    contract,
    rulesOf,
    extras: options.extras ?? 'fail',
    expected: insertedSide(expected, rulesOf),
    got: insertedSide(got, rulesOf),
    expectedByKey: existingRows(expected),
    gotByKey: existingRows(got),
  };
  const partner = pairing(comparison);
  return logsLast(options.shape, [
    ...insertWitnesses(comparison, partner),
    ...existingWitnesses(comparison, partner.rows),
    ...extraWitnesses(comparison),
  ]);
}

/**
 * A table that refers to no other, and that no other refers to, only writes down what happened elsewhere, as
 * an audit log does: what it says comes after what the tables say in which it happened.
 */
function logsLast(shape: WorldShape, told: readonly ContractBreach[]): ContractBreach[] {
  if (told.length < 2) return [...told];
  const related = new Set<string>();
  for (const [table, { foreignKeys }] of Object.entries(shape)) {
    for (const target of Object.values(foreignKeys)) related.add(table).add(target);
  }
  const isLog = ({ table }: ContractBreach): boolean => !related.has(table);
  return [...told.filter((breach) => !isLog(breach)), ...told.filter(isLog)];
}

const about = ({ table, op }: ChangeRecord, witnesses: readonly Witness[]): ContractBreach[] =>
  witnesses.map((witness) => ({ table, op, witness }));

interface Comparison {
  readonly contract: Contract;
  readonly rulesOf: (table: string) => TableRules;
  readonly extras: 'fail' | 'ignore';
  readonly expected: InsertedSide;
  readonly got: InsertedSide;
  /** Updates and deletes by table and key. */
  readonly expectedByKey: ReadonlyMap<string, NetChange>;
  readonly gotByKey: ReadonlyMap<string, NetChange>;
}

interface Pairing {
  readonly rows: readonly (number | null)[];
  readonly consistent: boolean;
}

const keyOf = (change: ChangeRecord): string => `${change.table} ${canonicalJson(change.key)}`;

function existingRows(changes: readonly NetChange[]): Map<string, NetChange> {
  const existing = changes.filter(({ change }) => change.op !== 'insert');
  return new Map(existing.map((entry) => [keyOf(entry.change), entry]));
}

function pairing(comparison: Comparison): Pairing {
  const { expected, got, contract, rulesOf } = comparison;
  const mustPair = (row: number): boolean => {
    const view = got.rows[row];
    return view !== undefined && !isAllowed(view.change, contract.allow, { rules: rulesOf(view.table) });
  };
  const fixed = fixedByUpdates(comparison);
  const result = pairInsertedRows(expected.rows, got.rows, { mustPair, fixed });
  return { rows: result.partner, consistent: result.consistent };
}

/**
 * Pairs that follow from updated cells which refer to inserted rows: `tickets.T-1.refund_id` says which
 * refund.
 */
function fixedByUpdates(comparison: Comparison): FixedPair[] {
  const fixed: FixedPair[] = [];
  for (const [key, { change }] of comparison.expectedByKey) {
    const other = comparison.gotByKey.get(key)?.change;
    if (change.op !== 'update' || other?.op !== 'update') continue;
    for (const column of Object.keys(change.cells)) {
      if (comparison.rulesOf(change.table).ignored(column)) continue;
      const one = comparison.expected.cell(change.table, column, change.cells[column]?.to);
      const two = comparison.got.cell(change.table, column, other.cells[column]?.to);
      if (one.text !== two.text || one.references.length !== two.references.length) continue;
      one.references.forEach((reference, place) => {
        fixed.push([reference, two.references[place] ?? -1]);
      });
    }
  }
  return fixed;
}

function insertWitnesses(comparison: Comparison, { rows, consistent }: Pairing): ContractBreach[] {
  const { expected, got, contract, rulesOf } = comparison;
  const taken = new Set(rows.filter((row) => row !== null));
  const free = new Set(got.rows.map((_, index) => index).filter((index) => !taken.has(index)));
  const told: ContractBreach[] = [];
  expected.rows.forEach((row, index) => {
    const pair = rows[index] ?? null;
    if (pair !== null) {
      const stray = consistent ? [] : strayReferences(comparison, [row, got.rows[pair]], rows);
      told.push(...about(row.change, stray));
      return;
    }
    const nearest = nearestRow(row, got.rows, free);
    if (nearest === undefined) {
      const message = `${row.table}: a row is missing: ${preview(row.columns)}`;
      told.push(...about(row.change, [{ steps: [], message, expected: row.columns }]));
      return;
    }
    free.delete(nearest.index);
    told.push(...about(row.change, nearest.witnesses));
  });
  if (comparison.extras === 'ignore') return told;
  for (const index of free) {
    const row = got.rows[index];
    if (!row || isAllowed(row.change, contract.allow, { rules: rulesOf(row.table) })) continue;
    const message = `${rowName(row.change)} was inserted, which the contract does not expect`;
    told.push(...about(row.change, [{ steps: row.steps, message, got: row.columns }]));
  }
  return told;
}

const PREVIEW_CHARACTERS = 90;

/** The start of a row, for a sentence; the whole of it stands in the witness. */
function preview(columns: Json): string {
  const text = JSON.stringify(columns);
  return text.length > PREVIEW_CHARACTERS ? `${text.slice(0, PREVIEW_CHARACTERS)}…` : text;
}

/** References that the pairing does not keep. */
function strayReferences(
  { expected, got }: Comparison,
  [row, other]: readonly [RowView, RowView | undefined],
  rows: readonly (number | null)[],
): Witness[] {
  if (!other) return [];
  return row.references.flatMap((target, place) => {
    const wanted = rows[target] ?? null;
    const actual = other.references[place] ?? -1;
    if (wanted === actual) return [];
    const message = `${rowName(other.change)} refers to another inserted row than expected`;
    const known = wanted === null ? expected.rows[target]?.key : got.rows[wanted]?.key;
    return [{ steps: other.steps, message, expected: known ?? null, got: got.rows[actual]?.key ?? null }];
  });
}

/** The free row of the same table that differs in the fewest columns, if it agrees in one or in the key. */
function nearestRow(
  row: RowView,
  rows: readonly RowView[],
  free: ReadonlySet<number>,
): { index: number; witnesses: Witness[] } | undefined {
  let best: { index: number; columns: string[]; other: RowView } | undefined;
  for (const index of free) {
    const other = rows[index];
    if (!other || other.table !== row.table) continue;
    const names = [...new Set([...Object.keys(row.columns), ...Object.keys(other.columns)])];
    const columns = names.filter((name) => !sameText(row.columns[name], other.columns[name]));
    const alike = columns.length < names.length || sameText(row.key, other.key);
    if (alike && columns.length < (best?.columns.length ?? Number.POSITIVE_INFINITY)) {
      best = { index, columns, other };
    }
  }
  if (!best) return undefined;
  const { index, columns, other } = best;
  if (columns.length === 0) {
    const message = `${rowName(other.change)} has other references between new rows than expected`;
    return { index, witnesses: [{ steps: other.steps, message, expected: row.columns, got: other.columns }] };
  }
  const witnesses = columns.map((column) =>
    cellWitness(other, column, { expected: row.columns[column], got: other.columns[column] }),
  );
  return { index, witnesses };
}

const sameText = (one: Json | undefined, other: Json | undefined): boolean =>
  (one === undefined) === (other === undefined) && canonicalJson(one) === canonicalJson(other);

/** The step that made a value what it is in the end, then those before it. */
const lastFirst = (steps: readonly number[]): readonly number[] => [
  ...steps.slice(-1),
  ...steps.slice(0, -1),
];

function cellWitness(
  at: NetChange,
  column: string,
  sides: { expected: Json | undefined; got: Json | undefined },
): Witness {
  const shown = (value: Json | undefined): string => (value === undefined ? 'absent' : JSON.stringify(value));
  return {
    steps: lastFirst(at.writers?.(column) ?? at.steps),
    message: `${rowName(at.change)}: ${column} is ${shown(sides.got)}, expected ${shown(sides.expected)}`,
    ...(sides.expected === undefined ? {} : { expected: sides.expected }),
    ...(sides.got === undefined ? {} : { got: sides.got }),
  };
}

/** Expected updates and deletes that did not happen, or not so. */
function existingWitnesses(comparison: Comparison, rows: readonly (number | null)[]): ContractBreach[] {
  const told: ContractBreach[] = [];
  for (const [key, { change }] of comparison.expectedByKey) {
    const found = comparison.gotByKey.get(key);
    if (change.op === 'update') {
      told.push(...about(change, updateWitnesses(comparison, { change, found, rows })));
    } else if (found?.change.op !== 'delete') {
      const steps = found?.steps ?? [];
      const message = `${rowName(change)} was not deleted`;
      told.push(...about(change, [{ steps, message, expected: 'deleted' }]));
    }
  }
  return told;
}

function updateWitnesses(
  comparison: Comparison,
  options: {
    change: Extract<ChangeRecord, { op: 'update' }>;
    found: NetChange | undefined;
    rows: readonly (number | null)[];
  },
): Witness[] {
  const { change, found, rows } = options;
  const compared = comparedCells(change, comparison.rulesOf(change.table), comparison.expected);
  if (found?.change.op === 'delete') {
    const steps = lastFirst(found.steps);
    return [{ steps, message: `${rowName(change)} was deleted`, got: 'deleted' }];
  }
  const cells = found?.change.op === 'update' ? found.change.cells : {};
  return compared.flatMap(({ column, cell, blanked }) => {
    const there = Object.hasOwn(cells, column) ? cells[column] : undefined;
    if (there === undefined) {
      const message = `${rowName(change)}: ${column} did not change, expected ${JSON.stringify(cell.to)}`;
      return [
        { steps: found?.steps ?? [], message, ...(cell.to === undefined ? {} : { expected: cell.to }) },
      ];
    }
    const other = comparison.got.cell(change.table, column, there.to);
    const absence = (cell.to === undefined) === (there.to === undefined);
    if (absence && sameCell(blanked, other, rows)) return [];
    const at = { ...found, change, steps: found?.steps ?? [] };
    return [cellWitness(at, column, { expected: cell.to, got: there.to })];
  });
}

function sameCell(expected: BlankedCell, got: BlankedCell, rows: readonly (number | null)[]): boolean {
  if (expected.text !== got.text || expected.references.length !== got.references.length) return false;
  return expected.references.every((reference, place) => rows[reference] === got.references[place]);
}

function comparedCells(
  change: Extract<ChangeRecord, { op: 'update' }>,
  rules: TableRules,
  side: InsertedSide,
): { column: string; cell: { from?: Json; to?: Json }; blanked: BlankedCell }[] {
  return Object.entries(change.cells).flatMap(([column, cell]) => {
    const blanked = side.cell(change.table, column, cell.to);
    const refers = rules.foreignKeys[column] !== undefined && blanked.references.length > 0;
    if (rules.ignored(column) || (rules.volatile(column) && !refers)) return [];
    return [{ column, cell, blanked }];
  });
}

/** Updates and deletes of the run that the contract neither expects nor allows. */
function extraWitnesses(comparison: Comparison): ContractBreach[] {
  if (comparison.extras === 'ignore') return [];
  const { contract, rulesOf } = comparison;
  const told: ContractBreach[] = [];
  for (const [key, { change, steps, writers }] of comparison.gotByKey) {
    const expected = comparison.expectedByKey.get(key)?.change;
    const rules = rulesOf(change.table);
    if (change.op === 'delete') {
      if (expected || isAllowed(change, contract.allow, { rules })) continue;
      const message = `${rowName(change)} was deleted, which the contract does not expect`;
      told.push(...about(change, [{ steps: lastFirst(steps), message, got: 'deleted' }]));
    } else if (change.op === 'update') {
      const known = expected?.op === 'update' ? expected.cells : {};
      for (const { column, cell } of comparedCells(change, rules, comparison.got)) {
        if (Object.hasOwn(known, column)) continue;
        if (isAllowed(change, contract.allow, { rules, column })) continue;
        const message = `${rowName(change)}: ${column} changed, which the contract does not expect`;
        const by = writers?.(column) ?? steps;
        const sides = { expected: cell.from ?? null, got: cell.to ?? null };
        told.push(...about(change, [{ steps: by, message, ...sides }]));
      }
    }
  }
  return told;
}
