import { type Json, type JsonObject, jsonEqual } from '../../base/json.ts';
import type { SeededRandom } from '../../base/random.ts';
import { demandOnRead } from '../certify/named-reads.ts';
import type { PlayedCall } from '../certify/play.ts';
import type { ToolCall } from '../types.ts';
import { type CleanRun, schemaOf } from './clean.ts';
import { inventedLike, shapeOfText, valuesOfWorld } from './invented.ts';
import { firstSources, type PlannedCall, type Template } from './plan.ts';
import type { Edit } from './types.ts';
import { keyOf, valueIn } from './values.ts';

/** Every way in which an edit of one kind could be made in a clean run, in a drawn order. */
export type Candidates = (clean: CleanRun, random: SeededRandom) => Iterable<Edit>;

/** The edits of calls, and that of the reply, by kind. */
export const CALL_EDITS: Readonly<Record<string, Candidates>> = {
  wrong_tool: wrongTool,
  hallucinated_argument: hallucinatedArgument,
  skipped_precondition: skippedPrecondition,
  ignored_observation: ignoredObservation,
  premature_stop: prematureStop,
  unsupported_claim: unsupportedClaim,
  duplicated_call: duplicatedCall,
  swapped_arguments: swappedArguments,
  reordered_calls: reorderedCalls,
};

function isRead({ tools }: CleanRun, { tool }: Pick<PlannedCall, 'tool'>): boolean {
  return tools.get(tool)?.effect === 'read';
}

/** Several words are something said, which names nothing that could exist or not. */
const PROSE = /\S\s+\S+\s+\S/u;
const MANY = 1_000_000;

/** A number with an upper bound says how many, as a page size does; the number of a thing has none. */
function isBounded(schema: object): boolean {
  return 'maximum' in schema && typeof schema.maximum === 'number' && schema.maximum < MANY;
}

/** The planned calls with their numbers, in a drawn order. */
function drawn(clean: CleanRun, random: SeededRandom): readonly (readonly [number, PlannedCall])[] {
  return random.shuffle([...clean.plan.calls.entries()]);
}

const inPlace = (call: ToolCall, stands: number | null): Pick<Edit, 'calls' | 'replaced'> => ({
  calls: [{ call, stands }],
  replaced: 1,
});

/** Another read in the place of one: of arguments that stood in calls before, or a repeat of one. */
function* wrongTool(clean: CleanRun, random: SeededRandom): Generator<Edit> {
  const { plan, tools } = clean;
  for (const [at, planned] of drawn(clean, random)) {
    if (!isRead(clean, planned)) continue;
    const seen = plan.calls.slice(0, at + 1);
    const known: { [name: string]: Json | undefined } = {};
    for (const { input } of seen) Object.assign(known, input);
    const others = random.shuffle([...tools.values()]).flatMap((tool): ToolCall[] => {
      if (tool.effect !== 'read' || tool.name === planned.tool) return [];
      const required = (tool.inputSchema.required ?? []) as readonly string[];
      if (required.length === 0 || !required.every((name) => known[name] !== undefined)) return [];
      return [
        {
          tool: tool.name,
          arguments: Object.fromEntries(required.map((name) => [name, known[name]])) as JsonObject,
        },
      ];
    });
    const repeats = seen
      .slice(0, at)
      .filter((call) => isRead(clean, call) && call.tool !== planned.tool)
      .map(({ tool, input }): ToolCall => ({ tool, arguments: input }));
    for (const call of [...repeats.slice(-1), ...others.slice(0, 3)]) {
      yield { kind: 'wrong_tool', side: 'call', at, step: at, mustSucceed: true, ...inPlace(call, null) };
    }
  }
}

/** An id, an address or a name that exists nowhere, of the same shape as the right one. */
function* hallucinatedArgument(clean: CleanRun, random: SeededRandom): Generator<Edit> {
  const world = valuesOfWorld(clean.prepared.world);
  const isKnown = (text: string): boolean => world.has(text) || clean.plan.values.of(text).length > 0;
  for (const [at, planned] of drawn(clean, random)) {
    const freeText = clean.prepared.freeText[planned.tool] ?? [];
    const names = Object.entries(planned.input).filter(([name, value]) => {
      if (typeof value !== 'string' && typeof value !== 'number') return false;
      if (freeText.includes(name) || PROSE.test(String(value))) return false;
      const schema = schemaOf(clean.tools.get(planned.tool), name);
      return isKnown(String(value)) && !(schema && ('enum' in schema || isBounded(schema)));
    });
    for (const [name, value] of random.shuffle(names)) {
      const invented = inventedLike(value as string | number, random, isKnown);
      if (invented === null) continue;
      const call = { tool: planned.tool, arguments: { ...planned.input, [name]: invented } };
      yield { kind: 'hallucinated_argument', side: 'call', at, step: at, ...inPlace(call, at) };
    }
  }
}

/** A look-up left out that a rule of the scenario demands, or whose answer a later write is made of. */
function* skippedPrecondition(clean: CleanRun, random: SeededRandom): Generator<Edit> {
  const calls = clean.plan.calls.map(
    ({ tool, input }, number): PlayedCall => ({ tool, arguments: input, number }),
  );
  for (const [at, planned] of drawn(clean, random)) {
    if (!isRead(clean, planned) || at === calls.length - 1) continue;
    const flows = clean.plan.calls
      .slice(at + 1)
      .some((later) => !isRead(clean, later) && firstStepsOf(later.template).includes(at));
    if (!flows && !demandOnRead(clean.prepared, calls, at).needed) continue;
    yield { kind: 'skipped_precondition', side: 'call', at, step: at, calls: [], replaced: 1, skipped: at };
  }
}

