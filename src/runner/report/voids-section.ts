import type { VoidReason } from '../../scoring/index.ts';
import type { ChosenEpisodes } from './choose-episodes.ts';
import { failedCommand } from './commands.ts';
import { percentText } from './figure-text.ts';
import { html, type Markup } from './markup.ts';
import { runHeading } from './matrix.ts';
import { trialKey } from './outcome.ts';
import type { ReportRun } from './read-run.ts';

const MEANINGS: Readonly<Record<VoidReason, string>> = {
  unmodelled: 'a call met a route that the real service has and the replica does not model',
  grader: 'a check could not run, or had nothing to check',
  infrastructure: 'the trial broke off, or never began, for a reason that is not the agent’s',
  sandbox: 'the sandbox around the agent broke',
  'user-simulator': 'the simulated user broke',
};

const NAMED = 20;

/** Trials that say nothing about the agent, with their reasons; nothing where there is none. */
export function voidsSection(runs: readonly ReportRun[], chosen: readonly ChosenEpisodes[]): Markup | null {
  if (runs.every(({ summary }) => summary.void.count === 0)) return null;
  return html`<section><h2 id="voids">Void trials</h2>
<p>A void trial says nothing about the agent, so it is in no rate, neither as success nor as failure.</p>
${runs.map((run, index) => runMarkup(run, chosen[index]))}</section>`;
}

function runMarkup(run: ReportRun, chosen: ChosenEpisodes | undefined): Markup | null {
  const { void: voids, successIfVoid, success } = run.summary;
  if (voids.count === 0) return null;
  const all = run.trials.flatMap(({ scenario, trial, score }) =>
    score.void ? [{ scenario, trial, ...score.void }] : [],
  );
  const { fail, pass } = successIfVoid;
  const range =
    fail.value !== null &&
    pass.value !== null &&
    html`<p>Success is ${success.value === null ? 'undefined' : percentText(success.value)} without them;
it would be ${percentText(fail.value)} if all of them had failed
and ${percentText(pass.value)} if all had succeeded.</p>`;
  const more = all.length - NAMED;
  return html`${runHeading(run, `: ${voids.count} of ${run.summary.trials}`)}${range}
<ul>${Object.entries(voids.byReason).map(
    ([reason, count]) =>
      html`<li><strong>${count} ${reason}</strong>: ${MEANINGS[reason as VoidReason]}.</li>`,
  )}</ul>
<details><summary>Which trials</summary><ul class="inside">${all.slice(0, NAMED).map((one) => {
    const anchor = chosen?.anchors.get(trialKey(one));
    const name = `${one.scenario} trial ${one.trial}`;
    const linked = anchor === undefined ? name : html`<a href="#${anchor}">${name}</a>`;
    return html`<li>${linked}: ${one.detail}</li>`;
  })}${more > 0 && html`<li>and ${more} more: <code>${failedCommand(run)}</code></li>`}</ul></details>`;
}
