import { canonicalJson } from '../../base/canonical.ts';
import type { PeerCall } from './types.ts';

/** How one turn must match: equal lists; the expected calls in order, with others between; in any order. */
export type AdkMatch = 'exact' | 'in-order' | 'any-order';

/** 1 when the calls of one turn match, else 0; `ignoreArguments` compares names alone. */
export function adkTurnScore(
  run: readonly PeerCall[],
  expected: readonly PeerCall[],
  options: { match: AdkMatch; ignoreArguments?: boolean },
): number {
  const keyOf = (call: PeerCall): string =>
    options.ignoreArguments ? call.tool : `${call.tool} ${canonicalJson(call.arguments)}`;
  const made = run.map(keyOf);
  const wanted = expected.map(keyOf);
  if (options.match === 'exact') {
    return made.length === wanted.length && made.every((key, place) => key === wanted[place]) ? 1 : 0;
  }
  return options.match === 'in-order' ? inOrder(made, wanted) : anyOrder(made, wanted);
}

/** Mean over turns, turn by turn; turns that only one side has are dropped. Null when no turn is left. */
export function adkTrajectoryScore(
  run: readonly (readonly PeerCall[])[],
  expected: readonly (readonly PeerCall[])[],
  options: { match: AdkMatch; ignoreArguments?: boolean },
): number | null {
  const turns = Math.min(run.length, expected.length);
  if (turns === 0) return null;
  let total = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    total += adkTurnScore(run[turn] ?? [], expected[turn] ?? [], options);
  }
  return total / turns;
}

function inOrder(made: readonly string[], wanted: readonly string[]): number {
  let next = 0;
  for (const key of made) if (key === wanted[next]) next += 1;
  return next === wanted.length ? 1 : 0;
}

function anyOrder(made: readonly string[], wanted: readonly string[]): number {
  const left = [...made];
  const found = wanted.every((key) => {
    const place = left.indexOf(key);
    if (place !== -1) left.splice(place, 1);
    return place !== -1;
  });
  return found ? 1 : 0;
}
