import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Json } from '../base/json.ts';
import { cltStandardError } from '../stats/clustered.ts';
import { passHatK } from '../stats/passing.ts';
import { nearestRank } from '../stats/quantile.ts';
import { callKey } from './calls.ts';
import { summarise } from './summary.ts';
import { voidScore } from './trial.ts';
import type { TrialScore } from './types.ts';

const FILE = new URL('../../../shared/tau/recorded/gpt-4o-airline.trials-0-1.json', import.meta.url);

interface RecordedRun {
  readonly task_id: number;
  readonly trial: number;
  readonly reward: number;
  readonly traj: readonly {
    readonly role: string;
    readonly content: string | null;
    readonly tool_calls?: readonly {
      readonly function: { readonly name: string; readonly arguments: string };
    }[];
  }[];
}

const passed = (run: RecordedRun): boolean => Math.abs(run.reward - 1) <= 1e-6;

const callsOf = (run: RecordedRun): string[] =>
  run.traj.flatMap((message) =>
    (message.tool_calls ?? []).map((call) =>
      callKey({ tool: call.function.name, input: JSON.parse(call.function.arguments) as Json }),
    ),
  );

function scored(run: RecordedRun): TrialScore {
  return { ...voidScore('grader', ''), void: null, success: passed(run) };
}

// Skipped where the recorded runs are not at hand.
describe.skipIf(!existsSync(FILE))('figures of the recorded airline runs', () => {
  const runs = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as RecordedRun[]) : [];

  it('pass^1 and pass^2 with their clustered errors', () => {
    const summary = summarise({
      k: 2,
      trials: runs.map((run) => ({ scenario: String(run.task_id), trial: run.trial, score: scored(run) })),
    });
    expect(summary.success).toMatchObject({ value: 0.43, n: 100, clusters: 50 });
    const [one, two] = [summary.passHat['1'], summary.passHat['2']];
    if (one === undefined || two === undefined || one.value === null || two.value === null) {
      throw new Error('expected values');
    }
    expect(one.value).toBe(0.43);
    expect(one.se).toBeCloseTo(0.055347, 6);
    expect(two.value).toBe(0.24);
    expect(two.se).toBeCloseTo(0.061012, 6);
    // All tasks have two trials, so both ways to pass^1 are one figure with one error. The effective size is
    // held at 100 trials there (80 by its error, so it stays), and at 50 task values here.
    expect(summary.success).toMatchObject({ se: one.se, low: 0.324792534613, high: 0.541934031717 });
    expect(one).toMatchObject({ low: 0.299790625426, high: 0.570671842852 });
    expect(cltStandardError(runs.map((run) => (passed(run) ? 1 : 0)))).toBeCloseTo(0.049757, 6);
  });

  it('trial 0 against trial 1', () => {
    const byTask = new Map<number, [boolean, boolean]>();
    for (const run of runs) {
      const pair = byTask.get(run.task_id) ?? [false, false];
      pair[run.trial === 0 ? 0 : 1] = passed(run);
      byTask.set(run.task_id, pair);
    }
    const pairs = [...byTask.values()];
    expect(pairs.filter(([first, second]) => first && !second)).toHaveLength(9);
    expect(pairs.filter(([first, second]) => !first && second)).toHaveLength(10);
    expect(pairs.filter(([first, second]) => first && second)).toHaveLength(12);
    const both = pairs.map(
      ([first, second]) => passHatK({ n: 2, c: Number(first) + Number(second) }, 2) ?? 0,
    );
    expect(both.reduce((sum, one) => sum + one, 0) / pairs.length).toBeCloseTo(0.24, 12);
  });

  it('calls, repeats, and tool errors', () => {
    const calls = runs.map(callsOf);
    const count = calls.reduce((sum, list) => sum + list.length, 0);
    const distinct = calls.reduce((sum, list) => sum + new Set(list).size, 0);
    expect([count, count - distinct]).toEqual([572, 17]);
    const lengths = (of: readonly RecordedRun[]): number[] => of.map((run) => callsOf(run).length);
    const winners = lengths(runs.filter(passed));
    expect([nearestRank(winners, 0.5), nearestRank(winners, 0.99)]).toEqual([3, 12]);
    expect([nearestRank(lengths(runs), 0.5), nearestRank(lengths(runs), 0.99)]).toEqual([5, 23]);
    const met = runs.filter((run) =>
      run.traj.some((message) => message.role === 'tool' && message.content?.startsWith('Error')),
    );
    expect([met.length, met.filter(passed).length]).toEqual([16, 4]);
  });
});
