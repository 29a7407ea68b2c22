import type { Json } from '../../base/json.ts';
import type { TrialScore } from '../../scoring/index.ts';
import type { StoredTrial } from '../../store/run-folder.ts';
import type { MessageRecord, StepRecord, Trajectory } from '../../trajectory/index.ts';
import { describeFirstFailures, firstFailuresByCheck } from '../first-failures.ts';
import { html, type Markup } from './markup.ts';
import type { ReportRun } from './read-run.ts';

/** Every trial as a cell: scenarios down, runs and trials across. A failed cell leads to its episode. */
export function gridSection(runs: readonly ReportRun[]): Markup {
  const scenarios = [...new Set(runs.flatMap(({ config }) => config.scenarios.map(({ id }) => id)))];
  return html`<h2 id="grid">Every trial</h2>
<p class="soft">✓ succeeded, ✗ failed, ∅ void. A failed trial with a link is shown step by step below.</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="grid"><table class="grid">
<thead><tr><th scope="col">scenario</th>${runs.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${scenarios.map(
    (scenario) => html`<tr><th scope="row">${scenario}</th>
${runs.map((run) => html`<td>${cellsOf(run, scenario)}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

function cellsOf(run: ReportRun, scenario: string): Markup[] {
  return run.trials
    .filter((trial) => trial.scenario === scenario)
    .map((trial) => {
      const { kind, sign } = lookOf(trial.score);
      const label = `${scenario}, trial ${trial.trial}: ${kind}`;
      const shown = run.episodes.has(`${scenario}#${trial.trial}`);
      return shown
        ? html`<a class="cell ${kind}" href="#${anchorOf(run, trial)}" title="${label}" aria-label="${label}">${sign}</a> `
        : html`<span class="cell ${kind}" role="img" title="${label}" aria-label="${label}">${sign}</span> `;
    });
}

function lookOf(score: TrialScore): { readonly kind: 'pass' | 'fail' | 'void'; readonly sign: string } {
  if (score.void) return { kind: 'void', sign: '∅' };
  return score.success ? { kind: 'pass', sign: '✓' } : { kind: 'fail', sign: '✗' };
}

/** What broke first and where: the failed checks of a run by how many trials they ended. */
export function failuresSection(runs: readonly ReportRun[]): Markup {
  return html`<h2>What broke first, and where</h2>${runs.map((run) => {
    const groups = firstFailuresByCheck(run.summary.failures);
    if (groups.length === 0) return html`<h3>${run.name}</h3><p>Nothing broke.</p>`;
    return html`<h3>${run.name}</h3><ul>${groups.map((group) => html`<li>${describeFirstFailures(group)}</li>`)}</ul>`;
  })}`;
}

/** Failed trials step by step, folded. */
export function episodesSection(runs: readonly ReportRun[]): Markup {
  return html`<h2>Failed trials, step by step</h2>${runs.map((run) => {
    const shown = run.trials.filter((trial) => run.episodes.has(`${trial.scenario}#${trial.trial}`));
    if (shown.length === 0) return null;
    const more =
      run.episodesLeftOut > 0 && html`<p class="soft">${run.episodesLeftOut} more are in the run folder.</p>`;
    return html`<h3>${run.name}</h3>${shown.map((trial) => episode(run, trial))}${more}`;
  })}`;
}

function episode(run: ReportRun, trial: StoredTrial): Markup | null {
  const trajectory = run.episodes.get(`${trial.scenario}#${trial.trial}`);
  if (!trajectory) return null;
  const broke = brokenSteps(trial.score);
  const { firstFailure } = trial.score;
  return html`<details id="${anchorOf(run, trial)}"><summary><strong>${trial.scenario}</strong>, trial ${trial.trial}:
<span class="verdict-fail">${firstFailure?.message ?? 'failed'}</span></summary><div>
<p>${trajectory.header.task?.text}</p>
${timeline(trajectory, broke)}
<p><strong>${trajectory.end?.reason === 'answer' ? 'Answer' : `Ended: ${trajectory.end?.reason}`}</strong>
${trajectory.end?.answer ?? trajectory.end?.detail ?? ''}</p>
<p class="soft">Replay it: <code>groundhog replay ${run.directory}/trajectories/${trial.scenario}.${trial.trial}.traj.jsonl</code></p>
</div></details>`;
}

/** Steps that some check points at, with what it says. */
function brokenSteps(score: TrialScore): ReadonlyMap<number, readonly string[]> {
  const broken = new Map<number, string[]>();
  const failed = [...score.invariants, ...score.graders].filter(({ verdict }) => verdict === 'fail');
  for (const { witnesses } of failed) {
    for (const { steps, message } of witnesses) {
      for (const step of steps) broken.set(step, [...new Set([...(broken.get(step) ?? []), message])]);
    }
  }
  return broken;
}

const STEPS_SHOWN = 80;

function timeline(trajectory: Trajectory, broke: ReadonlyMap<number, readonly string[]>): Markup {
  const entries = [
    ...trajectory.messages.map((message) => ({ at: message.afterStep - 0.5, markup: messageEntry(message) })),
    ...trajectory.steps
      .slice(0, STEPS_SHOWN)
      .map((step) => ({ at: step.index, markup: stepEntry(step, broke.get(step.index) ?? []) })),
  ].sort((left, right) => left.at - right.at);
  const more = trajectory.steps.length - STEPS_SHOWN;
  return html`${entries.map(({ markup }) => markup)}${more > 0 && html`<p class="soft">${more} more steps.</p>`}`;
}

function messageEntry({ role, text }: MessageRecord): Markup {
  return html`<div class="step"><span class="number">${role}</span> ${text}</div>`;
}

function stepEntry(step: StepRecord, broke: readonly string[]): Markup {
  const verdict =
    step.outcome === 'ok' ? html`` : html` <span class="verdict-fail">${step.outcome} ${step.status}</span>`;
  return html`<div class="step ${broke.length > 0 && 'broke'}"><span class="number">${step.index}</span>
<strong>${step.tool}</strong> <code>${compact(step.malformed ?? step.input)}</code>${verdict}
${step.fault && html` <span class="verdict-void">fault: ${step.fault.label}</span>`}
${broke.map((message) => html`<div class="verdict-fail">↳ ${message}</div>`)}
<details><summary class="soft">answer${step.diff.length > 0 && `, ${step.diff.length} rows changed`}</summary><div>
<pre>${JSON.stringify(step.delivered?.body ?? step.response, null, 1)}</pre>
${step.diff.length > 0 && html`<pre>${step.diff.map((change) => `${compact(change as unknown as Json)}\n`).join('')}</pre>`}
</div></details></div>`;
}

function compact(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

function anchorOf(run: ReportRun, trial: StoredTrial): string {
  return `${run.name}-${trial.scenario}-${trial.trial}`.replace(/[^\w~-]/gu, '-');
}
