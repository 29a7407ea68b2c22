import { existsSync } from 'node:fs';
import { UsageError } from '../../../base/errors.ts';
import type { Json } from '../../../base/json.ts';
import { type LabelAgreement, labelAgreement, readLabels } from '../../../runner/labels/index.ts';
import type { Command } from '../../command.ts';
import { counted } from '../../render/counted.ts';
import { layOut } from '../../render/table.ts';

export const command: Command = {
  summary: 'Say how far two labellers agree on the same failures.',
  args: [
    { name: 'first', description: 'a file of labels' },
    { name: 'second', description: "the other labeller's file" },
  ],
  options: [],
  examples: ['label agree first.jsonl second.jsonl', 'label agree first.jsonl second.jsonl --json'],
  keys: [
    'both',
    'onlyFirst',
    'onlySecond',
    'code {observed, kappa}',
    'place {value, numerator, denominator}',
    'differences [{scenario, trial, codes, places}]',
  ],
  exits: '0 compared · 2 misuse · 4 nothing that both labelled',
  run: ({ args, output }) => {
    const [first, second] = [args[0] ?? '', args[1] ?? ''].map((path) => {
      if (existsSync(path)) return readLabels(path);
      throw new UsageError('no-labels', `there is no ${path}`, {
        hint: 'labels are made with `groundhog label RUN`',
      });
    });
    const found = labelAgreement(first ?? [], second ?? []);
    for (const line of linesOf(found)) output.line(line);
    output.json(found as unknown as Json);
    return found.both === 0 ? 4 : 0;
  },
};

const MOST_DIFFERENCES = 20;

function linesOf({ both, onlyFirst, onlySecond, code, place, differences }: LabelAgreement): string[] {
  const kappa = code.kappa === null ? `— (${code.reason ?? 'undefined'})` : code.kappa.toFixed(3);
  const rows = [
    ['labelled by both', `${both}, ${onlyFirst} by the first alone, ${onlySecond} by the second alone`],
    ['same code', `${code.observed.numerator} of ${code.observed.denominator}`],
    ["Cohen's kappa", kappa],
    ['same first wrong place', `${place.numerator} of ${place.denominator} that both place`],
  ];
  const shown = differences
    .slice(0, MOST_DIFFERENCES)
    .map(({ scenario, trial, codes, places }) => [
      `  ${scenario}`,
      `trial ${trial}`,
      codes[0] === codes[1] ? codes[0] : `${codes[0]} / ${codes[1]}`,
      places[0] === places[1] ? places[0] : `${places[0] || '—'} / ${places[1] || '—'}`,
    ]);
  const more = differences.length - shown.length;
  return [
    ...layOut(rows),
    ...(shown.length > 0 ? ['', 'Not the same:', ...layOut(shown)] : []),
    ...(more > 0 ? [`… and ${counted(more, 'more difference')} (--json has all of them)`] : []),
  ];
}
