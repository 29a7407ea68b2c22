import {
  clusteredDifference,
  cohensKappa,
  correctedRate,
  type Estimate,
  type Observation,
  rateEstimate,
} from '../../stats/index.ts';
import { type Discrimination, discriminationByClass, type PairClass } from '../discrimination.ts';

/** What is known of one run that a judge was asked about. */
export interface JudgeLabel {
  readonly id: string;
  readonly faulty: boolean;
  /** Runs of one instance count as one cluster. */
  readonly instance: string;
  /** The clean run beside a faulty one; null where there is none. */
  readonly twin: string | null;
  /** What the run ended with; null where it is not known. */
  readonly reply: string | null;
  /** Whether it ends with the reply of its twin, where the labels say so. */
  readonly sameReply?: boolean | null;
  /** Whether the outcome is right although a step is wrong; null where it is not known, or nothing is. */
  readonly silent: boolean | null;
  /** Where it is faulty and of what kind; null where the labels do not say. */
  readonly step: number | null;
  readonly kind: string | null;
}

/** What a judge said of one run. */
export interface JudgeVerdict {
  readonly id: string;
  readonly judge: string;
  readonly faulty: boolean;
  readonly step: number | null;
  readonly kind: string | null;
  /** The judge's own probability that `faulty` is right, from 0 to 1; null where it gives none. */
  readonly confidence: number | null;
}

/** The counts of a judge against labels; positive is faulty. */
export interface Confusion {
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly trueNegatives: number;
  readonly falseNegatives: number;
}

/** How a judge did on labelled runs. */
export interface JudgeValidation {
  readonly judge: string;
  readonly confusion: Confusion;
  /** Labelled runs that it gave no verdict on: they are in no figure. */
  readonly unjudged: number;
  /** Share of the faulty runs that it calls faulty, and of the clean ones that it calls clean. */
  readonly truePositiveRate: Estimate;
  readonly trueNegativeRate: Estimate;
  /** TPR + TNR − 1: 0 for a judge that knows nothing, whatever it says. */
  readonly information: Estimate;
  readonly accuracy: number | null;
  readonly kappa: { readonly value: number | null; readonly reason?: string };
  /** Faulty runs of this kind that it calls faulty. */
  readonly silentRecall: Estimate;
  readonly loudRecall: Estimate;
  readonly discrimination: Readonly<Record<PairClass, Discrimination>>;
  /** The share of faulty runs behind the share that it calls faulty. */
  readonly corrected: Estimate;
  readonly gating: { readonly allowed: boolean; readonly reason: string };
}

/** The lower bound of TPR + TNR − 1 from which a judge may decide a gate. */
export const GATING_LEAST = 0.5;

/** Holds each judge's verdicts against the labels, in the order in which the judges appear. */
export function validateJudges(
  labels: readonly JudgeLabel[],
  verdicts: readonly JudgeVerdict[],
): readonly JudgeValidation[] {
  const judges = [...new Set(verdicts.map(({ judge }) => judge))];
  return judges.map((judge) => {
    const own = new Map(verdicts.filter((one) => one.judge === judge).map((one) => [one.id, one]));
    return validated(judge, labels, own);
  });
}

function validated(
  judge: string,
  labels: readonly JudgeLabel[],
  verdicts: ReadonlyMap<string, JudgeVerdict>,
): JudgeValidation {
  const judged = labels.filter(({ id }) => verdicts.has(id));
  const calls = (label: JudgeLabel): boolean => verdicts.get(label.id)?.faulty === true;
  const faulty = judged.filter((label) => label.faulty);
  const clean = judged.filter((label) => !label.faulty);
  const confusion = {
    truePositives: faulty.filter(calls).length,
    falsePositives: clean.filter(calls).length,
    trueNegatives: clean.filter((label) => !calls(label)).length,
    falseNegatives: faulty.filter((label) => !calls(label)).length,
  };
  const seen = (list: readonly JudgeLabel[], holds: (label: JudgeLabel) => boolean): Observation[] =>
    list.map((label) => ({ value: holds(label) ? 1 : 0, cluster: label.instance }));
  const agreement = cohensKappa(judged.map((label) => [String(label.faulty), String(calls(label))] as const));
  const information = informationOf(seen(faulty, calls), seen(clean, calls));
  return {
    judge,
    confusion,
    unjudged: labels.length - judged.length,
    truePositiveRate: rateEstimate(seen(faulty, calls)),
    trueNegativeRate: rateEstimate(seen(clean, (label) => !calls(label))),
    information,
    accuracy: agreement.observed.value,
    kappa: { value: agreement.kappa, ...(agreement.reason !== undefined && { reason: agreement.reason }) },
    silentRecall: recallOf(
      faulty.filter(({ silent }) => silent === true),
      seen,
      calls,
    ),
    loudRecall: recallOf(
      faulty.filter(({ silent }) => silent === false),
      seen,
      calls,
    ),
    discrimination: discriminationOf(judged, verdicts),
    corrected: correctedOf(confusion),
    gating: gatingOf(information, [instancesOf(faulty), instancesOf(clean)]),
  };
}

