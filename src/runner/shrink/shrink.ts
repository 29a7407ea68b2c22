import { UsageError } from '../../base/errors.ts';
import { contractBreaches, failedChecks, netDiff } from '../../scoring/index.ts';
import type { StepRecord, Trajectory } from '../../trajectory/index.ts';
import { type PreparedScenario, type ReferenceRun, runReference } from '../prepare.ts';
import { recordedEpisode } from '../recorded-episode.ts';
import { scoreAgainst } from '../score.ts';
import { shortestFailing } from './delta-debug.ts';
import { ShorterRuns } from './shorter-runs.ts';
import type { Breach, ShrunkRun } from './types.ts';

/**
 * Shrinks a recorded trial that failed: the shortest list of its calls found that, played anew with the same
 * messages and answer, fails first by the same check: by something done again, or by something left out
 * again; of a contract, in the same table by the same kind of change. No single call can be left out of it.
 * How the run ended is no breach of its calls, and does not count.
 * @throws UsageError when the record does not replay here, or nothing but its end failed
 */
export function shrinkRun(prepared: PreparedScenario, trajectory: Trajectory): ShrunkRun {
  recordedEpisode(prepared, trajectory);
  const reference = runReference(prepared, trajectory.header.world.streamSeed);
  const breachIn = breachFinder(prepared, reference);
  const wanted = breachIn(trajectory);
  if (!wanted) throw nothingToShrink(prepared, reference, trajectory);
  const runs = new ShorterRuns(prepared, trajectory);
  const known = new Map<string, boolean>();
  const fails = (steps: readonly StepRecord[]): boolean => {
    const name = steps.map(({ index }) => index).join(' ');
    const verdict = known.get(name) ?? isSame(breachIn(runs.finished(steps).trajectory), wanted);
    known.set(name, verdict);
    return verdict;
  };
  const kept = shortestFailing(trajectory.steps, fails, (steps) => runs.settle(steps));
  const shrunk = runs.finished(kept);
  return {
    from: trajectory.steps.length,
    to: kept.length,
    calls: kept.map(({ index, tool, input }, place) => ({
      step: index,
      tool,
      arguments: shrunk.trajectory.steps[place]?.input ?? input,
    })),
    check: breachIn(shrunk.trajectory) ?? wanted,
    played: known.size,
    trajectory: shrunk.trajectory,
    text: shrunk.text(),
  };
}

/** Finds what a run breaks first by what it called; null when that is nothing, or the run is void. */
function breachFinder(
  prepared: PreparedScenario,
  reference: ReferenceRun,
): (run: Trajectory) => Breach | null {
  const { scenario, shape } = prepared;
  const endings = scenario.invariants.filter(({ kind }) => kind === 'termination');
  const ofTheEnd = new Set(endings.map(({ id }) => `invariant ${id}`));
  return (run) => {
    const score = scoreAgainst(prepared, reference, run);
    if (score.void) return null;
    const first = failedChecks(score).find(({ check }) => !check.startsWith('end ') && !ofTheEnd.has(check));
    if (!first) return null;
    const { check, witness } = first;
    const breach = { check, message: witness.message, step: witness.steps[0] ?? null };
    if (check !== 'contract') return breach;
    const all = contractBreaches(reference.contract, netDiff(run.steps), { shape });
    const found = all.find((one) => one.witness.message === witness.message);
    return found ? { ...breach, table: found.table, op: found.op } : breach;
  };
}

function isSame(found: Breach | null, wanted: Breach): boolean {
  if (found === null || found.check !== wanted.check) return false;
  // To have done a thing wrongly and to have left it out are two failures.
  if ((found.step === null) !== (wanted.step === null)) return false;
  return found.table === wanted.table && found.op === wanted.op;
}

function nothingToShrink(
  prepared: PreparedScenario,
  reference: ReferenceRun,
  trajectory: Trajectory,
): UsageError {
  const { success, void: voided, firstFailure } = scoreAgainst(prepared, reference, trajectory);
  const why = voided
    ? `it is void (${voided.reason}): ${voided.detail}`
    : success
      ? 'it succeeded'
      : `it failed by its end alone: ${firstFailure?.message ?? 'no required grader passed'}`;
  return new UsageError('nothing-to-shrink', `there is no failing call in this run: ${why}`);
}
