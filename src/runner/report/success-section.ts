import { intervalText, intervalTrack, percentText } from './figure-text.ts';
import { html, type Markup } from './markup.ts';
import { marker, seriesOf } from './matrix.ts';
import { outcomeOf } from './outcome.ts';
import type { ReportRun } from './read-run.ts';

const AXIS = [0, 0.25, 0.5, 0.75, 1];

/** Success of every run as a point with its interval: what a reader wants to know first. */
export function successSection(runs: readonly ReportRun[]): Markup {
  return html`<section><h2 id="success">Success</h2>
<ul class="plot">${runs.map(plotRow)}
<li class="axis" aria-hidden="true"><span></span><span class="track">${AXIS.map(
    (share) => html`<span class="tick" style="left:${share * 100}%">${share * 100}</span>`,
  )}</span><span>%</span></li></ul>
<p class="soft">Point: share of trials that succeeded. Line: 95 % interval, which counts alike scenarios (one
cluster) together, so that repeating a trial does not look like new evidence.</p></section>`;
}

function plotRow(run: ReportRun): Markup {
  const { success } = run.summary;
  const name = html`<span class="name ${seriesOf(run)}">${marker(run.index)}${run.name}</span>`;
  if (success.value === null) {
    return html`<li>${name}<span class="track" aria-hidden="true"></span><span><strong>undefined</strong>
<span class="low">${success.reason}</span></span></li>`;
  }
  const scored = run.trials.filter(({ score }) => score.void === null);
  const passed = scored.filter(({ score }) => outcomeOf(score) === 'pass');
  return html`<li class="${seriesOf(run)}">${name}${intervalTrack(success)}
<span><strong>${percentText(success.value)}</strong>
<span class="low">${intervalText(success)}</span>
<span class="low">${passed.length} of ${scored.length} trials</span></span></li>`;
}
