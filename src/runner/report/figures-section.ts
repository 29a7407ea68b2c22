import type { Estimate, IfVoid, RatioFigure, RunSummary } from '../../scoring/index.ts';
import { amountCell, percentText, quantilesCell, rateCell, ratioCell, undefinedCell } from './figure-text.ts';
import { html, type Markup } from './markup.ts';
import { matrix } from './matrix.ts';
import type { ReportRun } from './read-run.ts';

interface FigureRow {
  readonly label: string;
  /** What it counts, in a few words. */
  readonly meaning: string;
  readonly cell: (summary: RunSummary) => Markup;
}

/** The table of all figures, a column a run; every one with its interval, or the reason why it has none. */
export function figuresSection(runs: readonly ReportRun[]): Markup {
  const rows = rowsFor(runs).map(({ label, meaning, cell }) => ({
    head: html`${label}<span class="low">${meaning}</span>`,
    cells: runs.map(({ summary }) => cell(summary)),
  }));
  return html`<section><h2 id="figures">Figures</h2>
${matrix({ labelledBy: 'figures', corner: 'figure', runs, groups: [{ head: null, rows }], kind: 'figures' })}
<p class="soft">Below each figure: its 95 % interval, clustered by scenario cluster, or why there is none.
Ratios are means over trials; “pooled” adds up the counts of all trials, in which long trials weigh more.
Rates leave void trials out. <code>docs/scoring.md</code> defines every figure.</p></section>`;
}

function rowsFor(runs: readonly ReportRun[]): FigureRow[] {
  const k = String(Math.max(...runs.map(({ summary }) => summary.k)));
  const missing: Estimate = { value: null, reason: 'not asked for in this run' };
  const rate = (
    label: string,
    meaning: string,
    of: (summary: RunSummary) => Estimate | undefined,
  ): FigureRow => ({
    label,
    meaning,
    cell: (summary) => rateCell(of(summary) ?? missing),
  });
  const ratio = (label: string, meaning: string, of: (summary: RunSummary) => RatioFigure): FigureRow => ({
    label,
    meaning,
    cell: (summary) => ratioCell(of(summary)),
  });
  const anyVoid = runs.some(({ summary }) => summary.void.count > 0);
  const ifVoid = (name: string, of: (summary: RunSummary) => IfVoid | undefined): FigureRow[] => {
    if (!anyVoid) return [];
    const label = `${name} if voids failed / passed`;
    const meaning = 'all void trials as failures, all as successes';
    return [{ label, meaning, cell: (summary) => voidsCell(summary, of(summary)) }];
  };
  return [
    { label: 'trials', meaning: 'void ones apart', cell: trialsCell },
    rate('success', 'every required check held', ({ success }) => success),
    ...ifVoid('success', ({ successIfVoid }) => successIfVoid),
    rate('pass@1', 'one attempt succeeds', ({ passAt }) => passAt['1']),
    ...ifVoid('pass@1', ({ passAtIfVoid }) => passAtIfVoid?.['1']),
    ...(k === '1' ? [] : [rate(`pass^${k}`, `all of ${k} attempts succeed`, ({ passHat }) => passHat[k])]),
    ...(k === '1' ? [] : ifVoid(`pass^${k}`, ({ passHatIfVoid }) => passHatIfVoid?.[k])),
    ratio('tool precision', 'calls that were called for', ({ metrics }) => metrics.precision),
    ratio('tool recall', 'required calls that were made', ({ metrics }) => metrics.recall),
    ratio('redundant steps', 'calls that repeat a call', ({ metrics }) => metrics.redundant),
    ratio('recovery', 'success after a tool error', ({ metrics }) => metrics.recovery),
    {
      label: 'steps p50 / p99',
      meaning: 'of successful trials',
      cell: ({ metrics }) => quantilesCell(metrics.steps, ''),
    },
    {
      label: 'cost per success',
      meaning: 'all spending by successes',
      cell: ({ metrics }) => amountCell(metrics.costPerSuccess),
    },
    {
      label: 'wall clock p50 / p99',
      meaning: 'of successful trials',
      cell: ({ metrics }) => quantilesCell(metrics.wallClockMs, ' ms'),
    },
    { label: 'invariants broken', meaning: 'rules that must hold in every run', cell: brokenCell },
  ];
}

function trialsCell({ trials, void: voids }: RunSummary): Markup {
  const reasons = Object.entries(voids.byReason).map(([reason, count]) => `${count} ${reason}`);
  return html`<span class="value">${trials}</span>
${voids.count > 0 && html`<span class="low">${voids.count} void: ${reasons.join(', ')}</span>`}`;
}

function voidsCell({ void: voids }: RunSummary, bounds: IfVoid | undefined): Markup {
  if (voids.count === 0) return html`<span class="low">no voids</span>`;
  if (!bounds) return undefinedCell('not asked for in this run');
  const { fail, pass } = bounds;
  if (fail.value === null) return undefinedCell(fail.reason);
  if (pass.value === null) return undefinedCell(pass.reason);
  return html`<span class="value">${percentText(fail.value)} / ${percentText(pass.value)}</span>`;
}

function brokenCell({ invariants }: RunSummary): Markup {
  const broken = invariants.filter(({ broken: count }) => count > 0);
  const times = invariants.reduce((sum, { broken: count }) => sum + count, 0);
  return html`<span class="value">${broken.length} of ${invariants.length}</span>
${times > 0 && html`<span class="low"><a href="#rules">${times} times in all</a></span>`}`;
}
