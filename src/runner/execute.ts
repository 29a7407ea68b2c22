import { digestText } from '../base/digest.ts';
import { UsageError } from '../base/errors.ts';
import { ChatError } from '../llm/index.ts';
import { type TrialScore, voidScore } from '../scoring/index.ts';
import { type Delivery, openSession, type Session } from '../session/index.ts';
import type { EndReason, Trajectory, UsageRecord } from '../trajectory/index.ts';
import { openScriptedUser, type ScriptedUser } from '../users/index.ts';
import { AgentFailure } from './agent-failure.ts';
import { agentTask } from './agent-task.ts';
import { checkedAgent, checkedUsage } from './agents/checked.ts';
import { requestFor } from './call-request.ts';
import { optionsFor, type PreparedScenario, trialName } from './prepare.ts';
import { scoreOf } from './score.ts';
import { toolResult } from './tool-result.ts';
import type { Agent, AgentAction, AgentRun, HistoryEntry, ToolCall } from './types.ts';

/**
 * What one trial left behind; `scenario` is the trial's name, the plan included. `text` is the trajectory
 * file, null when the trial broke before it had one.
 */
export interface TrialResult {
  readonly scenario: string;
  readonly trial: number;
  readonly text: string | null;
  readonly trajectory: Trajectory | null;
  readonly score: TrialScore;
  /** Real milliseconds from the first call to the final answer; null without a call or a stopwatch. */
  readonly wallClockMs: number | null;
}

/** Says the time in real milliseconds; handed in, so that nothing here reads a clock. */
export type Stopwatch = () => number;

const MESSAGES_WHEN_UNSET = 30;

/** The state of a script whose user has left. */
const USER_GONE = 'end';

/** The seed of a trial's agent and world streams. Seed rows never depend on it. */
export function trialSeed(seed: string, scenario: string, trial: number): string {
  return digestText(JSON.stringify([seed, scenario, trial])).slice(0, 32);
}

/**
 * Runs one trial: agent against world, then the score. Never throws for what the agent or the scenario does.
 * @throws UsageError, and ChatError for a model that gave nothing to go on with: then there is no trial
 */
export async function runTrial(
  prepared: PreparedScenario,
  agent: Agent,
  options: { readonly seed: string; readonly trial: number; readonly stopwatch?: Stopwatch },
): Promise<TrialResult> {
  const { scenario } = prepared;
  const { trial } = options;
  const streamSeed = trialSeed(options.seed, scenario.id, trial);
  const name = trialName(prepared);
  const described = { name: agent.name, config: agent.config };
  const unscored = { scenario: name, trial, text: null, trajectory: null, wallClockMs: null };
  const stopwatch = options.stopwatch ?? NO_STOPWATCH;
  const episode: Episode = { prepared, streamSeed, trial, stopwatch, startedMs: null, lastCall: null };
  let session: Session;
  try {
    session = openSession(optionsFor(prepared, { streamSeed, trial, agent: described, asAgent: true }));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return { ...unscored, score: voidScore('infrastructure', messageOf(error)) };
  }
  try {
    const trajectory = await playEpisode(session, checkedAgent(agent), episode);
    const wallClockMs = episode.startedMs === null ? null : stopwatch() - episode.startedMs;
    const played = { text: session.text(), trajectory, wallClockMs };
    return { scenario: name, trial, ...played, score: scoreOrVoid(episode, trajectory) };
  } catch (error) {
    if (error instanceof UsageError || error instanceof ChatError) throw error;
    return { ...unscored, ...brokenEpisode(session, episode, error) };
  }
}

/**
 * An episode that broke on our side: void, kept up to the call that broke it, and that call can be made
 * again.
 */
function brokenEpisode(
  session: Session,
  episode: Episode,
  error: unknown,
): Pick<TrialResult, 'text' | 'trajectory' | 'score'> {
  const call = episode.lastCall && JSON.stringify(episode.lastCall).replaceAll("'", "'\\''");
  const again = call ? `; to see it again: groundhog fork TRAJECTORY --call '${call}'` : '';
  const detail = `${messageOf(error)}${again}`;
  const trajectory = session.finish({ reason: 'infrastructure', detail });
  return { text: session.text(), trajectory, score: voidScore('infrastructure', detail) };
}

