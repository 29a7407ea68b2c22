import { InvariantError, type SourcePlace, UsageError } from '../base/errors.ts';

/** Says where the part of a scenario file at this path stands. */
export type PlaceOf = (path: readonly PropertyKey[]) => SourcePlace;

/**
 * Runs something that concerns one part of a file, and gives its errors the place of that part. What the
 * world engine refuses is the file's mistake here: it wrote rows that do not fit.
 */
export function placed<T>(place: PlaceOf | undefined, path: readonly PropertyKey[], run: () => T): T {
  try {
    return run();
  } catch (error) {
    const known = error instanceof UsageError;
    if (!known && !(error instanceof InvariantError)) throw error;
    if (known && (error.place || !place)) throw error;
    throw new UsageError(known ? error.code : 'unfit', error.message, {
      ...(place && { place: place(path) }),
      ...(known && error.hint !== undefined && { hint: error.hint }),
    });
  }
}
