/** Whether a list still shows what is looked for. */
export type StillFails<T> = (list: readonly T[]) => boolean;

/**
 * Shortens a list that fails: delta debugging (Zeller and Hildebrandt, "Simplifying and isolating
 * failure-inducing input", 2002; complements only), then one element at a time until none can go: the result
 * is one-minimal. The last chunks are left out first, as what stands before them is known already. The same
 * list and test give the same result.
 *
 * @param fails is true for `list`; it is asked once for each list at most
 * @param onKept hears of each shorter list that is gone on with
 */
export function shortestFailing<T>(
  list: readonly T[],
  fails: StillFails<T>,
  onKept: (list: readonly T[]) => void = () => {},
): readonly T[] {
  let current = list;
  const keep = (shorter: readonly T[]): void => {
    current = shorter;
    onKept(shorter);
  };
  let chunks = 2;
  while (current.length >= 2) {
    const shorter = withoutOneChunk(current, chunks, fails);
    if (shorter) {
      keep(shorter);
      chunks = Math.max(chunks - 1, 2);
    } else if (chunks >= current.length) {
      break;
    } else {
      chunks = Math.min(chunks * 2, current.length);
    }
  }
  // After a last success with chunks of one, what was tried before it may go now; and a list of one may be
  // too long as well.
  for (let shorter = withoutOneChunk(current, current.length, fails); shorter; ) {
    keep(shorter);
    shorter = withoutOneChunk(current, current.length, fails);
  }
  return current;
}

/** The list without the last of so many chunks that it fails without; null when every one is needed. */
function withoutOneChunk<T>(list: readonly T[], chunks: number, fails: StillFails<T>): readonly T[] | null {
  for (let chunk = chunks - 1; chunk >= 0; chunk -= 1) {
    const start = Math.floor((chunk * list.length) / chunks);
    const end = Math.floor(((chunk + 1) * list.length) / chunks);
    const rest = [...list.slice(0, start), ...list.slice(end)];
    if (fails(rest)) return rest;
  }
  return null;
}
