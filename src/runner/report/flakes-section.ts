import { flakeReport } from '../../scoring/index.ts';
import { comparedTrials } from '../compare/index.ts';
import { term } from './definitions-section.ts';
import { countText, intervalText, intervalTrack } from './figure-text.ts';
import { html, type Markup } from './markup.ts';
import { runHeading, seriesOf } from './matrix.ts';
import type { ReportRun } from './read-run.ts';

const LISTED = 40;

/** Scenarios whose outcome is luck, those nearest to a half first. */
export function flakesSection(runs: readonly ReportRun[]): Markup {
  return html`<section><h2 id="flakes">Neither always nor never solved</h2>
<p class="soft">A scenario is ${term('flaky')} when some of its trials succeed and some do not. The line is
the 95 % interval of its own rate.</p>
${runs.map(runMarkup)}</section>`;
}

function runMarkup(run: ReportRun): Markup {
  const { always, never, single, flakes } = flakeReport(comparedTrials(run.arm));
  const more = flakes.length - LISTED;
  return html`${runHeading(run, `: ${flakes.length} flaky`)}
<p class="soft">${always} always solved, ${never} never${
    single > 0 && `; ${countText(single, 'scenario')} with one trial, which shows no flake`
  }.</p>
${
  flakes.length > 0 &&
  html`<ul class="flakes ${seriesOf(run)}">${flakes.slice(0, LISTED).map(
    ({ scenario, passed, of, rate }) => html`<li><span>${scenario}</span>${intervalTrack(rate)}
<span class="count">${passed} of ${of}<span class="unseen">, ${intervalText(rate)}</span></span></li>
`,
  )}</ul>`
}${more > 0 && html`<p class="soft">and ${more} more</p>`}`;
}
