import { countText } from './figure-text.ts';
import { html, type Markup } from './markup.ts';
import { runHeading } from './matrix.ts';
import type { ReportRun } from './read-run.ts';

/** What was run, so that a reader can run it again. */
export function runsSection(runs: readonly ReportRun[]): Markup {
  return html`<section><h2 id="runs">What was run</h2>
${runs.map(({ index, name, directory, config }) => {
  const { bank, behaviour, agent, seed, k } = config;
  return html`${runHeading({ index, name })}<dl>
<dt>agent</dt><dd>${agent.name} <code>${JSON.stringify(agent.config)}</code></dd>
<dt>bank</dt><dd>${bank.name} ${bank.version} <code>${bank.hash.slice(0, 12)}</code></dd>
<dt>behaviour</dt><dd>engine <code>${behaviour.engine.slice(0, 12)}</code>${Object.entries(
    behaviour.services,
  ).map(([service, digest]) => html`, ${service} <code>${digest.slice(0, 12)}</code>`)}</dd>
<dt>trials</dt><dd>${scenariosText([config])}, ${k} each, seed <code>${seed}</code></dd>
<dt>folder</dt><dd><code>${directory}</code></dd></dl>`;
})}</section>`;
}

/** How many scenarios, and under how many fault plans. */
export function scenariosText(configs: readonly ReportRun['config'][]): string {
  const scenarios = new Set(configs.flatMap((one) => one.scenarios.map(({ id, scenario = id }) => scenario)));
  const plans = new Set(configs.flatMap(({ faults }) => (faults?.plans ?? []).map(({ id }) => id)));
  const under = plans.size > 0 ? `, without and under ${countText(plans.size, 'fault plan')}` : '';
  return `${countText(scenarios.size, 'scenario')}${under}`;
}

/** The banks of the runs, each once and told apart: by hash only where name and version agree. */
export function banksOf(runs: readonly Pick<ReportRun, 'config'>[]): string[] {
  const banks = new Map(runs.map(({ config: { bank } }) => [`${bank.version} ${bank.hash}`, bank]));
  const named = [...banks.values()].map((bank) => ({ ...bank, label: `${bank.name} ${bank.version}` }));
  return named.map(({ label, hash }) => {
    const alike = named.filter((other) => other.label === label).length > 1;
    return alike ? `${label} (${hash.slice(0, 12)})` : label;
  });
}

/** Says so, before anything else, where the runs of a page are not of the same world. */
export function differencesBanner(runs: readonly Pick<ReportRun, 'config'>[]): Markup | null {
  const banks = banksOf(runs);
  const sides: readonly (readonly [string, (run: Pick<ReportRun, 'config'>) => string])[] = [
    ['bank', ({ config }) => `${config.bank.version} ${config.bank.hash}`],
    ['scenarios', ({ config }) => JSON.stringify(config.scenarios.map(({ id, hash }) => [id, hash]))],
    ['behaviour of engine or services', ({ config }) => JSON.stringify(config.behaviour)],
    ['mode', ({ config }) => config.mode],
  ];
  const different = sides.filter(([, of]) => new Set(runs.map(of)).size > 1).map(([name]) => name);
  if (different.length === 0) return null;
  const verdict =
    banks.length > 1
      ? html`<strong>These runs are of different banks: compare only what they share.</strong>
The banks are ${banks.join(' and ')}.`
      : html`<strong>These runs do not compare.</strong>`;
  return html`<p class="banner" role="note">${verdict} They differ in:
${different.join(', ')}. A score compares agents only where the world was the same.</p>`;
}
