import { UsageError } from '../../../base/errors.ts';
import type { Json } from '../../../base/json.ts';
import { examRunsIn, holdExam, modelVerdicts, verdictsWithoutModel } from '../../../runner/judge/index.ts';
import type { JudgeExam } from '../../../scoring/index.ts';
import type { Command, ExitCode } from '../../command.ts';
import { askedJudge, JUDGE_OPTIONS, spentLine } from '../../judge-options.ts';
import { textOption } from '../../options.ts';
import { Footnotes, percent } from '../../render/figures.ts';
import { layOut } from '../../render/table.ts';

export const command: Command = {
  summary:
    'Examine a judge on runs whose faults are known: does it see them, where, of which kind, and how sure.',
  args: [],
  options: [
    { name: 'testbed', value: 'dir', description: 'a folder that `testbed` or `risks` wrote' },
    {
      name: 'judge',
      value: 'spec',
      description: 'detector (no model), verdicts:FILE, or chat:MODEL',
      default: 'detector',
    },
    ...JUDGE_OPTIONS.filter(({ name }) => name !== 'judge' && name !== 'format'),
  ],
  examples: [
    'judge exam --testbed runs/testbed',
    'judge exam --testbed runs/testbed --judge verdicts:said.jsonl --json',
  ],
  keys: ['labels', 'judges [{judge, …of validate, located, locatedNearly, typed, calibration}]'],
  exits: '0 examined · 2 misuse',
  run: async (invocation): Promise<ExitCode> => {
    const { options, output } = invocation;
    const folder = textOption(options, 'testbed');
    if (folder === undefined) {
      throw new UsageError('no-testbed', 'say which testbed the exam is held on', {
        hint: 'groundhog testbed helpdesk --out runs/testbed makes one',
      });
    }
    const runs = examRunsIn(folder);
    const name = textOption(options, 'judge') ?? 'detector';
    let spent: string | null = null;
    let verdicts = verdictsWithoutModel(runs, name);
    if (!verdicts) {
      const asked = await askedJudge({ ...invocation, args: [folder] });
      verdicts = await modelVerdicts(asked.judge, asked.runs);
      spent = `Judge ${asked.judge.name}: ${spentLine(asked.judge)}.`;
    }
    const exam = holdExam(runs, verdicts);
    const notes = new Footnotes();
    const head = ['judge', 'silent', 'loud', 'false alarms', 'located', 'typed', 'expected error'];
    for (const line of layOut([head, ...exam.judges.map((judge) => rowOf(judge, notes))])) output.line(line);
    output.line();
    output.line('Paired discrimination, flags on faulty runs minus flags on their clean twins:');
    const classes = ['judge', 'reply identical', 'reply differs', 'silent', 'loud'];
    const pairs = exam.judges.map(({ judge, discrimination }) => [
      judge,
      ...Object.values(discrimination).map((one) => `${percent(one.difference, notes)} (${one.pairs})`),
    ]);
    for (const line of layOut([classes, ...pairs])) output.line(line);
    for (const line of notes.lines()) output.line(line);
    if (spent !== null) output.line(spent);
    output.json(exam as unknown as Json);
    return 0;
  },
};

function rowOf(exam: JudgeExam, notes: Footnotes): string[] {
  const { judge, silentRecall, loudRecall, trueNegativeRate, located, typed, calibration } = exam;
  const alarms =
    trueNegativeRate.value === null
      ? trueNegativeRate
      : {
          ...trueNegativeRate,
          value: 1 - trueNegativeRate.value,
          low: trueNegativeRate.high === null ? null : 1 - trueNegativeRate.high,
          high: trueNegativeRate.low === null ? null : 1 - trueNegativeRate.low,
        };
  const error = calibration.expectedError;
  return [
    judge,
    ...[silentRecall, loudRecall, alarms, located, typed].map((share) => percent(share, notes)),
    error === null ? `— ${notes.mark(calibration.reason ?? 'undefined')}` : error.toFixed(3),
  ];
}
