import { basename } from 'node:path';
import type { Json } from '../../base/json.ts';
import {
  detectableWords,
  type FlippedScenario,
  pairedWords,
  type RunComparison,
  testWords,
  verdictWords,
} from '../../runner/compare/index.ts';
import type { FlakeReport, Passed } from '../../scoring/index.ts';
import { counted } from './counted.ts';
import { shown } from './divergence.ts';
import { Footnotes, percent } from './figures.ts';
import { layOut } from './table.ts';

/** How many flipped and flaky scenarios a terminal shows; the JSON has all of them. */
const MOST_SHOWN = 10;

/** A comparison for people: the figures, what flipped with where it parted, what could not be compared. */
export function comparisonLines({ arms, comparison, flipped, leftOut, flakes }: RunComparison): string[] {
  const notes = new Footnotes();
  const names = arms.map(({ config, directory }) => `${config.agent.name} (${basename(directory)})`);
  const rows = [
    [`first: ${names[0]}`, percent(comparison.first, notes)],
    [`second: ${names[1]}`, percent(comparison.second, notes)],
    ['second − first', `${percent(comparison.delta, notes)}`],
    ['test', testWords(comparison)],
    ['could have shown', detectableWords(comparison)],
  ];
  return [
    ...layOut(rows),
    pairedWords(comparison),
    ...notes.lines(),
    '',
    ...flippedLines(flipped),
    ...flakeLines(names, flakes),
    ...leftOut.slice(0, MOST_SHOWN).map(({ scenario, reason }) => `Left out: ${scenario} (${reason})`),
    ...more(leftOut.length),
    `Verdict: ${verdictWords(comparison)} (${comparison.reason})`,
  ];
}

const more = (count: number): string[] =>
  count > MOST_SHOWN ? [`… and ${count - MOST_SHOWN} more (--json has all of them)`] : [];

const share = ({ passed, of }: Passed): string => `${passed}/${of}`;

function flippedLines(flipped: readonly FlippedScenario[]): string[] {
  if (flipped.length === 0) return [];
  const lines = flipped.slice(0, MOST_SHOWN).flatMap((one) => {
    const head = `  ${one.scenario}: ${share(one.from)} → ${share(one.to)}`;
    const { firstDivergence: first, worldDiff } = one;
    if (first === null) return [head];
    const where = first.step < 0 ? 'the start' : `step ${first.step}`;
    const side = (value: Json): string =>
      value === null && first.field === 'tool' ? 'no further call' : shown(value);
    return [
      `${head}, ${trialsOf(one)}parted at ${where} in ${first.field}:`,
      `      first  ${side(first.expected)}`,
      `      second ${side(first.got)}`,
      ...(worldDiff.length === 0 ? [] : [`      ${counted(worldDiff.length, 'row')} not alike in the end`]),
    ];
  });
  return [`Flipped, ${counted(flipped.length, 'scenario')}:`, ...lines, ...more(flipped.length), ''];
}

/** Which trials are set side by side, for who wants to look at them. */
function trialsOf({ trials }: FlippedScenario): string {
  if (trials === null) return '';
  const { first, second } = trials;
  return first === second ? `trial ${first} ` : `trials ${first} and ${second} `;
}

function flakeLines(names: readonly string[], flakes: readonly FlakeReport[]): string[] {
  const lines = flakes.flatMap(({ flakes: found }, index) => {
    if (found.length === 0) return [];
    const some = found.slice(0, MOST_SHOWN).map((flake) => `${flake.scenario} ${share(flake)}`);
    return [`  ${names[index]}: ${some.join(', ')}${found.length > MOST_SHOWN ? ', …' : ''}`];
  });
  return lines.length === 0 ? [] : ['Neither always nor never solved:', ...lines, ''];
}