function recallOf(
  list: readonly JudgeLabel[],
  seen: (list: readonly JudgeLabel[], holds: (label: JudgeLabel) => boolean) => Observation[],
  calls: (label: JudgeLabel) => boolean,
): Estimate {
  return list.length === 0
    ? { value: null, reason: 'no such run is labelled' }
    : rateEstimate(seen(list, calls));
}

/** The share of faulty runs it calls faulty minus the share of clean ones: both from runs of one instance. */
function informationOf(faulty: readonly Observation[], clean: readonly Observation[]): Estimate {
  if (faulty.length === 0) return { value: null, reason: 'no faulty run is labelled' };
  if (clean.length === 0) return { value: null, reason: 'no clean run is labelled' };
  return clusteredDifference(faulty, clean);
}

function discriminationOf(
  judged: readonly JudgeLabel[],
  verdicts: ReadonlyMap<string, JudgeVerdict>,
): JudgeValidation['discrimination'] {
  const byId = new Map(judged.map((label) => [label.id, label]));
  const pairs = judged.flatMap((label) => {
    const twin = label.twin === null ? undefined : byId.get(label.twin);
    if (!label.faulty || !twin || twin.faulty) return [];
    return [
      {
        instance: label.instance,
        sameReply: sameReplyOf(label, twin),
        silent: label.silent,
        faultyFlagged: verdicts.get(label.id)?.faulty === true,
        cleanFlagged: verdicts.get(twin.id)?.faulty === true,
      },
    ];
  });
  return discriminationByClass(pairs);
}

/** As the labels say, or as both replies are; null where neither is known. */
function sameReplyOf(label: JudgeLabel, twin: JudgeLabel): boolean | null {
  if (label.sameReply != null) return label.sameReply;
  return label.reply === null || twin.reply === null ? null : label.reply === twin.reply;
}

function correctedOf({ truePositives, falsePositives, trueNegatives, falseNegatives }: Confusion): Estimate {
  const positives = truePositives + falseNegatives;
  const negatives = trueNegatives + falsePositives;
  const n = positives + negatives;
  if (positives === 0 || negatives === 0) return { value: null, reason: 'labels of one kind only' };
  return correctedRate({
    p: (truePositives + falsePositives) / n,
    n,
    positives: { n: positives, rate: truePositives / positives },
    negatives: { n: negatives, rate: trueNegatives / negatives },
  });
}

const instancesOf = (labels: readonly JudgeLabel[]): number =>
  new Set(labels.map(({ instance }) => instance)).size;

/**
 * The lower bound for a judge that was never wrong: nothing spreads, so how often it would be is bounded by
 * the number of instances, 1 − α^(1/n) on either side, the 2.5 % below the bound shared between them.
 */
function flawlessBound(instances: readonly number[]): number {
  return instances.reduce((bound, n) => bound - (1 - 0.0125 ** (1 / n)), 1);
}

function gatingOf(information: Estimate, instances: readonly number[]): JudgeValidation['gating'] {
  if (information.value === null) return { allowed: false, reason: information.reason };
  const { value } = information;
  const low = information.low ?? (value === 1 ? flawlessBound(instances) : null);
  if (low === null) {
    const why = information.reason ?? 'it has no interval';
    return { allowed: false, reason: `TPR + TNR − 1 is ${value.toFixed(3)} without a lower bound: ${why}` };
  }
  const told = `the lower bound of TPR + TNR − 1 is ${low.toFixed(3)}`;
  return low >= GATING_LEAST
    ? { allowed: true, reason: `${told}, at least ${GATING_LEAST}` }
    : { allowed: false, reason: `${told}, below ${GATING_LEAST}` };
}
