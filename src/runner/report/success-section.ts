import type { Estimate } from '../../scoring/index.ts';
import { type Lead, leadName, leadsOf } from '../attempts.ts';
import { term } from './definitions-section.ts';
import { intervalText, intervalTrack, percentText } from './figure-text.ts';
import { html, type Markup } from './markup.ts';
import { marker, seriesOf } from './matrix.ts';
import { outcomeOf } from './outcome.ts';
import type { ReportRun } from './read-run.ts';

const AXIS = [0, 0.25, 0.5, 0.75, 1];

/**
 * The figure that the scenarios ask for, then success, of every run as a point with its interval: what a
 * reader wants to know first.
 */
export function successSection(runs: readonly ReportRun[]): Markup {
  const k = Math.max(...runs.map(({ summary }) => summary.k));
  const { figures, note } = leadsOf(runs.flatMap(({ config }) => config.scenarios));
  return html`<section><h2 id="success">How often it succeeds</h2>
${k > 1 && note !== null && html`<p class="soft">Here ${note}.</p>`}
${k > 1 && figures.map((lead) => leadPlot(runs, lead, k))}
${plot(
  html`${term('success')}: <span class="soft">of single trials</span>`,
  runs.map((run) => ({ run, estimate: run.summary.success, more: trialsOf(run) })),
)}
<p class="soft">Point: the figure. Line: its ${term('interval')}, which counts alike scenarios (one cluster)
together, so that repeating a trial does not look like new evidence.</p></section>`;
}

function leadPlot(runs: readonly ReportRun[], lead: Lead, k: number): Markup {
  const meaning = lead === 'passAt' ? `at least one of ${k} attempts` : `all of ${k} attempts`;
  const name = leadName(lead, k);
  return plot(
    html`${term(lead, name)}: <span class="soft">${meaning}</span>`,
    runs.map((run) => ({
      run,
      estimate: run.summary[lead][String(k)] ?? { value: null, reason: 'not asked for in this run' },
      more: null,
    })),
  );
}

interface PlotRow {
  readonly run: ReportRun;
  readonly estimate: Estimate;
  readonly more: string | null;
}

function plot(heading: Markup, rows: readonly PlotRow[]): Markup {
  return html`<h3 class="plotted">${heading}</h3>
<ul class="plot">${rows.map(plotRow)}
<li class="axis" aria-hidden="true"><span></span><span class="track">${AXIS.map(
    (share) => html`<span class="tick" style="left:${share * 100}%">${share * 100}</span>`,
  )}</span><span>%</span></li></ul>`;
}

function plotRow({ run, estimate, more }: PlotRow): Markup {
  const name = html`<span class="name ${seriesOf(run)}">${marker(run.index)}${run.name}</span>`;
  if (estimate.value === null) {
    return html`<li>${name}<span class="track" aria-hidden="true"></span><span><strong>undefined</strong>
<span class="low">${estimate.reason}</span></span></li>`;
  }
  return html`<li class="${seriesOf(run)}">${name}${intervalTrack(estimate)}
<span><strong>${percentText(estimate.value)}</strong>
<span class="low">${intervalText(estimate)}</span>
${more !== null && html`<span class="low">${more}</span>`}</span></li>`;
}

function trialsOf(run: ReportRun): string {
  const scored = run.trials.filter(({ score }) => score.void === null);
  const passed = scored.filter(({ score }) => outcomeOf(score) === 'pass');
  return `${passed.length} of ${scored.length} trials`;
}
