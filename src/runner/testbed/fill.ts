import type { Json, JsonObject } from '../../base/json.ts';
import type { Template, TextPart } from './plan.ts';
import { type Source, valueIn } from './values.ts';

/** What an argument is made of when it is filled in anew. */
export interface Filling {
  /** What was delivered for a planned call; undefined where nothing that can be read was. */
  answerOf(step: number): Json | undefined;
  /** What was asked of a planned call; undefined where it was not made. */
  inputOf(step: number): Json | undefined;
  /** Last resort for a value whose sources are all gone; undefined when there is none. */
  instead(sources: readonly Source[], clean: string | number): Json | undefined;
}

/** A value that no answer gives any more. */
export class ValueGone extends Error {
  readonly sources: readonly Source[];
  readonly argument: string;

  constructor(argument: string, sources: readonly Source[]) {
    super(`no answer gives ${argument}`);
    this.argument = argument;
    this.sources = sources;
  }
}

/** What stands in a text for a value that no answer gives any more. */
const UNKNOWN = '(unknown)';

/** The arguments of a call from what was really delivered. @throws ValueGone */
export function fillArguments(template: Template, filling: Filling): JsonObject {
  return fill(template, '', filling) as JsonObject;
}

function fill(template: Template, name: string, filling: Filling): Json {
  switch (template.kind) {
    case 'fixed':
      return template.value;
    case 'list':
      return template.items.map((item) => fill(item, name, filling));
    case 'object':
      return Object.fromEntries(
        template.members.map(([member, inner]) => [member, fill(inner, member, filling)]),
      );
    case 'text':
      return fillText(template.parts, filling);
    default: {
      const found =
        sourced(template.sources, template.value, filling) ??
        filling.instead(template.sources, template.value);
      if (found === undefined) throw new ValueGone(name, template.sources);
      return found;
    }
  }
}

/** A reply, or any text, from what was really delivered. */
export function fillReply(template: Template, filling: Filling): string {
  if (template.kind === 'text') return fillText(template.parts, filling);
  return template.kind === 'fixed' ? String(template.value) : '';
}

function fillText(parts: readonly TextPart[], filling: Filling): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      const found = given(part.sources, filling);
      return found === undefined ? UNKNOWN : writtenLike(found, part.written);
    })
    .join('');
}

function valueAtSource({ step, path, of }: Source, filling: Filling): Json | undefined {
  return valueIn(of === 'input' ? filling.inputOf(step) : filling.answerOf(step), path);
}

/** The value of the first source that still has one, in the clean value's type. */
function sourced(
  sources: readonly Source[],
  clean: string | number,
  filling: Filling,
): string | number | undefined {
  for (const source of sources) {
    const found = valueAtSource(source, filling);
    if (typeof found !== 'string' && typeof found !== 'number') continue;
    if (typeof clean === 'string') return String(found);
    const number = typeof found === 'number' ? found : Number(found);
    if (Number.isFinite(number)) return number;
  }
  return undefined;
}

function given(sources: readonly Source[], filling: Filling): string | number | undefined {
  for (const source of sources) {
    const found = valueAtSource(source, filling);
    if (typeof found === 'string' || typeof found === 'number') return found;
  }
  return undefined;
}

/** A value in the form in which the clean text wrote it: `240.00` for a new 120 is `120.00`. */
function writtenLike(value: string | number, written: string): string {
  const number = typeof value === 'number' ? value : Number(value);
  if (!/^\d[\d,]*(?:\.\d+)?$/u.test(written) || !Number.isFinite(number)) return String(value);
  const decimals = written.split('.')[1]?.length ?? 0;
  const whole = Number.isInteger(number) || decimals > 0;
  const plain = whole ? number.toFixed(decimals) : String(number);
  return written.includes(',') ? plain.replace(/\B(?=(\d{3})+(?!\d))/gu, ',') : plain;
}
