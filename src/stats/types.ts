/** A figure with its uncertainty, or the reason why there is none. Rounded to 12 significant digits. */
export type Estimate =
  | {
      readonly value: number;
      readonly low: number | null;
      readonly high: number | null;
      readonly se: number | null;
      readonly n: number;
      readonly clusters: number;
      readonly method: string;
      /** Why the interval or the standard error is missing while the value is known. */
      readonly reason?: string;
      /** What a reader must know beside the figure, such as items that had to be left out. */
      readonly note?: string;
    }
  | { readonly value: null; readonly reason: string };

/** A ratio with the counts it stands on; `value` is null when the denominator is 0. */
export interface Ratio {
  readonly value: number | null;
  readonly numerator: number;
  readonly denominator: number;
}

/** A nearest-rank quantile of n observations, or the reason why there is none. */
export type Quantile =
  | { readonly value: number; readonly n: number; readonly method: string }
  | { readonly value: null; readonly reason: string };

/** One observation and the cluster that it shares with others. */
export interface Observation {
  readonly value: number;
  readonly cluster: string;
}
