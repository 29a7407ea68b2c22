import type { Finding } from '../types.ts';
import type { CallView, RunView } from '../view.ts';
import { strengthOf } from './strength.ts';

/** What clean runs always do: before a write, somewhere, at the end. */
export interface Orders {
  /** Before each successful `then` there was a `first`, in all of `support` runs. */
  readonly before: readonly { readonly first: string; readonly then: string; readonly support: number }[];
  /** Before each `then` the newest value of `field` was one of these, though it can be others. */
  readonly conditions: readonly {
    readonly then: string;
    readonly field: string;
    readonly values: readonly string[];
    readonly support: number;
  }[];
  /** What came directly after an operation, `END` for the end of the run. */
  readonly next: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Operations of every run. */
  readonly always: readonly string[];
  readonly runs: number;
}

/** Tasks, not runs: a hundred runs of one task say what that task takes, and nothing of others. */
const MIN_TASKS = 12;
const END = 'END';

export function learnOrders(views: readonly RunView[]): Orders {
  const next = new Map<string, Map<string, Set<string>>>();
  const inRuns = new Map<string, number>();
  for (const { calls, run } of views) {
    const operations = [...calls.map(({ operation }) => operation), END];
    for (const one of new Set(operations)) inRuns.set(one, (inRuns.get(one) ?? 0) + 1);
    for (const [index, one] of operations.entries()) {
      const after = operations[index + 1];
      if (after !== undefined) tasksOf(next, one, after).add(run.cluster);
    }
  }
  const always = [...inRuns].filter(([one, count]) => count === views.length && one !== END);
  const tasks = new Set(views.map(({ run }) => run.cluster)).size;
  return {
    before: learnBefore(views),
    conditions: learnConditions(views),
    next: Object.fromEntries(
      [...next].map(([one, own]) => [
        one,
        Object.fromEntries([...own].map(([after, clusters]) => [after, clusters.size])),
      ]),
    ),
    always: tasks >= MIN_TASKS ? always.map(([one]) => one) : [],
    runs: views.length,
  };
}

/** The tasks that are counted under two names. */
function tasksOf(map: Map<string, Map<string, Set<string>>>, first: string, second: string): Set<string> {
  const own = map.get(first) ?? new Map<string, Set<string>>();
  map.set(first, own);
  const tasks = own.get(second) ?? new Set<string>();
  own.set(second, tasks);
  return tasks;
}

function learnBefore(views: readonly RunView[]): Orders['before'] {
  /** Tasks in which `then` came without `first`, and with it. */
  const missed = new Map<string, Map<string, Set<string>>>();
  const met = new Map<string, Map<string, Set<string>>>();
  const known = new Set(views.flatMap(({ calls }) => calls.map(({ operation }) => operation)));
  for (const { calls, run } of views) {
    // Only the first of a run counts: later ones may rest on what was read for it.
    const done = new Set<string>();
    const earlier = new Set<string>();
    for (const { operation, write, ok } of calls) {
      if (write && ok && !done.has(operation)) {
        done.add(operation);
        for (const one of known) tasksOf(earlier.has(one) ? met : missed, operation, one).add(run.cluster);
      }
      earlier.add(operation);
    }
  }
  return [...met].flatMap(([then, firsts]) =>
    [...firsts]
      .filter(([first, tasks]) => first !== then && tasks.size >= MIN_TASKS && !missed.get(then)?.has(first))
      .map(([first, tasks]) => ({ first, then, support: tasks.size })),
  );
}

/** Flags and states as they stand when a call is made, by `operation path`. */
function* statesOf(view: RunView): Generator<readonly [CallView, ReadonlyMap<string, string>]> {
  const states = new Map<string, string>();
  for (const call of view.calls) {
    yield [call, states];
    if (!call.ok || call.write) continue;
    for (const { path, value } of call.outputLeaves) {
      const flag =
        typeof value === 'boolean' || (typeof value === 'string' && /^[a-z][a-z_-]{1,24}$/.test(value));
      if (flag && !path.includes('[]')) states.set(`${call.operation} ${path}`, String(value));
    }
  }
}

