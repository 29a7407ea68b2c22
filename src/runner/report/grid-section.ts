import type { StoredTrial } from '../../store/run-folder.ts';
import type { ChosenEpisodes } from './choose-episodes.ts';
import { scenariosByCluster, successCount } from './clusters-section.ts';
import { html, type Markup } from './markup.ts';
import { type MatrixGroup, matrix } from './matrix.ts';
import { OUTCOME_SIGNS, OUTCOME_WORDS, outcomeOf, trialKey } from './outcome.ts';
import type { ReportRun } from './read-run.ts';

/** Every trial as a cell: scenarios down by cluster, runs and trials across. A failed cell is a link. */
export function gridSection(runs: readonly ReportRun[], chosen: readonly ChosenEpisodes[]): Markup {
  const groups = [...scenariosByCluster(runs)].map(([cluster, scenarios]): MatrixGroup => {
    const head = {
      head: cluster,
      cells: runs.map((run) => {
        const { passed, of } = successCount(run, scenarios);
        return html`<span class="soft">${run.name} ${passed} of ${of}</span>`;
      }),
    };
    const rows = scenarios.map((scenario) => ({
      head: scenario,
      text: `${scenario} ${cluster}`,
      cells: runs.map((run, index) => cellsOf(run, scenario, chosen[index])),
    }));
    return { head: cluster === '' ? null : head, rows };
  });
  return html`<section><h2 id="grid">Every trial</h2>
<p class="soft legend"><span><span class="cell pass" aria-hidden="true">✓</span> succeeded</span>
<span><span class="cell fail" aria-hidden="true">✗</span> failed</span>
<span><span class="cell void" aria-hidden="true">∅</span> void, says nothing about the agent</span>
<span>A failed cell leads to its steps, or to those of a trial that failed the same way. Arrow keys walk from
cell to cell, Enter opens one.</span></p>
${filterForm(runs)}
${matrix({ labelledBy: 'grid', corner: 'scenario', runs, groups, kind: 'grid' })}</section>`;
}

function cellsOf(run: ReportRun, scenario: string, chosen: ChosenEpisodes | undefined): Markup[] {
  const trials = run.trials.filter((trial) => trial.scenario === scenario);
  if (trials.length === 0) return [html`<span class="soft">not in this run</span>`];
  return trials.map((trial) => cell(trial, chosen?.anchors.get(trialKey(trial))));
}

function cell(trial: StoredTrial, anchor: string | undefined): Markup {
  const outcome = outcomeOf(trial.score);
  const label = `trial ${trial.trial} ${OUTCOME_WORDS[outcome]}`;
  const sign = OUTCOME_SIGNS[outcome];
  const title = `${trial.scenario}, ${label}${whyOf(trial)}`;
  return anchor === undefined
    ? html`<span class="cell ${outcome}" data-outcome="${outcome}" role="img" title="${title}"
aria-label="${trial.scenario}, ${label}">${sign}</span>`
    : html`<a class="cell ${outcome}" data-outcome="${outcome}" href="#${anchor}" title="${title}"
aria-label="${trial.scenario}, ${label}">${sign}</a>`;
}

function whyOf({ score }: StoredTrial): string {
  const why = score.void?.detail ?? (score.success ? undefined : score.firstFailure?.message);
  return why === undefined ? '' : `: ${why.length > 120 ? `${why.slice(0, 120)}…` : why}`;
}

/** Shown by the script that makes it work. */
function filterForm(runs: readonly ReportRun[]): Markup {
  return html`<form id="filter" class="filter" role="search" aria-label="Filter trials" hidden>
<label>Agent <select name="run"><option value="">all</option>${runs.map(
    ({ index, name }) => html`<option value="${index}">${name}</option>`,
  )}</select></label>
<label>Outcome <select name="outcome"><option value="">all</option><option value="fail">failed</option>
<option value="void">void</option><option value="pass">succeeded</option></select></label>
<label class="wide">Text <input type="search" name="text" placeholder="scenario, tool, message …"></label>
<button type="reset">Show all</button><output aria-live="polite"></output></form>`;
}
