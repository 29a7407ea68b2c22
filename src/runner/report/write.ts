import { digestText } from '../../base/digest.ts';
import { writeWhole } from '../../store/run-folder.ts';
import type { Blamer } from './blamer.ts';
import { type ChosenEpisodes, chooseEpisodes } from './choose-episodes.ts';
import { clustersSection } from './clusters-section.ts';
import { definitionsSection } from './definitions-section.ts';
import { differenceSection } from './difference-section.ts';
import { episodesSection } from './episodes-section.ts';
import { failuresSection } from './failures-section.ts';
import { faultsSection } from './faults-section.ts';
import { countText } from './figure-text.ts';
import { figuresSection } from './figures-section.ts';
import { flakesSection } from './flakes-section.ts';
import { gateSection } from './gate-section.ts';
import { gridSection } from './grid-section.ts';
import { html, Markup } from './markup.ts';
import { passingSection } from './passing-section.ts';
import { type ReportRun, readRuns } from './read-run.ts';
import { banksOf, differencesBanner, runsSection, scenariosText } from './runs-section.ts';
import { SCRIPT } from './script.ts';
import { sealedBanner } from './sealed-banner.ts';
import { STYLE } from './style.ts';
import { successSection } from './success-section.ts';
import { voidsSection } from './voids-section.ts';

/** What episodes may fill of the page, so that it opens at once and can be sent by mail. */
const EPISODE_CHARACTERS = 1_500_000;

/**
 * Writes one self-contained page about one or more runs: it opens from disk, with nothing beside it.
 * @param options.blamers blame failed trials, a blamer a run
 * @returns the file's path
 * @throws UsageError when a folder holds no finished run
 */
export function writeReport(
  directories: readonly string[],
  file: string,
  options: { readonly blamers?: readonly Blamer[] } = {},
): string {
  writeWhole(file, reportPage(readRuns(directories, options.blamers)));
  return file;
}

/** The page as text. */
export function reportPage(runs: readonly ReportRun[]): string {
  const chosen = chooseForAll(runs);
  const title = titleOf(runs);
  const parts = partsOf(runs, chosen);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<title>${title}: Groundhog report</title><style>${new Markup(STYLE)}</style></head><body>
${head(runs, title, parts)}
<main>${parts.map(
    ({ markup }) => html`${markup}
`,
  )}<div id="tip" role="tooltip" hidden></div></main>
<footer><p>Made by Groundhog. Scores compare agents only where bank and behaviour are the same.
<code>docs/scoring.md</code> has the formulas.</p></footer>
<script>${new Markup(SCRIPT)}</script></body></html>
`.text;
}

/** Runs with few failures choose first; what they leave free goes to the others. */
function chooseForAll(runs: readonly ReportRun[]): ChosenEpisodes[] {
  const failures = ({ trials }: ReportRun): number => trials.filter(({ score }) => !score.success).length;
  const chosen: ChosenEpisodes[] = [];
  let room = EPISODE_CHARACTERS;
  for (const [done, run] of [...runs].sort((one, other) => failures(one) - failures(other)).entries()) {
    const choice = chooseEpisodes(run, room / (runs.length - done));
    room -= choice.episodes.reduce((sum, { markup }) => sum + markup.text.length, 0);
    chosen[run.index] = choice;
  }
  return chosen;
}

/** Nothing is fetched, and no script runs but ours, whatever an agent wrote. */
function policy(): string {
  const hash = Buffer.from(digestText(SCRIPT), 'hex').toString('base64');
  const nothing = "default-src 'none'; base-uri 'none'; form-action 'none'";
  return `${nothing}; style-src 'unsafe-inline'; script-src 'sha256-${hash}'`;
}

function titleOf(runs: readonly ReportRun[]): string {
  const banks = banksOf(runs);
  // Several banks are no one world: the title counts them, and the banner says which they are.
  const on = banks.length === 1 ? banks[0] : `${banks.length} different banks`;
  return `${runs.map(({ name }) => name).join(', ')} on ${on}`;
}

/** A part of the page that its head leads to. */
interface Part {
  readonly id: string;
  readonly name: string;
  readonly markup: Markup | null;
}

function partsOf(runs: readonly ReportRun[], chosen: readonly ChosenEpisodes[]): Part[] {
  const part = (id: string, name: string, markup: Markup | null): Part => ({ id, name, markup });
  return [
    part('success', 'Success', successSection(runs)),
    part('gate', 'Gate', gateSection(runs)),
    part('difference', 'Difference', differenceSection(runs, chosen)),
    part('figures', 'Figures', figuresSection(runs)),
    part('faults', 'Under faults', faultsSection(runs)),
    part('voids', 'Void trials', voidsSection(runs, chosen)),
    part('passing', 'Every time?', passingSection(runs)),
    part('flakes', 'Flaky', flakesSection(runs)),
    part('failures', 'What broke', failuresSection(runs, chosen)),
    part('clusters', 'Clusters', clustersSection(runs)),
    part('grid', 'Every trial', gridSection(runs, chosen)),
    part('episodes', 'Step by step', episodesSection(runs, chosen)),
    part('runs', 'What was run', runsSection(runs)),
    part('definitions', 'Definitions', definitionsSection()),
  ];
}

function head(runs: readonly ReportRun[], title: string, parts: readonly Part[]): Markup {
  const clusters = new Set(
    runs.flatMap(({ config }) => config.scenarios.flatMap(({ cluster }) => cluster ?? [])),
  );
  const ks = [...new Set(runs.map(({ config }) => config.k))].join(' or ');
  const seeds = [...new Set(runs.map(({ config }) => config.seed))];
  const inClusters = clusters.size > 0 ? ` in ${countText(clusters.size, 'cluster')}` : '';
  return html`<header><h1>${title}</h1>
<p class="soft">${scenariosText(runs.map(({ config }) => config))}${inClusters},
${ks} ${ks === '1' ? 'trial' : 'trials'} each,
${seeds.length === 1 ? 'seed' : 'seeds'} <code>${seeds.join(', ')}</code>.</p>
<nav aria-label="Parts of this report"><ul>${parts
    .filter(({ markup }) => markup !== null)
    .map(
      ({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`,
    )}</ul></nav>${differencesBanner(runs)}${sealedBanner(runs)}</header>`;
}
