import { UsageError } from '../base/errors.ts';
import type { PreparedScenario } from '../runner/prepare.ts';
import { checkInvariants, type Invariant, type InvariantResult, type Witness } from '../scoring/index.ts';
import { openSession, requestOf, sessionOptionsOf } from '../session/index.ts';
import type { Trajectory } from '../trajectory/index.ts';
import { checkRules, checkScenario } from './demands.ts';
import { failureText } from './message.ts';
import { isPrepared, type MatcherOptions, type ReceivedRun, receivedRun } from './received.ts';
import { isTrials, type ReceivedTrial, receivedTrials } from './trials.ts';
import type { Matched } from './types.ts';

/** The rules: a list, or those of a scenario. */
export type Rules = PreparedScenario | readonly Invariant[];

/**
 * Whether a run keeps invariants, or every trial of many does. Rules may be left out for trials that were
 * scored: then they are those of their scenarios. Rules about the end of a run do not hold for a session that
 * goes on, and are passed over there.
 * @throws UsageError for what is no run, and where a rule cannot be judged
 */
export function keepsInvariants(received: unknown, rules?: Rules, options: MatcherOptions = {}): Matched {
  if (isTrials(received)) return trialsKeep(receivedTrials(received), rules, options);
  if (rules === undefined) {
    throw new UsageError('no-rules', 'name the invariants that the run should keep', {
      hint: 'toKeepInvariants([{ id: "one-refund", kind: "cardinality", tool: "refund", max: 1 }])',
    });
  }
  const run = receivedRun(received, isPrepared(rules) ? { environment: rules, ...options } : options);
  const witnesses = broken(resultsOf(run, rules));
  return {
    pass: witnesses.length === 0,
    message: () =>
      witnesses.length === 0
        ? 'the run keeps the invariants, and was expected not to'
        : failureText('the run breaks an invariant', witnesses, run.trajectory),
  };
}

function trialsKeep(
  trials: readonly ReceivedTrial[],
  rules: Rules | undefined,
  options: MatcherOptions,
): Matched {
  const judged = trials.map((trial) => ({ trial, results: resultsOfTrial(trial, rules, options) }));
  if (judged.every(({ results }) => results.length === 0)) {
    throw new UsageError('not-judged', 'no trial was held to an invariant: there is none, or all are void');
  }
  const found = judged.map(({ trial, results }) => ({ trial, witnesses: broken(results) }));
  const breaking = found.filter(({ witnesses }) => witnesses.length > 0);
  return {
    pass: breaking.length === 0,
    message: () => {
      if (breaking.length === 0) return `all ${trials.length} trials keep the invariants, expected not to`;
      const lines = breaking.slice(0, 5).map(({ trial, witnesses: [first] }) => {
        const step = first?.steps[0];
        return `  ${trial.scenario} trial ${trial.trial}: ${step === undefined ? '' : `step ${step}: `}${first?.message}`;
      });
      return [`${breaking.length} of ${trials.length} trials break an invariant:`, ...lines].join('\n');
    },
  };
}

function resultsOfTrial(
  trial: ReceivedTrial,
  rules: Rules | undefined,
  options: MatcherOptions,
): readonly InvariantResult[] {
  if (rules === undefined) return trial.score.invariants;
  const trajectory = trial.trajectory();
  if (trajectory) return resultsOf(receivedRun(trajectory, options), rules);
  throw new UsageError('no-trajectory', `${trial.scenario} trial ${trial.trial} has no trajectory to judge`);
}

function resultsOf(run: ReceivedRun, rules: Rules): readonly InvariantResult[] {
  const list = rulesOf(run, rules);
  const goesOn = run.trajectory.end === null;
  const judged = list.filter(({ kind }) => !goesOn || (kind !== 'termination' && kind !== 'grounding'));
  return checkInvariants(judged, watched(run, judged));
}

function rulesOf({ trajectory }: ReceivedRun, rules: Rules): readonly Invariant[] {
  if (isPrepared(rules)) {
    checkScenario(trajectory, rules.scenario.id);
    return rules.scenario.invariants;
  }
  checkRules(rules, trajectory);
  return rules;
}

/** The run with the breaches of every state rule: what was not watched in its time is played anew. */
function watched(run: ReceivedRun, rules: readonly Invariant[]): Trajectory {
  const { trajectory } = run;
  const known = (trajectory.header.watches ?? []) as unknown as readonly { readonly id: string }[];
  const watches = rules.flatMap((rule) => (rule.kind === 'state' ? [{ id: rule.id, ...rule.always }] : []));
  if (watches.every(({ id }) => known.some((one) => one.id === id))) return trajectory;
  const options = sessionOptionsOf(trajectory.header, run.environment());
  const session = openSession({ ...options, watches });
  for (const step of trajectory.steps) session.call(requestOf(step));
  const steps = session.steps();
  return { ...trajectory, steps: trajectory.steps.map((step, index) => withBreaches(step, steps[index])) };
}

function withBreaches<T extends Trajectory['steps'][number]>(step: T, played: T | undefined): T {
  return played ? { ...step, breaches: played.breaches } : step;
}

/** Witnesses of the rules that are broken. @throws UsageError where one could not be judged */
function broken(results: readonly InvariantResult[]): readonly Witness[] {
  const unknown = results.find(({ verdict }) => verdict === 'error' || verdict === 'not-run');
  if (unknown) {
    const why = unknown.witnesses[0]?.message ?? 'the run does not say enough';
    throw new UsageError('not-judged', `${unknown.id} cannot be judged: ${why}`);
  }
  return results
    .filter(({ verdict }) => verdict === 'fail')
    .flatMap(({ id, witnesses }) => witnesses.map((one) => ({ ...one, message: `${id}: ${one.message}` })));
}
