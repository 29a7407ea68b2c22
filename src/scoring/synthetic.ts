import type { Json } from '../base/json.ts';
import type { EndReason, StepRecord, Trajectory, UsageRecord } from '../trajectory/types.ts';
import type { CallPattern, Invariant } from './types.ts';

/** A step of a trajectory that no world made: what scorers look at, the rest filled in. */
export type SyntheticStep = Pick<StepRecord, 'tool' | 'input'> &
  Partial<
    Pick<StepRecord, 'outcome' | 'response' | 'status' | 'delivered' | 'diff' | 'malformed' | 'batch'>
  > & {
    /** Null for a trace of another tool, where nobody looked. */
    readonly breaches?: StepRecord['breaches'] | null;
  };

export interface SyntheticOptions {
  readonly answer?: string | null;
  readonly reason?: EndReason;
  readonly detail?: string;
  readonly usage?: UsageRecord;
  readonly task?: string;
  /** `role: text`, all after the last step. */
  readonly messages?: readonly { readonly role: 'user' | 'agent'; readonly text: string }[];
  readonly effects?: Readonly<Record<string, 'read' | 'write'>>;
  /** True for a trajectory without its end. */
  readonly cut?: boolean;
}

const NO_DIGEST = '0'.repeat(64);
const DIGESTS = { content: NO_DIGEST, full: NO_DIGEST, merkle: NO_DIGEST };

/** A whole trajectory for documentation and tests of scorers. Its digests and links are not real. */
export function syntheticTrajectory(
  steps: readonly SyntheticStep[],
  options: SyntheticOptions = {},
): Trajectory {
  const { answer = null, reason = 'answer', detail, messages = [] } = options;
  const end: Trajectory['end'] = {
    type: 'end',
    reason,
    answer,
    ...(detail === undefined ? {} : { detail }),
    usage: options.usage ?? {},
    clock: 0,
    steps: steps.length,
    messages: messages.length,
    ...DIGESTS,
    lastStep: NO_DIGEST,
    lastMessage: NO_DIGEST,
    seal: NO_DIGEST,
  };
  return {
    header: headerOf(options),
    steps: steps.map(stepOf),
    messages: messages.map(({ role, text }, index) => ({
      type: 'message',
      index,
      afterStep: steps.length,
      role,
      actor: role,
      text,
      prev: NO_DIGEST,
    })),
    end: options.cut ? null : end,
  };
}

/** An ordering rule written in code; scenario files spell it out. */
export function orderingRule(
  rule: { id: string; each?: string; attempts?: 'all' },
  first: CallPattern,
  later: CallPattern,
): Extract<Invariant, { kind: 'ordering' }> {
  // biome-ignore lint/suspicious/noThenProperty: the format's own name, and no rule is ever awaited
  return { ...rule, kind: 'ordering', first, then: later };
}

function headerOf({ task, effects = {} }: SyntheticOptions): Trajectory['header'] {
  return {
    type: 'header',
    format: 'groundhog.trajectory',
    version: 1,
    behaviour: { engine: 'none', services: {} },
    world: { services: [], overlay: [], streamSeed: '', epochMs: 0, ...DIGESTS },
    actors: [],
    tools: Object.entries(effects).map(([name, effect]) => ({ name, service: 'none', effect })),
    ...(task === undefined ? {} : { task: { text: task } }),
    budgets: {},
  };
}

function stepOf(step: SyntheticStep, index: number): StepRecord {
  const { breaches = [], ...given } = step;
  return {
    type: 'step',
    index,
    operations: [],
    actor: 'agent',
    outcome: 'ok',
    status: given.outcome === undefined || given.outcome === 'ok' ? 200 : 400,
    response: null as Json,
    events: [],
    clock: 0,
    before: NO_DIGEST,
    after: NO_DIGEST,
    full: NO_DIGEST,
    diff: [],
    prev: NO_DIGEST,
    ...given,
    breaches: breaches as StepRecord['breaches'],
  };
}
