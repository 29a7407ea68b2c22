import {
  crossValidated,
  type DetectRun,
  detector,
  type JudgeLabel,
  type JudgeVerdict,
  learn,
} from '../../scoring/index.ts';

/** What a judge is shown of a run: task and reply alone, or the whole path. */
export type JudgeView = 'outcome' | 'path';

/** A labelled run as its agent saw it. */
export interface ExamRun {
  readonly label: JudgeLabel;
  readonly run: DetectRun;
}

/** Clean runs are learned from in so many parts, never those of an instance that is judged. */
const FOLDS = 5;

/** The verdicts of the detector, which is no model: it learned from clean runs of other instances. */
export function detectorVerdicts(runs: readonly ExamRun[], view: JudgeView): readonly JudgeVerdict[] {
  const shown = runs.map(({ label, run }) => {
    const { faulty, silent, step, twin, kind } = label;
    return {
      run: { ...(view === 'path' ? run : replyAlone(run)), name: label.id, cluster: label.instance },
      label: { kind: faulty ? (kind ?? 'faulty') : null, silent, step, twin },
    };
  });
  return crossValidated(shown, FOLDS, (clean) => detector(learn(clean))).map(({ run, findings }) => {
    const [first] = findings;
    return {
      id: run.name,
      judge: `detector, ${view}`,
      faulty: findings.length > 0,
      // A finding on the reply is of the place behind the last call, where labels put it too.
      step: first ? (first.step ?? run.calls.length) : null,
      kind: first?.kind ?? null,
      confidence: null,
    };
  });
}

/** What is left of a run for who sees the task and the reply only. */
function replyAlone(run: DetectRun): DetectRun {
  return { ...run, calls: [], messages: [], tools: [] };
}
