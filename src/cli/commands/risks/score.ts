import { UsageError } from '../../../base/errors.ts';
import type { Json } from '../../../base/json.ts';
import { rootOf, scoreVerdicts } from '../../../runner/risks/index.ts';
import type { RiskScore } from '../../../scoring/index.ts';
import type { Command } from '../../command.ts';
import { textOption } from '../../options.ts';
import { Footnotes, percent } from '../../render/figures.ts';
import { layOut } from '../../render/table.ts';

export const command: Command = {
  summary: 'Score what a guard said of a set of risks: recall by risk, false alarms, the step it points at.',
  args: [{ name: 'dir', description: 'the set, as `risks` wrote it' }],
  options: [
    {
      name: 'verdicts',
      value: 'file',
      description:
        'JSONL, one {"id", "unsafe", "risk"?, "step"?} a line; records without one count as not flagged',
    },
  ],
  examples: ['risks score runs/risks --verdicts verdicts.jsonl'],
  keys: [
    'verdicts',
    'missing',
    'byRisk {name: {records, recall, named, located}}',
    'all {records, recall, named, located}',
    'falseAlarms',
    'discrimination',
  ],
  exits: '0 scored · 2 misuse',
  run: ({ args: [folder = ''], options, output }) => {
    const file = textOption(options, 'verdicts');
    if (file === undefined) {
      throw new UsageError('no-verdicts', 'say where the verdicts are', {
        hint: 'such as --verdicts said.jsonl',
      });
    }
    const score = scoreVerdicts(folder, file);
    const notes = new Footnotes();
    const rows = Object.entries(score.byRisk).map(([risk, one]) => rowOf(risk, one, notes));
    const head = ['risk', 'records', 'recall', 'risk named', 'step given', 'root'];
    for (const line of layOut([head, ...rows, rowOf('all', score.all, notes)])) output.line(line);
    output.line();
    output.line(`False alarms on benign records: ${percent(score.falseAlarms, notes)}.`);
    const told = percent(score.discrimination, notes);
    output.line(`Discrimination, flags on records minus flags on their twins: ${told}.`);
    if (score.missing > 0) output.line(`No verdict on ${score.missing} records: they count as not flagged.`);
    for (const line of notes.lines()) output.line(line);
    output.json(score as unknown as Json);
    return 0;
  },
};

function rowOf(name: string, { records, recall, named, located }: RiskScore, notes: Footnotes): string[] {
  const cells = [recall, named, located].map((share) => percent(share, notes));
  return [name, String(records), ...cells, rootOf(name)];
}
