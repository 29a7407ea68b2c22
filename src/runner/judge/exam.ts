import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import {
  examineJudges,
  type JudgeExam,
  type JudgeLabel,
  type JudgeVerdict,
  outcomeView,
  stepView,
  verdictOf,
} from '../../scoring/index.ts';
import { readText } from '../../store/text-files.ts';
import { runOfText } from '../detect/index.ts';
import type { TestbedRun } from '../testbed/index.ts';
import { detectorVerdicts, type ExamRun } from './detector.ts';
import type { Judge } from './judge.ts';
import type { SourcedRun } from './judged-runs.ts';
import { readJudgeLabels, readJudgeVerdicts } from './label-files.ts';

/** An exam that was held. */
export interface HeldExam {
  readonly labels: number;
  /** One entry for each judge, or each view of one. */
  readonly judges: readonly JudgeExam[];
}

/** The runs of a testbed, or of a set of risks, in a folder. @throws UsageError where it is none */
export function examRunsIn(folder: string): readonly ExamRun[] {
  if (!existsSync(join(folder, 'labels.jsonl')) || !existsSync(join(folder, 'trajectories'))) {
    throw new UsageError(
      'no-testbed',
      `${folder} is no testbed: it holds no labels.jsonl beside trajectories`,
      {
        hint: 'groundhog testbed BANK --out DIR, or risks BANK --out DIR, makes one',
      },
    );
  }
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

/** Verdicts of a judge that is no model: `detector`, or `verdicts:FILE`; null for another name. */
export function verdictsWithoutModel(
  runs: readonly ExamRun[],
  judge: string,
): readonly JudgeVerdict[] | null {
  if (judge === 'detector') {
    return [...detectorVerdicts(runs, 'outcome'), ...detectorVerdicts(runs, 'path')];
  }
  const file = judge.startsWith('verdicts:') ? judge.slice('verdicts:'.length) : '';
  return file === '' ? null : readJudgeVerdicts(file);
}

/**
 * Verdicts of a model on whole runs: by task and reply alone, and by plan, every choice and support. A run on
 * which it gives none has none.
 */
export async function modelVerdicts(
  judge: Judge,
  runs: readonly SourcedRun[],
): Promise<readonly JudgeVerdict[]> {
  const judgements = await Promise.all(
    runs.flatMap((run) => [outcomeView(run, judge.ask), stepView(run, judge.ask)]),
  );
  return judgements.flatMap((judgement) => verdictOf(judgement, judgement.run) ?? []);
}

/**
 * Examines what was said of labelled runs.
 * @throws UsageError for a verdict on a run that is none of them
 */
export function holdExam(runs: readonly ExamRun[], verdicts: readonly JudgeVerdict[]): HeldExam {
  const labels = runs.map(({ label }) => label);
  const known = new Set(labels.map(({ id }) => id));
  const stranger = verdicts.find(({ id }) => !known.has(id));
  if (stranger) {
    throw new UsageError('unknown-run', `there is a verdict on ${stranger.id}, which is none of these runs`, {
      hint: 'verdicts are of the same testbed: its labels.jsonl names the runs',
    });
  }
  return { labels: labels.length, judges: examineJudges(labels, verdicts) };
}
