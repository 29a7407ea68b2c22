import { InvariantError } from '../base/errors.ts';
import { type Json, jsonEqual } from '../base/json.ts';
import type { ChangeRecord } from '../trajectory/types.ts';
import type { TableSpec, WorldValue } from '../world/types.ts';
import type { Subject } from './subject.ts';

const SHIFT_MS = 3_601_234;

/** What was seen of one column: written at all, and differing between the two worlds. */
interface Sighting {
  differs: boolean;
}

/**
 * The same calls on two worlds that differ in clock, ids drawn and randomness alone: a cell that differs is
 * fed from one of the three, and its column must say so; a column that says so must differ somewhere.
 */
export function volatileProblems(subject: Subject): string[] {
  const other = shifted(subject);
  const seen = new Map<string, Sighting>();
  for (const { title, calls } of [
    ...subject.exampleScripts(),
    ...subject.probeScripts(),
    ...subject.givenScripts(),
  ]) {
    const first = subject.play(title, calls);
    const second = subject.play(title, calls, subject.open({ world: other, streamSeed: 'another stream' }));
    for (const [index, outcome] of first.outcomes.entries()) {
      const twin = second.outcomes[index];
      if (twin?.step.outcome !== outcome.step.outcome) break;
      compareChanges(subject, seen, { left: outcome.step.diff, right: twin.step.diff });
    }
  }
  return verdicts(subject, seen);
}

/** The small world later, with ids and random numbers drawn that nobody used. */
function shifted(subject: Subject): WorldValue {
  const { service } = subject;
  const drawn = subject.world.transact((tx) => {
    tx.random.nextUint32();
    for (const name of Object.keys(service.schema)) {
      if (service.schema[name]?.ids) drawId(() => tx.nextId(`${service.name}.${name}`));
    }
  });
  return drawn.world.advance(SHIFT_MS);
}

/** A list of fixed ids may be at its end, which is no matter here. */
function drawId(draw: () => string): void {
  try {
    draw();
  } catch (error) {
    if (!(error instanceof InvariantError)) throw error;
  }
}

function compareChanges(
  subject: Subject,
  seen: Map<string, Sighting>,
  { left, right }: { readonly left: readonly ChangeRecord[]; readonly right: readonly ChangeRecord[] },
): void {
  const [ours, theirs] = [paired(subject, left), paired(subject, right)];
  if (ours.length !== theirs.length) return;
  for (const [index, change] of ours.entries()) {
    const twin = theirs[index];
    if (!twin || twin.op !== change.op || twin.table !== change.table || change.op === 'delete') continue;
    const [cells, twinCells] = [cellsOf(change), cellsOf(twin)];
    for (const column of new Set([...Object.keys(cells), ...Object.keys(twinCells)])) {
      const name = `${shortName(change.table)}.${column}`;
      const differs = !jsonEqual(cells[column], twinCells[column]);
      seen.set(name, { differs: differs || (seen.get(name)?.differs ?? false) });
    }
  }
}

/** Changes in an order that ids do not decide, so that twins stand at the same place. */
function paired(subject: Subject, changes: readonly ChangeRecord[]): ChangeRecord[] {
  const steady = (change: ChangeRecord): string => {
    const { volatile = [], primaryKey } = specOf(subject, change.table);
    const hidden = new Set<string>([...volatile, ...(change.op === 'insert' ? [primaryKey].flat() : [])]);
    const cells = Object.entries(cellsOf(change)).filter(([column]) => !hidden.has(column));
    const key = change.op === 'insert' ? null : change.key;
    return JSON.stringify([change.table, change.op, key, cells]);
  };
  return [...changes].sort((one, two) => (steady(one) < steady(two) ? -1 : 1));
}

function cellsOf(change: ChangeRecord): Readonly<Record<string, Json | undefined>> {
  if (change.op !== 'update') return change.row;
  return Object.fromEntries(Object.entries(change.cells).map(([column, cell]) => [column, cell.to]));
}

function verdicts(subject: Subject, seen: ReadonlyMap<string, Sighting>): string[] {
  return [...seen].sort().flatMap(([name, { differs }]) => {
    if (subject.options.volatility?.[name]) return [];
    const [table = '', column = ''] = name.split('.');
    const spec = subject.service.schema[table];
    const declared = spec?.volatile?.includes(column) ?? false;
    if (differs && !declared && !refersToVolatile(subject, table, column)) {
      return [`${name} comes from clock, ids or randomness: declare it volatile`];
    }
    return !differs && declared ? [`${name} is declared volatile and never differs`] : [];
  });
}

/** A reference follows the key it points to; contracts compare references as such. */
function refersToVolatile(subject: Subject, table: string, column: string): boolean {
  const target = subject.service.schema[table]?.foreignKeys?.[column]?.table;
  const spec = target === undefined ? undefined : subject.service.schema[target];
  return spec !== undefined && [spec.primaryKey].flat().some((key) => spec.volatile?.includes(key));
}

function specOf(subject: Subject, fullName: string): TableSpec {
  return subject.world.spec(fullName);
}

function shortName(fullName: string): string {
  return fullName.slice(fullName.indexOf('.') + 1);
}
