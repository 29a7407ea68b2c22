import { UsageError } from '../../base/errors.ts';
import type { Comparison, Passed, ScenarioPair } from '../../scoring/index.ts';
import {
  compareReadArms,
  detectableWords,
  type FlippedScenario,
  pairedWords,
  type RunComparison,
  testWords,
  verdictWords,
} from '../compare/index.ts';
import { type AnchoredTrials, anchorOfFailed } from './choose-episodes.ts';
import { term } from './definitions-section.ts';
import { differenceAxis, differenceTrack, pointsText, signed } from './difference-track.ts';
import { countText, intervalText } from './figure-text.ts';
import { html, type Markup } from './markup.ts';
import { marker, runHeading, seriesOf } from './matrix.ts';
import type { ReportRun } from './read-run.ts';

/** Scenarios shown at once, and with the rest unfolded. */
const OPEN = 12;
const MOST = 120;

/** Flipped scenarios whose trials are read, to say where they parted. */
const EVIDENCE = 12;

interface Difference {
  readonly run: ReportRun;
  readonly found: RunComparison | { readonly refused: string };
}

/** Every later run against the first, scenario by scenario; nothing where there is one run. */
export function differenceSection(
  runs: readonly ReportRun[],
  chosen: readonly AnchoredTrials[],
): Markup | null {
  const [first, ...later] = runs;
  if (!first || later.length === 0) return null;
  const differences = later.map((run): Difference => ({ run, found: compared(first, run) }));
  const reach = reachOf(differences);
  const rows = differences.flatMap(({ run, found }) =>
    'refused' in found ? [] : [plotRow(run, found.comparison, reach)],
  );
  return html`<section><h2 id="difference">Difference from ${first.name}</h2>
<p class="soft">The ${term('difference')} from ${first.name}, paired: what makes a scenario easy or hard
cancels. Right of the middle is better.</p>
${
  rows.length > 0 &&
  html`<ul class="plot differences">${rows}${differenceAxis(reach)}</ul>
<p class="soft">Point: difference. Line: its ${term('interval')}. Hatched: what is too small to be shown by so
many scenarios and trials.</p>`
}
${differences.map((one) => runMarkup(one, first, chosen))}</section>`;
}

function compared(first: ReportRun, run: ReportRun): Difference['found'] {
  try {
    return compareReadArms([first.arm, run.arm], { evidence: EVIDENCE });
  } catch (error) {
    if (error instanceof UsageError) return { refused: error.message };
    throw error;
  }
}

const REACHES = [0.05, 0.1, 0.25, 0.5, 1];

/** How far the common axis goes to both sides: as far as anything on it, and no further. */
function reachOf(differences: readonly Difference[]): number {
  const ends = differences.flatMap(({ found }) => {
    if ('refused' in found || found.comparison.delta.value === null) return [];
    const { delta, mde } = found.comparison;
    return [delta.value, delta.low ?? 0, delta.high ?? 0, mde ?? 0].map(Math.abs);
  });
  const most = Math.max(0, ...ends);
  return REACHES.find((reach) => reach >= most) ?? 1;
}

function plotRow(run: ReportRun, { delta, mde }: Comparison, reach: number): Markup {
  const name = html`<span class="name ${seriesOf(run)}">${marker(run.index)}${run.name}</span>`;
  if (delta.value === null) {
    return html`<li>${name}<span class="track" aria-hidden="true"></span><span><strong>undefined</strong>
<span class="low">${delta.reason}</span></span></li>`;
  }
  return html`<li class="${seriesOf(run)}">${name}${differenceTrack(delta, { reach, mde })}
<span><strong>${signed(delta.value)}</strong>
<span class="low">${intervalText(delta, signed)}</span>
<span class="low">points</span></span></li>`;
}

