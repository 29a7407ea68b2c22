import { html, type Markup } from './markup.ts';
import { runHeading } from './matrix.ts';
import type { ReadGate } from './read-gate.ts';
import type { ReportRun } from './read-run.ts';

const SIGNS = { pass: '✓', fail: '✗', inconclusive: '?', infrastructure: '∅' } as const;

/** The verdicts of gates whose JSON lies beside the runs; nothing where there is none. */
export function gateSection(runs: readonly ReportRun[]): Markup | null {
  const gated = runs.flatMap((run) => (run.gate === null ? [] : [{ run, gate: run.gate }]));
  if (gated.length === 0) return null;
  return html`<section><h2 id="gate">Gate</h2>
${gated.map(({ run, gate }) =>
  'unreadable' in gate
    ? html`${runHeading(run)}<p class="soft">No verdict: <code>${gate.unreadable}</code>.</p>`
    : gateMarkup(run, gate),
)}</section>`;
}

function gateMarkup(run: ReportRun, { profile, verdict, baseline, checks }: ReadGate): Markup {
  const said = verdict === 'infrastructure' ? 'infrastructure, nothing was measured' : verdict;
  return html`${runHeading(run)}
<p><strong class="verdict ${verdict}"><span aria-hidden="true">${SIGNS[verdict]} </span>${said}</strong>
under <code>${profile}</code>${baseline && html`, against <code>${baseline}</code>`}</p>
<ul class="checks">${checks.map(
    (one) => html`<li><strong class="verdict ${one.verdict}"><span
aria-hidden="true">${SIGNS[one.verdict]} </span>${one.verdict}</strong>
<span><span class="tag">${one.check}</span> ${one.reason}</span></li>
`,
  )}</ul>`;
}