function learnConditions(views: readonly RunView[]): Orders['conditions'] {
  const known = new Map<string, Map<string, number>>();
  const before = new Map<string, Map<string, { tasks: Set<string>; values: Set<string> }>>();
  for (const view of views) {
    for (const [call, states] of statesOf(view)) {
      if (!call.write || !call.ok) continue;
      const own =
        before.get(call.operation) ?? new Map<string, { tasks: Set<string>; values: Set<string> }>();
      before.set(call.operation, own);
      for (const [field, value] of states) {
        const one = own.get(field) ?? { tasks: new Set<string>(), values: new Set<string>() };
        own.set(field, { tasks: one.tasks.add(view.run.cluster), values: one.values.add(value) });
      }
    }
    for (const call of view.calls) {
      if (!call.ok || call.write) continue;
      for (const { path, value } of call.outputLeaves) {
        if (path.includes('[]') || (typeof value !== 'boolean' && typeof value !== 'string')) continue;
        const values = known.get(`${call.operation} ${path}`) ?? new Map<string, number>();
        if (values.size <= 12) values.set(String(value), (values.get(String(value)) ?? 0) + 1);
        known.set(`${call.operation} ${path}`, values);
      }
    }
  }
  return [...before].flatMap(([then, fields]) =>
    [...fields].flatMap(([field, { tasks, values }]) => {
      const all = known.get(field);
      if (all === undefined || all.size > 8 || tasks.size < MIN_TASKS) return [];
      const others = [...all].filter(([value, seen]) => !values.has(value) && seen >= 3);
      return others.length === 0 ? [] : [{ then, field, values: [...values].sort(), support: tasks.size }];
    }),
  );
}

/** Runs that leave out, precede or end where clean ones never did. */
export function againstOrders(view: RunView, orders: Orders): Finding[] {
  return [
    ...skipped(view, orders),
    ...unmetConditions(view, orders),
    ...leftOut(view, orders),
    ...newSuccessors(view, orders),
  ];
}

function skipped(view: RunView, { before }: Orders): Finding[] {
  const earlier = new Set<string>();
  const met = new Set<string>();
  const findings: Finding[] = [];
  for (const { operation, index, write } of view.calls) {
    if (write && !met.has(operation)) {
      met.add(operation);
      const missing = before.filter(({ then, first }) => then === operation && !earlier.has(first));
      const [one] = missing;
      if (one !== undefined) {
        const evidence =
          `${operation} without ${one.first}, ` + `which came before it in all ${one.support} clean tasks`;
        findings.push({
          step: index,
          kind: 'skipped_precondition',
          rule: 'orders.before',
          subject: operation,
          strength: strengthOf(one.support),
          evidence,
        });
      }
    }
    earlier.add(operation);
  }
  return findings;
}

function unmetConditions(view: RunView, { conditions }: Orders): Finding[] {
  const findings: Finding[] = [];
  for (const [call, states] of statesOf(view)) {
    if (!call.write) continue;
    const broken = conditions.find(({ then, field, values }) => {
      const value = then === call.operation ? states.get(field) : undefined;
      return value !== undefined && !values.includes(value);
    });
    if (broken === undefined) continue;
    findings.push({
      step: call.index,
      kind: 'ignored_observation',
      rule: 'orders.condition',
      subject: call.operation,
      strength: strengthOf(broken.support),
      evidence:
        `${call.operation} though ${broken.field} was ${states.get(broken.field)}; ` +
        `it was ${broken.values.join(' or ')} in all ${broken.support} tasks`,
    });
  }
  return findings;
}

function leftOut(view: RunView, { always, runs }: Orders): Finding[] {
  const called = new Set(view.calls.map(({ operation }) => operation));
  const missing = always.filter((one) => !called.has(one));
  if (missing.length === 0) return [];
  const evidence = `${missing.join(', ')} came in all ${runs} clean runs`;
  const step = view.calls.length === 0 ? null : view.calls.length - 1;
  return [{ step, kind: 'premature_stop', rule: 'orders.always', subject: 'run', evidence }];
}

function newSuccessors(view: RunView, { next }: Orders): Finding[] {
  const operations = view.calls.map(({ operation }) => operation);
  const findings: Finding[] = [];
  for (const [index, operation] of operations.entries()) {
    const own = Object.hasOwn(next, operation) ? next[operation] : undefined;
    const after = operations[index + 1] ?? END;
    if (own === undefined || Object.hasOwn(own, after)) continue;
    const seen = Object.values(own).reduce((sum, count) => sum + count, 0);
    // Good and Turing: where sequels came in one task alone, another such is to be expected.
    if (seen < 2 * MIN_TASKS || Object.values(own).includes(1)) continue;
    const evidence =
      after === END
        ? `the run ends after ${operation}, as in none of ${seen} clean tasks`
        : `${after} after ${operation}, as in none of ${seen} clean tasks`;
    findings.push({
      step: after === END ? index : index + 1,
      kind: after === END ? 'premature_stop' : 'wrong_tool',
      rule: after === END ? 'orders.end' : 'orders.next',
      subject: operation,
      strength: strengthOf(seen),
      evidence,
    });
  }
  return findings;
}
