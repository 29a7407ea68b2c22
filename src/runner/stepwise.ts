import { UsageError } from '../base/errors.ts';
import { type Json, jsonEqual } from '../base/json.ts';
import type { Session } from '../session/index.ts';
import type { STEP_VERDICTS } from '../store/stepwise-log.ts';
import { AgentFailure } from './agent-failure.ts';
import { agentTask } from './agent-task.ts';
import { checkedAgent } from './agents/checked.ts';
import { requestFor } from './call-request.ts';
import { type PlayedCall, ReferencePlay } from './certify/play.ts';
import { type PreparedScenario, trialName } from './prepare.ts';
import { toolResult } from './tool-result.ts';
import type { Agent, AgentAction, AgentRun, AgentTask, HistoryEntry, ToolCall } from './types.ts';

/**
 * How one teacher-forced step went.
 * - `exact`: the reference's own call, free text aside;
 * - `equivalent`: another one, after which the remaining reference still meets contract and invariants;
 * - `harmless`: a read or a failed call, nothing changed;
 * - `fatal`: nothing that follows can repair it, or the agent failed, answered or stopped.
 */
export type StepVerdict = (typeof STEP_VERDICTS)[number];

export interface JudgedStep {
  readonly step: number;
  readonly verdict: StepVerdict;
  readonly expected: ToolCall;
  /** What the agent did; null when it made no call. */
  readonly got: ToolCall | null;
  readonly detail: string;
}

export interface StepwiseTrial {
  readonly scenario: string;
  readonly cluster: string;
  readonly trial: number;
  readonly steps: readonly JudgedStep[];
}

export interface StepwiseOptions {
  readonly trial: number;
  readonly seed: string;
  /** What was judged before, of a run that is taken up. */
  readonly known?: (step: number) => JudgedStep | undefined;
  /** Hears every step that is judged now. */
  readonly onStep?: (step: JudgedStep) => void;
}

/** So many messages an agent may say to nobody before its call of one step. */
const MESSAGES_PER_STEP = 5;

/** Why a scenario cannot be judged step by step; null when it can. */
export function whyNotStepwise({ scenario }: PreparedScenario): string | null {
  // What the user would have said hangs on what the agent said, and a reference says nothing.
  if (scenario.user) return 'conversation: the reference has no turns of its own';
  return scenario.reference.calls.length === 0 ? 'the reference makes no call' : null;
}

/**
 * Runs one scenario step by step: at every reference call the agent gets the true history and makes one call.
 * What the agent does wrong is a verdict.
 * @throws UsageError for a scenario that `whyNotStepwise` gives a reason for
 */
export async function runStepwiseTrial(
  prepared: PreparedScenario,
  agent: Agent,
  options: StepwiseOptions,
): Promise<StepwiseTrial> {
  const reason = whyNotStepwise(prepared);
  if (reason !== null) {
    throw new UsageError('not-stepwise', `${prepared.scenario.id} cannot be judged step by step: ${reason}`);
  }
  const play = new ReferencePlay(prepared);
  const asked = { agent: checkedAgent(agent), task: agentTask(prepared, options) };
  const steps: JudgedStep[] = [];
  for (const step of prepared.scenario.reference.calls.keys()) {
    let judged = options.known?.(step);
    if (!judged) {
      judged = await judgedStep(play, step, asked);
      options.onStep?.(judged);
    }
    steps.push(judged);
  }
  const { id: scenario, cluster } = prepared.scenario;
  return { scenario, cluster, trial: options.trial, steps };
}

async function judgedStep(
  play: ReferencePlay,
  step: number,
  { agent, task }: { readonly agent: Agent; readonly task: AgentTask },
): Promise<JudgedStep> {
  const reference = play.run.calls[step];
  const expected: ToolCall = { tool: reference?.tool ?? '', arguments: reference?.input as Json };
  // A run of its own for every step: what the agent did at another step is not part of this one's history.
  let run: AgentRun | null = null;
  try {
    run = await agent.start(task, `${trialName(play.prepared)}.step-${step}`);
    return { step, expected, ...judge(play, step, { action: await firstCall(run, play, step), expected }) };
  } catch (error) {
    if (!(error instanceof AgentFailure)) throw error;
    return { step, verdict: 'fatal', expected, got: null, detail: `${error.reason}: ${error.message}` };
  } finally {
    await run?.close?.();
  }
}

