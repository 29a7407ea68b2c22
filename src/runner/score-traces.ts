import { resolve } from 'node:path';
import { UsageError } from '../base/errors.ts';
import type { InvariantResult, WorldShape } from '../scoring/index.ts';
import { readText } from '../store/text-files.ts';
import {
  readTraces,
  type TraceCall,
  type TraceFormat,
  type TraceLoss,
  type TraceRun,
} from '../traces/index.ts';
import type { Trajectory } from '../trajectory/index.ts';
import { shapeOf } from './prepare.ts';
import { environmentOf, loadTrajectory } from './recorded.ts';
import { figuresOf, type RunFigures, type TraceMetrics, traceMetrics } from './traces/figures.ts';
import { checkTrace } from './traces/invariants.ts';
import { type Gold, type PeerReport, peerReport } from './traces/peers.ts';
import { NO_RULES, readTraceRules, type TraceRules } from './traces/rules.ts';
import { WorldCache } from './worlds.ts';

export type { PeerReport } from './traces/peers.ts';

interface ScoreTracesOptions {
  readonly files: readonly string[];
  /** Takes the files as this format, in place of finding it out. */
  readonly format?: TraceFormat | undefined;
  /** A rules file. */
  readonly rules?: string | undefined;
  /** What other tools would say: true, or a gold run to compare states with. */
  readonly peers?: boolean | undefined;
  readonly gold?: string | undefined;
}

/** One run of a trace with everything that is said of it. */
interface ScoredTrace {
  readonly file: string;
  readonly run: string;
  readonly format: TraceFormat;
  readonly end: { readonly kind: TraceRun['end']['kind']; readonly detail: string | null };
  readonly answer: string | null;
  readonly usage: TraceRun['usage'];
  /** As they were read; results are left out, but for whether there was one. */
  readonly calls: readonly (Omit<TraceCall, 'result'> & { readonly answered: boolean })[];
  readonly metrics: RunFigures;
  readonly invariants: readonly InvariantResult[];
  readonly peers?: PeerReport;
}

/** A rule over all runs. `of` counts the runs that say enough to be held to it. */
interface TraceInvariant {
  readonly id: string;
  readonly kind: InvariantResult['kind'];
  readonly broken: number;
  readonly of: number;
  readonly skipped: number;
  readonly notRun: number;
  readonly first: {
    readonly file: string;
    readonly run: string;
    readonly step: number | null;
    readonly message: string;
  } | null;
}

export interface ScoredTraces {
  readonly runs: readonly ScoredTrace[];
  readonly metrics: TraceMetrics;
  readonly invariants: readonly TraceInvariant[];
  readonly losses: readonly (TraceLoss & { readonly file: string; readonly run: string })[];
}

/**
 * Scores traces that a team already has: metrics and invariants without a world, and what the traces do not
 * say.
 * @throws UsageError for a file that is damaged or of no known format, and for rules that are not of their
 * form.
 */
export function scoreTraces(options: ScoreTracesOptions): ScoredTraces {
  refuseTwice(options.files);
  const rules = options.rules === undefined ? NO_RULES : readTraceRules(options.rules);
  const worlds = new WorldCache();
  const gold = options.gold === undefined ? null : goldFrom(options.gold, worlds);
  const found = options.files.flatMap((file) =>
    readTraces(file, readText(file), options.format).map((run) => ({
      file,
      run: rules.errors === null ? run : withErrors(run, rules.errors),
    })),
  );
  const runs = found.map(({ file, run }): ScoredTrace => {
    const shape = run.trajectory ? knownShape(run.trajectory, worlds) : null;
    return {
      file,
      run: run.name,
      format: run.format,
      end: { kind: run.end.kind, detail: run.end.kind === 'answer' ? null : run.end.detail },
      answer: run.end.kind === 'answer' ? run.end.text : null,
      usage: run.usage,
      calls: run.calls.map(({ result, ...call }) => ({ ...call, answered: result !== null })),
      metrics: figuresOf(run, rules, shape),
      invariants: checkTrace(rules.invariants, run),
      ...(options.peers || gold ? { peers: peerReport(run, rules, gold) } : {}),
    };
  });
  const clustered = runs.map(({ metrics }, index) => ({
    figures: metrics,
    cluster: clusterOf(found[index], index),
  }));
  return {
    runs,
    metrics: traceMetrics(clustered),
    invariants: summed(rules, runs),
    losses: found.flatMap(({ file, run }) => run.losses.map((loss) => ({ file, run: run.name, ...loss }))),
  };
}

/** What can be said of one run that no world of ours saw. */
export function scoreRun(
  run: TraceRun,
  rules: TraceRules | null,
): Pick<ScoredTrace, 'metrics' | 'invariants'> {
  const held = rules ?? NO_RULES;
  const known = held.errors === null ? run : withErrors(run, held.errors);
  return { metrics: figuresOf(known, held, null), invariants: checkTrace(held.invariants, known) };
}

/** A file that two patterns of a shell match would count as evidence twice. @throws UsageError */
function refuseTwice(files: readonly string[]): void {
  const seen = new Set<string>();
  for (const file of files) {
    const path = resolve(file);
    if (seen.has(path)) {
      throw new UsageError('file-twice', 'the file is named twice, and its runs would count twice', {
        place: { file },
      });
    }
    seen.add(path);
  }
}

/** Runs of one task are one piece of evidence; a run without a task is one of its own. */
function clusterOf(found: { readonly run: TraceRun } | undefined, index: number): string {
  const task = found?.run.task ?? null;
  return task === null ? `run ${index}` : `task ${task}`;
}

/** Where the format has no flag, results that match the pattern are errors and all others successes. */
function withErrors(run: TraceRun, pattern: RegExp): TraceRun {
  if (run.trajectory) return run;
  const calls = run.calls.map((call) => {
    if (call.failed !== null || call.result === null) return call;
    const { value } = call.result;
    return { ...call, failed: pattern.test(typeof value === 'string' ? value : JSON.stringify(value)) };
  });
  return { ...run, calls, losses: run.losses.filter(({ kind }) => kind !== 'error-not-told') };
}

function goldFrom(file: string, worlds: WorldCache): Gold {
  const trajectory = loadTrajectory(file);
  const { world, services } = environmentOf(trajectory, worlds);
  return { trajectory, shape: shapeOf(world, services) };
}

/** The tables of a trajectory; null where its world was built from files that are not at hand. */
function knownShape(trajectory: Trajectory, worlds: WorldCache): WorldShape | null {
  try {
    const { world, services } = environmentOf(trajectory, worlds);
    return shapeOf(world, services);
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

function summed(rules: TraceRules, runs: readonly ScoredTrace[]): TraceInvariant[] {
  return rules.invariants.map(({ id, kind }) => {
    const results = runs.flatMap(({ file, run, invariants }) => {
      const result = invariants.find((one) => one.id === id);
      return result === undefined ? [] : [{ file, run, result }];
    });
    const count = (...verdicts: readonly string[]): number =>
      results.filter(({ result }) => verdicts.includes(result.verdict)).length;
    const first = results.find(({ result }) => result.verdict === 'fail');
    const witness = first?.result.witnesses[0];
    return {
      id,
      kind,
      broken: count('fail'),
      of: count('fail', 'pass', 'skipped'),
      skipped: count('skipped'),
      notRun: count('not-run', 'error'),
      first:
        first === undefined
          ? null
          : {
              file: first.file,
              run: first.run,
              step: witness?.steps[0] ?? null,
              message: witness?.message ?? '',
            },
    };
  });
}
