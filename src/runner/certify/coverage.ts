import { z } from 'zod';
import { openSession } from '../../session/index.ts';
import type { StepRecord } from '../../trajectory/index.ts';
import type { WorldValue } from '../../world/types.ts';
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
  /** By `table insert`, `table delete` and `table.column from → to` for columns that are states. */
  readonly transitions: UseCounts;
}

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
      changes.add(step, prepared.world);
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
  readonly #counts = new Map<string, number>();

  add(step: StepRecord, world: WorldValue): void {
    for (const change of step.diff) {
      if (change.op !== 'update') {
        add(this.#counts, `${change.table} ${change.op}`);
        continue;
      }
      const { columns } = world.spec(change.table);
      for (const [column, { from = null, to = null }] of Object.entries(change.cells)) {
        if (!isState(columns[column])) continue;
        const turn = `${JSON.stringify(from)} → ${JSON.stringify(to)}`;
        add(this.#counts, `${change.table}.${column} ${turn}`);
      }
    }
  }

  counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }
}

/** A column whose few values are listed by its own declaration; texts, numbers and moments are none. */
function isState(column: z.ZodType | undefined): boolean {
  if (column instanceof z.ZodOptional || column instanceof z.ZodNullable) {
    return isState(column.unwrap() as z.ZodType);
  }
  if (column instanceof z.ZodUnion) return column.options.every((option) => isState(option as z.ZodType));
  return (
    column instanceof z.ZodEnum ||
    column instanceof z.ZodBoolean ||
    column instanceof z.ZodLiteral ||
    column instanceof z.ZodNull
  );
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): UseCounts {
  return Object.fromEntries([...counts].sort(([left], [right]) => (left < right ? -1 : 1)));
}
