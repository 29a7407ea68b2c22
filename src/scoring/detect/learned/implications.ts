import type { Json, JsonObject } from '../../../base/json.ts';
import type { Finding } from '../types.ts';
import { type CallView, isIdName, isVolatileName, type RunView } from '../view.ts';
import { strengthOf } from './strength.ts';

/**
 * What always goes together in an answer, or in it and an earlier one on the same thing: where `when` holds
 * (`operation path=class`), `field` is `is`. Classes are values of flags and states; of other fields whether
 * they are null, 0 or empty.
 */
export interface Implication {
  readonly when: string;
  readonly field: string;
  readonly is: string;
  readonly support: number;
}

/** Tasks that must agree, and tasks in which the field is otherwise: else it says nothing. */
const MIN_TASKS = 12;
const MIN_OTHERS = 3;
/** Earlier answers on the same thing that are looked at, and fields of each. */
const MAX_EARLIER = 4;
const MAX_FIELDS = 30;

type Classes = ReadonlyMap<string, string>;

interface Answered {
  readonly call: CallView;
  readonly own: Classes;
  readonly earlier: readonly Classes[];
}

/** The answers of a run with what earlier ones said of the same thing. */
function* answersOf(view: RunView): Generator<Answered> {
  const known: {
    readonly ids: ReadonlySet<string>;
    readonly classes: Classes;
    readonly operation: string;
  }[] = [];
  for (const call of view.calls) {
    if (!call.ok) continue;
    const own = classesOf(call);
    const ids = new Set(
      call.inputLeaves
        .filter(({ name, value }) => isIdName(name) && value !== null)
        .map(({ value }) => String(value)),
    );
    const earlier = known
      .filter(({ ids: theirs, operation }) => operation !== call.operation && overlaps(theirs, ids))
      .slice(-MAX_EARLIER)
      .map(({ classes }) => classes);
    yield { call, own, earlier };
    // A write makes what was read before it old.
    if (call.write) known.length = 0;
    else if (own.size > 0) known.push({ ids, classes: own, operation: call.operation });
  }
}

function overlaps(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  for (const one of left) if (right.has(one)) return true;
  return false;
}

function classesOf(call: CallView): Map<string, string> {
  const classes = new Map<string, string>();
  for (const { path, object } of call.records) {
    if (path.includes('[]')) continue;
    for (const [name, value] of Object.entries(object as JsonObject)) {
      const found = value === undefined ? null : classOf(name, value);
      if (found === null || classes.size >= MAX_FIELDS) continue;
      classes.set(`${call.operation} ${path === '' ? name : `${path}.${name}`}`, found);
    }
  }
  return classes;
}

function classOf(name: string, value: Json): string | null {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return isIdName(name) ? null : value === 0 ? '0' : 'not 0';
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : 'not empty';
  if (typeof value !== 'string') return 'set';
  return /^[a-z][a-z_-]{1,24}$/.test(value) && !isIdName(name) && !isVolatileName(name) ? value : 'set';
}

interface Outcome {
  readonly tasks: Map<string, Set<string>>;
}

export function learnImplications(views: readonly RunView[]): Implication[] {
  const outcomes = new Map<string, Map<string, Outcome>>();
  const overall = new Map<string, Map<string, Set<string>>>();
  for (const view of views) {
    const { cluster } = view.run;
    for (const { own, earlier } of answersOf(view)) {
      for (const [field, is] of own) add(overall, field, { is, cluster });
      for (const classes of [own, ...earlier]) {
        for (const [source, value] of classes) {
          const when = `${source}=${value}`;
          const targets = outcomes.get(when) ?? new Map<string, Outcome>();
          outcomes.set(when, targets);
          for (const [field, is] of own) {
            if (field === source) continue;
            const outcome = targets.get(field) ?? { tasks: new Map<string, Set<string>>() };
            targets.set(field, outcome);
            outcome.tasks.set(is, (outcome.tasks.get(is) ?? new Set<string>()).add(cluster));
          }
        }
      }
    }
  }
  return [...outcomes].flatMap(([when, targets]) =>
    [...targets].flatMap(([field, { tasks }]): Implication[] => {
      const [only] = tasks;
      if (tasks.size !== 1 || only === undefined || only[1].size < MIN_TASKS) return [];
      const others = [...(overall.get(field) ?? [])].filter(([is]) => is !== only[0]);
      const count = others.reduce((sum, [, one]) => sum + one.size, 0);
      return count < MIN_OTHERS ? [] : [{ when, field, is: only[0], support: only[1].size }];
    }),
  );
}

function add(
  map: Map<string, Map<string, Set<string>>>,
  field: string,
  { is, cluster }: { readonly is: string; readonly cluster: string },
): void {
  const own = map.get(field) ?? new Map<string, Set<string>>();
  map.set(field, own);
  own.set(is, (own.get(is) ?? new Set<string>()).add(cluster));
}

/** Implications by their condition. */
export function implicationsByCondition(implications: readonly Implication[]): Map<string, Implication[]> {
  const found = new Map<string, Implication[]>();
  for (const one of implications) {
    const own = found.get(one.when);
    if (own === undefined) found.set(one.when, [one]);
    else own.push(one);
  }
  return found;
}

/** Answers whose fields do not go together as they always did. */
export function againstImplications(
  view: RunView,
  implications: ReadonlyMap<string, readonly Implication[]>,
): Finding[] {
  if (implications.size === 0) return [];
  const findings: Finding[] = [];
  for (const { call, own, earlier } of answersOf(view)) {
    const broken = brokenIn({ own, earlier }, implications);
    if (broken === null) continue;
    const { when, field, is, support } = broken;
    const got = own.get(field) ?? '';
    findings.push({
      step: call.index,
      kind: got === 'null' ? 'null_field' : 'altered_value',
      rule: 'implications.broken',
      subject: field,
      strength: strengthOf(support),
      evidence: `${field} is ${got}; where ${when} it was ${is} in all ${support} tasks`,
    });
  }
  return findings;
}

function brokenIn(
  { own, earlier }: Pick<Answered, 'own' | 'earlier'>,
  implications: ReadonlyMap<string, readonly Implication[]>,
): Implication | null {
  for (const classes of [own, ...earlier]) {
    for (const [source, value] of classes) {
      for (const one of implications.get(`${source}=${value}`) ?? []) {
        const got = own.get(one.field);
        if (got !== undefined && got !== one.is) return one;
      }
    }
  }
  return null;
}
