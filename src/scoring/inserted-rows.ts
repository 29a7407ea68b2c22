import { matchingThatCovers, maximumMatching } from './matching.ts';
import type { RowView } from './row-view.ts';

/**
 * Pairs that other parts of the diff fix already: an expected row (first) may only be this row of the run.
 */
export type FixedPair = readonly [expected: number, got: number];

export interface InsertedPairing {
  /** For each expected row the row of the run that stands for it, or null. */
  readonly partner: readonly (number | null)[];
  /** False when rows were paired by content alone because no pairing keeps the references too. */
  readonly consistent: boolean;
}

/** Past this many trials the pairing by content decides: rows so alike are told apart by nobody. */
const SEARCH_LIMIT = 500;

/**
 * Pairs expected inserted rows with those of the run: equal compared columns, and references between inserted
 * rows kept by the pairing. Of several pairings one that leaves over rows which may be left over (`mustPair`
 * false). Rows are filtered by what their references allow until nothing changes; rows that stay ambiguous
 * are tried in turn.
 */
export function pairInsertedRows(
  expected: readonly RowView[],
  got: readonly RowView[],
  options: { mustPair: (row: number) => boolean; fixed: readonly FixedPair[] },
): InsertedPairing {
  const bySkeleton = new Map<string, number[]>();
  got.forEach((row, index) => {
    const group = bySkeleton.get(row.skeleton);
    if (group) group.push(index);
    else bySkeleton.set(row.skeleton, [index]);
  });
  const content = expected.map((row) => bySkeleton.get(row.skeleton) ?? []);
  const cover = got.map((_, index) => index).filter(options.mustPair);
  const graph = (edges: readonly (readonly number[])[]) => ({ edges, rightCount: got.length });
  const problem: Problem = {
    expected,
    got,
    referrers: referrersOf(expected),
    gotReferrers: referrersOf(got),
    mustPair: options.mustPair,
    budget: { left: SEARCH_LIMIT },
  };
  const start = content.map((list) => new Set(list));
  for (const [row, only] of options.fixed) {
    const list = start[row];
    if (list) start[row] = new Set(list.has(only) ? [only] : []);
  }
  const solved = search(problem, start);
  if (solved) {
    const matching = matchingThatCovers(graph(solved.map((set) => [...set])), cover);
    if (matching.size === expected.length) return { partner: matching.left, consistent: true };
  }
  return { partner: matchingThatCovers(graph(content), cover).left, consistent: false };
}

type Candidates = Set<number>[];

interface Referrer {
  readonly row: number;
  readonly place: number;
}

interface Problem {
  readonly expected: readonly RowView[];
  readonly got: readonly RowView[];
  readonly referrers: readonly (readonly Referrer[])[];
  readonly gotReferrers: readonly (readonly Referrer[])[];
  readonly mustPair: (row: number) => boolean;
  readonly budget: { left: number };
}

function referrersOf(rows: readonly RowView[]): Referrer[][] {
  const referrers: Referrer[][] = rows.map(() => []);
  rows.forEach((view, row) => {
    for (const [place, target] of view.references.entries()) referrers[target]?.push({ row, place });
  });
  return referrers;
}

/**
 * Candidates where each row with references has one left, or null when there is no such pairing of all rows.
 */
function search(problem: Problem, candidates: Candidates): Candidates | null {
  if (!propagate(problem, candidates)) return null;
  const edges = candidates.map((set) => [...set]);
  if (maximumMatching({ edges, rightCount: problem.got.length }).size < edges.length) return null;
  const open = candidates.findIndex((set, row) => set.size > 1 && takesPart(problem, row));
  if (open === -1) return candidates;
  const choices = [...(candidates[open] ?? [])].sort(
    (one, other) => Number(problem.mustPair(other)) - Number(problem.mustPair(one)) || one - other,
  );
  for (const choice of choices) {
    problem.budget.left -= 1;
    if (problem.budget.left < 0) return null;
    const next = candidates.map((set, row) => {
      if (row === open) return new Set([choice]);
      if (!set.has(choice)) return new Set(set);
      const others = new Set(set);
      others.delete(choice);
      return others;
    });
    const solved = search(problem, next);
    if (solved) return solved;
  }
  return null;
}

function takesPart({ expected, referrers }: Problem, row: number): boolean {
  return (expected[row]?.references.length ?? 0) > 0 || (referrers[row]?.length ?? 0) > 0;
}

/** Removes candidates that references rule out, until none is left to remove; false when a row has none. */
function propagate(problem: Problem, candidates: Candidates): boolean {
  for (let changed = true; changed; ) {
    changed = false;
    for (const [row, set] of candidates.entries()) {
      for (const choice of [...set]) {
        if (!takesPart(problem, row) || supported(problem, candidates, [row, choice])) continue;
        set.delete(choice);
        changed = true;
      }
      if (set.size === 0) return false;
    }
  }
  return true;
}

function supported(problem: Problem, candidates: Candidates, [row, choice]: FixedPair): boolean {
  const targets = problem.got[choice]?.references ?? [];
  const forward = (problem.expected[row]?.references ?? []).every((target, place) =>
    candidates[target]?.has(targets[place] ?? -1),
  );
  if (!forward) return false;
  // Every row that refers to this one needs a partner of its own among those that refer to the choice.
  const around = problem.gotReferrers[choice] ?? [];
  const edges = (problem.referrers[row] ?? []).map(({ row: from, place }) =>
    around.flatMap((other, index) =>
      other.place === place && candidates[from]?.has(other.row) ? [index] : [],
    ),
  );
  return maximumMatching({ edges, rightCount: around.length }).size === edges.length;
}
