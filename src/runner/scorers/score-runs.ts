import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../../base/errors.ts';
import { meanEstimate } from '../../stats/index.ts';
import { readText } from '../../store/text-files.ts';
import { readTraces, type TraceFormat, type TraceRun } from '../../traces/index.ts';
import { splitWords } from '../agents/index.ts';
import { commandScorer } from './command.ts';
import { httpScorer } from './http.ts';
import {
  requestOf,
  type ScoredRun,
  type Scorer,
  ScorerFailure,
  type ScorerReply,
  type ScorerReport,
} from './types.ts';

export interface ScorerLimits {
  /** How long one reply may take, in real milliseconds. */
  readonly timeoutMs: number;
  /** Requests for one run, where the first ones failed for a passing reason. */
  readonly attempts: number;
  /** Waited before the second request; twice as long before each further one. */
  readonly pauseMs: number;
}

export const SCORER_LIMITS: ScorerLimits = { timeoutMs: 60_000, attempts: 3, pauseMs: 500 };

/**
 * The scorer that a person names: `NAME=http://…` or `NAME=command:ARGV`.
 * @throws UsageError for another form, a URL that is none, or a program that is not there
 */
export function scorerNamed(spec: string, { timeoutMs }: ScorerLimits): Scorer {
  const at = spec.indexOf('=');
  const [name, where] = [spec.slice(0, Math.max(0, at)), spec.slice(at + 1)];
  if (/^[\w.-]+$/u.test(name)) {
    if (/^https?:/u.test(where)) return httpScorer(name, where, timeoutMs);
    if (where.startsWith('command:')) return commandScorer(name, splitWords(where.slice(8)), timeoutMs);
  }
  throw new UsageError('bad-scorer', `${JSON.stringify(spec)} names no scorer`, {
    hint: 'NAME=http://localhost:8080/score or NAME=command:"python3 scorer.py"',
  });
}

/**
 * The scorers of a command line; no program is started yet.
 * @throws UsageError for what names none, and for two of one name
 */
export function assertScorers(
  specs: readonly string[],
  limits: ScorerLimits = SCORER_LIMITS,
): readonly Scorer[] {
  const scorers = specs.map((spec) => scorerNamed(spec, limits));
  const names = scorers.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError('twice', `there are two scorers named ${twice}`);
  return scorers;
}

/** What is scored: the same files and formats as `score` reads. */
export interface ScorerInput {
  readonly files: readonly string[];
  readonly format?: TraceFormat | undefined;
}

/**
 * Has every run scored by every scorer. A scorer that fails leaves its runs without a score, with the reason:
 * that says nothing about the run.
 */
export async function scoreWith(
  specs: readonly string[],
  { files, format }: ScorerInput,
  limits: ScorerLimits = SCORER_LIMITS,
): Promise<Readonly<Record<string, ScorerReport>>> {
  const found = files.flatMap((file) =>
    readTraces(file, readText(file), format).map((run) => ({ file, run })),
  );
  const scorers = assertScorers(specs, limits);
  try {
    const reports: (readonly [string, ScorerReport])[] = [];
    for (const scorer of scorers) reports.push([scorer.name, await reportOf(scorer, found, limits)]);
    return Object.fromEntries(reports);
  } finally {
    for (const scorer of scorers) await scorer.close();
  }
}

async function reportOf(
  scorer: Scorer,
  found: readonly { readonly file: string; readonly run: TraceRun }[],
  limits: ScorerLimits,
): Promise<ScorerReport> {
  const runs: ScoredRun[] = [];
  const versions = new Set<string>();
  for (const [index, { file, run }] of found.entries()) {
    const { reply, attempts, reason } = await asked(scorer, requestOf(`${index}`, run), limits);
    if (reply?.version != null) versions.add(reply.version);
    const { score = null, label = null, explanation = null, cost = null } = reply ?? {};
    const said = { score, label, explanation, cost };
    runs.push({ file, run: run.name, ...said, attempts, ...(reason !== undefined && { reason }) });
  }
  const observed = runs.flatMap(({ score }, index) =>
    score === null ? [] : [{ value: score, cluster: found[index]?.run.task ?? `run ${index}` }],
  );
  const costs = runs.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  const labels = new Map<string, number>();
  for (const { label } of runs) if (label !== null) labels.set(label, (labels.get(label) ?? 0) + 1);
  return {
    versions: [...versions],
    mean:
      observed.length === 0 ? { value: null, reason: 'no run was given a score' } : meanEstimate(observed),
    labels: Object.fromEntries(labels),
    scored: runs.filter(({ reason }) => reason === undefined).length,
    failed: runs.filter(({ reason }) => reason !== undefined).length,
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    runs,
  };
}

async function asked(
  scorer: Scorer,
  request: ReturnType<typeof requestOf>,
  { attempts, pauseMs }: ScorerLimits,
): Promise<{ readonly reply: ScorerReply | null; readonly attempts: number; readonly reason?: string }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { reply: await scorer.score(request), attempts: attempt };
    } catch (error) {
      if (!(error instanceof ScorerFailure)) throw error;
      if (!error.isTransient || attempt >= attempts) {
        return { reply: null, attempts: attempt, reason: error.message };
      }
      await sleep(pauseMs * 2 ** (attempt - 1));
    }
  }
}
