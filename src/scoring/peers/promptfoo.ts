import type { PeerCall } from './types.ts';

/** Tool call F1 of promptfoo over the sets of names: neither arguments nor repeats count. */
export function promptfooToolCallF1(run: readonly PeerCall[], expected: readonly PeerCall[]): number {
  const made = new Set(run.map((call) => call.tool));
  const wanted = new Set(expected.map((call) => call.tool));
  const shared = [...made].filter((name) => wanted.has(name)).length;
  if (shared === 0) return 0;
  const [precision, recall] = [shared / made.size, shared / wanted.size];
  return (2 * precision * recall) / (precision + recall);
}
