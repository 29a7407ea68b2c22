import { type JsonObject, jsonEqual } from '../../base/json.ts';
import type { PeerCall } from './types.ts';

/** How arguments are compared: equal; all of the reference's there and equal; the reverse; not at all. */
export type AgentevalsArguments = 'exact' | 'superset' | 'subset' | 'ignore';

/**
 * Strict mode of agentevals: as many turns, as many calls in each, and in each turn every call takes the
 * first free reference call of its name whose arguments match.
 */
export function agentevalsStrict(
  run: readonly (readonly PeerCall[])[],
  reference: readonly (readonly PeerCall[])[],
  mode: AgentevalsArguments = 'exact',
): boolean {
  if (run.length !== reference.length) return false;
  return run.every((calls, turn) => {
    const wanted = reference[turn] ?? [];
    return (
      calls.length === wanted.length && allPlaced(calls, wanted, (call, other) => matches(call, other, mode))
    );
  });
}

/** Superset mode: every reference call, in order, takes the first free matching call of the run. */
export function agentevalsSuperset(
  run: readonly PeerCall[],
  reference: readonly PeerCall[],
  mode: AgentevalsArguments = 'exact',
): boolean {
  return allPlaced(reference, run, (wanted, call) => matches(call, wanted, mode));
}

/** Subset mode: superset with run and reference exchanged, which turns the argument mode round as well. */
export function agentevalsSubset(
  run: readonly PeerCall[],
  reference: readonly PeerCall[],
  mode: AgentevalsArguments = 'exact',
): boolean {
  return agentevalsSuperset(reference, run, mode);
}

/** Unordered mode: superset both ways, so a one-sided argument mode comes to equality. */
export function agentevalsUnordered(
  run: readonly PeerCall[],
  reference: readonly PeerCall[],
  mode: AgentevalsArguments = 'exact',
): boolean {
  return agentevalsSuperset(run, reference, mode) && agentevalsSubset(run, reference, mode);
}

/** Serves the items in order, each with the first free partner: not a maximum matching. */
function allPlaced(
  items: readonly PeerCall[],
  partners: readonly PeerCall[],
  fits: (item: PeerCall, partner: PeerCall) => boolean,
): boolean {
  const used = new Set<number>();
  return items.every((item) => {
    const place = partners.findIndex((partner, index) => !used.has(index) && fits(item, partner));
    if (place !== -1) used.add(place);
    return place !== -1;
  });
}

function matches(call: PeerCall, reference: PeerCall, mode: AgentevalsArguments): boolean {
  if (call.tool !== reference.tool) return false;
  if (mode === 'ignore') return true;
  if (mode === 'exact') return jsonEqual(call.arguments, reference.arguments);
  return mode === 'superset'
    ? includes(call.arguments, reference.arguments)
    : includes(reference.arguments, call.arguments);
}

function includes(whole: JsonObject, part: JsonObject): boolean {
  return Object.keys(part).every((key) => Object.hasOwn(whole, key) && jsonEqual(whole[key], part[key]));
}
