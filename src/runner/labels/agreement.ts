import { type Agreement, cohensKappa } from '../../stats/index.ts';
import type { Ratio } from '../../stats/types.ts';
import { type FailureLabel, labelKey, placeText } from './types.ts';

/** How far two labellers say the same of the same failures. */
export interface LabelAgreement {
  /** Trials that both labelled. */
  readonly both: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** Of the code: observed and beyond chance. */
  readonly code: Agreement;
  /** The same first wrong step or message, of the trials for which both name one. */
  readonly place: Ratio;
  readonly differences: readonly {
    readonly scenario: string;
    readonly trial: number;
    readonly codes: readonly [first: string, second: string];
    readonly places: readonly [first: string, second: string];
  }[];
}

/** Compares two labellers; where one has several lines on a trial, the last counts. */
export function labelAgreement(
  first: readonly FailureLabel[],
  second: readonly FailureLabel[],
): LabelAgreement {
  const [lefts, rights] = [first, second].map(
    (labels) => new Map(labels.map((label) => [labelKey(label), label])),
  );
  const pairs = [...(lefts ?? [])].flatMap(([key, left]) => {
    const right = rights?.get(key);
    return right ? [{ left, right }] : [];
  });
  const placed = pairs.filter(({ left, right }) => left.at !== null && right.at !== null);
  const same = placed.filter(({ left, right }) => placeText(left.at) === placeText(right.at)).length;
  return {
    both: pairs.length,
    onlyFirst: (lefts?.size ?? 0) - pairs.length,
    onlySecond: (rights?.size ?? 0) - pairs.length,
    code: cohensKappa(pairs.map(({ left, right }) => [left.code, right.code])),
    place: {
      value: placed.length === 0 ? null : same / placed.length,
      numerator: same,
      denominator: placed.length,
    },
    differences: pairs
      .filter(({ left, right }) => left.code !== right.code || placeText(left.at) !== placeText(right.at))
      .map(({ left, right }) => ({
        scenario: left.scenario,
        trial: left.trial,
        codes: [left.code, right.code],
        places: [placeText(left.at), placeText(right.at)],
      })),
  };
}
