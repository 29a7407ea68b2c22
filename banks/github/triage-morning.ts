import { BEACON, ISSUES, read, write } from './beacon.ts';

/** The first twelve reports, and the last, are each of their own; those between come in turns of four. */
const FIRST = [
  ['bug'],
  ['bug', 'priority: high'],
  ['question'],
  ['enhancement'],
  ['documentation'],
  ['bug'],
  ['bug', 'priority: high'],
  ['question'],
  ['enhancement'],
  ['documentation'],
  ['bug'],
  ['bug'],
];
const TURN = [['bug'], ['enhancement'], ['question'], ['documentation']];
const LAST = 33;

function labelsOf(issue: number): string[] {
  if (issue === LAST) return ['bug'];
  return FIRST[issue - 1] ?? TURN[(issue - FIRST.length - 1) % TURN.length] ?? [];
}

/** The reference of the scenario `triage-morning`. */
export function reference() {
  return {
    calls: [
      { tool: 'get_file_contents', arguments: { ...BEACON, path: 'CONTRIBUTING.md' } },
      ...ISSUES.flatMap((issue) => [read(issue), write(issue, { labels: labelsOf(issue) })]),
    ],
    answer: '12 bugs, 7 enhancements, 7 questions, 7 pieces of documentation.',
  };
}
