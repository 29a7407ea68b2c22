import { Cursor } from './cursor.ts';
import { AFTER_PREFIX } from './keys.ts';
import type { TableState } from './table.ts';
import { rowOf, type Tree } from './tree.ts';
import { type ChangeVisitor, visitChanges } from './tree-diff.ts';
import type { Derivation, DerivedChange, Row } from './types.ts';

/** A table that something was computed of from scratch, and what. */
interface Base {
  readonly state: TableState;
  readonly value: unknown;
}

/** Forks of so many different worlds are brought up to date; beyond them the one used longest ago is left. */
const BASES_MOST = 4;
/** So many changed rows make a table another one, which is computed from scratch. */
const CHANGES_MOST = 512;

type AnyDerivation = Derivation<Row, unknown>;

/** What was computed, by the root of the tree that holds the rows: gone with the tree. */
const known = new WeakMap<object, Map<AnyDerivation, unknown>>();
const bases = new WeakMap<AnyDerivation, Base[]>();

/**
 * What a derivation makes of a table's rows. It is remembered for as long as the table's tree lives, and for
 * a table that differs from a known one by a few rows it is brought up to date: as a pure function of the
 * rows it gives the same wherever it started.
 */
export function derivedOf<T>(state: TableState, derivation: Derivation<Row, T>): T {
  const { root } = state;
  const values = root === null ? undefined : valuesOf(root);
  if (values?.has(derivation as AnyDerivation)) return values.get(derivation as AnyDerivation) as T;
  const value = computed(state, derivation);
  values?.set(derivation as AnyDerivation, value);
  return value;
}

function valuesOf(root: NonNullable<Tree>): Map<AnyDerivation, unknown> {
  const found = known.get(root);
  if (found) return found;
  const values = new Map<AnyDerivation, unknown>();
  known.set(root, values);
  return values;
}

function computed<T>(state: TableState, derivation: Derivation<Row, T>): T {
  const candidates = bases.get(derivation as AnyDerivation) ?? [];
  bases.set(derivation as AnyDerivation, candidates);
  for (const [index, base] of candidates.entries()) {
    const changes = changesUpTo(base.state, state);
    if (!changes) continue;
    candidates.splice(index, 1);
    candidates.unshift(base);
    return derivation.patch(base.value as T, changes);
  }
  const value = derivation.build(rowsOf(state.root));
  candidates.unshift({ state: kept(state), value });
  if (candidates.length > BASES_MOST) candidates.pop();
  return value;
}

/** A draft goes on changing: what is kept is the table as it is now. */
function kept(state: TableState): TableState {
  return state.frozen();
}

class TooMany extends Error {}

function changesUpTo(before: TableState, after: TableState): readonly DerivedChange<Row>[] | null {
  if (before.table !== after.table) return null;
  const changes: DerivedChange<Row>[] = [];
  const visit: ChangeVisitor = (from, to) => {
    if (changes.length >= CHANGES_MOST) throw new TooMany();
    changes.push({
      ...(from && { before: rowOf(from) }),
      ...(to && { after: rowOf(to) }),
    });
  };
  try {
    visitChanges(before.table, { before: before.root, after: after.root }, visit);
    return changes;
  } catch (error) {
    if (error instanceof TooMany) return null;
    throw error;
  }
}

function* rowsOf(root: Tree): Generator<Row> {
  const cursor = new Cursor(root, { from: '', until: AFTER_PREFIX, reverse: false });
  for (let entry = cursor.next(); entry !== undefined; entry = cursor.next()) yield rowOf(entry);
}
