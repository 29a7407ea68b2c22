import type { Json } from '../../base/json.ts';
import { hasToken } from '../grounding.ts';
import type { CallView, RunView } from './view.ts';
import { numberOf } from './view.ts';
import { stemsOf } from './words.ts';

/** So many numbers are put together in pairs; with more, nearly every number could be computed. */
const MAX_PAIRED = 120;

/**
 * What an agent had been given by each step: the task, its user's messages, earlier results. Asked for a
 * value, it first looks at whole values and searches texts only where that finds nothing.
 */
export class Seen {
  readonly #view: RunView;
  /** By whole value in lower case: the first step that gave it; -1 for the task. */
  readonly #whole = new Map<string, number>();
  readonly #texts: { readonly text: string; readonly step: number }[] = [];
  readonly #numbers: { readonly value: number; readonly step: number; readonly path: string }[] = [];

  #stems: ReadonlyMap<string, number> | null = null;

  constructor(view: RunView) {
    this.#view = view;
    const { run } = view;
    if (run.task !== null) this.#addText(run.task, -1);
    if (run.instructions !== null) this.#addText(run.instructions, -1);
    for (const { role, text, afterCall } of run.messages) {
      if (role === 'user') this.#addText(text, afterCall - 1);
    }
    for (const call of view.calls) this.#addResult(call);
  }

  #addText(text: string, step: number): void {
    const lowered = text.toLowerCase();
    this.#texts.push({ text: lowered, step });
    for (const [found] of lowered.matchAll(/(?<![\p{L}\p{N}_.,-])\d{1,12}(?:,\d{3})*(?:\.\d+)?/gu)) {
      this.#addNumber(Number(found.replaceAll(',', '')), step, 'text');
    }
  }

  #addResult({ index, outputLeaves, output }: CallView): void {
    if (typeof output === 'string') this.#addText(output, index);
    for (const { value, path } of outputLeaves) {
      if (value === null || typeof value === 'boolean') continue;
      const whole = String(value).toLowerCase();
      if (!this.#whole.has(whole)) this.#whole.set(whole, index);
      const number = numberOf(value);
      if (number !== null) this.#addNumber(number, index, path);
      else if (typeof value === 'string' && output !== value) this.#texts.push({ text: whole, step: index });
    }
    if (output !== undefined) this.#addSums(index);
  }

  /** Sums over the items of a list count as computed: totals of an order, of all orders. */
  #addSums(index: number): void {
    const sums = new Map<string, { sum: number; count: number }>();
    for (const { path, value } of this.#view.calls[index]?.outputLeaves ?? []) {
      if (typeof value !== 'number' || !path.includes('[]')) continue;
      const sum = sums.get(path) ?? { sum: 0, count: 0 };
      sums.set(path, { sum: sum.sum + value, count: sum.count + 1 });
    }
    for (const [path, { sum, count }] of sums) {
      this.#addNumber(sum, index, `sum of ${path}`);
      this.#addNumber(count, index, `count of ${path}`);
    }
  }

  #addNumber(value: number, step: number, path: string): void {
    if (Number.isFinite(value)) this.#numbers.push({ value, step, path });
  }

  /** True when the value was given before the step, as a value or as a token of a text. */
  has(value: string | number, before: number): boolean {
    const wanted = String(value).toLowerCase();
    const first = this.#whole.get(wanted);
    if (first !== undefined && first < before) return true;
    if (wanted === '') return true;
    return this.#texts.some(({ text, step }) => step < before && hasToken(text, wanted));
  }

  /** True when the text was given before the step, be it inside a longer word. */
  hasPart(part: string, before: number): boolean {
    const wanted = part.toLowerCase();
    for (const [text, step] of this.#whole) if (step < before && text.includes(wanted)) return true;
    return this.#texts.some(({ text, step }) => step < before && text.includes(wanted));
  }

  /** True when a word of this stem was given before the step. */
  hasStem(stem: string, before: number): boolean {
    const known = this.#stems ?? this.#collectStems();
    return (known.get(stem) ?? Number.POSITIVE_INFINITY) < before;
  }

  #collectStems(): ReadonlyMap<string, number> {
    const stems = new Map<string, number>();
    const add = (text: string, step: number): void => {
      for (const word of stemsOf(text)) if ((stems.get(word) ?? step) >= step) stems.set(word, step);
    };
    for (const { text, step } of this.#texts) add(text, step);
    for (const [text, step] of this.#whole) add(text, step);
    for (const { index, outputLeaves } of this.#view.calls) {
      for (const name of new Set(outputLeaves.map((leaf) => leaf.name))) add(name, index);
    }
    this.#stems = stems;
    return stems;
  }

  /** True when the number was given before the step, whatever its spelling. */
  hasNumber(value: number, before: number): boolean {
    return this.#numbers.some((one) => one.step < before && near(one.value, value));
  }

  /**
   * True when the number comes of those given: sum, difference, product with a quantity, percentage or what
   * it leaves, sum of the values of one field over several results.
   */
  computes(value: number, before: number): boolean {
    const known = this.#numbers.filter(({ step }) => step < before);
    if (this.#sumsOfField(known).some((sum) => near(sum, value))) return true;
    const values = [...new Set(known.map((one) => one.value))];
    if (values.length > MAX_PAIRED) values.length = MAX_PAIRED;
    return values.some((left) => values.some((right) => reaches(left, right, value)));
  }

  #sumsOfField(known: readonly { readonly value: number; readonly path: string }[]): number[] {
    const sums = new Map<string, number>();
    for (const { path, value } of known) {
      if (path !== 'text') sums.set(path, (sums.get(path) ?? 0) + value);
    }
    return [...sums.values()];
  }
}

function near(left: number, right: number): boolean {
  return Math.abs(left - right) <= 0.0051;
}

function reaches(left: number, right: number, value: number): boolean {
  if (near(left + right, value) || near(left - right, value)) return true;
  const quantity = Number.isInteger(right) && right >= 2 && right <= 100;
  if (quantity && (near(left * right, value) || near(left / right, value))) return true;
  const share = right > 0 && right <= 100;
  // So many of a thing, each at a share of its price.
  const pieces = [2, 3, 4, 5];
  if (share && pieces.some((count) => near((count * left * right) / 100, value))) return true;
  if (share && (near((left * right) / 100, value) || near(left * (1 - right / 100), value))) return true;
  return right > 0 && right < 1 && (near(left * right, value) || near(left * (1 - right), value));
}

/** Texts of a value that may hold names of things: everything but what is a sentence. */
export function isProse(value: Json | undefined): boolean {
  return typeof value === 'string' && (value.length > 60 || /\s\S+\s/.test(value));
}
