import { canonicalJson } from '../../base/canonical.ts';
import type { Json } from '../../base/json.ts';
import { type NetChange, netDiff, type Passed, type ScenarioPair } from '../../scoring/index.ts';
import type { StoredTrial } from '../../store/run-folder.ts';
import { compareTrajectories, type Trajectory } from '../../trajectory/index.ts';
import type { RunArm } from './arms.ts';

/** Where the two sides of a flipped pair first part. */
export interface Divergence {
  readonly step: number;
  readonly field: string;
  readonly expected: Json;
  readonly got: Json;
}

/** A row that one side changed and the other did not, or otherwise. */
export interface WorldDifference {
  readonly table: string;
  readonly key: Json;
  /** What became of the row in each run; null where it was left as it was at the start. */
  readonly first: Json;
  readonly second: Json;
}

/** A scenario that one run solves in at least half of its trials and the other does not. */
export interface FlippedScenario {
  readonly scenario: string;
  readonly from: Passed;
  readonly to: Passed;
  readonly adjusted: number;
  /** The trials that are set side by side: the first pair that came out as their scenarios did. */
  readonly trials: { readonly first: number; readonly second: number } | null;
  readonly firstDivergence: Divergence | null;
  /** Rows that differ in the end; at most `MOST_ROWS`. */
  readonly worldDiff: readonly WorldDifference[];
}

const MOST_ROWS = 20;

/** Solved in at least half of its trials. */
const mostly = ({ passed, of }: Passed): boolean => 2 * passed >= of;

/** Every flipped scenario, with evidence for the first `most` of them. */
export function flippedScenarios(
  scenarios: readonly ScenarioPair[],
  [first, second]: readonly [RunArm, RunArm],
  most: number,
): FlippedScenario[] {
  const flipped = scenarios.filter((pair) => mostly(pair.first) !== mostly(pair.second));
  return flipped.map((pair, index) => {
    const { scenario, adjusted } = pair;
    const base = { scenario, from: pair.first, to: pair.second, adjusted };
    const trials = index < most ? pairOf(pair, first, second) : null;
    if (trials === null) return { ...base, trials: null, firstDivergence: null, worldDiff: [] };
    const [left, right] = [first.trajectoryOf(trials[0]), second.trajectoryOf(trials[1])];
    const numbers = { first: trials[0].trial, second: trials[1].trial };
    if (left === null || right === null) {
      return { ...base, trials: numbers, firstDivergence: null, worldDiff: [] };
    }
    return {
      ...base,
      trials: numbers,
      firstDivergence: divergenceOf(left, right),
      worldDiff: worldDiff(left, right),
    };
  });
}

/** A trial of each run that came out as its scenario did: of one number where there is such a pair. */
function pairOf(
  { scenario, first: from, second: to }: ScenarioPair,
  first: RunArm,
  second: RunArm,
): readonly [StoredTrial, StoredTrial] | null {
  const like = (arm: RunArm, passed: Passed): StoredTrial[] =>
    arm.trials.filter(
      (trial) =>
        trial.scenario === scenario && trial.score.void === null && trial.score.success === mostly(passed),
    );
  const [lefts, rights] = [like(first, from), like(second, to)];
  for (const left of lefts) {
    const right = rights.find(({ trial }) => trial === left.trial);
    if (right) return [left, right];
  }
  return lefts[0] && rights[0] ? [lefts[0], rights[0]] : null;
}

function divergenceOf(left: Trajectory, right: Trajectory): Divergence | null {
  const { first } = compareTrajectories(left, right);
  return first && { step: first.step, field: first.field, expected: first.left, got: first.right };
}

/** Rows that the two sides leave differently, by their net diffs against the common start. */
function worldDiff(left: Trajectory, right: Trajectory): WorldDifference[] {
  const keyOf = ({ change }: NetChange): string => `${change.table} ${canonicalJson(change.key)}`;
  const [lefts, rights] = [left, right].map(
    ({ steps }) => new Map(netDiff(steps).map((change) => [keyOf(change), change.change])),
  );
  const differences: WorldDifference[] = [];
  for (const key of new Set([...(lefts?.keys() ?? []), ...(rights?.keys() ?? [])])) {
    const [one, other] = [lefts?.get(key), rights?.get(key)];
    const change = one ?? other;
    const [first, second] = [one ?? null, other ?? null] as readonly unknown[] as readonly [Json, Json];
    if (change === undefined || canonicalJson(first) === canonicalJson(second)) continue;
    differences.push({ table: change.table, key: change.key as Json, first, second });
    if (differences.length === MOST_ROWS) break;
  }
  return differences;
}
