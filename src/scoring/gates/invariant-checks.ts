import type { SummaryTrial } from '../summary-types.ts';
import { NO_BASELINE } from './difference.ts';
import type { GateCheck, GateProfile, InvariantChoice } from './types.ts';

interface Broken {
  readonly count: number;
  readonly of: number;
  /** The first trial that broke it. */
  readonly where: string | null;
}

/** Checks on named invariants: those that must never break, and those that did not break before. */
export function invariantChecks(
  { newlyBroken, never }: NonNullable<GateProfile['invariants']>,
  candidate: readonly SummaryTrial[],
  baseline: readonly SummaryTrial[] | null,
): GateCheck[] {
  const now = brokenById(candidate);
  const before = baseline === null ? null : brokenById(baseline);
  const checks: GateCheck[] = [];
  for (const id of chosen(never, now)) checks.push(neverCheck(id, now.get(id)));
  for (const id of chosen(newlyBroken, now)) checks.push(newCheck(id, now.get(id), before));
  return merged(checks);
}

function neverCheck(id: string, found: Broken | undefined): GateCheck {
  const check = `invariant ${id}`;
  if (found === undefined) return { check, verdict: 'inconclusive', reason: 'no scenario has it' };
  if (found.count === 0) return { check, verdict: 'pass', reason: `kept in all ${found.of} trials` };
  return {
    check,
    verdict: 'fail',
    reason: `broken in ${found.count} of ${found.of} trials, first in ${found.where}`,
  };
}

function newCheck(
  id: string,
  found: Broken | undefined,
  before: ReadonlyMap<string, Broken> | null,
): GateCheck {
  const check = `invariant ${id}`;
  if (before === null) return { check, verdict: 'inconclusive', reason: NO_BASELINE };
  if (found === undefined) return { check, verdict: 'inconclusive', reason: 'no scenario has it' };
  const earlier = before.get(id)?.count ?? 0;
  if (found.count > 0 && earlier === 0) {
    const reason = `newly broken in ${found.count} of ${found.of} trials, first in ${found.where}`;
    return { check, verdict: 'fail', reason };
  }
  const reason =
    found.count === 0 ? `kept in all ${found.of} trials` : `broken before too, in ${earlier} trials`;
  return { check, verdict: 'pass', reason };
}

const chosen = (
  choice: InvariantChoice | undefined,
  known: ReadonlyMap<string, Broken>,
): readonly string[] => (choice === 'all' ? [...known.keys()].sort() : (choice ?? []));

/** What passed as one check, so that a report shows what did not. */
function merged(checks: readonly GateCheck[]): GateCheck[] {
  const passed = checks.filter(({ verdict }) => verdict === 'pass');
  const others = checks.filter(({ verdict }) => verdict !== 'pass');
  if (passed.length === 0) return others;
  const reason =
    passed.length === 1 ? (passed[0]?.reason ?? '') : `${passed.length} invariants are kept as asked`;
  return [
    ...others,
    { check: passed.length === 1 ? (passed[0]?.check ?? '') : 'invariants', verdict: 'pass', reason },
  ];
}

function brokenById(trials: readonly SummaryTrial[]): ReadonlyMap<string, Broken> {
  const found = new Map<string, { count: number; of: number; where: string | null }>();
  for (const { scenario, trial, score } of trials) {
    if (score.void !== null) continue;
    for (const { id, verdict } of score.invariants) {
      const own = found.get(id) ?? { count: 0, of: 0, where: null };
      own.of += 1;
      if (verdict === 'fail') {
        own.count += 1;
        own.where ??= `${scenario}, trial ${trial}`;
      }
      found.set(id, own);
    }
  }
  return found;
}