function runMarkup({ run, found }: Difference, first: ReportRun, chosen: readonly AnchoredTrials[]): Markup {
  const heading = runHeading(run, ` − ${first.name}`);
  if ('refused' in found) {
    return html`${heading}<p class="refused"><strong>Not compared:</strong> ${found.refused}. A difference
would be the world’s as well as the agent’s; <code>groundhog compare ${first.directory} ${run.directory}
--intersect</code> compares what is the same.</p>`;
  }
  const { comparison } = found;
  return html`${heading}
<p><strong class="verdict ${comparison.verdict}">${verdictWords(comparison)}</strong>:
${comparison.reason}.</p>
<dl><dt>${term('test')}</dt><dd>${testWords(comparison)}</dd>
<dt>${term('detectable')}</dt><dd>${detectableWords(comparison)}</dd>
<dt>pairs</dt><dd>${pairedWords(comparison)}${voidWords(comparison)}</dd></dl>
${scenariosMarkup(found, [first, run], chosen)}`;
}

function voidWords({ voids, deltaIfVoid: { worst, best } }: Comparison): string | null {
  if (voids.first.count + voids.second.count === 0 || worst === null || best === null) return null;
  return ` With all void trials decided against and for the second run: ${pointsText(worst)} to ${pointsText(best)}.`;
}

const changeOf = ({ first, second }: ScenarioPair): number =>
  second.passed / second.of - first.passed / first.of;

/** Scenarios whose rate differs, the losses first; alike ones are only counted. */
function scenariosMarkup(
  { comparison: { scenarios, unpaired }, flipped }: RunComparison,
  runs: readonly [ReportRun, ReportRun],
  chosen: readonly AnchoredTrials[],
): Markup {
  const changed = scenarios
    .map((pair) => ({ pair, change: changeOf(pair) }))
    .filter(({ change }) => change !== 0)
    .sort((one, other) => one.change - other.change);
  const flips = new Map(flipped.map((flip) => [flip.scenario, flip]));
  const rows = changed.map(({ pair, change }) =>
    scenarioRow({ pair, change, flip: flips.get(pair.scenario), runs, chosen }),
  );
  const more = rows.length - MOST;
  const rest = rows.slice(OPEN, MOST);
  const nothing = unpaired.length > 0 && `; ${unpaired.length} void throughout in one of the runs`;
  return html`<p class="soft">${rows.length} of ${countText(scenarios.length, 'scenario')} came out otherwise,
${flipped.length} ${term('flipped')}${nothing}.</p>
<ul class="changes-by-scenario">${rows.slice(0, OPEN)}</ul>
${
  rest.length > 0 &&
  html`<details><summary>${countText(rest.length, 'more scenario')}</summary>
<ul class="changes-by-scenario">${rest}</ul>${more > 0 && html`<p class="soft">and ${more} more</p>`}</details>`
}`;
}

function scenarioRow(options: {
  readonly pair: ScenarioPair;
  readonly change: number;
  readonly flip: FlippedScenario | undefined;
  readonly runs: readonly [ReportRun, ReportRun];
  readonly chosen: readonly AnchoredTrials[];
}): Markup {
  const { pair, change, flip, runs, chosen } = options;
  const [from, to] = runs.map((run, side) => {
    const passed = side === 0 ? pair.first : pair.second;
    return passedLink(passed, anchorOfFailed(run, pair.scenario, chosen[run.index]), run.name);
  });
  return html`<li><span class="scenario">${pair.scenario}${
    flip && html` <span class="tag flip"><span aria-hidden="true">⇄ </span>flipped</span>`
  }</span>
${differenceTrack({ value: change, low: null, high: null }, { reach: 1, mde: null, bar: true })}
<span class="count">${pointsText(change)}</span> <span class="count">${from} → ${to}</span>
${flip && partedMarkup(flip)}</li>
`;
}

function passedLink({ passed, of }: Passed, anchor: string | null, name: string): Markup {
  const text = `${passed} of ${of}`;
  if (anchor === null) return html`${text}`;
  return html`<a href="#${anchor}" aria-label="${text}: a failed trial of ${name}">${text}</a>`;
}

/** Where a pair of trials of a flipped scenario first did something else. */
function partedMarkup({ firstDivergence, trials, worldDiff }: FlippedScenario): Markup | null {
  if (firstDivergence === null || trials === null) return null;
  const { step, field } = firstDivergence;
  const where = step < 0 ? 'the start' : `step ${step}`;
  const rows =
    worldDiff.length > 0 &&
    `; ${countText(worldDiff.length, 'row')} differ${worldDiff.length === 1 ? 's' : ''} in the end`;
  return html`<span class="low parted">parted at ${where} in ${field}${rows}</span>`;
}
