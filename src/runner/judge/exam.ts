import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { examineJudges, type JudgeExam, type JudgeLabel, type JudgeVerdict } from '../../scoring/index.ts';
import { readText } from '../../store/text-files.ts';
import { runOfText } from '../detect/index.ts';
import type { TestbedRun } from '../testbed/index.ts';
import { detectorVerdicts, type ExamRun } from './detector.ts';
import { readJudgeLabels, readJudgeVerdicts } from './label-files.ts';

/** An exam that was held. */
export interface HeldExam {
  readonly labels: number;
  /** One entry for each judge, or each view of one. */
  readonly judges: readonly JudgeExam[];
}

/** The runs of a testbed, or of a set of risks, in a folder. @throws UsageError where it is none */
export function examRunsIn(folder: string): readonly ExamRun[] {
  return readJudgeLabels(join(folder, 'labels.jsonl')).map((label) => {
    const file = join(folder, 'trajectories', `${label.id}.traj.jsonl`);
    return withReply(label, runOfText(label.id, readText(file)));
  });
}

/** The runs of a testbed in memory. */
export function examRunsOf(runs: readonly TestbedRun[]): readonly ExamRun[] {
  return runs.map(({ label, text }) => {
    const { run: id, kind, instance, pair, step, outcomeChanged } = label;
    const silent = outcomeChanged === null ? null : !outcomeChanged;
    const known = { id, faulty: kind !== null, instance, twin: pair, reply: null, silent, step, kind };
    return withReply(known, runOfText(id, text));
  });
}

function withReply(label: JudgeLabel, run: ExamRun['run']): ExamRun {
  return { label: { ...label, reply: run.reply }, run };
}

/**
 * Examines a judge on labelled runs: `detector`, which is no model, or `verdicts:FILE`, what somebody said of
 * the same runs.
 * @throws UsageError for a judge that is not known, and for files that are none
 */
export function holdExam(runs: readonly ExamRun[], judge: string): HeldExam {
  const verdicts = verdictsOf(runs, judge);
  const labels = runs.map(({ label }) => label);
  return { labels: labels.length, judges: examineJudges(labels, verdicts) };
}

function verdictsOf(runs: readonly ExamRun[], judge: string): readonly JudgeVerdict[] {
  if (judge === 'detector') {
    return [...detectorVerdicts(runs, 'outcome'), ...detectorVerdicts(runs, 'path')];
  }
  const file = judge.startsWith('verdicts:') ? judge.slice('verdicts:'.length) : '';
  if (file !== '') return readJudgeVerdicts(file);
  throw new UsageError('unknown-judge', `there is no judge named ${judge}`, {
    hint: 'judges are detector, verdicts:FILE and chat:MODEL',
  });
}
