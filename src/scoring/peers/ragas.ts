import { canonicalJson } from '../../base/canonical.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { PeerCall } from './types.ts';

/**
 * Tool call accuracy of ragas: 0 unless the sequences of names agree (`strict`) or the sorted ones do
 * (`flexible`); then the mean argument score of the calls place by place.
 */
export function ragasToolCallAccuracy(
  run: readonly PeerCall[],
  reference: readonly PeerCall[],
  mode: 'strict' | 'flexible' = 'strict',
): number {
  if (reference.length === 0) return run.length === 0 ? 1 : 0;
  const [calls, wanted] = mode === 'strict' ? [run, reference] : [sorted(run), sorted(reference)];
  const aligned =
    calls.length === wanted.length && calls.every((call, place) => call.tool === wanted[place]?.tool);
  if (!aligned) return 0;
  const scores = calls.map((call, place) => argumentScore(call.arguments, wanted[place]?.arguments ?? {}));
  return scores.reduce((sum, score) => sum + score, 0) / wanted.length;
}

/** Tool call F1 of ragas over the sets of (name, arguments), to four places; repeats collapse. */
export function ragasToolCallF1(run: readonly PeerCall[], reference: readonly PeerCall[]): number {
  const made = new Set(run.map(callText));
  const wanted = new Set(reference.map(callText));
  const shared = [...made].filter((call) => wanted.has(call)).length;
  if (shared === 0) return 0;
  const [precision, recall] = [shared / made.size, shared / wanted.size];
  return Math.round(((2 * precision * recall) / (precision + recall)) * 10_000) / 10_000;
}

const callText = (call: PeerCall): string => `${call.tool} ${canonicalJson(call.arguments)}`;

function sorted(calls: readonly PeerCall[]): PeerCall[] {
  return [...calls].sort((one, other) => (callText(one) < callText(other) ? -1 : 1));
}

/** The share of the reference's arguments whose text is the same: surplus ones are free, 1 equals "1". */
function argumentScore(got: JsonObject, wanted: JsonObject): number {
  const names = Object.keys(wanted);
  if (names.length === 0) return Object.keys(got).length === 0 ? 1 : 0;
  const equal = names.filter(
    (name) => Object.hasOwn(got, name) && textOf(got[name]) === textOf(wanted[name]),
  );
  return equal.length / names.length;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}