/** The steps that first gave what a template is made of. */
function firstStepsOf(template: Template): readonly number[] {
  return firstSources(template).map(({ step }) => step);
}

/** A write with another value than the one that was observed. */
function* ignoredObservation(clean: CleanRun, random: SeededRandom): Generator<Edit> {
  for (const [at, planned] of drawn(clean, random)) {
    if (isRead(clean, planned) || planned.template.kind !== 'object') continue;
    const freeText = clean.prepared.freeText[planned.tool] ?? [];
    for (const [name, template] of random.shuffle(planned.template.members)) {
      if (freeText.includes(name)) continue;
      const value = planned.input[name];
      const isOwn = template.kind === 'fixed' && (template.inTask || typeof value !== 'number');
      if (isOwn || value === undefined) continue;
      for (const other of otherObserved(clean, at, { value, random })) {
        const call = { tool: planned.tool, arguments: { ...planned.input, [name]: other } };
        const edit = { kind: 'ignored_observation', side: 'call', at, step: at, mustSucceed: true } as const;
        yield { ...edit, ...inPlace(call, at) };
      }
    }
  }
}

/** Other values that answers gave before and that could be taken for this one; of numbers a near one too. */
function otherObserved(
  { plan }: CleanRun,
  at: number,
  { value, random }: { readonly value: Json; readonly random: SeededRandom },
): readonly Json[] {
  const seen = plan.values
    .keys()
    .flatMap((key) => plan.values.of(key).slice(0, 1))
    .filter(({ step }) => step < at)
    .map(({ step, path }) => valueIn(plan.calls[step]?.answer, path))
    .filter((one): one is Json => one !== undefined && keyOf(one) !== keyOf(value));
  if (typeof value === 'number') {
    const near = seen.filter(
      (one) => typeof one === 'number' && one > 0 && one >= value / 5 && one <= value * 5,
    );
    const made = Number.isInteger(value) ? value + 1 : Math.round(value * 110) / 100;
    return [...random.shuffle(near).slice(0, 2), made];
  }
  if (typeof value !== 'string') return [];
  const alike = seen.filter((one) => typeof one === 'string' && shapeOfText(one) === shapeOfText(value));
  return random.shuffle(alike).slice(0, 2);
}

/** The run ends early: with the reply, as if all were done, or with none. */
function* prematureStop(clean: CleanRun, random: SeededRandom): Generator<Edit> {
  for (const [at] of drawn(clean, random)) {
    const writes = clean.plan.calls.slice(at).some((call) => !isRead(clean, call));
    if (at === 0 || !writes) continue;
    const cut = random.chance(0.5) ? 'answer' : 'silence';
    yield { kind: 'premature_stop', side: 'call', at, step: at - 1, cut };
  }
}

/** A sentence that nothing in the run bears out, behind the reply. */
function* unsupportedClaim(clean: CleanRun, random: SeededRandom): Generator<Edit> {
  const at = clean.plan.calls.length;
  const made = new Set(clean.plan.calls.map(({ tool }) => tool));
  const undone = random
    .shuffle([...clean.tools.values()])
    .find(({ name, effect }) => effect === 'write' && !made.has(name));
  const digits = String(random.integer(10_000, 99_999));
  const claims = [
    `The reference number of this is REF-${digits}.`,
    `I have also set a reminder to look at it again in ${random.integer(2, 9)} days.`,
    `A further ${random.integer(11, 89)}.${random.integer(10, 99)} was added as a courtesy.`,
    'I called everybody concerned, and they agreed.',
    'I checked it twice against the archive as well.',
    ...(undone ? [`I also did this: ${undone.name.replaceAll('_', ' ')}.`] : []),
  ];
  for (const claim of random.shuffle(claims)) {
    yield { kind: 'unsupported_claim', side: 'reply', at, step: at, claim };
  }
}

/** A call made twice in a row. */
function* duplicatedCall(clean: CleanRun, random: SeededRandom): Generator<Edit> {
  for (const [at, { tool, input }] of drawn(clean, random)) {
    const call = { tool, arguments: input };
    yield {
      kind: 'duplicated_call',
      side: 'call',
      at,
      step: at + 1,
      calls: [
        { call, stands: at },
        { call, stands: null },
      ],
      replaced: 1,
    };
  }
}

/** Two arguments of one type in each other's place. */
function* swappedArguments(clean: CleanRun, random: SeededRandom): Generator<Edit> {
  for (const [at, { tool, input }] of drawn(clean, random)) {
    const names = Object.keys(input).filter((name) => {
      const schema = schemaOf(clean.tools.get(tool), name);
      return typeof input[name] === 'string' && !(schema && 'enum' in schema);
    });
    for (const [index, one] of names.entries()) {
      const other = names.slice(index + 1).find((name) => !jsonEqual(input[one], input[name]));
      if (other === undefined) continue;
      const swapped = { ...input, [one]: input[other], [other]: input[one] };
      const call = { tool, arguments: swapped };
      yield { kind: 'swapped_arguments', side: 'call', at, step: at, ...inPlace(call, at) };
    }
  }
}

/** A write and the call before it in the other order. */
function* reorderedCalls(clean: CleanRun, random: SeededRandom): Generator<Edit> {
  for (const [at, first] of drawn(clean, random)) {
    const second = clean.plan.calls[at + 1];
    if (!second || isRead(clean, second) || firstStepsOf(second.template).includes(at)) continue;
    const callOf = ({ tool, input }: PlannedCall): ToolCall => ({ tool, arguments: input });
    yield {
      kind: 'reordered_calls',
      side: 'call',
      at,
      step: at,
      calls: [
        { call: callOf(second), stands: at + 1 },
        { call: callOf(first), stands: at },
      ],
      replaced: 2,
    };
  }
}
