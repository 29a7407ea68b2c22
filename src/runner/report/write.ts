import { digestText } from '../../base/digest.ts';
import { writeWhole } from '../../store/run-folder.ts';
import { type ChosenEpisodes, chooseEpisodes } from './choose-episodes.ts';
import { clustersSection } from './clusters-section.ts';
import { episodesSection } from './episodes-section.ts';
import { failuresSection } from './failures-section.ts';
import { countText } from './figure-text.ts';
import { figuresSection } from './figures-section.ts';
import { gridSection } from './grid-section.ts';
import { html, Markup } from './markup.ts';
import { passingSection } from './passing-section.ts';
import { type ReportRun, readRuns } from './read-run.ts';
import { banksOf, differencesBanner, runsSection } from './runs-section.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';
import { successSection } from './success-section.ts';
import { voidsSection } from './voids-section.ts';

/** What episodes may fill of the page, so that it opens at once and can be sent by mail. */
const EPISODE_CHARACTERS = 1_500_000;

/**
 * Writes one self-contained page about one or more runs: it opens from disk, with nothing beside it.
 * @returns the file's path
 * @throws UsageError when a folder holds no finished run
 */
export function writeReport(directories: readonly string[], file: string): string {
  writeWhole(file, reportPage(readRuns(directories)));
  return file;
}

/** The page as text. */
export function reportPage(runs: readonly ReportRun[]): string {
  const chosen = chooseForAll(runs);
  const title = titleOf(runs);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<title>${title}: Groundhog report</title><style>${new Markup(STYLE)}</style></head><body>
${head(runs, title)}
<main>${body(runs, chosen)}</main>
<footer><p>Made by Groundhog. Scores compare agents only where bank and behaviour are the same.
<code>docs/scoring.md</code> says what every figure counts.</p></footer>
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

const PARTS = [
  ['success', 'Success'],
  ['figures', 'Figures'],
  ['passing', 'pass^k'],
  ['failures', 'What broke'],
  ['clusters', 'Clusters'],
  ['grid', 'Every trial'],
  ['episodes', 'Step by step'],
] as const;

function head(runs: readonly ReportRun[], title: string): Markup {
  const scenarios = new Set(runs.flatMap(({ config }) => config.scenarios.map(({ id }) => id)));
  const clusters = new Set(
    runs.flatMap(({ config }) => config.scenarios.flatMap(({ cluster }) => cluster ?? [])),
  );
  const ks = [...new Set(runs.map(({ config }) => config.k))].join(' or ');
  const seeds = [...new Set(runs.map(({ config }) => config.seed))];
  const inClusters = clusters.size > 0 ? ` in ${clusters.size} clusters` : '';
  return html`<header><h1>${title}</h1>
<p class="soft">${countText(scenarios.size, 'scenario')}${inClusters},
${ks} ${ks === '1' ? 'trial' : 'trials'} each,
${seeds.length === 1 ? 'seed' : 'seeds'} <code>${seeds.join(', ')}</code>.</p>
<nav aria-label="Parts of this report"><ul>${PARTS.filter(
    ([id]) => id !== 'clusters' || clusters.size > 0,
  ).map(
    ([id, name]) => html`<li><a href="#${id}">${name}</a></li>`,
  )}</ul></nav>${differencesBanner(runs)}</header>`;
}

function body(runs: readonly ReportRun[], chosen: readonly ChosenEpisodes[]): Markup {
  return html`${successSection(runs)}
${figuresSection(runs)}
${voidsSection(runs, chosen)}
${passingSection(runs)}
${failuresSection(runs, chosen)}
${clustersSection(runs)}
${gridSection(runs, chosen)}
${episodesSection(runs, chosen)}
${runsSection(runs)}`;
}
