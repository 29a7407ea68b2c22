import { isJsonObject, type Json } from '../base/json.ts';
import type { EndReason, StepOutcome, StepRecord, Trajectory } from '../trajectory/index.ts';
import type { TraceCall, TraceRun } from './types.ts';

/** No world was there: digests stand for nothing, and nobody watched its states. */
const NO_DIGEST = '0'.repeat(64);
const DIGESTS = { content: NO_DIGEST, full: NO_DIGEST, merkle: NO_DIGEST };

export interface TrajectoryOptions {
  /** How a call counts of which the trace does not say how it went. */
  readonly unknownOutcome?: Extract<StepOutcome, 'ok' | 'error'>;
}

/**
 * A run of a trace as scorers take it: steps without states (`breaches` null), the end null where the trace
 * does not tell it. Arguments that were not captured stand as `null`; whoever looks at arguments must ask
 * the run.
 */
export function traceTrajectory(run: TraceRun, options: TrajectoryOptions = {}): Trajectory {
  if (run.trajectory) return run.trajectory;
  const { calls, messages } = run;
  const unknown = options.unknownOutcome ?? 'ok';
  return {
    header: {
      type: 'header',
      format: 'groundhog.trajectory',
      version: 1,
      behaviour: { engine: 'none', services: {} },
      world: { services: [], overlay: [], streamSeed: '', epochMs: 0, ...DIGESTS },
      actors: [],
      tools: [],
      ...(run.task === null ? {} : { task: { text: run.task } }),
      budgets: {},
    },
    steps: calls.map((call, index) => stepOf(call, index, unknown)),
    messages: messages.map(({ afterCall, role, text }, index) => ({
      type: 'message',
      index,
      afterStep: afterCall,
      role,
      actor: role,
      text,
      prev: NO_DIGEST,
    })),
    end: endOf(run),
  };
}

/** Whether the trace says how a call went: by a flag, or by a result in a format without one. */
export function isOutcomeKnown(call: TraceCall): boolean {
  return call.failed !== null || call.result !== null;
}

function stepOf(call: TraceCall, index: number, unknown: StepOutcome): StepRecord {
  const outcome = !isOutcomeKnown(call) ? unknown : call.failed ? 'error' : 'ok';
  const { arguments: given } = call;
  return {
    type: 'step',
    index,
    tool: call.tool,
    operations: [],
    actor: call.actor,
    ...(call.turn === null ? {} : { batch: call.turn }),
    input: given.kind === 'json' ? sortedMembers(given.value) : null,
    ...(given.kind === 'malformed' ? { malformed: given.text } : {}),
    outcome,
    status: outcome === 'ok' ? 200 : 400,
    response: call.result?.value ?? null,
    ...(call.result === null ? { delivered: { status: 0, body: null, lost: true as const } } : {}),
    events: [],
    breaches: null as unknown as StepRecord['breaches'],
    clock: 0,
    before: NO_DIGEST,
    after: NO_DIGEST,
    full: NO_DIGEST,
    diff: [],
    prev: NO_DIGEST,
  };
}

function sortedMembers(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sortedMembers);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    entries.flatMap(([name, member]) => (member === undefined ? [] : [[name, sortedMembers(member)]])),
  );
}

function endOf({ end, usage, calls, messages }: TraceRun): Trajectory['end'] {
  if (end.kind === 'unknown') return null;
  const reasons: Readonly<Record<typeof end.kind, EndReason>> = {
    answer: 'answer',
    'no-answer': 'agent-stopped',
    'user-ended': 'user-ended',
  };
  return {
    type: 'end',
    reason: reasons[end.kind],
    answer: end.kind === 'answer' ? end.text : null,
    ...(end.kind === 'answer' ? {} : { detail: end.detail }),
    usage,
    clock: 0,
    steps: calls.length,
    messages: messages.length,
    ...DIGESTS,
    lastStep: NO_DIGEST,
    lastMessage: NO_DIGEST,
    seal: NO_DIGEST,
  };
}