/** The agent's first call after the true history. Nobody answers what it says before. */
async function firstCall(run: AgentRun, play: ReferencePlay, step: number): Promise<AgentAction> {
  const history = trueHistory(play, step);
  let action = await run.next(history);
  for (let count = 0; action.type === 'say' && count < MESSAGES_PER_STEP; count += 1) {
    history.push({ type: 'say', text: action.text });
    action = await run.next(history);
  }
  return action;
}

function trueHistory(play: ReferencePlay, step: number): HistoryEntry[] {
  return play.run.calls.slice(0, step).map((call, index): HistoryEntry => {
    const delivery = play.run.deliveries[index] ?? { ok: false, status: 0, body: null };
    return {
      type: 'call',
      call: { tool: call.tool, arguments: call.input as Json },
      result: toolResult(delivery),
    };
  });
}

type Judgement = Pick<JudgedStep, 'verdict' | 'got' | 'detail'>;

function judge(
  play: ReferencePlay,
  step: number,
  { action, expected }: { readonly action: AgentAction; readonly expected: ToolCall },
): Judgement {
  const [got] = action.type === 'call' ? [action] : action.type === 'calls' ? action.calls : [];
  if (!got) {
    const detail = action.type === 'answer' ? 'answered before the work was done' : 'made no call';
    return { verdict: 'fatal', got: null, detail };
  }
  const call = callOnly(got);
  if (sameCall(play, got, expected)) return { verdict: 'exact', got: call, detail: '' };
  const session = play.before(step);
  const before = session.world.contentDigest();
  const waitMs = action.type === 'call' ? action.waitMs : undefined;
  const { ok } = session.call(requestFor(got, waitMs));
  if (session.ended)
    return { verdict: 'fatal', got: call, detail: `the episode ends there: ${session.ended}` };
  const changed = session.world.contentDigest() !== before;
  return { ...verdictBy(play, session, { step, call, ok, changed }), got: call };
}

/**
 * The verdict on a call that is not the reference's next. One that the reference makes later may be made now,
 * another write may stand in for the reference's call or be an extra that the contract allows; a call that
 * changes nothing is at best harmless.
 */
function verdictBy(
  play: ReferencePlay,
  session: Session,
  made: {
    readonly step: number;
    readonly call: ToolCall;
    readonly ok: boolean;
    readonly changed: boolean;
  },
): Pick<JudgedStep, 'verdict' | 'detail'> {
  const remaining = play.calls.slice(made.step);
  const own = remaining.findIndex((call) => isReference(play, call, made));
  const dropped = own >= 0 ? own : made.changed ? 0 : null;
  let failure: string | null = null;
  if (dropped !== null) {
    failure = continuationFailure(play, session, remaining.toSpliced(dropped, 1));
    if (failure === null) {
      const what = own >= 0 ? 'the reference makes this call later' : "it stands in for the reference's call";
      return { verdict: 'equivalent', detail: `${what}: the rest still meets contract and invariants` };
    }
    if (own >= 0 && made.changed) return { verdict: 'fatal', detail: failure };
  }
  const failureOfAll = continuationFailure(play, session, remaining);
  if (failureOfAll !== null) {
    const both = failure === null || failure === failureOfAll;
    const detail = both
      ? failureOfAll
      : `${failure}; with the reference's own call after it: ${failureOfAll}`;
    return { verdict: 'fatal', detail };
  }
  if (made.changed) {
    return { verdict: 'equivalent', detail: 'an extra: the rest still meets contract and invariants' };
  }
  return { verdict: 'harmless', detail: made.ok ? 'a read: nothing changed' : 'it failed: nothing changed' };
}

/** True for a call that the reference makes and that came out as it does there: a failed try is none. */
function isReference(
  play: ReferencePlay,
  call: PlayedCall,
  made: { readonly call: ToolCall; readonly ok: boolean },
): boolean {
  if (!sameCall(play, made.call, { tool: call.tool, arguments: play.inputOf(call, new Map()) })) return false;
  return call.number !== null && play.run.deliveries[call.number]?.ok === made.ok;
}

function callOnly({ tool, arguments: input, malformed }: ToolCall): ToolCall {
  return {
    tool,
    ...(input !== undefined && { arguments: input }),
    ...(malformed !== undefined && { malformed }),
  };
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
