/** Where a run first went wrong: the number of a call, or of a message. */
export type LabelPlace = { readonly step: number } | { readonly message: number };

/** What a person says of one failed trial. */
export interface FailureLabel {
  readonly scenario: string;
  readonly trial: number;
  /** The first thing that was wrong and that the run never put right; null where nobody can say. */
  readonly at: LabelPlace | null;
  /** The kind of failure, of a taxonomy that grows from the failures themselves. */
  readonly code: string;
  /** Modes of MAST that apply, such as `2.6`. */
  readonly mast?: readonly string[] | undefined;
  /** What went wrong, in one or two plain sentences. */
  readonly note?: string | undefined;
  /** Why what the scenario expects is itself in doubt. */
  readonly disputed?: string | undefined;
  /** Who says so, where several do. */
  readonly by?: string | undefined;
}

/** Names a trial among labels. */
export function labelKey({ scenario, trial }: { readonly scenario: string; readonly trial: number }): string {
  return `${scenario}#${trial}`;
}

/** `step 4` or `message 9`, for people and tables. */
export function placeText(at: LabelPlace | null): string {
  if (at === null) return '';
  return 'step' in at ? `step ${at.step}` : `message ${at.message}`;
}
