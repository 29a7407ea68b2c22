import type { Estimate, Quantile, RatioFigure, RunSummary } from '../../scoring/index.ts';
import { html, type Markup } from './markup.ts';
import type { ReportRun } from './read-run.ts';

interface FigureRow {
  readonly label: string;
  /** What it counts, in a sentence. */
  readonly meaning: string;
  readonly cell: (summary: RunSummary) => Markup;
}

/** The table of all figures, a column a run; every one with its interval, or the reason why it has none. */
export function figuresSection(runs: readonly ReportRun[]): Markup {
  const k = String(Math.max(...runs.map(({ summary }) => summary.k)));
  const rows = rowsFor(k);
  return html`<h2 id="figures">Figures</h2>
<p class="soft">Intervals are 95 %, clustered by scenario cluster; rates leave void trials out. Each figure is defined
in the scoring documentation.</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="figures"><table>
<thead><tr><th scope="col">figure</th>${runs.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) => html`<tr><th scope="row">${row.label}<span class="low soft"> ${row.meaning}</span></th>
${runs.map(({ summary }) => html`<td>${row.cell(summary)}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

function rowsFor(k: string): FigureRow[] {
  const missing: Estimate = { value: null, reason: 'not asked for in this run' };
  const ratioRow = (label: string, meaning: string, of: (summary: RunSummary) => RatioFigure): FigureRow => ({
    label,
    meaning,
    cell: (summary) => ratioCell(of(summary)),
  });
  const rows: FigureRow[] = [
    { label: 'trials', meaning: 'void ones apart', cell: trialsCell },
    { label: 'success', meaning: 'every required grader held', cell: ({ success }) => rateCell(success) },
    {
      label: 'pass@1',
      meaning: 'one attempt succeeds',
      cell: ({ passAt }) => rateCell(passAt['1'] ?? missing),
    },
    {
      label: `pass^${k}`,
      meaning: `all of ${k} attempts succeed`,
      cell: ({ passHat }) => rateCell(passHat[k] ?? missing),
    },
    ratioRow('tool precision', 'matched calls of all calls', ({ metrics }) => metrics.precision),
    ratioRow('tool recall', 'required calls that were made', ({ metrics }) => metrics.recall),
    ratioRow('redundant steps', 'repeated calls of all calls', ({ metrics }) => metrics.redundant),
    ratioRow('recovery', 'succeeded after a tool error', ({ metrics }) => metrics.recovery),
    { label: 'steps p50 / p99', meaning: 'of successes', cell: ({ metrics }) => pairCell(metrics.steps, '') },
    {
      label: 'cost per success',
      meaning: 'all spending by successes',
      cell: ({ metrics }) => amountCell(metrics.costPerSuccess),
    },
    {
      label: 'wall clock p50 / p99',
      meaning: 'of successes',
      cell: ({ metrics }) => pairCell(metrics.wallClockMs, ' ms'),
    },
    { label: 'invariants broken', meaning: 'rules, and how often', cell: brokenCell },
  ];
  return k === '1' ? rows.filter((row) => row.label !== 'pass^1') : rows;
}

function rateCell(estimate: Estimate): Markup {
  return estimateCell(estimate, (value) => `${(value * 100).toFixed(1)} %`);
}

function amountCell(estimate: Estimate): Markup {
  return estimateCell(estimate, shortNumber);
}

function estimateCell(estimate: Estimate, print: (value: number) => string): Markup {
  if (estimate.value === null) return html`—<span class="low">${estimate.reason}</span>`;
  const { low, high, reason, note } = estimate;
  const interval =
    low === null || high === null ? (reason ?? 'no interval') : `${print(low)} to ${print(high)}`;
  return html`${print(estimate.value)}<span class="low">${interval}${note ? `; ${note}` : ''}</span>`;
}

function ratioCell(figure: RatioFigure): Markup {
  const { numerator, denominator } = figure.pooled;
  return html`${rateCell(figure)}<span class="low">${numerator} of ${denominator} pooled</span>`;
}

function pairCell(figure: { readonly p50: Quantile; readonly p99: Quantile }, unit: string): Markup {
  return html`${quantileText(figure.p50, unit)} / ${quantileText(figure.p99, unit)}`;
}

function quantileText(figure: Quantile, unit: string): Markup {
  if (figure.value === null) return html`—<span class="low">${figure.reason}</span>`;
  const text = `${shortNumber(figure.value)}${unit}`;
  return figure.method.startsWith('max')
    ? html`${text} <span class="soft">(${figure.method})</span>`
    : html`${text}`;
}

function trialsCell({ trials, void: voids }: RunSummary): Markup {
  const reasons = Object.entries(voids.byReason).map(([reason, count]) => `${count} ${reason}`);
  return html`${trials}${voids.count > 0 && html`<span class="low">${voids.count} void: ${reasons.join(', ')}</span>`}`;
}

function brokenCell({ invariants }: RunSummary): Markup {
  const broken = invariants.filter(({ broken: count }) => count > 0);
  const list = broken.map(
    ({ id, broken: count, of }) => html`<span class="low">${id}: ${count} of ${of}</span>`,
  );
  return html`${broken.length} of ${invariants.length}${list}`;
}

function shortNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}

/** Success of every run as a point with its interval: the picture of the table's first row. */
export function successPlot(runs: readonly ReportRun[]): Markup {
  const [left, width, rowHeight] = [130, 620, 34];
  const x = (share: number): number => left + share * width;
  const height = runs.length * rowHeight + 34;
  const axis = [0, 0.25, 0.5, 0.75, 1];
  const label = runs
    .map(
      ({ name, summary }) =>
        `${name} ${summary.success.value === null ? 'undefined' : `${(summary.success.value * 100).toFixed(1)} %`}`,
    )
    .join(', ');
  return html`<svg viewBox="0 0 ${left + width + 40} ${height}" role="img" aria-label="Success with 95 % intervals: ${label}"
style="max-width:800px;width:100%">
${axis.map(
  (share) => html`<line class="axis" x1="${x(share)}" x2="${x(share)}" y1="6" y2="${height - 24}" />
<text class="soft" x="${x(share)}" y="${height - 6}" text-anchor="middle">${share * 100} %</text>`,
)}
${runs.map(({ name, summary }, index) => plotRow({ name, estimate: summary.success, y: index * rowHeight + 24, x }))}
</svg>`;
}

function plotRow(row: {
  readonly name: string;
  readonly estimate: Estimate;
  readonly y: number;
  readonly x: (share: number) => number;
}): Markup {
  const { name, estimate, y, x } = row;
  const text = html`<text x="0" y="${y + 5}">${name}</text>`;
  if (estimate.value === null)
    return html`${text}<text class="soft" x="${x(0)}" y="${y + 5}">undefined</text>`;
  const { low, high } = estimate;
  const bar =
    low !== null &&
    high !== null &&
    html`<line x1="${x(low)}" x2="${x(high)}" y1="${y}" y2="${y}" stroke="var(--accent)" stroke-width="3" />`;
  return html`${text}${bar}<circle cx="${x(estimate.value)}" cy="${y}" r="6" fill="var(--accent)" />`;
}
