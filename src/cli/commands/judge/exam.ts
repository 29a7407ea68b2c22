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
      assertModel(name);
      const asked = await askedJudge({ ...invocation, args: [folder] });
      verdicts = await modelVerdicts(asked.judge, asked.runs);
      spent = `Judge ${asked.judge.name}: ${spentLine(asked.judge)}.`;
    }
    const exam = holdExam(runs, verdicts);
    const notes = new Footnotes();
    const head = [
      'judge',
      'faulty found',
      'clean left alone',
      'silent found',
      'loud found',
      'step given',
      'kind given',
      'expected error',
    ];
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
    for (const { judge, gating } of exam.judges) {
      output.line(`${judge}: ${gating.allowed ? 'may gate' : 'may not gate'}: ${gating.reason}.`);
    }
    if (spent !== null) output.line(spent);
    output.json(exam as unknown as Json);
    return 0;
  },
};

/** @throws UsageError for a judge that is none of the three kinds */
function assertModel(judge: string): void {
  if (judge.startsWith('chat:')) return;
  throw new UsageError('unknown-judge', `there is no judge named ${judge}`, {
    hint: 'judges are detector, verdicts:FILE and chat:MODEL',
  });
}

function rowOf(exam: JudgeExam, notes: Footnotes): string[] {
  const { truePositiveRate, trueNegativeRate, silentRecall, loudRecall, located, typed } = exam;
  const shares = [truePositiveRate, trueNegativeRate, silentRecall, loudRecall, located, typed];
  const { expectedError: error, reason = 'undefined' } = exam.calibration;
  return [
    exam.judge,
    ...shares.map((share) => percent(share, notes)),
    error === null ? `— ${notes.mark(reason)}` : error.toFixed(3),
  ];
}
