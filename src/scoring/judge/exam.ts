import { type Estimate, rateEstimate } from '../../stats/index.ts';
import { type JudgeLabel, type JudgeValidation, type JudgeVerdict, validateJudges } from './validate.ts';

/** Whether a judge knows how sure it may be: of verdicts that it is so sure of, so many should be right. */
export interface Calibration {
  /** Mean distance between confidence and share of right verdicts, over ten bins, weighted by their runs. */
  readonly expectedError: number | null;
  /** Mean squared distance between confidence and being right (1) or wrong (0). */
  readonly brier: number | null;
  readonly bins: readonly {
    readonly from: number;
    readonly to: number;
    readonly runs: number;
    /** Mean confidence, and the share of verdicts that are right. */
    readonly confidence: number;
    readonly right: number;
  }[];
  readonly reason?: string;
}

/** What a judge shows in an exam. */
export interface JudgeExam extends JudgeValidation {
  /** Of the faulty runs that it flags, the share whose step it gives; and within one step of it. */
  readonly located: Estimate;
  readonly locatedNearly: Estimate;
  /** Of the faulty runs that it flags, the share whose kind it gives. */
  readonly typed: Estimate;
  readonly calibration: Calibration;
}

/** Examines each judge's verdicts on labelled runs. */
export function examineJudges(
  labels: readonly JudgeLabel[],
  verdicts: readonly JudgeVerdict[],
): readonly JudgeExam[] {
  return validateJudges(labels, verdicts).map((validation) => {
    const own = new Map(
      verdicts.filter(({ judge }) => judge === validation.judge).map((verdict) => [verdict.id, verdict]),
    );
    const flagged = labels.filter(({ id, faulty }) => faulty && own.get(id)?.faulty === true);
    const placed = flagged.filter(({ step }) => step !== null);
    const distance = ({ id, step }: JudgeLabel): number =>
      Math.abs((own.get(id)?.step ?? Number.POSITIVE_INFINITY) - (step ?? 0));
    return {
      ...validation,
      located: shareOf(placed, own, { told: 'step', holds: (label) => distance(label) === 0 }),
      locatedNearly: shareOf(placed, own, { told: 'step', holds: (label) => distance(label) <= 1 }),
      typed: shareOf(flagged, own, {
        told: 'kind',
        holds: ({ id, kind }) => kind !== null && own.get(id)?.kind === kind,
      }),
      calibration: calibrationOf(labels, own),
    };
  });
}

/** Undefined where the judge never says what is asked for: not to say it is no mistake. */
function shareOf(
  labels: readonly JudgeLabel[],
  own: ReadonlyMap<string, JudgeVerdict>,
  { told, holds }: { readonly told: 'step' | 'kind'; readonly holds: (label: JudgeLabel) => boolean },
): Estimate {
  if (labels.length === 0) return { value: null, reason: 'no faulty run was flagged' };
  if (!labels.some(({ id }) => own.get(id)?.[told] != null)) {
    return { value: null, reason: `the judge gives no ${told}` };
  }
  return rateEstimate(labels.map((label) => ({ value: holds(label) ? 1 : 0, cluster: label.instance })));
}

const BINS = 10;

function calibrationOf(labels: readonly JudgeLabel[], own: ReadonlyMap<string, JudgeVerdict>): Calibration {
  const sure = labels.flatMap(({ id, faulty }) => {
    const verdict = own.get(id);
    if (!verdict || verdict.confidence === null) return [];
    return [{ confidence: verdict.confidence, right: verdict.faulty === faulty ? 1 : 0 }];
  });
  if (sure.length === 0) {
    return { expectedError: null, brier: null, bins: [], reason: 'the judge gives no confidence' };
  }
  const bins = Array.from({ length: BINS }, (_, index) => {
    const inBin = sure.filter(
      ({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)) === index,
    );
    return {
      from: index / BINS,
      to: (index + 1) / BINS,
      runs: inBin.length,
      confidence: meanOf(inBin.map(({ confidence }) => confidence)),
      right: meanOf(inBin.map(({ right }) => right)),
    };
  }).filter(({ runs }) => runs > 0);
  const distances = bins.map(({ runs, confidence, right }) => runs * Math.abs(confidence - right));
  return {
    expectedError: distances.reduce((sum, distance) => sum + distance, 0) / sure.length,
    brier: meanOf(sure.map(({ confidence, right }) => (confidence - right) ** 2)),
    bins,
  };
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
