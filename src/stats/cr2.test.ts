import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../base/random.ts';
import { clusteredVariance } from './clustered.ts';
import { cr2DifferenceVariance, cr2Variance } from './cr2.ts';
import { clusteredDifference } from './difference.ts';
import type { Observation } from './types.ts';

const observed = (clusters: Readonly<Record<string, readonly number[]>>): Observation[] =>
  Object.entries(clusters).flatMap(([cluster, values]) => values.map((value) => ({ value, cluster })));

/**
 * CR2 and Satterthwaite's degrees by dense matrices, straight from Bell and McCaffrey's definition: an
 * independent way to the same figures. Columns of X: one per arm; the estimate is coefficients' contrast.
 */
function byMatrices(arms: readonly (readonly Observation[])[]): { variance: number; degrees: number } {
  const rows = arms.flatMap((arm, index) => arm.map((observation) => ({ ...observation, arm: index })));
  const sizes = arms.map((arm) => arm.length);
  const means = arms.map((arm) => arm.reduce((sum, { value }) => sum + value, 0) / arm.length);
  const n = rows.length;
  const hat = rows.map((a) => rows.map((b) => (a.arm === b.arm ? 1 / (sizes[a.arm] ?? 1) : 0)));
  const contrast = rows.map(({ arm }) => (arm === 0 ? 1 : -1) / (sizes[arm] ?? 1));
  const names = [...new Set(rows.map(({ cluster }) => cluster))];
  const columns = names.map((name) => {
    const members = rows.flatMap(({ cluster }, index) => (cluster === name ? [index] : []));
    const root = inverseRoot(members.map((a) => members.map((b) => (a === b ? 1 : 0) - (hat[a]?.[b] ?? 0))));
    const weights = members.map((_, i) =>
      members.reduce((sum, member, j) => sum + (root[i]?.[j] ?? 0) * (contrast[member] ?? 0), 0),
    );
    const column = Array.from({ length: n }, (_, row) =>
      members.reduce(
        (sum, member, i) => sum + ((row === member ? 1 : 0) - (hat[row]?.[member] ?? 0)) * (weights[i] ?? 0),
        0,
      ),
    );
    const error = members.reduce((sum, member, i) => {
      const row = rows[member];
      return sum + ((row?.value ?? 0) - (means[row?.arm ?? 0] ?? 0)) * (weights[i] ?? 0);
    }, 0);
    return { column, error };
  });
  const variance = columns.reduce((sum, { error }) => sum + error * error, 0);
  let trace = 0;
  let squares = 0;
  for (const [i, a] of columns.entries()) {
    for (const [j, b] of columns.entries()) {
      const product = a.column.reduce((sum, value, row) => sum + value * (b.column[row] ?? 0), 0);
      squares += product * product;
      if (i === j) trace += product;
    }
  }
  return { variance, degrees: (trace * trace) / squares };
}

/** M^(−½) of a symmetric positive definite matrix, by the iteration of Denman and Beavers. */
function inverseRoot(matrix: number[][]): number[][] {
  let y = matrix;
  let z: number[][] = matrix.map((row, i) => row.map((_, j) => (i === j ? 1 : 0)));
  for (let round = 0; round < 60; round += 1) {
    const [fromY, fromZ] = [inverse(y), inverse(z)];
    [y, z] = [half(y, fromZ), half(z, fromY)];
  }
  return z;
}

const half = (a: number[][], b: number[][]): number[][] =>
  a.map((row, i) => row.map((value, j) => (value + (b[i]?.[j] ?? 0)) / 2));

function inverse(matrix: number[][]): number[][] {
  const work = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  for (let pivot = 0; pivot < work.length; pivot += 1) {
    const line = work[pivot] ?? [];
    const scale = line[pivot] ?? 1;
    work[pivot] = line.map((value) => value / scale);
    for (const [other, row] of work.entries()) {
      const factor = row[pivot] ?? 0;
      if (other !== pivot) work[other] = row.map((value, j) => value - factor * (work[pivot]?.[j] ?? 0));
    }
  }
  return work.map((row) => row.slice(matrix.length));
}

const UNEQUAL = observed({ a: [1, 1, 1, 0], b: [0, 0, 0, 1], c: [1, 1] });

describe('cr2Variance', () => {
  it('with equal clusters is CR1 on C − 1 degrees', () => {
    const equal = observed({ a: [1, 1], b: [0, 1], c: [0, 0], d: [1, 0] });
    const found = cr2Variance(equal);
    expect(found?.variance).toBeCloseTo(clusteredVariance(equal, 'CR1') ?? 0, 14);
    expect(found?.degrees).toBeCloseTo(3, 12);
  });

  it('is what the matrices of its definition give, with fewer degrees for unequal clusters', () => {
    const [found, wanted] = [cr2Variance(UNEQUAL), byMatrices([UNEQUAL])];
    expect(found?.variance).toBeCloseTo(wanted.variance, 12);
    expect(found?.degrees).toBeCloseTo(wanted.degrees, 9);
    expect(found?.degrees).toBeLessThan(2);
  });

  it('is undefined for one cluster and for none', () => {
    expect(cr2Variance(observed({ a: [1, 0] }))).toBeNull();
    expect(cr2Variance([])).toBeNull();
  });
});

describe('cr2DifferenceVariance', () => {
  it('is what the matrices give for arms that share clusters, in whole or in part', () => {
    const random = SeededRandom.from('arms');
    for (let round = 0; round < 20; round += 1) {
      const arm = (): Observation[] =>
        Array.from({ length: 12 }, () => ({ value: random.next(), cluster: `c${random.integer(0, 4)}` }));
      const [first, second] = [arm(), arm()];
      const [found, wanted] = [cr2DifferenceVariance(first, second), byMatrices([first, second])];
      expect(found?.variance).toBeCloseTo(wanted.variance, 10);
      expect(found?.degrees).toBeCloseTo(wanted.degrees, 6);
    }
  });

  it('is Welch’s standard error for independent items', () => {
    const first = observed({ a: [1], b: [0], c: [1] });
    const second = observed({ d: [0], e: [0], f: [1], g: [0] });
    // s²/n: (1/3)/3 + (1/4)/4.
    expect(cr2DifferenceVariance(first, second)?.variance).toBeCloseTo(1 / 9 + 1 / 16, 12);
  });

  it('is undefined where an arm lies in one cluster', () => {
    expect(cr2DifferenceVariance(observed({ a: [1, 0] }), UNEQUAL)).toBeNull();
  });
});

describe('clusteredDifference', () => {
  it('gives value, error and counts, or the reason why not', () => {
    const first = observed({ a: [1], b: [0], c: [1] });
    const second = observed({ a: [0], b: [0], g: [1], h: [0] });
    expect(clusteredDifference(first, second)).toMatchObject({ value: 0.416666666667, n: 7, clusters: 5 });
    expect(clusteredDifference(first, [])).toEqual({
      value: null,
      reason: 'the second arm has no observations',
    });
    expect(clusteredDifference(observed({ a: [1, 0] }), second)).toMatchObject({ value: 0.25, low: null });
  });
});
