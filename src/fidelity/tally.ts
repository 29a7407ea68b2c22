import { isJsonObject, type Json } from '../base/json.ts';
import type { CheckKind, Comparison, Miss } from './types.ts';

const SHOWN_LENGTH = 160;

/** What is compared: what it should be, and what it is; undefined for nothing. */
export interface Check {
  readonly kind: CheckKind;
  readonly at: string;
  readonly expected?: Json | undefined;
  readonly got?: Json | undefined;
}

/** Counts checks and keeps those that did not hold. */
export class Tally {
  #checks = 0;
  #agreeing = 0;
  #strictChecks = 0;
  #strictAgreeing = 0;
  readonly #misses = new Map<string, Miss>();

  /** Counts a check of the rules 1 to 7. */
  check(check: Check, holds: boolean): void {
    if (check.kind === 'strict') {
      this.#strictChecks += 1;
      if (holds) this.#strictAgreeing += 1;
    } else if (check.kind !== 'invention') {
      this.#checks += 1;
      if (holds) this.#agreeing += 1;
    }
    if (holds) return;
    const key = `${check.kind} ${check.at}`;
    if (!this.#misses.has(key)) this.#misses.set(key, missOf(check));
  }

  has(kind: CheckKind, at: string): boolean {
    return this.#misses.has(`${kind} ${at}`);
  }

  /** Counts a strict check that does not hold for a reason which is told already. */
  lose(): void {
    this.#strictChecks += 1;
  }

  result(): Comparison {
    return {
      checks: this.#checks,
      agreeing: this.#agreeing,
      strictChecks: this.#strictChecks,
      strictAgreeing: this.#strictAgreeing,
      misses: [...this.#misses.values()],
    };
  }
}

/** A check as it did not hold: long values shortened. */
export function missOf({ kind, at, expected, got }: Check): Miss {
  return { kind, at, expected: shortened(expected), got: shortened(got) };
}

/** A value that is not there is shown like this, unlike one that is null. */
export const ABSENT = '(nothing)';

function shortened(value: Json | undefined): Json {
  if (value === undefined) return ABSENT;
  if (typeof value === 'string') {
    return value.length <= SHOWN_LENGTH ? value : `${value.slice(0, SHOWN_LENGTH)}…`;
  }
  if (!Array.isArray(value) && !isJsonObject(value)) return value;
  const text = JSON.stringify(value);
  return text.length <= SHOWN_LENGTH ? value : `${text.slice(0, SHOWN_LENGTH)}…`;
}
