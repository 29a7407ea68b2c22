import { InvariantError, invariant, UsageError } from '../base/errors.ts';
import { type Json, jsonEqual } from '../base/json.ts';
import type { FaultPlan, FaultRule } from '../faults/index.ts';
import type { Service } from '../service/types.ts';
import type {
  BehaviourRecord,
  EndReason,
  HeaderRecord,
  StepRecord,
  Trajectory,
} from '../trajectory/index.ts';
import type { WorldValue } from '../world/types.ts';
import { openSession, Session } from './session.ts';
import type { CallRequest, SessionOptions, Watch } from './types.ts';

/** What a replay needs besides the trajectory: the services it names, and the world before the overlay. */
export interface ReplayEnvironment {
  readonly services: readonly Service[];
  readonly world: WorldValue;
  /** Identity of the code that replays. */
  readonly behaviour: BehaviourRecord;
}

/**
 * The first place where a replay and its record differ. `step` is -1 for the starting world, the step count
 * for the end.
 */
export interface Divergence {
  readonly step: number;
  readonly field: string;
  readonly expected: Json;
  readonly got: Json;
}

export interface ReplayResult {
  /** True when every step, message and the end came out byte for byte as recorded. */
  readonly identical: boolean;
  /** True when the code that makes the world behave is not the one that recorded. */
  readonly worldChanged: boolean;
  /** Which parts of the behaviour digest differ: `engine`, or a service's name. */
  readonly changedParts: readonly string[];
  /** Steps that were replayed. */
  readonly steps: number;
  readonly firstDivergence: Divergence | null;
}

/** The options that the episode of this header was opened with. */
export function sessionOptionsOf(header: HeaderRecord, environment: ReplayEnvironment): SessionOptions {
  const { world } = header;
  return {
    services: environment.services,
    world: environment.world,
    seeds: Object.fromEntries(world.services.map(({ name, seed }) => [name, seed])),
    overlay: world.overlay,
    streamSeed: world.streamSeed,
    epochMs: world.epochMs,
    // The recorded identity, so that the hash chain starts equal; whether ours differs is reported apart.
    behaviour: header.behaviour,
    actors: header.actors,
    tools: header.tools.map((tool) => tool.name),
    budgets: header.budgets as NonNullable<SessionOptions['budgets']>,
    ...(header.faults !== undefined && { faults: header.faults as unknown as FaultPlan }),
    ...(header.watches !== undefined && { watches: header.watches as unknown as readonly Watch[] }),
    ...(header.scenario && { scenario: header.scenario }),
    ...(header.trial !== undefined && { trial: header.trial }),
    ...(header.agent && { agent: header.agent }),
    ...(header.task && { task: header.task }),
  };
}

/** Replays a trajectory through the one door and compares every record; stops at the first divergence. */
export function replayTrajectory(trajectory: Trajectory, environment: ReplayEnvironment): ReplayResult {
  const changedParts = changedBehaviour(trajectory.header.behaviour, environment.behaviour);
  const outcome = (steps: number, firstDivergence: Divergence | null): ReplayResult => ({
    identical: firstDivergence === null,
    worldChanged: changedParts.length > 0,
    changedParts,
    steps,
    firstDivergence,
  });
  const session = openRecorded(trajectory.header, environment);
  if (!(session instanceof Session)) return outcome(0, session);
  const start = compareStart(trajectory.header, session);
  if (start) return outcome(0, start);
  for (const step of trajectory.steps) {
    sayUntil(session, trajectory, step.index);
    const difference = replayStep(step, session);
    if (difference) return outcome(step.index, difference);
  }
  sayUntil(session, trajectory, trajectory.steps.length);
  return outcome(trajectory.steps.length, compareEnd(trajectory, session));
}

/**
 * A session that stands where the recorded one stood after `atStep` steps, messages before the next step
 * included. It goes on independently of the record.
 */
export function sessionAt(trajectory: Trajectory, environment: ReplayEnvironment, atStep: number): Session {
  invariant(atStep >= 0 && atStep <= trajectory.steps.length, 'no such step in the trajectory', { atStep });
  const session = openSession(sessionOptionsOf(trajectory.header, environment));
  for (const step of trajectory.steps.slice(0, atStep)) {
    sayUntil(session, trajectory, step.index);
    session.call(requestOf(step));
  }
  sayUntil(session, trajectory, atStep);
  return session;
}

