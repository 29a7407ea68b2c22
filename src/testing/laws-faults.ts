import fc from 'fast-check';
import type { FaultPlan } from '../faults/index.ts';
import type { Session } from '../session/index.ts';
import type { StepRecord } from '../trajectory/types.ts';
import { arbitraryCall, type OpenCall } from './arbitrary.ts';
import { arbitraryPlan } from './plans.ts';
import type { Subject } from './subject.ts';

/**
 * Whatever a fault plan does to whatever calls: no invariant breaks, the world stays one that its changes
 * lead to and its rules allow, what a step records is what happened, a fork is struck as the session is, and
 * the record replays.
 */
export function faultProblems(subject: Subject): string[] {
  const { runs = 40, length = 15, seed = 4_711 } = subject.options.random ?? {};
  const { service, world } = subject;
  const calls = fc.array(arbitraryCall(service, world), { minLength: 1, maxLength: length });
  const property = fc.property(arbitraryPlan(service, world), calls, (plan, sequence) => {
    const problem = problemOf(subject, plan, sequence);
    if (problem !== null) throw new Error(problem);
  });
  const result = fc.check(property, { numRuns: runs, seed });
  if (!result.failed) return [];
  const [plan, sequence] = result.counterexample ?? [];
  return [
    [
      `${(result.errorInstance as Error | null)?.message ?? 'it failed'}`,
      `  seed ${result.seed}, path ${result.counterexamplePath ?? ''}`,
      `  plan ${JSON.stringify(plan)}`,
      `  calls ${JSON.stringify(sequence)}`,
    ].join('\n'),
  ];
}

function problemOf(subject: Subject, plan: FaultPlan, sequence: readonly OpenCall[]): string | null {
  const session = subject.open({ faults: plan });
  const half = Math.floor(sequence.length / 2);
  const first = subject.play('under faults', sequence.slice(0, half), session);
  const fork = session.fork();
  const second = subject.play('under faults', sequence.slice(half), session);
  const crash = first.crash ?? second.crash;
  if (crash) return `an invariant broke: ${crash.message}`;
  const steps = session.steps();
  const other = subject.play('under faults, forked', sequence.slice(half), fork);
  if (other.trajectory !== second.trajectory) return 'a fork went another way than its session';
  return unsound(session) ?? wrongRecord(steps) ?? subject.replayProblem(session);
}

/** Applying the changes checks every touched row, its unique indexes and its foreign keys. */
function unsound(session: Session): string | null {
  const start = session.fork(0).world;
  const rebuilt = start.apply(start.diff(session.world));
  return rebuilt.merkleRoot() === session.world.merkleRoot() ? null : 'the changes do not lead to the world';
}

/** A step that says that nothing changed must have left the digest alone, and the other way round. */
function wrongRecord(steps: readonly StepRecord[]): string | null {
  for (const { index, before, after, diff, fault, delivered, outcome } of steps) {
    if (diff.length === 0 && before !== after) return `step ${index} changed the world and records no change`;
    if (delivered && !fault) return `step ${index} was delivered otherwise, and no fault says so`;
    const refused =
      fault?.kind === 'reject' || fault?.kind === 'auth-expired' || fault?.kind === 'request-lost';
    if (refused && (before !== after || outcome === 'ok')) return `step ${index} was refused and happened`;
  }
  return null;
}
