import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { SeededRandom } from '../../base/random.ts';
import type { Invariant } from '../../scoring/index.ts';
import { toolboxOf } from '../../session/index.ts';
import type { PreparedScenario } from '../prepare.ts';
import { demandOnRead, mustPrecede } from './named-reads.ts';
import type { PlayedCall } from './play.ts';

/** One small mistake in the reference: where it starts, and what is played from there on. */
export interface Mutant {
  readonly kind: 'drop' | 'duplicate' | 'reorder' | 'alter';
  /** The reference call that it concerns. */
  readonly at: number;
  readonly description: string;
  /**
   * True when it concerns a write, so that its end state can tell whether it is equivalent to the reference.
   */
  readonly changesState: boolean;
  readonly calls: readonly PlayedCall[];
}

type Unmarked = Omit<Mutant, 'changesState'>;

/** Above so many reference calls, mutants are sampled. */
export const CALLS_FULLY_MUTATED = 50;
export const MUTANTS_SAMPLED = 200;

/**
 * The mutants that a scenario must notice: every drop, duplicate, reordering and altered argument of a write;
 * of reads only what a rule demands of that very call (see `demandOnRead`), and the reorderings that put a
 * write before the read that must precede it. Free-text arguments are left alone.
 */
export function mutantsOf(prepared: PreparedScenario, calls: readonly PlayedCall[]): Mutant[] {
  const effects = toolboxOf(prepared.services).byName;
  const isWrite = (call: PlayedCall): boolean => effects.get(call.tool)?.effect === 'write';
  const mutants = calls.flatMap((call, at): Mutant[] => {
    const changesState = isWrite(call);
    const mark = (mutant: Unmarked): Mutant => ({ ...mutant, changesState });
    const order = reordered(calls, at, { isWrite, invariants: prepared.scenario.invariants });
    if (changesState) {
      const freeText = prepared.freeText[call.tool] ?? [];
      const counts = (name: string): boolean => !freeText.includes(name);
      return [dropped(calls, at), duplicated(calls, at), ...order, ...altered(calls, at, counts)].map(mark);
    }
    const demand = demandOnRead(prepared, calls, at);
    if (!demand.needed) return order.map(mark);
    return [dropped(calls, at), ...order, ...altered(calls, at, (name) => demand.arguments.has(name))].map(
      mark,
    );
  });
  if (calls.length <= CALLS_FULLY_MUTATED) return mutants;
  const random = SeededRandom.from(`mutants/${prepared.scenario.id}`);
  return random.shuffle(mutants).slice(0, MUTANTS_SAMPLED);
}

function dropped(calls: readonly PlayedCall[], at: number): Unmarked {
  return {
    kind: 'drop',
    at,
    description: `call ${at} (${nameAt(calls, at)}) left out`,
    calls: calls.slice(at + 1),
  };
}

function duplicated(calls: readonly PlayedCall[], at: number): Unmarked {
  const call = calls[at] as PlayedCall;
  return {
    kind: 'duplicate',
    at,
    description: `call ${at} (${call.tool}) made twice`,
    calls: [call, { ...call, number: null }, ...calls.slice(at + 1)],
  };
}

function reordered(
  calls: readonly PlayedCall[],
  at: number,
  rules: { readonly isWrite: (call: PlayedCall) => boolean; readonly invariants: readonly Invariant[] },
): Unmarked[] {
  const [first, second] = [calls[at], calls[at + 1]];
  if (!first || !second) return [];
  const ordered = rules.invariants.some((rule) => mustPrecede(rule, first, second));
  if (!ordered && !(rules.isWrite(first) && rules.isWrite(second))) return [];
  return [
    {
      kind: 'reorder',
      at,
      description: `calls ${at} (${first.tool}) and ${at + 1} (${second.tool}) in the other order`,
      calls: [second, first, ...calls.slice(at + 2)],
    },
  ];
}

function altered(
  calls: readonly PlayedCall[],
  at: number,
  counts: (argument: string) => boolean,
): Unmarked[] {
  const call = calls[at] as PlayedCall;
  return Object.entries(call.arguments).flatMap(([name, value]): Unmarked[] => {
    if (value === undefined || !counts(name)) return [];
    const other = otherValue(value, { name, calls });
    if (other === undefined) return [];
    const changed: JsonObject = { ...call.arguments, [name]: other };
    const difference = `${name} ${JSON.stringify(other)} for ${JSON.stringify(value)}`;
    return [
      {
        kind: 'alter',
        at,
        description: `call ${at} (${call.tool}) with ${difference}`,
        calls: [{ ...call, arguments: changed }, ...calls.slice(at + 1)],
      },
    ];
  });
}

/** Another value of the same kind: one that the reference uses elsewhere under this name, else a near one. */
function otherValue(
  value: Json,
  context: { readonly name: string; readonly calls: readonly PlayedCall[] },
): Json | undefined {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') {
    for (const call of context.calls) {
      const other = call.arguments[context.name];
      if (typeof other === 'string' && other !== value) return other;
    }
    return nextText(value);
  }
  if (Array.isArray(value)) return value.length > 0 ? value.slice(1) : undefined;
  // The answer to an earlier call: asking for another one is a mistake of its own, and has no near value.
  if (isJsonObject(value) && '$result' in value) return 'no-such-value';
  return undefined;
}

/** The text with its last digit or letter moved on by one. */
function nextText(text: string): string {
  const match = /[0-9a-zA-Z](?=[^0-9a-zA-Z]*$)/u.exec(text);
  if (!match) return `${text}x`;
  const letter = match[0];
  const next =
    letter === '9'
      ? '8'
      : letter === 'z'
        ? 'y'
        : letter === 'Z'
          ? 'Y'
          : String.fromCharCode(letter.charCodeAt(0) + 1);
  return text.slice(0, match.index) + next + text.slice(match.index + 1);
}

function nameAt(calls: readonly PlayedCall[], at: number): string {
  return calls[at]?.tool ?? '';
}
