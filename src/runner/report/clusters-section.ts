import { countBar, countText } from './figure-text.ts';
import { html, type Markup } from './markup.ts';
import { matrix } from './matrix.ts';
import type { ReportRun } from './read-run.ts';

/** Scenarios of all runs by cluster; one group without a name where the runs do not say their clusters. */
export function scenariosByCluster(runs: readonly ReportRun[]): Map<string, string[]> {
  const clusters = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const { id, cluster = '' } of runs.flatMap(({ config }) => config.scenarios)) {
    if (seen.has(id)) continue;
    seen.add(id);
    clusters.set(cluster, [...(clusters.get(cluster) ?? []), id]);
  }
  return new Map([...clusters].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Successes among the trials of these scenarios, voids left out. */
export function successCount(
  run: ReportRun,
  scenarios: readonly string[],
): { readonly passed: number; readonly of: number } {
  const wanted = new Set(scenarios);
  const scored = run.trials.filter(({ scenario, score }) => wanted.has(scenario) && score.void === null);
  return { passed: scored.filter(({ score }) => score.success).length, of: scored.length };
}

/** Success by cluster as bars, the hardest cluster first. */
export function clustersSection(runs: readonly ReportRun[]): Markup | null {
  const clusters = [...scenariosByCluster(runs)].filter(([name]) => name !== '');
  if (clusters.length === 0) return null;
  const counted = clusters.map(([name, scenarios]) => {
    const counts = runs.map((run) => successCount(run, scenarios));
    const share = counts.reduce((sum, { passed, of }) => sum + (of === 0 ? 0 : passed / of), 0);
    return { name, scenarios, counts, share };
  });
  const rows = counted
    .sort((one, other) => one.share - other.share)
    .map(({ name, scenarios, counts }) => ({
      head: html`${name}<span class="low">${countText(scenarios.length, 'scenario')}</span>`,
      cells: counts.map(({ passed, of }) => countBar(passed, of, 'pass')),
    }));
  return html`<section><h2 id="clusters">Success by cluster</h2>
<p class="soft">Trials that succeeded, the hardest cluster first. A
cluster holds scenarios that are alike.</p>
${matrix({ labelledBy: 'clusters', corner: 'cluster', runs, groups: [{ head: null, rows }], kind: 'bars' })}
</section>`;
}
