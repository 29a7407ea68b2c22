import type { Json } from './json.ts';

/** A place in a file that a person wrote: line and column count from 1. */
export interface SourcePlace {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** The caller of Groundhog is wrong: one sentence, a place where there is one, one hint, no stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code: string;
  readonly hint: string | undefined;
  readonly place: SourcePlace | undefined;

  constructor(code: string, message: string, options: { hint?: string; place?: SourcePlace } = {}) {
    super(message);
    this.code = code;
    this.hint = options.hint;
    this.place = options.place;
  }

  /** `file:line:column: sentence (hint)` on one line, as far as each part is known. */
  describe(): string {
    return `${describePlace(this.place)}${this.message}${this.hint ? ` (${this.hint})` : ''}`;
  }
}

function describePlace(place: SourcePlace | undefined): string {
  if (!place) return '';
  const parts = [place.file, place.line, place.column].filter((part) => part !== undefined);
  return `${parts.join(':')}: `;
}

/** Groundhog itself, or a grader, is wrong: the trial is void, never passed or failed. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
  readonly details: Json | undefined;

  constructor(message: string, options: { details?: Json; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.details = options.details;
  }
}

/**
 * The simulated service says no. The agent sees it in the vendor's shape and is scored on what it does next.
 */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  /** The key of the error in the service's own table (`errors.ts`). */
  readonly code: string;
  /** The status that the vendor answers with over HTTP, such as 404. */
  readonly status: number;
  /** Facts that the vendor's envelope prints besides the message. */
  readonly details: Json | undefined;
  /** True when the writes made before the error are kept, as a vendor keeps a failed charge. */
  readonly commit: boolean;
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(
    code: string,
    message: string,
    options: { status: number; details?: Json; commit?: boolean; headers?: Readonly<Record<string, string>> },
  ) {
    super(message);
    this.code = code;
    this.status = options.status;
    this.details = options.details;
    this.commit = options.commit ?? false;
    this.headers = options.headers;
  }
}

/** Asserts what must hold in our own code. @throws InvariantError with the message when it does not. */
export function invariant(condition: unknown, message: string, details?: Json): asserts condition {
  if (!condition) throw new InvariantError(message, details === undefined ? {} : { details });
}

/** The name nearest to the given one by edit distance, for "did you mean"; undefined when none is near. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 2)) + 1;
  for (const candidate of known) {
    const distance = editDistance(name, candidate, bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) >= limit || left.length > 200) return limit;
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? limit;
}
