import type { FaultCost, Resilience, ResilienceRow } from '../../scoring/index.ts';
import { armResilience } from '../resilience/index.ts';
import { term } from './definitions-section.ts';
import { countText, intervalText, percentText, rateCell, undefinedCell } from './figure-text.ts';
import { html, type Markup } from './markup.ts';
import { runHeading } from './matrix.ts';
import type { ReportRun } from './read-run.ts';

/** How each run got over faults; nothing where no trial met any. */
export function faultsSection(runs: readonly ReportRun[]): Markup | null {
  const struck = runs.flatMap((run) => {
    const resilience = armResilience(run.arm);
    const { hits, plans } = resilience;
    return hits === 0 && plans.plans.length === 0 ? [] : [{ run, resilience }];
  });
  if (struck.length === 0) return null;
  return html`<section><h2 id="faults">Under faults</h2>
${struck.map(
  ({ run, resilience }) => html`<div>${runHeading(run)}
${plansMarkup(resilience)}${tableMarkup(run, resilience)}${costMarkup(resilience)}</div>`,
)}
<p class="soft">Each figure counts hits: a rule that goes on striking the same call is one. Below each
figure is its ${term('interval')}, clustered by scenario cluster, or why there is none.</p></section>`;
}

function plansMarkup({ plans: { plans, hit, notHit } }: Resilience): Markup {
  if (plans.length === 0) {
    return html`<p>No trial was under a fault plan: what struck is of the scenarios themselves.</p>`;
  }
  const untouched = plans.filter((plan) => plan.notHit > 0);
  return html`<p>${countText(hit + notHit, 'trial')} under ${countText(plans.length, 'fault plan')}:
${hit} hit, ${notHit} ${term('notHit')}.</p>
${
  untouched.length > 0 &&
  html`<p class="soft">Not hit: ${untouched
    .map(({ id, notHit: count, trials }) => `${id} ${count} of ${trials}`)
    .join(', ')}.</p>`
}`;
}

function tableMarkup(run: ReportRun, { table, total }: Resilience): Markup | null {
  if (table.length === 0) return null;
  const rows = table.length > 1 ? [...table, total] : table;
  const label = `faults-${run.index}`;
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="${label}">
<table class="faults" aria-labelledby="${label}"><caption
id="${label}">${run.name}, by fault and tool</caption>
<thead><tr><th scope="col">fault</th><th scope="col">tool</th><th scope="col">hits</th>
<th scope="col">${term('recovered')}</th><th scope="col">solved</th>
<th scope="col">${term('duplicates')}</th><th scope="col">${term('wasted')}</th>
<th scope="col">${term('backOff')}</th><th scope="col">${term('honest')}</th></tr></thead>
<tbody>${rows.map(rowMarkup)}</tbody></table></div>`;
}

function rowMarkup(row: ResilienceRow): Markup {
  const { duplicates } = row;
  const twice =
    duplicates === null
      ? undefinedCell('no write took effect unseen')
      : html`<span class="value">${duplicates.effects}</span><span class="low">after ${duplicates.of} unseen
writes</span>`;
  return html`<tr><th scope="row">${row.kind ?? 'all'}</th><td>${row.tool ?? ''}</td><td>${row.hits}</td>
<td>${rateCell(row.recovered)}</td><td>${rateCell(row.succeeded)}</td><td>${twice}</td><td>${row.wasted}</td>
<td>${rateCell(row.backOff)}</td><td>${rateCell(row.honest)}</td></tr>
`;
}

function costMarkup({ cost, costWhenHit }: Resilience): Markup | null {
  const lines = [
    { name: 'under faults', one: cost },
    { name: 'when hit', one: costWhenHit },
  ].filter(({ one }) => one.scenarios > 0);
  if (lines.length === 0) return null;
  return html`${lines.map(({ name, one }) => costLine(name, one))}`;
}

function costLine(name: string, { scenarios, baseline, faults, difference }: FaultCost): Markup {
  const points = (value: number): string => (value * 100).toFixed(1);
  const without = baseline.value === null ? baseline.reason : percentText(baseline.value);
  const change =
    difference.value === null
      ? difference.reason
      : `a paired difference of ${points(difference.value)} points (${intervalText(difference, points)})`;
  const under = faults.value === null ? faults.reason : percentText(faults.value);
  return html`<p>Success ${name}: ${under}; the same ${countText(scenarios, 'scenario')} without: ${without};
${change}.</p>`;
}