/** The request that a recorded step came from. */
export function requestOf(step: StepRecord): CallRequest {
  return {
    tool: step.tool,
    actor: step.actor,
    ...(step.malformed === undefined ? { input: step.input } : { malformed: step.malformed }),
    ...(step.service !== undefined && { service: step.service }),
    ...(step.batch !== undefined && { batch: step.batch }),
    ...(step.waited !== undefined && { waitedMs: step.waited }),
    ...(step.credential !== undefined && { credential: step.credential }),
    ...(step.requestHeaders !== undefined && { headers: step.requestHeaders }),
    ...(step.joined !== undefined && { joined: step.joined }),
    ...(step.injected !== undefined && { injected: step.injected as unknown as readonly FaultRule[] }),
  };
}

/** Names of the parts that differ between two behaviours: `engine` and services. */
export function changedBehaviour(recorded: BehaviourRecord, current: BehaviourRecord): readonly string[] {
  const services = Object.keys(recorded.services).filter(
    (name) => recorded.services[name] !== current.services[name],
  );
  return recorded.engine === current.engine ? services : ['engine', ...services];
}

/** Says the recorded messages that stand before the given step. */
function sayUntil(session: Session, trajectory: Trajectory, step: number): void {
  for (const message of trajectory.messages) {
    if (message.afterStep === step) session.say(message);
  }
}

/** The session of the record; a divergence where today's services do not even open it. */
function openRecorded(header: HeaderRecord, environment: ReplayEnvironment): Session | Divergence {
  try {
    return openSession(sessionOptionsOf(header, environment));
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof InvariantError)) throw error;
    return { step: -1, field: 'start', expected: header.world.merkle, got: error.message };
  }
}

function replayStep(step: StepRecord, session: Session): Divergence | null {
  try {
    const { ended } = session.call(requestOf(step));
    return ended ? endedEarly(step, ended) : compareStep(step, session);
  } catch (error) {
    // Who calls without a credential is the service's to say, which may have changed its mind.
    const isStranger = error instanceof UsageError && error.code === 'unknown-actor';
    if (!isStranger && !(error instanceof InvariantError)) throw error;
    return { step: step.index, field: 'outcome', expected: step.outcome, got: `broke: ${error.message}` };
  }
}

function compareStart(header: HeaderRecord, session: Session): Divergence | null {
  const { world } = session;
  const fields = [
    ['world.merkle', header.world.merkle, world.merkleRoot()],
    ['world.content', header.world.content, world.contentDigest()],
    ['world.full', header.world.full, world.fullDigest()],
  ] as const;
  for (const [field, expected, got] of fields) {
    if (expected !== got) return { step: -1, field, expected, got };
  }
  return null;
}

function compareStep(recorded: StepRecord, session: Session): Divergence | null {
  const line = session.lastStepLine();
  if (line === JSON.stringify(recorded)) return null;
  return firstDifference(recorded.index, recorded, line === null ? null : JSON.parse(line));
}

/** The record has a step where the replay reached a budget. */
function endedEarly(recorded: StepRecord, ended: EndReason): Divergence {
  return { step: recorded.index, field: 'ended', expected: null, got: ended };
}

function compareEnd(trajectory: Trajectory, session: Session): Divergence | null {
  const { end } = trajectory;
  if (!end) return null;
  const { reason, answer, detail, usage } = end;
  const replayed = session.endRecord({ reason, answer, usage, ...(detail !== undefined && { detail }) });
  return firstDifference(trajectory.steps.length, end, replayed);
}

/**
 * The first member, in recorded order, whose values differ. `prev` and `seal` only repeat what came before
 * them.
 */
function firstDifference(step: number, recorded: object, got: unknown): Divergence | null {
  const left = recorded as Readonly<Record<string, Json | undefined>>;
  const right = (got ?? {}) as Readonly<Record<string, Json | undefined>>;
  for (const field of new Set([...Object.keys(left), ...Object.keys(right)])) {
    if (jsonEqual(left[field], right[field])) continue;
    return { step, field, expected: left[field] ?? null, got: right[field] ?? null };
  }
  // Equal values in another member order: the bytes differ, so the chain would too.
  if (JSON.stringify(left) === JSON.stringify(right)) return null;
  return { step, field: 'member order', expected: JSON.stringify(left), got: JSON.stringify(right) };
}
