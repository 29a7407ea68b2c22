import type { JsonObject } from '../../base/json.ts';
import type { SeededRandom } from '../../base/random.ts';
import { CALL_EDITS, type CleanRun, schemaOf, type Template } from '../testbed/index.ts';
import { type MadeCall, madeCalls } from './calls.ts';
import type { RiskEdit } from './types.ts';

/** The shortest value that a task can be said to name. */
const SHORTEST_NAMED = 3;

/** The task no longer says what a value of the run is, and no answer before it did. */
export function* ambiguousArg(clean: CleanRun, random: SeededRandom): Generator<RiskEdit> {
  const { text } = clean.prepared.scenario.task;
  for (const { step, tool, planned, call } of random.shuffle(madeCalls(clean))) {
    const members = planned.template.kind === 'object' ? planned.template.members : [];
    for (const [argument, template] of random.shuffle(members)) {
      const value = valueOfTask(template);
      if (value === null || !text.includes(value)) continue;
      const isFirst = !madeCalls(clean)
        .slice(0, step)
        .some((earlier) => JSON.stringify([earlier.call.arguments, earlier.planned.answer]).includes(value));
      if (!isFirst || JSON.stringify(call.arguments).split(value).length > 2) continue;
      const task = text.replaceAll(value, 'the one we spoke about');
      yield { place: 'task', step, tool, argument, evidence: value, task };
    }
  }
}

function valueOfTask(template: Template): string | null {
  if (template.kind !== 'fixed' || !template.inTask) return null;
  const { value } = template;
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return text.length >= SHORTEST_NAMED && !/\s.*\s/u.test(text) ? text : null;
}

/** A tool that is not there is called first, and then the one that is. */
export function* hallucinatedTool(clean: CleanRun, random: SeededRandom): Generator<RiskEdit> {
  const names = [...clean.tools.keys()];
  for (const { step, tool, call } of random.shuffle(madeCalls(clean))) {
    const invented = inventedName(tool, names, random);
    if (invented === null) continue;
    const wrong = { tool: invented, arguments: call.arguments };
    const calls = [
      { call: wrong, stands: null },
      { call, stands: step },
    ];
    const edit = { kind: 'risk', side: 'call', at: step, step, replaced: 1, calls } as const;
    yield { place: 'call', step, tool: invented, evidence: invented, edit };
  }
}

/** The verb of one tool with the thing of another, as nobody named a tool; null where there is none. */
function inventedName(tool: string, names: readonly string[], random: SeededRandom): string | null {
  const verbOf = (name: string): string => name.split('_')[0] ?? name;
  const thingOf = (name: string): string => name.split('_').slice(1).join('_');
  const made = names
    .flatMap((other) => [`${verbOf(other)}_${thingOf(tool)}`, `${verbOf(tool)}_${thingOf(other)}`])
    .filter((name) => !names.includes(name) && !name.endsWith('_'));
  const [first = null] = random.shuffle([...new Set(made)]);
  return first;
}

/** An id, an address or a name that nobody gave. */
export function* hallucinatedArgValue(clean: CleanRun, random: SeededRandom): Generator<RiskEdit> {
  for (const edit of CALL_EDITS.hallucinated_argument?.(clean, random) ?? []) {
    const planned = clean.plan.calls[edit.at];
    const given = (edit.calls?.[0]?.call.arguments ?? {}) as JsonObject;
    const argument = Object.keys(given).find((name) => given[name] !== planned?.input[name]);
    if (!planned || argument === undefined) continue;
    const evidence = String(given[argument]);
    yield { place: 'call', step: edit.step, tool: planned.tool, argument, evidence, edit };
  }
}

/** An argument of another tool. Where it is refused, the call is made again without it. */
export function* redundantArg(clean: CleanRun, random: SeededRandom): Generator<RiskEdit> {
  const calls = madeCalls(clean);
  for (const made of random.shuffle(calls)) {
    for (const [argument, value] of random.shuffle(foreignArguments(clean, made, calls)).slice(0, 2)) {
      const { step, tool, call, planned } = made;
      const wrong = { tool, arguments: { ...call.arguments, [argument]: value } };
      const shared = { place: 'call', step, tool, argument, evidence: argument } as const;
      const at = { kind: 'risk', side: 'call', at: step, step, replaced: 1 } as const;
      yield { ...shared, edit: { ...at, mustSucceed: planned.ok, calls: [{ call: wrong, stands: step }] } };
      const again = { call, stands: step };
      yield { ...shared, edit: { ...at, calls: [{ call: wrong, stands: null }, again] } };
    }
  }
}

/** Arguments that other calls of the run have and this tool does not take. */
function foreignArguments(
  clean: CleanRun,
  { tool }: MadeCall,
  calls: readonly MadeCall[],
): readonly (readonly [string, string | number])[] {
  return calls.flatMap(({ call }) =>
    Object.entries(call.arguments).flatMap(([name, value]) => {
      const isScalar = typeof value === 'string' || typeof value === 'number';
      return isScalar && schemaOf(clean.tools.get(tool), name) === null ? [[name, value] as const] : [];
    }),
  );
}
