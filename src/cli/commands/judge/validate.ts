import { UsageError } from '../../../base/errors.ts';
import type { Json } from '../../../base/json.ts';
import { readJudgeLabels, readJudgeVerdicts } from '../../../runner/judge/index.ts';
import { GATING_LEAST, type JudgeValidation, validateJudges } from '../../../scoring/index.ts';
import type { Command } from '../../command.ts';
import { textOption } from '../../options.ts';
import { Footnotes, percent } from '../../render/figures.ts';
import { layOut } from '../../render/table.ts';

export const command: Command = {
  summary: 'Say how far verdicts of judges can be trusted, by labels, and which of them may decide a gate.',
  args: [],
  options: [
    {
      name: 'labels',
      value: 'file',
      description: 'labels.jsonl of a testbed or of risks, trajectory-judge runs, or {"id", "faulty"} a line',
    },
    { name: 'verdicts', value: 'file', description: 'JSONL, one {"id", "judge", "faulty"} a line' },
  ],
  examples: ['judge validate --labels labels.jsonl --verdicts verdicts.jsonl'],
  keys: [
    'labels',
    'judges [{judge, confusion, unjudged, truePositiveRate, trueNegativeRate, information, accuracy, kappa, silentRecall, loudRecall, discrimination, corrected, gating {allowed, reason}}]',
  ],
  exits: '0 every judge may gate · 1 some judge may not · 2 misuse',
  run: ({ options, output }) => {
    const labels = readJudgeLabels(required(textOption(options, 'labels'), 'labels'));
    const verdicts = readJudgeVerdicts(required(textOption(options, 'verdicts'), 'verdicts'));
    const judges = validateJudges(labels, verdicts);
    const notes = new Footnotes();
    const head = ['judge', 'TP', 'FP', 'TN', 'FN', 'TPR', 'TNR', 'TPR + TNR − 1', 'kappa', 'silent', 'loud'];
    for (const line of layOut([head, ...judges.map((judge) => rowOf(judge, notes))])) output.line(line);
    output.line();
    output.line('Paired discrimination, flags on faulty runs minus flags on their clean twins:');
    const classes = ['judge', 'reply identical', 'reply differs', 'silent', 'loud'];
    for (const line of layOut([classes, ...judges.map((judge) => pairsOf(judge, notes))])) output.line(line);
    output.line();
    for (const { judge, gating, corrected, unjudged } of judges) {
      output.line(`${judge}: ${gating.allowed ? 'may gate' : 'may not gate'}: ${gating.reason}.`);
      output.line(`  share of faulty runs, corrected for its errors: ${percent(corrected, notes)}`);
      if (unjudged > 0) output.line(`  no verdict on ${unjudged} labelled runs: they are in no figure`);
    }
    for (const line of notes.lines()) output.line(line);
    output.json({ labels: labels.length, judges } as unknown as Json);
    return judges.every(({ gating }) => gating.allowed) ? 0 : 1;
  },
};

function required(value: string | undefined, name: string): string {
  if (value !== undefined) return value;
  throw new UsageError('missing-option', `judge validate needs --${name} FILE`, {
    hint: `a judge gates from a lower bound of TPR + TNR − 1 of ${GATING_LEAST}`,
  });
}

function rowOf(judge: JudgeValidation, notes: Footnotes): string[] {
  const { truePositives, falsePositives, trueNegatives, falseNegatives } = judge.confusion;
  const counts = [truePositives, falsePositives, trueNegatives, falseNegatives].map(String);
  const shares = [judge.truePositiveRate, judge.trueNegativeRate, judge.information];
  const { kappa } = judge;
  const agreed =
    kappa.value === null ? `— ${notes.mark(kappa.reason ?? 'undefined')}` : kappa.value.toFixed(3);
  const recalls = [judge.silentRecall, judge.loudRecall].map((share) => percent(share, notes));
  return [judge.judge, ...counts, ...shares.map((share) => percent(share, notes)), agreed, ...recalls];
}

function pairsOf({ judge, discrimination }: JudgeValidation, notes: Footnotes): string[] {
  const cells = Object.values(discrimination).map(
    ({ difference, pairs }) => `${percent(difference, notes)} (${pairs})`,
  );
  return [judge, ...cells];
}