/** A grader that breaks says nothing about the agent; its episode is kept. */
function scoreOrVoid({ prepared, streamSeed }: Episode, trajectory: Trajectory): TrialScore {
  try {
    return scoreOf(prepared, trajectory, streamSeed);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return voidScore('grader', messageOf(error));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface Episode {
  readonly prepared: PreparedScenario;
  readonly streamSeed: string;
  readonly trial: number;
  readonly stopwatch: Stopwatch;
  /** When the first call was made. */
  startedMs: number | null;
  /** The call in which the world broke. */
  lastCall: ToolCall | null;
  /** What came before, of an episode that is taken up. */
  readonly past?: Past;
}

/** What an agent goes on from: what it saw and said so far, and its user as the user stands then. */
export interface Past {
  readonly history: readonly HistoryEntry[];
  readonly user: ScriptedUser | null;
}

/**
 * Lets an agent go on from where a session stands, to the end. The score is the caller's to make: the world's
 * streams are those of the session.
 * @throws what breaks on our side
 */
export async function continueEpisode(
  session: Session,
  agent: Agent,
  setting: {
    readonly prepared: PreparedScenario;
    readonly past: Past;
    /** Seeds the agent's own choices. */
    readonly seed: string;
    readonly trial: number;
  },
): Promise<Trajectory> {
  const { prepared, past, seed, trial } = setting;
  const quiet = { stopwatch: NO_STOPWATCH, startedMs: null, lastCall: null };
  return await playEpisode(session, checkedAgent(agent), {
    prepared,
    past,
    streamSeed: seed,
    trial,
    ...quiet,
  });
}

const NO_STOPWATCH: Stopwatch = () => 0;

interface Ending {
  readonly reason: EndReason;
  readonly answer?: string | null;
  readonly detail?: string;
  readonly usage?: UsageRecord;
}

async function playEpisode(session: Session, agent: Agent, episode: Episode): Promise<Trajectory> {
  let run: AgentRun | null = null;
  let ending: Ending;
  try {
    const { prepared, streamSeed: seed, trial } = episode;
    run = await agent.start(agentTask(prepared, { seed, trial }), trialName(prepared));
    ending = await converse(session, run, episode);
  } catch (error) {
    if (!(error instanceof AgentFailure)) throw error;
    ending = { reason: error.reason, detail: error.message };
  } finally {
    await run?.close?.();
  }
  return session.finish({ ...ending, usage: { ...run?.usage?.(), ...ending.usage } });
}

/** The agent's side of the episode; everything that the user and the world say goes into the history. */
async function converse(session: Session, run: AgentRun, episode: Episode): Promise<Ending> {
  const { scenario } = episode.prepared;
  const { past } = episode;
  const user = past ? past.user : scenario.user ? openScriptedUser(scenario.user) : null;
  const history: HistoryEntry[] = [...(past?.history ?? [])];
  const hear = (text: string): void => {
    session.say({ role: 'user', text });
    history.push({ type: 'user', text });
  };
  if (user && !past) hear(user.opening);
  let userGone = past?.user?.state.at === USER_GONE;
  let said = history.filter(({ type }) => type === 'say').length;
  // A budget of the scenario is the session's to keep.
  const messagesMost = scenario.budgets.messages ?? MESSAGES_WHEN_UNSET;
  for (;;) {
    const action = await run.next(history);
    if (action.type === 'answer') return answerOf(action);
    if (action.type !== 'say') {
      episode.startedMs ??= episode.stopwatch();
      const ended = makeCalls(session, action, { history, episode });
      if (ended) return { reason: ended };
      continue;
    }
    // Nobody is there to hear it any more: what the agent says now is its answer.
    if (userGone) return { reason: 'answer', answer: action.text };
    said += 1;
    if (said > messagesMost || !session.say({ role: 'agent', text: action.text })) {
      return { reason: 'budget-messages' };
    }
    history.push({ type: 'say', text: action.text });
    const reply = user?.reply(action.text, (table) => session.world.table(table).scan());
    if (reply) hear(reply.text);
    userGone = reply?.ended ?? false;
  }
}

function answerOf(action: Extract<AgentAction, { type: 'answer' }>): Ending {
  const { text, detail } = action;
  const said = detail === undefined ? {} : { detail };
  return { reason: 'answer', answer: text, ...said, usage: checkedUsage(action.usage) };
}

function makeCalls(
  session: Session,
  action: Extract<AgentAction, { type: 'call' | 'calls' }>,
  { history, episode }: { readonly history: HistoryEntry[]; readonly episode: Episode },
): EndReason | null {
  const calls = action.type === 'call' ? [action] : action.calls;
  const requests = calls.map((call) => requestFor(call, action.type === 'call' ? action.waitMs : undefined));
  const madeBefore = session.stepCount;
  let deliveries: readonly Delivery[];
  try {
    deliveries =
      action.type === 'call' ? requests.map((request) => session.call(request)) : session.callBatch(requests);
  } catch (error) {
    episode.lastCall = calls[session.stepCount - madeBefore] ?? null;
    throw error;
  }
  for (const [index, delivery] of deliveries.entries()) {
    const call = calls[index];
    if (delivery.ended || !call) return delivery.ended ?? null;
    const { tool, arguments: input, malformed } = call;
    history.push({
      type: 'call',
      call: {
        tool,
        ...(input !== undefined && { arguments: input }),
        ...(malformed !== undefined && { malformed }),
      },
      result: toolResult(delivery),
    });
  }
  return null;
}
