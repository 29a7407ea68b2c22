import { canonicalJson } from '../../base/canonical.ts';
import type { Trajectory } from '../../trajectory/types.ts';
import { type RunPair, stateDifferences, whyNotComparable } from './states.ts';

/** BFCL's verdict on a multi-turn run: valid, or the first turn that fails and why; or why there is none. */
export type BfclVerdict =
  | {
      readonly valid: boolean;
      readonly turn: number | null;
      readonly error: BfclError | null;
      readonly reason: string;
    }
  | { readonly valid: null; readonly reason: string };

export type BfclError = 'empty-turn' | 'state' | 'response';

/**
 * The multi-turn check of BFCL (`multi_turn_checker`, v3 and v4): turn by turn of the user, the state must
 * equal that of the gold run, and every result of the gold run's turn must be among the results that the
 * model had so far, each as often. A turn without a call fails where the gold run has one; a turn in which
 * the gold run has none is not checked. Order is not checked, nor are turns after the gold run's last.
 */
export function bfclMultiTurn(pair: RunPair): BfclVerdict {
  const why = whyNotComparable(pair);
  if (why !== null) return { valid: null, reason: why };
  const [model, gold] = [turnEnds(pair.model), turnEnds(pair.gold)];
  for (const [turn, end] of gold.entries()) {
    const start = gold[turn - 1] ?? 0;
    if (end === start) continue;
    const last = pair.model.steps.length;
    const made = { start: model[turn - 1] ?? (turn === 0 ? 0 : last), end: model[turn] ?? last };
    if (made.end === made.start) {
      return failed(turn, 'empty-turn', 'the model called nothing in this turn');
    }
    const [difference] = stateDifferences(pair, { model: made.end, gold: end });
    if (difference !== undefined) return failed(turn, 'state', difference.message);
    const missing = missingResult(pair, { made: made.end, start, end });
    if (missing !== null) return failed(turn, 'response', `the model never had this result: ${missing}`);
  }
  return { valid: true, turn: null, error: null, reason: 'every turn holds' };
}

function failed(turn: number, error: BfclError, reason: string): BfclVerdict {
  return { valid: false, turn, error, reason };
}

/** How many steps had been made at the end of each turn of the user. */
function turnEnds({ steps, messages }: Trajectory): number[] {
  const starts = messages.filter(({ role }) => role === 'user').map(({ afterStep }) => afterStep);
  const later = starts[0] === 0 ? starts.slice(1) : starts;
  return [...later, steps.length];
}

function missingResult(
  { model, gold }: RunPair,
  { made, start, end }: { readonly made: number; readonly start: number; readonly end: number },
): string | null {
  const had = model.steps.slice(0, made).map(({ response }) => canonicalJson(response));
  for (const { response } of gold.steps.slice(start, end)) {
    const text = canonicalJson(response);
    const place = had.indexOf(text);
    if (place === -1) return text;
    had.splice(place, 1);
  }
  return null;
}
