import type { TrialScore } from '../../scoring/index.ts';
import type { Session } from '../../session/index.ts';
import { rateEstimate } from '../../stats/index.ts';
import type { MessageRecord, StepRecord, Trajectory } from '../../trajectory/index.ts';
import { openScriptedUser, type ScriptedUser } from '../../users/index.ts';
import { continueEpisode, type Past, trialSeed } from '../execute.ts';
import { type PreparedScenario, type ReferenceRun, runReference } from '../prepare.ts';
import { recordedEpisode } from '../recorded-episode.ts';
import { scoreAgainst } from '../score.ts';
import { toolResult } from '../tool-result.ts';
import type { Agent, HistoryEntry } from '../types.ts';
import { decide } from './decide.ts';
import { failureOf } from './failure.ts';
import type { Blame, ContinuedPoint } from './types.ts';

export interface AgentContinuations {
  readonly agent: Agent;
  /** Runs of the agent from each point. */
  readonly continuations: number;
  /** Seeds the agent's choices: continuation i has the same seed at every point. */
  readonly seed: string;
  /** Hears of every point that is done. */
  readonly onPoint?: (done: number, of: number) => void;
}

/**
 * Blames by an agent: from every point of a recorded trial it goes on several times, with what the run had
 * seen and said by then as its own past.
 * @throws UsageError when the record does not replay here.
 */
export async function blameByAgent(
  prepared: PreparedScenario,
  trajectory: Trajectory,
  options: AgentContinuations,
): Promise<Blame> {
  const reference = runReference(prepared, trajectory.header.world.streamSeed);
  const setting = { prepared, reference, trajectory, session: recordedEpisode(prepared, trajectory) };
  const of = trajectory.steps.length + 1;
  const points: ContinuedPoint[] = [];
  for (let at = 0; at < of; at += 1) {
    points.push(await pointAt(setting, at, options));
    options.onPoint?.(points.length, of);
  }
  return decide(trajectory, scoreAgainst(prepared, reference, trajectory), points);
}

interface Setting {
  readonly prepared: PreparedScenario;
  readonly reference: ReferenceRun;
  readonly trajectory: Trajectory;
  readonly session: Session;
}

async function pointAt(setting: Setting, at: number, options: AgentContinuations): Promise<ContinuedPoint> {
  const scores: TrialScore[] = [];
  for (let trial = 0; trial < options.continuations; trial += 1) {
    scores.push(await continuation(setting, at, { ...options, trial }));
  }
  const passes = scores.map((score) => (score.void ? null : score.success ? 1 : 0));
  const observations = passes.flatMap((value, index) =>
    value === null ? [] : [{ value, cluster: String(index) }],
  );
  const success = rateEstimate(observations);
  const failure = scores.map(failureOf).find((one) => one !== null) ?? null;
  return { step: at, value: success.value, success, passes, failure };
}

async function continuation(
  { prepared, reference, trajectory, session }: Setting,
  at: number,
  { agent, seed, trial }: AgentContinuations & { readonly trial: number },
): Promise<TrialScore> {
  const ended = await continueEpisode(session.fork(at), agent, {
    prepared,
    past: pastAt(prepared, { trajectory, session, at }),
    seed: trialSeed(seed, prepared.scenario.id, trial),
    trial,
  });
  return scoreAgainst(prepared, reference, ended);
}

/** What the run had seen and said when so many steps were made, and the user as the user stood then. */
function pastAt(
  { scenario }: PreparedScenario,
  { trajectory, session, at }: Pick<Setting, 'trajectory' | 'session'> & { readonly at: number },
): Past {
  const user = scenario.user ? openScriptedUser(scenario.user) : null;
  const history: HistoryEntry[] = [];
  for (let step = 0; step <= at; step += 1) {
    for (const message of trajectory.messages) {
      if (message.afterStep === step) history.push(heard(message, { user, session }));
    }
    const record = trajectory.steps[step];
    if (record && step < at) history.push(called(record));
  }
  return { history, user };
}

/** A message as it was said; the user is brought along. */
function heard(
  { role, text, afterStep }: MessageRecord,
  { user, session }: { readonly user: ScriptedUser | null; readonly session: Session },
): HistoryEntry {
  if (role === 'user') return { type: 'user', text };
  const { world } = session.fork(afterStep);
  if (user?.state.at !== 'end') user?.reply(text, (table) => world.table(table).scan());
  return { type: 'say', text };
}

function called(step: StepRecord): HistoryEntry {
  const given = step.delivered ?? { status: step.status, body: step.response };
  const ok = step.delivered ? given.status > 0 && given.status < 400 : step.outcome === 'ok';
  return {
    type: 'call',
    call: {
      tool: step.tool,
      ...(step.malformed === undefined ? { arguments: step.input } : { malformed: step.malformed }),
    },
    result: toolResult({ ok, ...given }),
  };
}
