import type { JsonObject } from '../../../base/json.ts';
import { isUnitSlip } from '../difference.ts';
import type { Finding } from '../types.ts';
import { isIdName, isVolatileName, numberOf, type RunView, type Scalar } from '../view.ts';
import { plainName } from '../words.ts';
import { strengthOf } from './strength.ts';

/**
 * What an id always says besides: by `id field` the values of the field by id, such as names of products.
 * Only fields that never differed between two tasks that met the same id.
 */
export type Facts = Readonly<
  Record<string, { readonly support: number; readonly values: Readonly<Record<string, Scalar>> }>
>;

/** Ids that must have been met in several tasks before a field counts as fixed. */
const MIN_IDS = 5;
/** More values are not kept. */
const MAX_IDS = 5_000;

interface Tally {
  readonly values: Map<string, { readonly value: Scalar; readonly tasks: Set<string> }>;
  broken: boolean;
}

export function learnFacts(views: readonly RunView[]): Facts {
  const tallies = new Map<string, Tally>();
  for (const { calls, run } of views) {
    for (const { ok, records } of calls) {
      if (!ok) continue;
      for (const { object } of records) {
        for (const [key, id, value] of factsOf(object)) {
          const tally = tallies.get(key) ?? { values: new Map(), broken: false };
          tallies.set(key, tally);
          const known = tally.values.get(id);
          if (known === undefined) {
            if (tally.values.size < MAX_IDS) tally.values.set(id, { value, tasks: new Set([run.cluster]) });
          } else if (known.value !== value) tally.broken = true;
          else known.tasks.add(run.cluster);
        }
      }
    }
  }
  const facts: Record<string, Facts[string]> = {};
  for (const [key, { values, broken }] of tallies) {
    const again = [...values.values()].filter(({ tasks }) => tasks.size > 1);
    const distinct = new Set([...values.values()].map(({ value }) => value)).size;
    // A field of few values says little of an id; one that was never met again is not known to be fixed.
    if (broken || again.length < MIN_IDS || distinct < MIN_IDS) continue;
    facts[key] = {
      support: again.length,
      values: Object.fromEntries([...values].map(([id, { value }]) => [id, value])),
    };
  }
  return facts;
}

/** Each id of a record with each other field of it. Texts and amounts only: flags and states change. */
function* factsOf(object: JsonObject): Generator<readonly [key: string, id: string, value: Scalar]> {
  const names = Object.keys(object);
  for (const name of names) {
    const id = object[name];
    if (!isIdName(name) || (typeof id !== 'string' && typeof id !== 'number')) continue;
    for (const other of names) {
      const value = object[other];
      if (other === name || isVolatileName(other)) continue;
      if (typeof value !== 'number' && typeof value !== 'string') continue;
      yield [`${plainName(name)} ${plainName(other)}`, String(id), value];
    }
  }
}

/** Records that say of an id what no clean run has said of it. */
export function againstFacts(view: RunView, facts: Facts): Finding[] {
  return view.calls.flatMap((call): Finding[] => {
    if (!call.ok) return [];
    for (const { object } of call.records) {
      for (const [key, id, value] of factsOf(object)) {
        const fact = Object.hasOwn(facts, key) ? facts[key] : undefined;
        const known = fact && Object.hasOwn(fact.values, id) ? fact.values[id] : undefined;
        if (fact === undefined || known === undefined || known === value) continue;
        const [was, is] = [numberOf(known), numberOf(value)];
        const slip = was !== null && is !== null && isUnitSlip(was, is);
        const [idName = '', field = ''] = key.split(' ');
        return [
          {
            step: call.index,
            kind: slip ? 'unit_error' : isIdName(field) ? 'wrong_entity' : 'altered_value',
            rule: 'facts.known',
            subject: `${call.operation} ${key}`,
            strength: strengthOf(fact.support),
            evidence: `${field} of ${idName} ${id} is ${String(value)}; clean runs say ${String(known)}`,
          },
        ];
      }
    }
    return [];
  });
}
