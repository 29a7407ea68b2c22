import { type RunPair, stateDifferences, whyNotComparable } from './states.ts';

/** tau-bench's reward, 0 or 1, with its two parts; or why there is none. */
export type TauReward =
  | { readonly reward: 0 | 1; readonly state: boolean; readonly outputs: boolean; readonly reason: string }
  | { readonly reward: null; readonly reason: string };

/**
 * The reward of tau-bench, version 1: the state in the end equals the one after the gold actions, and each
 * of the outputs stands in some message of the agent. Messages are lower-cased and lose their commas;
 * outputs are lower-cased only, so one with a comma is never found. A run that did not end properly gets 0.
 */
export function tauReward(pair: RunPair, outputs: readonly string[] = []): TauReward {
  const why = whyNotComparable(pair);
  if (why !== null) return { reward: null, reason: why };
  const { end, messages, steps } = pair.model;
  if (end === null) return { reward: null, reason: 'how the run ended is not known' };
  const [difference] = stateDifferences(pair, { model: steps.length, gold: pair.gold.steps.length });
  const said = messages.filter(({ role }) => role === 'agent').map(({ text }) => folded(text));
  if (end.answer !== null) said.push(folded(end.answer));
  const missing = outputs.find((output) => !said.some((text) => text.includes(output.toLowerCase())));
  const isProper = end.reason === 'answer' || end.reason === 'user-ended';
  const [state, told] = [difference === undefined, missing === undefined];
  return {
    reward: isProper && state && told ? 1 : 0,
    state,
    outputs: told,
    reason: isProper ? whyOf(difference?.message, missing) : `ended by ${end.reason}`,
  };
}

function whyOf(difference: string | undefined, missing: string | undefined): string {
  if (difference !== undefined) return difference;
  return missing === undefined
    ? 'the state is the gold one, and every output was said'
    : `never said: ${missing}`;
}

const folded = (text: string): string => text.toLowerCase().replaceAll(',', '');
