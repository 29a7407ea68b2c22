import type { FailureSummary, InvariantSummary } from '../../scoring/index.ts';
import { firstFailuresByCheck } from '../first-failures.ts';
import { anchorOfStep, type ChosenEpisodes } from './choose-episodes.ts';
import { countBar } from './figure-text.ts';
import { html, type Markup } from './markup.ts';
import { matrix, runHeading } from './matrix.ts';
import { trialKey } from './outcome.ts';
import type { ReportRun } from './read-run.ts';

const SCENARIOS_NAMED = 6;

/** What broke first and where: the failed checks of a run by how many trials they ended. */
export function failuresSection(runs: readonly ReportRun[], chosen: readonly ChosenEpisodes[]): Markup {
  return html`<section><h2 id="failures">What broke first, and where</h2>
<p class="soft">Every failed trial counts once, under the check that broke first.</p>
${runs.map((run, index) => runMarkup(run, chosen[index]))}${rulesMarkup(runs)}</section>`;
}

function runMarkup(run: ReportRun, chosen: ChosenEpisodes | undefined): Markup {
  const heading = runHeading(run);
  const groups = firstFailuresByCheck(run.summary.failures);
  const total = groups.reduce((sum, { failures }) => sum + failures.length, 0);
  if (total === 0) return html`${heading}<p>Nothing broke.</p>`;
  return html`${heading}<ol class="firsts">${groups.map(
    ({ check, failures }) => html`<li><span class="share">${countBar(failures.length, total, 'fail')}</span>
<div><span class="tag">${check}</span> ${example(failures[0], chosen)}${places(failures, chosen)}</div></li>`,
  )}</ol>`;
}

function example(failure: FailureSummary | undefined, chosen: ChosenEpisodes | undefined): Markup | null {
  if (!failure) return null;
  const name = `${failure.scenario} trial ${failure.trial}`;
  return html`<span class="words">${failure.message}</span>
<span class="low">${trialLink(failure, name, chosen)}, ${placeOf(failure, chosen)}</span>`;
}

/** The step that broke the check, as a link to it with its changed rows. */
function placeOf(failure: FailureSummary, chosen: ChosenEpisodes | undefined): Markup {
  if (failure.step === null) return html`in the end`;
  const anchor = chosen ? anchorOfStep(chosen, failure, failure.step) : null;
  const text = `step ${failure.step}`;
  return anchor === null ? html`${text}` : html`<a href="#${anchor}">${text}</a>`;
}

/** Scenarios besides the first, with how often. */
function places(failures: readonly FailureSummary[], chosen: ChosenEpisodes | undefined): Markup | null {
  const scenarios = [...Map.groupBy(failures, ({ scenario }) => scenario).values()].sort(
    (one, other) => other.length - one.length,
  );
  if (scenarios.length < 2) return null;
  const named = scenarios
    .slice(0, SCENARIOS_NAMED)
    .flatMap(([first, ...rest], index) =>
      first
        ? [
            html`${index > 0 && ', '}${trialLink(first, first.scenario, chosen)}${
              rest.length > 0 && ` ×${rest.length + 1}`
            }`,
          ]
        : [],
    );
  const more = scenarios.length - SCENARIOS_NAMED;
  const rest = more > 0 && ` and ${more} more`;
  return html`<span class="low">in ${scenarios.length} scenarios: ${named}${rest}</span>`;
}

function trialLink(failure: FailureSummary, text: string, chosen: ChosenEpisodes | undefined): Markup {
  const anchor = chosen?.anchors.get(trialKey(failure));
  return anchor === undefined ? html`${text}` : html`<a href="#${anchor}">${text}</a>`;
}

/** Invariants that any run broke, at any time of a trial. */
function rulesMarkup(runs: readonly ReportRun[]): Markup | null {
  const ids = new Map<string, InvariantSummary>();
  const all = new Set<string>();
  for (const rule of runs.flatMap(({ summary }) => summary.invariants)) {
    all.add(ruleKey(rule));
    if (rule.broken > 0) ids.set(ruleKey(rule), rule);
  }
  if (all.size === 0) return null;
  const held = all.size - ids.size;
  const rest = html`<p class="soft">${held} of ${all.size} rules held in every trial.</p>`;
  const heading = html`<h3 id="rules">Invariants broken, first or later</h3>`;
  if (ids.size === 0) return html`${heading}${rest}`;
  const timesBroken = (key: string): number =>
    runs
      .flatMap(({ summary }) => summary.invariants.filter((rule) => ruleKey(rule) === key))
      .reduce((sum, { broken }) => sum + broken, 0);
  const worstFirst = [...ids].sort(([one], [other]) => timesBroken(other) - timesBroken(one));
  const rows = worstFirst.map(([key, { id, kind }]) => ({
    head: html`${id}<span class="low">${kind}</span>`,
    cells: runs.map(({ summary }) => {
      const rule = summary.invariants.find((one) => ruleKey(one) === key);
      return rule ? countBar(rule.broken, rule.of, 'fail') : html`<span class="soft">not in this run</span>`;
    }),
  }));
  return html`${heading}${rest}
${matrix({ labelledBy: 'rules', corner: 'rule', runs, groups: [{ head: null, rows }], kind: 'bars' })}`;
}

function ruleKey({ id, kind }: InvariantSummary): string {
  return `${kind} ${id}`;
}
