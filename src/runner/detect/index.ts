import { UsageError } from '../../base/errors.ts';
import {
  type DetectKind,
  type DetectModel,
  type DetectRun,
  type DetectTool,
  detector,
  learn,
} from '../../scoring/detect/index.ts';
import type { Service } from '../../service/types.ts';
import { readText } from '../../store/text-files.ts';
import { readTraces, type TraceFormat, type TraceRun } from '../../traces/index.ts';
import { offeredTools } from '../offered-tools.ts';
import { servicesOf } from '../worlds.ts';
import { traceFiles } from './files.ts';
import { detectRunOf, toolsOfHeader } from './runs.ts';

export { detectRunOf } from './runs.ts';

interface DetectOptions {
  /** Files or folders to look at. */
  readonly paths: readonly string[];
  /** Files or folders of clean runs to learn from. */
  readonly learn?: readonly string[] | undefined;
  readonly format?: TraceFormat | undefined;
}

/** A step that looks faulty. */
export interface FlaggedStep {
  readonly run: string;
  /** Number of the call; null for the reply. */
  readonly step: number | null;
  readonly kind: DetectKind;
  readonly rule: string;
  readonly evidence: string;
}

export interface Detection {
  /** Runs looked at. */
  readonly runs: number;
  /** Runs with at least one flag. */
  readonly flaggedRuns: number;
  readonly flagged: readonly FlaggedStep[];
  /** What was learned from; null where nothing was. */
  readonly learned: { readonly runs: number; readonly mutedRules: readonly string[] } | null;
}

/**
 * Looks for faulty steps in runs, by what their agents saw alone.
 * @throws UsageError for files that are missing, damaged or of no known format
 */
export function detectFaults({ paths, learn: clean = [], format }: DetectOptions): Detection {
  const files = traceFiles(paths);
  const model = clean.length === 0 ? null : modelFrom(traceFiles(clean), format);
  const find = detector(model);
  const flagged: FlaggedStep[] = [];
  let runs = 0;
  let flaggedRuns = 0;
  for (const file of files) {
    for (const run of readRuns(file, format)) {
      const findings = find(run);
      runs += 1;
      if (findings.length > 0) flaggedRuns += 1;
      for (const { step, kind, rule, evidence } of findings) {
        flagged.push({ run: run.name, step, kind, rule, evidence });
      }
    }
  }
  const learned = model === null ? null : { runs: model.runs, mutedRules: model.calibration.rules };
  return { runs, flaggedRuns, flagged, learned };
}

function modelFrom(files: readonly string[], format: TraceFormat | undefined): DetectModel {
  const runs = files.flatMap((file) => readRuns(file, format));
  if (runs.length === 0) throw new UsageError('no-run', 'there is no clean run to learn from');
  return learn(runs);
}

/** The runs of a file as their agents saw them, named by the file and, where it holds several, the run. */
export function readRuns(file: string, format?: TraceFormat): DetectRun[] {
  const runs = readTraces(file, readText(file), format);
  return runs.map((run) => {
    const name = run.trajectory ? file : `${file} ${run.name}`;
    return detectRunOf(name, run, toolsOf(run));
  });
}

/** A trajectory that is held in memory, as its agent saw it. @throws UsageError when it is damaged */
export function runOfText(name: string, text: string): DetectRun {
  const [run] = readTraces(name, text, 'groundhog');
  if (run === undefined) throw new UsageError('no-run', `${name} holds no run`);
  return detectRunOf(name, run, toolsOf(run));
}

const schemas = new Map<string, DetectTool[]>();

/** Tools with their schemas where the services of the run ship; else what the header lists. */
export function toolsOf(run: TraceRun): DetectTool[] {
  const listed = toolsOfHeader(run);
  const recipe = run.trajectory?.header.world.services ?? [];
  const key = `${recipe.map(({ name }) => name).join()} ${listed.map(({ name }) => name).join()}`;
  const known = schemas.get(key);
  if (known !== undefined) return known;
  const services = shippedServices(recipe);
  const offered = new Map(
    (services === null ? [] : offeredTools(services, { names: listed.map(({ name }) => name) })).map(
      (tool) => [tool.name, tool],
    ),
  );
  const tools = listed.map((tool) => ({ ...tool, inputSchema: offered.get(tool.name)?.inputSchema ?? null }));
  schemas.set(key, tools);
  return tools;
}

function shippedServices(
  recipe: readonly { readonly name: string; readonly seed: string }[],
): readonly Service[] | null {
  try {
    return recipe.length === 0 ? null : servicesOf(recipe);
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}
