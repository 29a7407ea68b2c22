import { type Json, jsonEqual } from '../base/json.ts';
import type { Session } from '../session/index.ts';
import { type Estimate, meanEstimate, type Observation } from '../stats/index.ts';
import { openScriptedUser } from '../users/index.ts';
import { agentTask } from './agent-task.ts';
import { type PlayedCall, ReferencePlay } from './certify/play.ts';
import type { PreparedScenario } from './prepare.ts';
import type { Agent, AgentAction, AgentRun, HistoryEntry, ToolCall } from './types.ts';

/**
 * How one teacher-forced step went.
 * - `exact`: the reference's own call, free text aside;
 * - `equivalent`: another one, after which the remaining reference still meets contract and invariants;
 * - `harmless`: a read or a failed call, nothing changed;
 * - `fatal`: nothing that follows can repair it, or the agent stopped.
 */
export type StepVerdict = 'exact' | 'equivalent' | 'harmless' | 'fatal';

export interface JudgedStep {
  readonly step: number;
  readonly verdict: StepVerdict;
  readonly expected: ToolCall;
  /** What the agent did; null when it answered or stopped. */
  readonly got: ToolCall | null;
  readonly detail: string;
}

export interface StepwiseTrial {
  readonly scenario: string;
  readonly cluster: string;
  readonly trial: number;
  readonly steps: readonly JudgedStep[];
}

export interface StepwiseSummary {
  readonly trials: number;
  readonly steps: number;
  readonly counts: Readonly<Record<StepVerdict, number>>;
  /** Mean over trials of the share of steps with each verdict, clustered by scenario cluster. */
  readonly shares: Readonly<Record<StepVerdict, Estimate>>;
  /** Exact or equivalent: the primary figure. */
  readonly good: Estimate;
}

const VERDICTS = ['exact', 'equivalent', 'harmless', 'fatal'] as const satisfies readonly StepVerdict[];

/** So many messages an agent may exchange with the user before its call of one step. */
const MESSAGES_PER_STEP = 5;

/**
 * Runs one scenario step by step: at every reference call the agent gets the true history and makes one call.
 */
export async function runStepwiseTrial(
  prepared: PreparedScenario,
  agent: Agent,
  trial: { readonly trial: number; readonly seed: string },
): Promise<StepwiseTrial> {
  const play = new ReferencePlay(prepared);
  const task = agentTask(prepared, trial);
  const steps: JudgedStep[] = [];
  for (const { number: step } of play.calls) {
    if (step === null) continue;
    // A run of its own for every step: what the agent did at another step is not part of this one's history.
    const run = await agent.start(task);
    try {
      const action = await firstCall(run, play, step);
      steps.push(judge(play, step, action));
    } finally {
      await run.close?.();
    }
  }
  const { id: scenario, cluster } = prepared.scenario;
  return { scenario, cluster, trial: trial.trial, steps };
}

/** The figures of a step-wise run. */
export function summariseStepwise(trials: readonly StepwiseTrial[]): StepwiseSummary {
  const judged = trials.filter(({ steps }) => steps.length > 0);
  const share = (verdicts: readonly StepVerdict[]): Estimate => {
    const observations = judged.map(
      ({ steps, cluster }): Observation => ({
        value: steps.filter(({ verdict }) => verdicts.includes(verdict)).length / steps.length,
        cluster,
      }),
    );
    if (observations.length === 0) return { value: null, reason: 'no reference call to judge' };
    return meanEstimate(observations, { range: { low: 0, high: 1 } });
  };
  const all = judged.flatMap(({ steps }) => steps);
  const count = (verdict: StepVerdict): number => all.filter((step) => step.verdict === verdict).length;
  return {
    trials: judged.length,
    steps: all.length,
    counts: Object.fromEntries(VERDICTS.map((verdict) => [verdict, count(verdict)])) as Record<
      StepVerdict,
      number
    >,
    shares: Object.fromEntries(VERDICTS.map((verdict) => [verdict, share([verdict])])) as Record<
      StepVerdict,
      Estimate
    >,
    good: share(['exact', 'equivalent']),
  };
}

