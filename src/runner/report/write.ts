import { writeWhole } from '../../store/run-folder.ts';
import { episodesSection, failuresSection, gridSection } from './episodes-section.ts';
import { figuresSection, successPlot } from './figures-section.ts';
import { html, Markup } from './markup.ts';
import { type ReportRun, readRun } from './read-run.ts';
import { STYLE } from './style.ts';

/**
 * Writes one self-contained page about one or more runs: it opens from disk, with nothing beside it.
 * @returns the file's path
 * @throws UsageError when a folder holds no finished run
 */
export function writeReport(directories: readonly string[], file: string): string {
  writeWhole(file, reportPage(directories.map(readRun)));
  return file;
}

/** The page as text. A failed trial's fold opens when a link leads to it. */
export function reportPage(runs: readonly ReportRun[]): string {
  const [first] = runs;
  const bank = first ? `${first.config.bank.name} ${first.config.bank.version}` : '';
  const names = runs.map(({ name }) => name).join(', ');
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${names} on ${bank}: Groundhog report</title><style>${new Markup(STYLE)}</style></head><body>
<header><h1>${names} on ${bank}</h1>
<p class="soft">${first?.config.scenarios.length ?? 0} scenarios, ${first?.config.k ?? 0} trials each, seed
${first?.config.seed}; bank <code>${first?.config.bank.hash.slice(0, 12)}</code>, engine
<code>${first?.config.behaviour.engine.slice(0, 12)}</code>.</p></header>
<main>${successPlot(runs)}${figuresSection(runs)}${failuresSection(runs)}${gridSection(runs)}${episodesSection(runs)}</main>
<footer>Made by Groundhog. Scores compare agents only where bank and behaviour are the same.</footer>
<script>${new Markup(OPEN_TARGET)}</script></body></html>
`.text;
}

const OPEN_TARGET = `
const open = () => { const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) { target.open = true; target.scrollIntoView(); } };
addEventListener('hashchange', open); open();`;
