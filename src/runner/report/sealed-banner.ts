import { countText } from './figure-text.ts';
import { html, type Markup } from './markup.ts';
import type { ReportRun } from './read-run.ts';

/**
 * Says so where a page is of sealed scenarios, with the canaries that tell where their texts went: tasks and
 * answers stand here in plain text.
 */
export function sealedBanner(runs: readonly Pick<ReportRun, 'config'>[]): Markup | null {
  const canaries = new Map<string, string>();
  for (const { id, canary } of runs.flatMap(({ config }) => config.scenarios)) {
    if (canary !== undefined) canaries.set(canary, id);
  }
  if (canaries.size === 0) return null;
  return html`<div class="banner" role="note"><strong>This page contains sealed scenarios.</strong> It must
not be published, nor get into training data: search for a canary to find where one went.
<details><summary>${countText(canaries.size, 'canary', 'canaries')}</summary><ul class="inside">${[
    ...canaries,
  ].map(([canary, id]) => html`<li>${id} <code>${canary}</code></li>`)}</ul></details></div>`;
}
