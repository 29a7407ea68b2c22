import type { SeededRandom } from '../../base/random.ts';
import type { FaultRule } from '../../faults/index.ts';
import type { Candidates } from './call-edits.ts';
import type { CleanRun } from './clean.ts';
import type { Edit } from './types.ts';

/** A call to strike, and what it was answered in the clean run. */
interface Struck {
  readonly clean: CleanRun;
  readonly at: number;
  readonly isRead: boolean;
  readonly random: SeededRandom;
}

/** The effect of one kind on a call; null where it cannot have one. */
type EffectOf = (struck: Struck) => FaultRule['effect'] | null;

/** One line for each kind of fault: what strikes the answer to a call. */
const EFFECTS: Readonly<Record<string, EffectOf>> = {
  rate_limit: () => ({ kind: 'reject', status: 429, retryAfterSeconds: 2 }),
  unavailable: () => ({ kind: 'reject', status: 503, retryAfterSeconds: 5 }),
  response_lost: () => ({ kind: 'response-lost' }),
};

/** The edits of answers, by kind: a fault rule that strikes one step. */
export const RESPONSE_EDITS: Readonly<Record<string, Candidates>> = Object.fromEntries(
  Object.entries(EFFECTS).map(([kind, effectOf]): [string, Candidates] => [
    kind,
    (clean, random) => struckCalls(kind, effectOf, { clean, random }),
  ]),
);

function* struckCalls(
  kind: string,
  effectOf: EffectOf,
  { clean, random }: { readonly clean: CleanRun; readonly random: SeededRandom },
): Generator<Edit> {
  for (const [at, planned] of random.shuffle([...clean.plan.calls.entries()])) {
    if (!planned.ok) continue;
    const isRead = clean.tools.get(planned.tool)?.effect === 'read';
    const effect = effectOf({ clean, at, isRead, random });
    if (!effect) continue;
    const rule = { id: 'testbed', match: { step: at }, effect, label: kind };
    yield { kind, side: 'response', at, step: at, rule };
  }
}
