import { openSession } from '../../session/index.ts';
import type { StepRecord } from '../../trajectory/index.ts';
import type { LoadedBank } from '../bank.ts';
import { optionsFor, type PreparedScenario } from '../prepare.ts';
import { PROOF_SEED, ReferencePlay } from './play.ts';

/** How often the references of a bank use something; 0 for what they never touch. */
export type UseCounts = Readonly<Record<string, number>>;

/** What the references of a bank exercise. */
export interface BankCoverage {
  /** By operation id, over all services of the bank. */
  readonly operations: UseCounts;
  /** By `service.error`; only errors that state can cause. */
  readonly errors: UseCounts;
  /** By `table insert`, `table delete` and `table.column from → to` for columns with few values (states). */
  readonly transitions: UseCounts;
}

/**
 * A column that takes at most so many values in a bank's runs is a state, and its changes are transitions.
 */
const STATE_VALUES_MAX = 12;

/** Runs every reference and counts what it touches. */
export function coverBank(bank: LoadedBank): BankCoverage {
  const operations = new Map<string, number>();
  const errors = new Map<string, number>();
  for (const { services } of bank.chosen) {
    for (const service of services) {
      for (const { id } of service.operations) operations.set(id, 0);
      for (const [code, spec] of Object.entries(service.errors)) {
        if (spec.reach !== 'fault') errors.set(`${service.name}.${code}`, 0);
      }
    }
  }
  const changes = new TransitionCounter();
  for (const prepared of bank.chosen) {
    const serviceOf = serviceByTool(prepared);
    for (const step of referenceSteps(prepared)) {
      for (const { id } of step.operations) add(operations, id);
      if (step.error && !step.fault) add(errors, `${serviceOf.get(step.tool) ?? ''}.${step.error.code}`);
      changes.add(step);
    }
  }
  return { operations: sorted(operations), errors: sorted(errors), transitions: sorted(changes.counts()) };
}

function referenceSteps(prepared: PreparedScenario): readonly StepRecord[] {
  const session = openSession(optionsFor(prepared, { streamSeed: PROOF_SEED, asAgent: true }));
  const play = new ReferencePlay(prepared);
  play.continue(session, play.calls);
  return session.steps();
}

function serviceByTool({ services }: PreparedScenario): ReadonlyMap<string, string> {
  return new Map(
    services.flatMap(({ name, tools, operations }) => [
      ...operations.map(({ id }) => [id, name] as const),
      ...tools.map((tool) => [tool.name, name] as const),
    ]),
  );
}

class TransitionCounter {
  readonly #rows = new Map<string, number>();
  /** Column → transition → count. */
  readonly #columns = new Map<string, Map<string, number>>();

  add(step: StepRecord): void {
    for (const change of step.diff) {
      if (change.op !== 'update') add(this.#rows, `${change.table} ${change.op}`);
      else this.#addCells(change.table, change.cells);
    }
  }

  #addCells(table: string, cells: Extract<StepRecord['diff'][number], { op: 'update' }>['cells']): void {
    for (const [column, { from, to }] of Object.entries(cells)) {
      if (typeof to !== 'string' && typeof to !== 'boolean') continue;
      const name = `${table}.${column}`;
      const counts = this.#columns.get(name) ?? new Map<string, number>();
      this.#columns.set(name, counts);
      add(counts, `${name} ${JSON.stringify(from ?? null)} → ${JSON.stringify(to)}`);
    }
  }

  counts(): ReadonlyMap<string, number> {
    const states = [...this.#columns.values()].filter((counts) => counts.size <= STATE_VALUES_MAX);
    return new Map([...this.#rows, ...states.flatMap((counts) => [...counts])]);
  }
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): UseCounts {
  return Object.fromEntries([...counts].sort(([left], [right]) => (left < right ? -1 : 1)));
}
