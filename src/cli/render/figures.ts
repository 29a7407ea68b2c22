import type { Estimate, Quantile, RatioFigure } from '../../scoring/index.ts';

/** Collects reasons, so that a cell shows a mark and the reason stands once below the table. */
export class Footnotes {
  readonly #reasons: string[] = [];

  mark(reason: string): string {
    let index = this.#reasons.indexOf(reason);
    if (index < 0) {
      index = this.#reasons.length;
      this.#reasons.push(reason);
    }
    return `[${index + 1}]`;
  }

  lines(): string[] {
    return this.#reasons.map((reason, index) => `[${index + 1}] ${reason}`);
  }
}

/** `94.4 % [84.5, 98.1]`; a dash and a mark where the figure is not defined. */
export function percent(estimate: Estimate, notes: Footnotes): string {
  if (estimate.value === null) return `— ${notes.mark(estimate.reason)}`;
  return `${share(estimate.value)} % ${interval(estimate, notes, share)}${noted(estimate, notes)}`;
}

/** A ratio's mean with its interval, and the pooled counts behind it. */
export function ratioPercent(figure: RatioFigure, notes: Footnotes): string {
  const { numerator, denominator } = figure.pooled;
  const counts = denominator === 0 ? '' : ` (${numerator}/${denominator})`;
  return `${percent(figure, notes)}${counts}`;
}

/** An amount with its interval, to four significant digits. */
export function amount(estimate: Estimate, notes: Footnotes): string {
  if (estimate.value === null) return `— ${notes.mark(estimate.reason)}`;
  return `${short(estimate.value)} ${interval(estimate, notes, short)}${noted(estimate, notes)}`;
}

/** A quantile; `max of n` where the sample is too small for it. */
export function quantile(figure: Quantile, notes: Footnotes, unit = ''): string {
  if (figure.value === null) return `— ${notes.mark(figure.reason)}`;
  const text = `${short(figure.value)}${unit}`;
  return figure.method.startsWith('max') ? `${text} (${figure.method})` : text;
}

function interval(
  estimate: Extract<Estimate, { readonly value: number }>,
  notes: Footnotes,
  print: (value: number) => string,
): string {
  const { low, high } = estimate;
  if (low === null || high === null) return notes.mark(estimate.reason ?? 'no interval');
  return `[${print(low)}, ${print(high)}]`;
}

function noted(estimate: Extract<Estimate, { readonly value: number }>, notes: Footnotes): string {
  return estimate.note === undefined ? '' : ` ${notes.mark(estimate.note)}`;
}

function share(value: number): string {
  return (value * 100).toFixed(1);
}

/** Four significant digits, without an exponent. */
export function short(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return String(Number(value.toPrecision(4)));
}
