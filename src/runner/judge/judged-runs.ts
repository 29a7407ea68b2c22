import { basename } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import type { JudgedRun } from '../../scoring/index.ts';
import { readText } from '../../store/text-files.ts';
import { readTraces, type TraceFormat, type TraceRun } from '../../traces/index.ts';
import { traceFiles } from '../detect/files.ts';
import { detectRunOf, toolsOf } from '../detect/index.ts';
import { servicesOf } from '../worlds.ts';
import type { SealedGuard } from './sealed-guard.ts';

/** A run as a judge may see it, with who made it, which no judge is told. */
export interface SourcedRun extends JudgedRun {
  /** The agent, which of model agents is the model; null for traces that do not tell. */
  readonly agent: string | null;
}

export interface JudgedRunsOptions {
  /** Files or folders: trajectories, run folders, traces of other tools. */
  readonly paths: readonly string[];
  readonly guard: SealedGuard;
  readonly format?: TraceFormat | undefined;
  /** What the agents were told; of our own services their policies when left out. */
  readonly policy?: string | undefined;
}

/**
 * Runs as a judge may see them, each of which may leave the house.
 * @throws UsageError for files that are missing, damaged or of no known format, and for sealed scenarios
 */
export function readJudgedRuns({ paths, guard, format, policy }: JudgedRunsOptions): readonly SourcedRun[] {
  return traceFiles(paths).flatMap((file) => {
    const runs = readTraces(file, readText(file), format);
    for (const { trajectory } of runs) guard.assertMayLeave(file, trajectory);
    return runs.map((run) => judgedRunOf(nameOf(file, run), run, policy));
  });
}

/** What labels call it: the file without its ending, and the run where the file holds several. */
function nameOf(file: string, run: TraceRun): string {
  const name = basename(file).replace(/(?:\.traj)?\.(?:jsonl?|ndjson)$/u, '');
  return run.trajectory ? name : `${name} ${run.name}`;
}

function judgedRunOf(name: string, run: TraceRun, policy: string | undefined): SourcedRun {
  return {
    ...detectRunOf(name, run, toolsOf(run)),
    instructions: policy ?? policyOf(run),
    turns: run.calls.map(({ turn }) => turn),
    agent: run.trajectory?.header.agent?.name ?? null,
  };
}

/** The policies of the services that ship; null for others and for foreign traces, which do not tell. */
function policyOf({ trajectory }: TraceRun): string | null {
  const recipe = trajectory?.header.world.services ?? [];
  try {
    const policies = servicesOf(recipe).flatMap(({ policy }) => (policy === undefined ? [] : [policy]));
    return policies.length === 0 ? null : policies.join('\n\n');
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}
