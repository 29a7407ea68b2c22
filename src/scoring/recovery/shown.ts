import type { StepRecord } from '../../trajectory/types.ts';
import { callKey, callOf } from '../calls.ts';
import { cameToNothing, leavesOf } from './calls.ts';

/** Shorter texts and smaller numbers stand in many answers by chance. */
const TELLING_CHARACTERS = 3;
const TELLING_NUMBER = 10;

/**
 * True when a read shows that a write took effect whose answer the agent never got: it gives a value that the
 * write left behind, either where the same read had something else before, or one that the agent neither sent
 * nor had been given by then.
 */
export function showsEffect(read: StepRecord, write: StepRecord, earlier: readonly StepRecord[]): boolean {
  if (cameToNothing(read)) return false;
  const written = valuesLeftBy(write);
  const given = read.delivered?.body ?? read.response;
  const before = earlier.findLast(
    (step) => callKey(callOf(step)) === callKey(callOf(read)) && !cameToNothing(step),
  );
  if (before) {
    const known = new Set(
      leavesOf(before.delivered?.body ?? before.response).map(({ path, value }) => `${path} ${value}`),
    );
    return leavesOf(given).some(({ path, value }) => written.has(value) && !known.has(`${path} ${value}`));
  }
  const sent = new Set(leavesOf(write.input).map(({ value }) => value));
  const heard = new Set(
    earlier
      .filter((step) => !cameToNothing(step))
      .flatMap((step) => leavesOf(step.delivered?.body ?? step.response))
      .map(({ value }) => value),
  );
  return leavesOf(given).some(
    ({ value }) => written.has(value) && isTelling(value) && !sent.has(value) && !heard.has(value),
  );
}

/** What the write put into rows, and what its true answer said. */
function valuesLeftBy({ diff, response }: StepRecord): ReadonlySet<string | number> {
  const rows = diff.flatMap((change) => {
    if (change.op === 'delete') return [];
    if (change.op !== 'update') return leavesOf(change.row);
    return Object.values(change.cells).flatMap(({ to }) => (to === undefined ? [] : leavesOf(to)));
  });
  return new Set([...rows, ...leavesOf(response)].map(({ value }) => value));
}

function isTelling(value: string | number): boolean {
  return typeof value === 'string' ? value.length >= TELLING_CHARACTERS : Math.abs(value) >= TELLING_NUMBER;
}
