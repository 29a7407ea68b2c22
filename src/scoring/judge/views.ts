import type { JudgedRun, JudgeQuestion, JudgeRecord } from './types.ts';
import type { JudgeVerdict } from './validate.ts';

/** Asks one question: of a model, or of what was asked before. */
export type Ask = (question: JudgeQuestion) => Promise<JudgeRecord>;

/** A judgement on a whole run with the answers that it rests on. */
export interface RunJudgement {
  readonly run: string;
  readonly view: 'steps' | 'outcome';
  /** Null where an answer is missing and none of the others is a `no`. */
  readonly faulty: boolean | null;
  /** Why there is no judgement. */
  readonly reason: string | null;
  /**
   * The first step whose choice is not defensible; the place behind the last one where it is the reply that
   * is not supported; null for the plan, for the outcome view, and where nothing is wrong.
   */
  readonly step: number | null;
  /**
   * The judge's own probability that `faulty` is right. That something is wrong is as likely as in the answer
   * where it is most likely; null without a judgement.
   */
  readonly confidence: number | null;
  readonly records: readonly JudgeRecord[];
}

/** The step view: is the plan sensible, is each choice defensible, is the reply supported. */
export async function stepView(run: JudgedRun, ask: Ask): Promise<RunJudgement> {
  const questions: JudgeQuestion[] = [
    { kind: 'plan', run, step: null },
    ...run.calls.map((_, step) => ({ kind: 'choice' as const, run, step })),
    ...(run.reply === null ? [] : [{ kind: 'support' as const, run, step: null }]),
  ];
  return judgementOf(run, 'steps', await Promise.all(questions.map(ask)));
}

/** The outcome view: task and reply alone, as whoever only sees the end judges. */
export async function outcomeView(run: JudgedRun, ask: Ask): Promise<RunJudgement> {
  return judgementOf(run, 'outcome', [await ask({ kind: 'support', run, step: null, view: 'outcome' })]);
}

function judgementOf(
  run: JudgedRun,
  view: RunJudgement['view'],
  records: readonly JudgeRecord[],
): RunJudgement {
  const wrong = records.filter(({ verdict }) => verdict === 'no');
  const open = records.find(({ verdict }) => verdict === null);
  const faulty = wrong.length > 0 ? true : open === undefined ? false : null;
  const steps = wrong.flatMap(({ kind, step }) => {
    if (kind === 'choice') return step === null ? [] : [step];
    return kind === 'support' && view === 'steps' ? [run.calls.length] : [];
  });
  const chances = records.flatMap(({ verdict, confidence }) =>
    confidence === null ? [] : [verdict === 'no' ? confidence : 1 - confidence],
  );
  const wrongChance = chances.length === 0 ? null : Math.max(...chances);
  return {
    run: run.name,
    view,
    faulty,
    reason: faulty === null ? (open?.reason ?? null) : null,
    step: steps.length === 0 ? null : Math.min(...steps),
    confidence: faulty === null || wrongChance === null ? null : faulty ? wrongChance : 1 - wrongChance,
    records,
  };
}

/** A judgement as validation takes it; null where there is none. `id` is the run's name in the labels. */
export function verdictOf(judgement: RunJudgement, id: string): JudgeVerdict | null {
  const { faulty, step, confidence, records, view } = judgement;
  if (faulty === null) return null;
  const judge = `${view}:${records[0]?.judge ?? 'judge'}`;
  return { id, judge, faulty, step, kind: null, confidence };
}
