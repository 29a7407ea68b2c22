import type { DefinedFigure } from '../../scoring/definitions.ts';
import type { Estimate, IfVoid, RunSummary } from '../../scoring/index.ts';
import { type Lead, leadName, leadsOf } from '../attempts.ts';
import { term } from './definitions-section.ts';
import { amountCell, percentText, quantilesCell, rateCell, ratioCell, undefinedCell } from './figure-text.ts';
import { html, type Markup } from './markup.ts';
import { matrix } from './matrix.ts';
import type { ReportRun } from './read-run.ts';

interface FigureRow {
  readonly head: Markup;
  /** What it counts, in a few words. */
  readonly meaning: string;
  readonly cell: (summary: RunSummary) => Markup;
}

/** The table of all figures, a column a run; every one with its interval, or the reason why it has none. */
export function figuresSection(runs: readonly ReportRun[]): Markup {
  const rows = [...rateRows(runs), ...metricRows()].map(({ head, meaning, cell }) => ({
    head: html`${head}<span class="low">${meaning}</span>`,
    cells: runs.map(({ summary }) => cell(summary)),
  }));
  return html`<section><h2 id="figures">Figures</h2>
${matrix({ labelledBy: 'figures', corner: 'figure', runs, groups: [{ head: null, rows }], kind: 'figures' })}
<p class="soft">Below each figure: its ${term('interval')}, clustered by scenario cluster, or why there is
none. Ratios are means over trials; “pooled” adds up the counts of all trials, in which long trials weigh
more.
Rates leave ${term('void')} trials out.</p></section>`;
}

/** Trials, and the rates of success; the one that the scenarios ask for comes first. */
function rateRows(runs: readonly ReportRun[]): FigureRow[] {
  const k = String(Math.max(...runs.map(({ summary }) => summary.k)));
  const anyVoid = runs.some(({ summary }) => summary.void.count > 0);
  const rate = (row: {
    readonly figure: DefinedFigure;
    readonly label: string;
    readonly meaning: string;
    readonly of: (summary: RunSummary) => Estimate | undefined;
    readonly ifVoid: (summary: RunSummary) => IfVoid | undefined;
  }): FigureRow[] => {
    const { figure, label, meaning, of, ifVoid } = row;
    const cell = (summary: RunSummary): Markup => rateCell(of(summary) ?? MISSING);
    const own = { head: term(figure, label), meaning, cell };
    if (!anyVoid) return [own];
    const below: FigureRow = {
      head: html`${label} if voids failed / passed`,
      meaning: 'all void trials as failures, all as successes',
      cell: (summary) => voidsCell(summary, ifVoid(summary)),
    };
    return [own, below];
  };
  const lead = (figure: Lead): FigureRow[] =>
    rate({
      figure,
      label: leadName(figure, k),
      meaning: figure === 'passAt' ? `any of ${k} attempts succeeds` : `all of ${k} attempts succeed`,
      of: (summary) => summary[figure][k],
      ifVoid: (summary) => summary[`${figure}IfVoid`]?.[k],
    });
  const { figures } = leadsOf(runs.flatMap(({ config }) => config.scenarios));
  return [
    { head: term('trials'), meaning: 'void ones apart', cell: trialsCell },
    ...(k === '1' ? [] : figures.flatMap(lead)),
    ...rate({
      figure: 'success',
      label: 'success',
      meaning: 'every required check held',
      of: ({ success }) => success,
      ifVoid: ({ successIfVoid }) => successIfVoid,
    }),
    ...rate({
      figure: 'passAt',
      label: 'pass@1',
      meaning: 'one attempt succeeds',
      of: ({ passAt }) => passAt['1'],
      ifVoid: ({ passAtIfVoid }) => passAtIfVoid?.['1'],
    }),
  ];
}

const MISSING: Estimate = { value: null, reason: 'not asked for in this run' };

function metricRows(): FigureRow[] {
  const ratio = (figure: 'precision' | 'recall' | 'redundant' | 'recovery', meaning: string): FigureRow => ({
    head: term(figure),
    meaning,
    cell: ({ metrics }) => ratioCell(metrics[figure]),
  });
  return [
    ratio('precision', 'calls that were called for'),
    ratio('recall', 'required calls that were made'),
    ratio('redundant', 'calls that repeat a call'),
    ratio('recovery', 'success after a tool error'),
    {
      head: term('steps'),
      meaning: 'of successful trials',
      cell: ({ metrics }) => quantilesCell(metrics.steps, ''),
    },
    {
      head: term('costPerSuccess'),
      meaning: 'all spending by successes',
      cell: ({ metrics }) => amountCell(metrics.costPerSuccess),
    },
    {
      head: term('wallClockMs'),
      meaning: 'of successful trials',
      cell: ({ metrics }) => quantilesCell(metrics.wallClockMs, ' ms'),
    },
    { head: term('invariants'), meaning: 'rules that must hold in every run', cell: brokenCell },
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
