import { canonicalJson } from '../../base/canonical.ts';
import { isJsonObject, type JsonObject, jsonEqual } from '../../base/json.ts';
import type { PeerCall } from './types.ts';

/** Whether names alone count, or the input parameters too. */
export type DeepevalCompared = 'names' | 'parameters';

/**
 * Tool correctness of deepeval: each expected call takes the best score among the free calls of its name; the
 * sum over the number of expected calls. What is taken is remembered by value, so two equal calls are taken
 * together.
 */
export function deepevalToolCorrectness(
  run: readonly PeerCall[],
  expected: readonly PeerCall[],
  compared: DeepevalCompared = 'names',
): number {
  if (expected.length === 0) return run.length === 0 ? 1 : 0;
  const used = new Set<string>();
  let total = 0;
  for (const wanted of expected) {
    let best = 0;
    let bestCall: PeerCall | undefined;
    for (const call of run) {
      if (call.tool !== wanted.tool || used.has(callText(call))) continue;
      const score = callScore(call, wanted, compared);
      if (score > best) [best, bestCall] = [score, call];
    }
    if (bestCall) used.add(callText(bestCall));
    total += best;
  }
  return total / expected.length;
}

/** With ordering: the heaviest common subsequence over the number of expected calls. */
export function deepevalOrdering(
  run: readonly PeerCall[],
  expected: readonly PeerCall[],
  compared: DeepevalCompared = 'names',
): number {
  if (expected.length === 0) return run.length === 0 ? 1 : 0;
  let above = Array.from({ length: run.length + 1 }, () => 0);
  for (const wanted of expected) {
    const row = [0];
    run.forEach((call, index) => {
      const score = call.tool === wanted.tool ? callScore(call, wanted, compared) : 0;
      const paired = score > 0 ? (above[index] ?? 0) + score : 0;
      row.push(Math.max(above[index + 1] ?? 0, row[index] ?? 0, paired));
    });
    above = row;
  }
  return (above.at(-1) ?? 0) / expected.length;
}

/** Exact mode: 1 when both lists have one length and agree at every place. */
export function deepevalExact(
  run: readonly PeerCall[],
  expected: readonly PeerCall[],
  compared: DeepevalCompared = 'names',
): number {
  const same =
    run.length === expected.length &&
    run.every((call, index) => {
      const wanted = expected[index];
      if (!wanted || call.tool !== wanted.tool) return false;
      return compared === 'names' || jsonEqual(call.arguments, wanted.arguments);
    });
  return same ? 1 : 0;
}

const callText = (call: PeerCall): string => canonicalJson({ tool: call.tool, arguments: call.arguments });

function callScore(call: PeerCall, wanted: PeerCall, compared: DeepevalCompared): number {
  return compared === 'names' ? 1 : keyCredit(call.arguments, wanted.arguments);
}

/** The share of all members of both objects that agree; objects within are credited in parts. */
function keyCredit(one: JsonObject, other: JsonObject): number {
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  if (keys.length === 0) return 1;
  const credits = keys.map((key): number => {
    if (!Object.hasOwn(one, key) || !Object.hasOwn(other, key)) return 0;
    const [left, right] = [one[key], other[key]];
    if (isJsonObject(left) && isJsonObject(right)) return keyCredit(left, right);
    return jsonEqual(left, right) ? 1 : 0;
  });
  return credits.reduce((sum, credit) => sum + credit, 0) / keys.length;
}
