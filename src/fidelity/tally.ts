import { isJsonObject, type Json } from '../base/json.ts';
import type { CheckKind, Comparison, Miss } from './types.ts';

const SHOWN_LENGTH = 160;

/** Counts checks and keeps those that did not hold. */
export class Tally {
  #checks = 0;
  #agreeing = 0;
  #strictChecks = 0;
  #strictAgreeing = 0;
  readonly #misses = new Map<string, Miss>();

  /** Counts a check of the rules 1 to 7. */
  check(miss: Miss, holds: boolean): void {
    if (miss.kind === 'strict') {
      this.#strictChecks += 1;
      if (holds) this.#strictAgreeing += 1;
    } else if (miss.kind !== 'invention') {
      this.#checks += 1;
      if (holds) this.#agreeing += 1;
    }
    if (holds) return;
    const key = `${miss.kind} ${miss.at}`;
    if (!this.#misses.has(key)) this.#misses.set(key, miss);
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

/** A check of something that should be one thing and is another; long values shortened, `null` for none. */
export function missOf(kind: CheckKind, at: string, expected?: Json, got?: Json): Miss {
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
