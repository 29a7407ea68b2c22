import { blameByReference } from '../src/runner/blame/index.ts';
import { shrinkRun } from '../src/runner/shrink/index.ts';
import type { Trajectory } from '../src/trajectory/index.ts';
import { doubleRefundCalls, played, roomyScenario } from '../test/double-refund.ts';
import { type Figure, microsPerOperation, report } from './measure.ts';

/** What it costs to blame and to shrink runs that refund an order twice: CPU time, on one thread. */
const prepared = await roomyScenario();
const runOf = (calls: number): Trajectory => played(prepared, doubleRefundCalls(calls).calls).trajectory;
const [short, long] = [runOf(60), runOf(400)];

function once(work: () => void): number {
  return microsPerOperation(work, { count: 1, repetitions: 5, warmUps: 2, prepare: () => undefined }) / 1_000;
}

const figures: Record<string, Figure> = {
  blame_60_steps: {
    value: once(() => void blameByReference(prepared, short)),
    unit: 'ms',
    target: 200,
  },
  blame_400_steps: { value: once(() => void blameByReference(prepared, long)), unit: 'ms' },
  shrink_60_calls: { value: once(() => void shrinkRun(prepared, short)), unit: 'ms' },
  shrink_400_calls: { value: once(() => void shrinkRun(prepared, long)), unit: 'ms', target: 5_000 },
  shrink_400_calls_to: { value: shrinkRun(prepared, long).to, unit: 'calls' },
};
report('blame', figures);
