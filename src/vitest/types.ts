/** What a matcher gives to vitest. */
export interface Matched {
  readonly pass: boolean;
  readonly message: () => string;
}
