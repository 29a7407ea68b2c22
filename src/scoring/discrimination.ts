import { type Estimate, pairedDifference } from '../stats/index.ts';

/** A faulty run beside its clean twin, and whether a judge flagged each. */
export interface JudgedPair {
  /** Pairs of one instance count as one cluster. */
  readonly instance: string;
  /** Whether both end with the same reply, letter for letter; null where that is not known. */
  readonly sameReply: boolean | null;
  /** Whether the outcome is that of the twin all the same; null where that is not known. */
  readonly silent: boolean | null;
  readonly faultyFlagged: boolean;
  readonly cleanFlagged: boolean;
}

/** What a judge sees of a fault: how much oftener it flags the faulty run than the clean one beside it. */
export interface Discrimination {
  readonly pairs: number;
  /** Shares of the pairs; null where there is none. */
  readonly faultyFlagged: number | null;
  readonly cleanFlagged: number | null;
  readonly difference: Estimate;
}

/** The classes of pairs that a table of views shows. */
export const PAIR_CLASSES = {
  'reply identical': ({ sameReply }: JudgedPair) => sameReply === true,
  'reply differs': ({ sameReply }: JudgedPair) => sameReply === false,
  silent: ({ silent }: JudgedPair) => silent === true,
  loud: ({ silent }: JudgedPair) => silent === false,
} as const;

export type PairClass = keyof typeof PAIR_CLASSES;

/** Discrimination in each class of pairs, with intervals clustered by instance. */
export function discriminationByClass(
  pairs: readonly JudgedPair[],
): Readonly<Record<PairClass, Discrimination>> {
  const names = Object.keys(PAIR_CLASSES) as PairClass[];
  const rows = names.map((name) => [name, discriminationOf(pairs.filter(PAIR_CLASSES[name]))] as const);
  return Object.fromEntries(rows) as Record<PairClass, Discrimination>;
}

function discriminationOf(pairs: readonly JudgedPair[]): Discrimination {
  const share = (flagged: (pair: JudgedPair) => boolean): number | null =>
    pairs.length === 0 ? null : pairs.filter(flagged).length / pairs.length;
  const differences = pairs.map(({ faultyFlagged, cleanFlagged, instance }) => ({
    first: Number(faultyFlagged),
    second: Number(cleanFlagged),
    cluster: instance,
  }));
  return {
    pairs: pairs.length,
    faultyFlagged: share((pair) => pair.faultyFlagged),
    cleanFlagged: share((pair) => pair.cleanFlagged),
    difference:
      pairs.length === 0
        ? { value: null, reason: 'no pair of this class' }
        : pairedDifference(differences, { range: { low: -1, high: 1 } }),
  };
}
