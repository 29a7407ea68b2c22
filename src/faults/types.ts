/** When a rule strikes. Every given part must hold. */
export interface FaultMatch {
  /** The step index, from 0. */
  readonly step?: number;
  /** The tool's name. */
  readonly tool?: string;
  /**
   * The n-th call (from 1) among those that the other parts match; every matching call from it on, up to
   * `hits`.
   */
  readonly occurrence?: number;
}

export type FaultEffect =
  /**
   * The call is refused before anything happens, with the vendor's envelope and Retry-After. With `holds` so
   * are all further calls that the rule matches, until so much virtual time has passed: only who waits gets
   * through.
   */
  | {
      readonly kind: 'reject';
      readonly status: 429 | 503;
      readonly retryAfterSeconds: number;
      readonly holds?: boolean;
    }
  /** The call commits; the answer never arrives and the agent sees a time-out. */
  | { readonly kind: 'response-lost' };

export interface FaultRule {
  readonly id: string;
  readonly match: FaultMatch;
  readonly effect: FaultEffect;
  /** How many calls it strikes before it is spent; 1 when left out. */
  readonly hits?: number;
  /** What a person calls this fault, such as `lost response on refund`. */
  readonly label: string;
}

/** A fault plan: data. The same plan on the same calls strikes the same steps. */
export interface FaultPlan {
  readonly rules: readonly FaultRule[];
}
