import type { ChosenEpisodes } from './choose-episodes.ts';
import { failedCommand, showCommand } from './commands.ts';
import { countText } from './figure-text.ts';
import { html, type Markup } from './markup.ts';
import { runHeading } from './matrix.ts';
import type { ReportRun } from './read-run.ts';

const NAMED = 60;

/** Failed and void trials step by step, by run; what is left out is named with the command that shows it. */
export function episodesSection(runs: readonly ReportRun[], chosen: readonly ChosenEpisodes[]): Markup {
  const bodies = runs.map((run, index) => runMarkup(run, chosen[index]));
  const nothing =
    bodies.every((body) => body === null) && html`<p>Every trial succeeded: there is none to show.</p>`;
  return html`<section><h2 id="episodes">Failed trials, step by step</h2>
${nothing}${bodies}</section>`;
}

function runMarkup(run: ReportRun, chosen: ChosenEpisodes | undefined): Markup | null {
  if (!chosen || chosen.episodes.length + chosen.leftOut.length === 0) return null;
  return html`<div class="of-run" data-run="${run.index}">${runHeading(run)}
${chosen.episodes.map(({ markup }) => markup)}${leftOut(run, chosen.leftOut)}</div>`;
}

function leftOut(run: ReportRun, trials: readonly ReportRun['trials'][number][]): Markup | null {
  const [first] = trials;
  if (!first) return null;
  const names = trials.slice(0, NAMED).map(({ scenario, trial }) => `${scenario} ${trial}`);
  const more = trials.length - names.length;
  return html`<details class="left-out"><summary>Left out to keep this page small:
${countText(trials.length, 'failed trial')}</summary>
<div class="inside"><p>${names.join(', ')}${more > 0 && `, and ${more} more`}.</p>
<p>All of them: <code>${failedCommand(run)}</code><br>
One step by step: <code>${showCommand(run, first)}</code></p></div></details>`;
}
