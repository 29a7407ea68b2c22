import { type Calibration, calibrate, mayTell } from './calibrate.ts';
import { finderOf, type Habits, learnHabits } from './learned/model.ts';
import type { DetectRun, Finding } from './types.ts';
import { viewRun } from './view.ts';

/** What was learned from clean runs: plain data, fit for a file. */
export interface DetectModel {
  readonly version: 1;
  readonly runs: number;
  readonly habits: Habits;
  readonly calibration: Calibration;
  /** Operations that clean runs made; the reply and the run as a whole count too. */
  readonly tried: readonly string[];
}

interface LearnOptions {
  /** Parts that clean runs are held out in, to see which rules keep quiet; 10 when left out. */
  readonly folds?: number;
  /** Share of clean runs that may be flagged when they are held out; 0.01 when left out. */
  readonly allowed?: number;
}

/** Learns what clean runs have in common, and which rules keep quiet on them. */
export function learn(runs: readonly DetectRun[], options: LearnOptions = {}): DetectModel {
  const views = runs.map(viewRun);
  const tried = new Set(views.flatMap(({ calls }) => calls.map(({ operation }) => operation)));
  return {
    version: 1,
    runs: runs.length,
    habits: learnHabits(views),
    calibration: calibrate(views, { folds: options.folds ?? 10, allowed: options.allowed ?? 0.01 }),
    tried: runs.length === 0 ? [] : [...tried, 'reply', 'run'].sort(),
  };
}

/**
 * Looks for faulty steps in runs, one at a time. Without a model it knows no other run.
 * @returns findings of a run, the first suspicious step first; the reply comes last
 */
export function detector(model: DetectModel | null): (run: DetectRun) => readonly Finding[] {
  const find = finderOf(model === null || model.runs === 0 ? null : model.habits);
  const calibration = model?.calibration ?? { rules: [], muted: {} };
  const tried = new Set(model?.tried);
  return (run) => {
    const view = viewRun(run);
    const operations = new Set(view.calls.map(({ operation }) => operation));
    const known = [...operations].filter((operation) => tried.has(operation)).length;
    // Habits of other tools say nothing of a run as a whole.
    const isKin = known * 2 >= operations.size;
    const found = find(view).filter(
      (finding) => mayTell(finding, calibration, tried) && (isKin || !ofWholeRun(finding)),
    );
    return inOrder(asWrongTools(found));
  };
}

function ofWholeRun({ rule }: Finding): boolean {
  return rule === 'orders.always' || rule.startsWith('replies.');
}

/** A call made twice where another was left out is the wrong one of the two. */
function asWrongTools(findings: readonly Finding[]): Finding[] {
  const missing = findings.some(({ rule }) =>
    ['orders.always', 'orders.before', 'demands.unmet', 'reasoning.tool'].includes(rule),
  );
  if (!missing) return [...findings];
  return findings.map((finding) =>
    finding.kind === 'repetition' ? { ...finding, kind: 'wrong_tool' as const } : finding,
  );
}

/** By step; within a step in the order of the rules; one finding a step and kind. */
function inOrder(findings: readonly Finding[]): Finding[] {
  const place = ({ step }: Finding): number => step ?? Number.MAX_SAFE_INTEGER;
  const sorted = [...findings].sort((left, right) => place(left) - place(right));
  const known = new Set<string>();
  return sorted.filter(({ step, kind }) => {
    const key = `${step} ${kind}`;
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}
