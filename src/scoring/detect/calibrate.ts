import { finderOf, learnHabits } from './learned/model.ts';
import type { Finding } from './types.ts';
import type { RunView } from './view.ts';

/** Which rules may speak: those that keep quiet on clean runs that they were not learned from. */
export interface Calibration {
  /** Rules muted wherever they were not tried. */
  readonly rules: readonly string[];
  /** `rule subject` pairs that are muted, up to the greatest strength that a clean run showed. */
  readonly pairs: Readonly<Record<string, number>>;
  /** Share of the clean runs that what may speak has flagged, over the folds. */
  readonly flagged: number;
  readonly runs: number;
}

export interface CalibrationOptions {
  /** Share of clean runs that may be flagged. */
  readonly budget: number;
  readonly folds: number;
}

/** A rule whose alarms on clean runs are of more subjects than this is no rule for a new one. */
const MAX_NOISY_SUBJECTS = 1;

/**
 * Learns from all clean runs but a fold, looks at the fold, and so for each fold, clusters never torn apart.
 * Pairs of rule and subject that never spoke stay; of those that did, the quietest stay as long as no more
 * clean runs are flagged than the budget allows.
 */
export function calibrate(views: readonly RunView[], { budget, folds }: CalibrationOptions): Calibration {
  const flagged = new Map<string, Map<RunView, number>>();
  for (const [held, rest] of foldsOf(views, folds)) {
    const find = finderOf(rest.length === 0 ? null : learnHabits(rest));
    for (const view of held) {
      for (const { rule, subject, strength = 1 } of find(view)) {
        const pair = `${rule} ${subject}`;
        const runs = flagged.get(pair) ?? new Map<RunView, number>();
        flagged.set(pair, runs.set(view, Math.max(strength, runs.get(view) ?? 0)));
      }
    }
  }
  const union = new Set<RunView>();
  const pairs: Record<string, number> = {};
  const noisy = new Map<string, number>();
  const allowed = Math.floor(budget * views.length);
  const quietFirst = [...flagged].sort(([, left], [, right]) => left.size - right.size);
  for (const [pair, runs] of quietFirst) {
    const together = new Set([...union, ...runs.keys()]);
    if (together.size <= allowed) {
      for (const run of runs.keys()) union.add(run);
      continue;
    }
    const strongest = Math.max(...runs.values());
    pairs[pair] = strongest;
    if (strongest < 1) continue;
    const rule = pair.slice(0, pair.indexOf(' '));
    noisy.set(rule, (noisy.get(rule) ?? 0) + 1);
  }
  return {
    rules: [...noisy].filter(([, subjects]) => subjects > MAX_NOISY_SUBJECTS).map(([rule]) => rule),
    pairs,
    flagged: union.size,
    runs: views.length,
  };
}

/** Each fold with the rest; clusters go round the folds in the order of their first run. */
export function foldsOf(
  views: readonly RunView[],
  folds: number,
): (readonly [held: readonly RunView[], rest: readonly RunView[]])[] {
  const clusters = [...new Set(views.map(({ run }) => run.cluster))];
  const count = Math.min(folds, clusters.length);
  const foldOf = new Map(clusters.map((cluster, index) => [cluster, index % Math.max(count, 1)]));
  return Array.from({ length: count }, (_, fold) => [
    views.filter(({ run }) => foldOf.get(run.cluster) === fold),
    views.filter(({ run }) => foldOf.get(run.cluster) !== fold),
  ]);
}

/** True when a finding may speak. `tried` holds the operations that clean runs made. */
export function mayTell(
  { rule, subject, strength = 1 }: Finding,
  muted: { readonly rules: ReadonlySet<string>; readonly pairs: ReadonlyMap<string, number> },
  tried: ReadonlySet<string>,
): boolean {
  if (strength <= (muted.pairs.get(`${rule} ${subject}`) ?? 0)) return false;
  const operation = subject.split(' ')[0] ?? subject;
  return tried.has(operation) || !muted.rules.has(rule);
}
