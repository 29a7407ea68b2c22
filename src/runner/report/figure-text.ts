import type { Estimate, Quantile, RatioFigure } from '../../scoring/index.ts';
import { html, type Markup } from './markup.ts';

/** A share as percent with one decimal. */
export function percentText(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** `1 trial`, `2 trials`. */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Four significant digits, without an exponent. */
export function shortNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}

/** `89.2 to 99.2 %`, or why there is no interval. */
export function intervalText(estimate: Estimate, print: (value: number) => string = percentText): string {
  if (estimate.value === null) return estimate.reason;
  const { low, high, reason } = estimate;
  if (low === null || high === null) return reason ?? 'no interval';
  const from = print(low);
  const unit = ' %';
  return `${from.endsWith(unit) ? from.slice(0, -unit.length) : from} to ${print(high)}`;
}

/** A rate with its interval in words and as a small picture. */
export function rateCell(estimate: Estimate): Markup {
  return estimateCell(estimate, percentText, intervalTrack(estimate));
}

export function amountCell(estimate: Estimate): Markup {
  return estimateCell(estimate, shortNumber, null);
}

function estimateCell(estimate: Estimate, print: (value: number) => string, picture: Markup | null): Markup {
  if (estimate.value === null) return undefinedCell(estimate.reason);
  return html`<span class="value">${print(estimate.value)}</span>${picture}
<span class="low">${intervalText(estimate, print)}</span>
${estimate.note && html`<span class="low">${estimate.note}</span>`}`;
}

export function ratioCell(figure: RatioFigure): Markup {
  const { numerator, denominator } = figure.pooled;
  if (figure.value === null) return rateCell(figure);
  return html`${rateCell(figure)}<span class="low">pooled ${numerator} of ${denominator}</span>`;
}

export function quantilesCell(
  figure: { readonly p50: Quantile; readonly p99: Quantile },
  unit: string,
): Markup {
  const { p50, p99 } = figure;
  if (p50.value === null) return undefinedCell(p50.reason);
  if (p99.value === null)
    return html`<span class="value">${shortNumber(p50.value)}${unit}</span>${undefinedCell(p99.reason)}`;
  const remark = p99.method.startsWith('max') && html`<span class="low">p99 is the ${p99.method}</span>`;
  const pair = `${shortNumber(p50.value)} / ${shortNumber(p99.value)}${unit}`;
  return html`<span class="value">${pair}</span>${remark}`;
}

/** A figure that does not exist says why. */
export function undefinedCell(reason: string): Markup {
  return html`<span class="value"><span aria-hidden="true">—</span>
<span class="unseen">undefined</span></span>
<span class="low">${reason}</span>`;
}

/** Point and interval on a line from 0 to 1; a picture of what stands beside it in words. */
export function intervalTrack(estimate: Estimate): Markup | null {
  if (estimate.value === null) return null;
  const { value, low, high } = estimate;
  const range =
    low !== null &&
    high !== null &&
    html`<span class="range" style="left:${hundredths(low)}%;width:${hundredths(high - low)}%"></span>`;
  return html`<span class="track" aria-hidden="true">${range}<span class="dot"
style="left:${hundredths(value)}%"></span></span>`;
}

/** A bar for a count of so many, with the count in words. */
export function countBar(count: number, of: number, kind: 'pass' | 'fail'): Markup {
  if (of === 0) return html`<span class="soft">none</span>`;
  return html`<span class="bar" aria-hidden="true"><span class="fill ${kind}"
style="width:${hundredths(count / of)}%"></span></span>
<span class="count">${count} of ${of}</span>`;
}

function hundredths(share: number): string {
  return (Math.min(1, Math.max(0, share)) * 100).toFixed(2);
}
