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
const SEARCH_LIMIT = 2_000;

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
  const pairAll = (edges: readonly (readonly number[])[]) =>
    matchingThatCovers({ edges, rightCount: got.length }, cover);
  const byContent = pairAll(content);
  // Rows that have no partner whatever the references cannot hold up the others.
  const rows = expected.map((_, row) => row).filter((row) => byContent.left[row] !== null);
  const problem: Problem = {
    expected,
    got,
    scope: new Set(rows),
    referrers: referrersOf(expected),
    gotReferrers: referrersOf(got),
    mustPair: options.mustPair,
    budget: { left: SEARCH_LIMIT },
  };
  const start = content.map((list) => new Set(list));
  for (const [row, only] of options.fixed) if (start[row]?.has(only)) start[row] = new Set([only]);
  for (const solve of [searchByParts, search]) {
    const solved = solve(problem, start, rows);
    if (!solved) continue;
    const matching = pairAll(solved.map((set, row) => (problem.scope.has(row) ? [...set] : [])));
    if (matching.size === rows.length) return { partner: matching.left, consistent: true };
  }
  return { partner: byContent.left, consistent: false };
}

type Candidates = Set<number>[];

interface Referrer {
  readonly row: number;
  readonly place: number;
}

interface Problem {
  readonly expected: readonly RowView[];
  readonly got: readonly RowView[];
  /** The expected rows to pair; references to and from others are left aside. */
  readonly scope: ReadonlySet<number>;
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
 * As `search`, one group of rows that hang together at a time, each taking what those before it left: fast
 * where many rows are alike. Null where a group is left without, which says nothing about a search over all
 * rows.
 */
function searchByParts(problem: Problem, start: Candidates, rows: readonly number[]): Candidates | null {
  let candidates: Candidates = [...start];
  for (const row of rows) candidates[row] = new Set(start[row]);
  if (!propagate(problem, candidates, rows)) return null;
  const taken = new Set<number>();
  for (const part of connectedParts(problem, rows)) {
    for (const row of part) {
      const free = [...(candidates[row] ?? [])].filter((choice) => !taken.has(choice));
      candidates[row] = new Set(free);
    }
    const solved = search(problem, candidates, part);
    if (!solved) return null;
    for (const row of part) for (const choice of solved[row] ?? []) taken.add(choice);
    candidates = solved;
  }
  return candidates;
}

/** Groups of rows joined by references; rows without any are in none. */
function connectedParts(problem: Problem, rows: readonly number[]): number[][] {
  const placed = new Set<number>();
  const parts: number[][] = [];
  for (const root of rows) {
    if (placed.has(root) || !takesPart(problem, root)) continue;
    const part = [root];
    placed.add(root);
    for (let head = 0; head < part.length; head += 1) {
      const row = part[head] as number;
      const referrers = (problem.referrers[row] ?? []).map((referrer) => referrer.row);
      for (const next of [...(problem.expected[row]?.references ?? []), ...referrers]) {
        if (placed.has(next) || !problem.scope.has(next)) continue;
        placed.add(next);
        part.push(next);
      }
    }
    parts.push(part);
  }
  return parts;
}

/**
 * Candidates where each of the rows that has references has one left, or null when there is no such pairing.
 */
function search(problem: Problem, start: Candidates, rows: readonly number[]): Candidates | null {
  const candidates: Candidates = [...start];
  for (const row of rows) candidates[row] = new Set(start[row]);
  if (!propagate(problem, candidates, rows)) return null;
  const edges = rows.map((row) => [...(candidates[row] ?? [])]);
  if (maximumMatching({ edges, rightCount: problem.got.length }).size < edges.length) return null;
  const open = rows.find((row) => (candidates[row]?.size ?? 0) > 1 && takesPart(problem, row));
  if (open === undefined) return candidates;
  const choices = [...(candidates[open] ?? [])].sort(
    (one, other) => Number(problem.mustPair(other)) - Number(problem.mustPair(one)) || one - other,
  );
  for (const choice of choices) {
    problem.budget.left -= 1;
    if (problem.budget.left < 0) return null;
    const next: Candidates = [...candidates];
    for (const row of rows) {
      const others = new Set(candidates[row]);
      others.delete(choice);
      next[row] = row === open ? new Set([choice]) : others;
    }
    const solved = search(problem, next, rows);
    if (solved) return solved;
  }
  return null;
}

function takesPart({ expected, referrers }: Problem, row: number): boolean {
  return (expected[row]?.references.length ?? 0) > 0 || (referrers[row]?.length ?? 0) > 0;
}

/** Removes candidates that references rule out, until none is left to remove; false when a row has none. */
function propagate(problem: Problem, candidates: Candidates, rows: readonly number[]): boolean {
  for (let changed = true; changed; ) {
    changed = false;
    for (const row of rows) {
      const set = candidates[row] ?? new Set<number>();
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
  const forward = (problem.expected[row]?.references ?? []).every(
    (target, place) => !problem.scope.has(target) || candidates[target]?.has(targets[place] ?? -1),
  );
  if (!forward) return false;
  // Every row that refers to this one needs a partner of its own among those that refer to the choice.
  const around = problem.gotReferrers[choice] ?? [];
  const referrers = (problem.referrers[row] ?? []).filter((referrer) => problem.scope.has(referrer.row));
  const edges = referrers.map(({ row: from, place }) =>
    around.flatMap((other, index) =>
      other.place === place && candidates[from]?.has(other.row) ? [index] : [],
    ),
  );
  return maximumMatching({ edges, rightCount: around.length }).size === edges.length;
}