/** The agent's first call after the true history; messages in between are answered by the scripted user. */
async function firstCall(run: AgentRun, play: ReferencePlay, step: number): Promise<AgentAction> {
  const { scenario } = play.prepared;
  const user = scenario.user ? openScriptedUser(scenario.user) : null;
  const opening: HistoryEntry[] = user ? [{ type: 'user', text: user.opening }] : [];
  const history: HistoryEntry[] = [...opening, ...trueHistory(play, step)];
  const world = play.before(step).world;
  let action = await run.next(history);
  for (let count = 0; action.type === 'say' && count < MESSAGES_PER_STEP; count += 1) {
    history.push({ type: 'say', text: action.text });
    const reply = user?.reply(action.text, (table) => world.table(table).scan());
    if (!reply || reply.ended) break;
    history.push({ type: 'user', text: reply.text });
    action = await run.next(history);
  }
  return action;
}

function trueHistory(play: ReferencePlay, step: number): HistoryEntry[] {
  return play.run.calls.slice(0, step).map((call, index): HistoryEntry => {
    const delivery = play.run.deliveries[index];
    return {
      type: 'call',
      call: { tool: call.tool, arguments: call.input as Json },
      result: { ok: delivery?.ok ?? false, status: delivery?.status ?? 0, body: delivery?.body ?? null },
    };
  });
}

function judge(play: ReferencePlay, step: number, action: AgentAction): JudgedStep {
  const reference = play.run.calls[step];
  const expected: ToolCall = { tool: reference?.tool ?? '', arguments: reference?.input as Json };
  const [got = null] = action.type === 'call' ? [action] : action.type === 'calls' ? action.calls : [];
  const verdict = (kind: StepVerdict, detail: string): JudgedStep => ({
    step,
    verdict: kind,
    expected,
    got: got && callOnly(got),
    detail,
  });
  if (!got)
    return verdict('fatal', action.type === 'answer' ? 'answered before the work was done' : 'made no call');
  if (sameCall(play, got, expected)) return verdict('exact', '');
  const session = play.before(step);
  const before = session.world.contentDigest();
  const delivery = callOn(session, got);
  const remaining = play.calls.slice(step);
  const failure = continuationFailure(play, session, withoutFirst(play, remaining, got));
  if (failure === null)
    return verdict('equivalent', 'the rest of the reference still meets contract and invariants');
  if (session.ended === null && before === session.fork(step + 1).world.contentDigest()) {
    return verdict('harmless', delivery.ok ? 'a read: nothing changed' : 'it failed: nothing changed');
  }
  return verdict('fatal', failure);
}

function callOnly({ tool, arguments: input, malformed }: ToolCall): ToolCall {
  return {
    tool,
    ...(input !== undefined && { arguments: input }),
    ...(malformed !== undefined && { malformed }),
  };
}

function callOn(session: Session, call: ToolCall): { readonly ok: boolean } {
  return session.call({
    tool: call.tool,
    ...(call.malformed === undefined ? { input: call.arguments ?? {} } : { malformed: call.malformed }),
  });
}

/**
 * The remaining reference once the agent's call is made: without that call if it is one of them, else without
 * its first.
 */
function withoutFirst(
  play: ReferencePlay,
  remaining: readonly PlayedCall[],
  got: ToolCall,
): readonly PlayedCall[] {
  const index = remaining.findIndex((call) =>
    sameCall(play, got, { tool: call.tool, arguments: play.inputOf(call, new Map()) }),
  );
  return remaining.filter((_call, position) => position !== Math.max(index, 0));
}

/** What the continuation breaks, in words; null when it meets everything. */
function continuationFailure(
  play: ReferencePlay,
  session: Session,
  calls: readonly PlayedCall[],
): string | null {
  const continued = session.fork();
  play.continue(continued, calls);
  const { scenario } = play.prepared;
  const score = continued.ended
    ? play.scoreTrajectory(continued.finish({ reason: continued.ended }))
    : play.scoreOf(continued, scenario.reference.answer);
  if (score.success) return null;
  return score.firstFailure?.message ?? score.void?.detail ?? 'the continuation fails';
}

function sameCall(play: ReferencePlay, got: ToolCall, expected: ToolCall): boolean {
  if (got.tool !== expected.tool || got.malformed !== undefined) return false;
  const freeText = play.prepared.freeText[got.tool] ?? [];
  return jsonEqual(masked(got.arguments, freeText), masked(expected.arguments, freeText));
}

function masked(input: Json | undefined, freeText: readonly string[]): Json {
  const entries = Object.entries((input ?? {}) as { readonly [key: string]: Json | undefined });
  return Object.fromEntries(entries.filter(([name]) => !freeText.includes(name)));
}
