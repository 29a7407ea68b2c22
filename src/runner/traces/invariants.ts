import { isJsonObject, type Json } from '../../base/json.ts';
import { checkInvariants, type Invariant, type InvariantResult, type Verdict } from '../../scoring/index.ts';
import { isOutcomeKnown, type TraceRun, traceTrajectory } from '../../traces/index.ts';
import type { Trajectory } from '../../trajectory/index.ts';

/**
 * The rules on one run, with what the trace does not say kept apart from what it says: a rule whose verdict
 * hangs on arguments that were not captured, on how a call without a result went, on states, or on an end
 * that is not told is `not-run`, and its witness says why.
 */
export function checkTrace(rules: readonly Invariant[], run: TraceRun): InvariantResult[] {
  const likely = traceTrajectory(run, { unknownOutcome: 'ok' });
  const other = traceTrajectory(run, { unknownOutcome: 'error' });
  const check = (rule: Invariant): InvariantResult => {
    if (run.trajectory) return checkOwn(rule, run.trajectory);
    if (rule.kind === 'state') return notRun(rule, 'the trace has no states');
    const isOfEnd = rule.kind === 'termination' || rule.kind === 'grounding';
    if (isOfEnd && run.end.kind === 'unknown') return notRun(rule, run.end.detail);
    const tools = toolsOf(rule);
    const hidden = run.calls.flatMap((call, index) =>
      tools.has(call.tool) && call.arguments.kind === 'not-captured' ? [index] : [],
    );
    if (hidden.length > 0 && looksAtArguments(rule)) return withoutCalls(rule, likely, hidden);
    const found = checkOne(rule, likely);
    const silent = run.calls.filter(({ result }) => result === null).length;
    if (rule.kind === 'grounding' && found.verdict === 'fail' && silent > 0) {
      return notRun(rule, `the results of ${silent} calls, which may have given it, are not in the trace`);
    }
    const open = run.calls.filter((call) => tools.has(call.tool) && !isOutcomeKnown(call)).length;
    if (open === 0 || rule.attempts === 'all' || isSame(found, checkOne(rule, other))) return found;
    return notRun(rule, `it hangs on ${open} calls of which the trace does not say how they went`);
  };
  return rules.map(check);
}

/** The recorder evaluates the state rules of its scenario, and no others. */
function checkOwn(rule: Invariant, trajectory: Trajectory): InvariantResult {
  const { watches } = trajectory.header;
  const watched = Array.isArray(watches) ? (watches as readonly Json[]).filter(isJsonObject) : [];
  const isWatched = watched.some(({ id }) => id === rule.id);
  if (rule.kind === 'state' && !isWatched) return notRun(rule, 'the recorder did not watch this rule');
  if (rule.kind === 'termination' && trajectory.end === null)
    return notRun(rule, 'the trajectory was cut short');
  return checkOne(rule, trajectory);
}

function checkOne(rule: Invariant, trajectory: Trajectory): InvariantResult {
  const [found] = checkInvariants([rule], trajectory);
  return found ?? notRun(rule, 'it was not checked');
}

/** A pass, and a run in which nothing could break the rule, are the same: it is not broken. */
const isSame = (one: InvariantResult, other: InvariantResult): boolean =>
  (one.verdict === 'fail') === (other.verdict === 'fail');

function notRun({ id, kind }: Invariant, message: string): InvariantResult {
  const verdict: Verdict = 'not-run';
  return { id, kind, verdict, witnesses: [{ steps: [], message }] };
}

function toolsOf(rule: Invariant): ReadonlySet<string> {
  if (rule.kind === 'ordering') return new Set([rule.first.tool, rule.then.tool]);
  return new Set('tool' in rule ? [rule.tool] : []);
}

function looksAtArguments(rule: Invariant): boolean {
  if (rule.kind === 'arguments') return true;
  if (rule.kind === 'ordering') return Boolean(rule.each ?? rule.first.where ?? rule.then.where);
  return (
    (rule.kind === 'prohibition' || rule.kind === 'cardinality') &&
    Boolean(rule.where ?? ('each' in rule && rule.each))
  );
}

/**
 * What the calls whose arguments are known break is broken, whatever the others were given; else nobody
 * knows.
 */
function withoutCalls(rule: Invariant, trajectory: Trajectory, hidden: readonly number[]): InvariantResult {
  const why = `the arguments of ${hidden.length} calls were not captured`;
  const onlyForbids = rule.kind !== 'ordering' && !(rule.kind === 'cardinality' && rule.min !== undefined);
  if (!onlyForbids) return notRun(rule, why);
  const steps = trajectory.steps.filter(({ index }) => !hidden.includes(index));
  const found = checkOne(rule, { ...trajectory, steps });
  return found.verdict === 'fail' ? found : notRun(rule, why);
}
