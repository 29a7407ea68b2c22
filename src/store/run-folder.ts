import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { digestText } from '../base/digest.ts';
import { UsageError } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { TrialScore } from '../scoring/index.ts';
import { appendLine, readLines, type StoredLine, sealedLine, writeWhole } from './run-lines.ts';
import { lockFolder, RUN_LOCK_FILE, unlockFolder } from './run-lock.ts';
import { decodeText, readBytes, readText } from './text-files.ts';

export { writeWhole } from './run-lines.ts';

/** What fixes a run: the same configuration is the same folder. */
export interface RunConfig {
  readonly bank: { readonly name: string; readonly version: string; readonly hash: string };
  readonly scenarios: readonly RunScenario[];
  readonly behaviour: { readonly engine: string; readonly services: Readonly<Record<string, string>> };
  readonly agent: { readonly name: string; readonly config: Json };
  readonly seed: string;
  readonly k: number;
  readonly mode: 'end-to-end' | 'stepwise';
  /** The fault plans that the scenarios were expanded by. */
  readonly faults?: { readonly plans: readonly StoredPlan[] };
}

/** A fault plan as a run folder keeps it; its rules are those of `src/faults`. */
export interface StoredPlan {
  readonly id: string;
  readonly rules: readonly Json[];
}

/** A scenario as a run names it; under a fault plan it is one of its own, `SCENARIO@PLAN`. */
export interface RunScenario {
  readonly id: string;
  /** Of the scenario; of scenario and plan where there is one. */
  readonly hash: string;
  /** Under a plan: the scenario's own id, and the plan's. */
  readonly scenario?: string;
  readonly plan?: string;
  /** The cluster that it counts under; intervals hang on it. */
  readonly cluster?: string;
  /** How many attempts its user gets; one when left out. */
  readonly attempts?: 'one' | 'many';
  /** Of a sealed scenario: what tells where its text went. */
  readonly canary?: string;
}

/** How a person asked for a run, so that it can be asked for again; no part of what fixes it. */
export interface AskedRun {
  /** Banks and scenarios as they were named. */
  readonly targets: readonly string[];
  readonly agent: string;
  readonly name?: string;
  readonly actionTimeoutMs?: number;
  /** How a chat model was to be reached and asked; keys are named only. */
  readonly chat?: JsonObject;
  readonly variants?: number;
  readonly variantSeed?: string;
}

/** One finished trial as the run folder keeps it. */
export interface StoredTrial {
  readonly scenario: string;
  readonly trial: number;
  /** SHA-256 of the trajectory file; null when the trial broke before it had one. */
  readonly trajectory: string | null;
  readonly score: TrialScore;
}

const FILES = {
  config: 'run.json',
  results: 'results.jsonl',
  timings: 'timings.jsonl',
  summary: 'summary.json',
  lock: RUN_LOCK_FILE,
  trajectories: 'trajectories',
} as const;

/** The judged steps of a step-wise run. */
export const STEPS_FILE = 'stepwise.jsonl';

const configSchema = z.strictObject({
  format: z.literal('groundhog.run'),
  version: z.literal(1),
  hash: z.string(),
  config: z.strictObject({
    bank: z.strictObject({ name: z.string(), version: z.string(), hash: z.string() }),
    scenarios: z.array(
      z.strictObject({
        id: z.string(),
        hash: z.string(),
        cluster: z.string().optional(),
        attempts: z.enum(['one', 'many']).optional(),
        canary: z.string().optional(),
        scenario: z.string().optional(),
        plan: z.string().optional(),
      }),
    ),
    behaviour: z.strictObject({ engine: z.string(), services: z.record(z.string(), z.string()) }),
    agent: z.strictObject({ name: z.string(), config: z.json() }),
    seed: z.string(),
    k: z.int().positive(),
    mode: z.enum(['end-to-end', 'stepwise']),
    faults: z
      .strictObject({ plans: z.array(z.strictObject({ id: z.string(), rules: z.array(z.json()) })) })
      .optional(),
  }),
  asked: z
    .strictObject({
      targets: z.array(z.string()),
      agent: z.string(),
      name: z.string().optional(),
      actionTimeoutMs: z.number().optional(),
      chat: z.record(z.string(), z.json()).optional(),
      variants: z.int().positive().optional(),
      variantSeed: z.string().optional(),
    })
    .optional(),
});

const resultSchema = z.looseObject({
  scenario: z.string(),
  trial: z.int().nonnegative(),
  trajectory: z.string().nullable(),
  score: z.looseObject({
    success: z.boolean(),
    void: z.strictObject({ reason: z.string(), detail: z.string() }).nullable(),
    graders: z.array(z.looseObject({ kind: z.string(), verdict: z.string() })),
    invariants: z.array(z.looseObject({ id: z.string(), kind: z.string(), verdict: z.string() })),
    steps: z.int().nonnegative(),
  }),
});

/** What a reader needs of a summary: how many trials it counts. */
const summarySchema = z.looseObject({ trials: z.int().nonnegative() });

const timingSchema = z.strictObject({
  scenario: z.string(),
  trial: z.int().nonnegative(),
  wallClockMs: z.number().nonnegative(),
});

/**
 * A run on disk: written append-only, so that a kill at any moment loses at most the trial in flight. A trial
 * counts once its line stands in `results.jsonl`; its trajectory was complete before that.
 */
export class RunFolder {
  readonly directory: string;
  readonly config: RunConfig;
  /** Null for a run that no command line asked for. */
  readonly asked: AskedRun | null;
  readonly #trials: Map<string, StoredTrial>;
  readonly #wallClocks: Map<string, number>;

  private constructor(directory: string, { config, asked }: RunFile) {
    this.directory = directory;
    this.config = config;
    this.asked = asked;
    this.#trials = new Map();
    this.#wallClocks = new Map();
  }

  /**
   * Creates the folder of a run, or takes up an unfinished one of the same configuration.
   * @throws UsageError when a finished run, another run, or a running process is there.
   */
  static open(directory: string, config: RunConfig, asked: AskedRun | null = null): RunFolder {
    assertRunFolder(directory);
    makeFolder(join(directory, FILES.trajectories));
    lockFolder(directory);
    try {
      removeTorn(directory);
      const path = join(directory, FILES.config);
      if (!existsSync(path)) writeWhole(path, configText({ config, asked }));
      const known = readConfig(directory);
      if (configHash(known.config) !== configHash(config)) {
        throw new UsageError('other-run', `${directory} holds a run of another configuration`, {
          hint: 'give another --out, or --fresh to throw that run away',
        });
      }
      if (existsSync(join(directory, FILES.summary))) {
        throw new UsageError('finished', `the run in ${directory} is finished`, {
          hint: 'look at it with `groundhog show`, or run it anew with --fresh or into another --out',
        });
      }
      const folder = new RunFolder(directory, known);
      folder.#load(true);
      return folder;
    } catch (error) {
      unlockFolder(directory);
      throw error;
    }
  }

  /**
   * Opens a run to read it. Every trajectory is held against its hash, and a trial whose own is gone or
   * changed is left out; with `trusted` that is left to whoever reads one.
   * @throws UsageError when the folder holds none, or one without whole trials.
   */
  static read(directory: string, options: { readonly trajectories?: 'trusted' } = {}): RunFolder {
    const file = readConfig(directory);
    if (file.config.mode === 'stepwise') {
      throw new UsageError('stepwise', `${directory} holds a step-wise run, which has no trials to show`, {
        hint: `its figures are in ${FILES.summary}, its steps in stepwise.jsonl`,
      });
    }
    const folder = new RunFolder(directory, file);
    folder.#load(false, options.trajectories === 'trusted');
    return folder;
  }

  /** Opens a finished step-wise run to read it. @throws UsageError when the folder holds none. */
  static readStepwise(directory: string): RunFolder {
    const file = readConfig(directory);
    const folder = new RunFolder(directory, file);
    if (file.config.mode === 'stepwise' && folder.finished) return folder;
    throw new UsageError('not-stepwise', `${directory} holds no finished step-wise run`, {
      hint: 'make one with `run --mode stepwise`',
    });
  }

  /** Finished trials, by scenario order of the configuration, then trial. */
  trials(): readonly StoredTrial[] {
    const order = new Map(this.config.scenarios.map(({ id }, index) => [id, index]));
    return [...this.#trials.values()].sort(
      (left, right) =>
        (order.get(left.scenario) ?? 0) - (order.get(right.scenario) ?? 0) || left.trial - right.trial,
    );
  }

  has(scenario: string, trial: number): boolean {
    return this.#trials.has(trialKey(scenario, trial));
  }

  /** Real milliseconds from first call to final answer; undefined when it was not measured. */
  wallClockMs(scenario: string, trial: number): number | undefined {
    return this.#wallClocks.get(trialKey(scenario, trial));
  }

  /** True once a trial, or a step of one, stands in it. */
  get started(): boolean {
    return [FILES.results, STEPS_FILE].some((name) => existsSync(join(this.directory, name)));
  }

  /** True once the summary is written. */
  get finished(): boolean {
    return existsSync(join(this.directory, FILES.summary));
  }

  /**
   * Asserts that the run is finished and still has every trial that its summary counts.
   * @throws UsageError otherwise
   */
  assertWhole(): void {
    if (!this.finished) {
      throw new UsageError('not-finished', `the run in ${this.directory} is not finished`, {
        hint: 'give the same `run` command again: it goes on where it stopped',
      });
    }
    const path = join(this.directory, FILES.summary);
    const { trials } = parseFile(path, summarySchema);
    if (trials === this.#trials.size) return;
    const reason = `the run had ${trials} trials when it was finished, and ${this.#trials.size} are there`;
    throw new UsageError('run-file', reason, {
      place: { file: join(this.directory, FILES.results) },
      hint: 'figures of what is left would be of a choice: run it anew with --fresh',
    });
  }

  trajectoryPath(scenario: string, trial: number): string {
    return join(this.directory, FILES.trajectories, `${scenario}.${trial}.traj.jsonl`);
  }

  /** Records a trial: trajectory first, then timing, then the line that makes it count. */
  add(trial: StoredTrial & { readonly text: string | null; readonly wallClockMs: number | null }): void {
    const { text, wallClockMs, ...stored } = trial;
    if (text !== null) writeWhole(this.trajectoryPath(trial.scenario, trial.trial), text);
    if (wallClockMs !== null) {
      const { scenario, trial: number } = trial;
      const timing = JSON.stringify({ scenario, trial: number, wallClockMs });
      appendLine(join(this.directory, FILES.timings), timing);
      this.#wallClocks.set(trialKey(scenario, number), wallClockMs);
    }
    appendLine(join(this.directory, FILES.results), sealedLine(stored));
    this.#trials.set(trialKey(trial.scenario, trial.trial), stored);
  }

  /** Marks the run finished. */
  finish(summary: Json): void {
    writeWhole(join(this.directory, FILES.summary), `${JSON.stringify(summary, null, 2)}\n`);
  }

  /** Lets another process work on the folder. */
  release(): void {
    unlockFolder(this.directory);
  }

  #load(repair: boolean, trusted = false): void {
    const path = join(this.directory, FILES.results);
    const lines = readLines(path, resultSchema, { repair, sealed: true });
    const kept: StoredLine<unknown>[] = [];
    for (const line of lines) {
      const trial = line.value as unknown as StoredTrial;
      this.#assertPlanned(trial, line);
      const key = trialKey(trial.scenario, trial.trial);
      if (this.#trials.has(key) || !(trusted || this.#intact(trial))) continue;
      this.#trials.set(key, trial);
      kept.push(line);
    }
    // Lines of trials that are run again are taken out, so that every trial stands in the file once.
    if (repair && kept.length < lines.length) {
      writeWhole(path, kept.map(({ text }) => `${text}\n`).join(''));
    }
    const timings = join(this.directory, FILES.timings);
    for (const { value } of readLines(timings, timingSchema, { repair, sealed: false })) {
      this.#wallClocks.set(trialKey(value.scenario, value.trial), value.wallClockMs);
    }
  }

  /** @throws UsageError for a trial that the configuration does not have. */
  #assertPlanned({ scenario, trial }: StoredTrial, { place }: StoredLine<unknown>): void {
    const planned = this.config.scenarios.some(({ id }) => id === scenario) && trial < this.config.k;
    if (planned) return;
    throw new UsageError('run-file', `trial ${trial} of ${scenario} is not part of this run`, { place });
  }

  /** A trial whose trajectory is gone or changed is run again. */
  #intact(trial: StoredTrial): boolean {
    if (trial.trajectory === null) return true;
    const path = this.trajectoryPath(trial.scenario, trial.trial);
    if (!existsSync(path)) return false;
    try {
      return digestText(decodeText(path, readBytes(path))) === trial.trajectory;
    } catch (error) {
      if (error instanceof UsageError) return false;
      throw error;
    }
  }
}

/** SHA-256 of a configuration; its first characters name the run's folder. */
export function configHash(config: RunConfig): string {
  return digestText(JSON.stringify(config));
}

/**
 * Removes a run folder, and nothing that is not one.
 * @throws UsageError when the folder holds other things, or a process works on it.
 */
export function removeRunFolder(directory: string): void {
  if (!existsSync(directory)) return;
  assertRunFolder(directory);
  lockFolder(directory);
  try {
    if (existsSync(join(directory, FILES.config))) readConfig(directory);
    for (const name of readdirSync(directory)) {
      if (name !== FILES.lock) rmSync(join(directory, name), { recursive: true });
    }
  } finally {
    unlockFolder(directory);
  }
}

/** What a kill before the first line leaves behind besides half-written files. */
const FIRST_FILES: readonly string[] = [FILES.trajectories, FILES.lock];
const TORN = /\.tmp$/u;

/** @throws UsageError when there is something that is neither a run folder nor the beginning of one. */
function assertRunFolder(directory: string): void {
  if (!existsSync(directory) || existsSync(join(directory, FILES.config))) return;
  const others = namesIn(directory).filter((name) => !FIRST_FILES.includes(name) && !TORN.test(name));
  if (others.length === 0) return;
  throw new UsageError(
    'not-a-run',
    `${directory} is no run folder: it holds ${others.slice(0, 3).join(', ')}`,
    {
      hint: 'give another --out',
    },
  );
}

/** Takes away files that a kill left half written. */
function removeTorn(directory: string): void {
  for (const folder of [directory, join(directory, FILES.trajectories)]) {
    for (const name of namesIn(folder)) {
      // A lock's own half is that of a process that is after the lock right now.
      if (TORN.test(name) && !name.startsWith(FILES.lock)) rmSync(join(folder, name), { force: true });
    }
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    throw noFolder(directory, error);
  }
}

/** Step by step: the recursive call of the runtime goes round for ever where a folder refuses new ones. */
function makeFolder(directory: string): void {
  const parent = dirname(directory);
  if (existsSync(directory)) return;
  if (parent !== directory) makeFolder(parent);
  try {
    mkdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw noFolder(directory, error);
  }
}

function noFolder(directory: string, error: unknown): UsageError {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  return new UsageError('no-folder', `${directory} cannot be a run's folder (${code})`, {
    hint: 'give another --out',
  });
}

/** What `run.json` says. */
interface RunFile {
  readonly config: RunConfig;
  readonly asked: AskedRun | null;
}

function configText({ config, asked }: RunFile): string {
  const more = asked === null ? {} : { asked };
  const file = { format: 'groundhog.run', version: 1, hash: configHash(config), config, ...more };
  return `${JSON.stringify(file, null, 2)}\n`;
}

function trialKey(scenario: string, trial: number): string {
  return `${scenario}#${trial}`;
}

/** A JSON file of a run. @throws UsageError when it is not of the form. */
function parseFile<T>(path: string, schema: z.ZodType<T>): T {
  const text = readText(path);
  const place = { file: path, line: 1, column: 1 };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError('run-file', 'the file is not JSON', { place });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const reason = `${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'no run'}`;
  throw new UsageError('run-file', reason, { place });
}

function readConfig(directory: string): RunFile {
  const path = join(directory, FILES.config);
  if (!existsSync(path)) {
    throw new UsageError('not-a-run', `${directory} is no run folder: it has no ${FILES.config}`);
  }
  const parsed = parseFile(path, configSchema);
  const config = parsed.config as RunConfig;
  if (configHash(config) !== parsed.hash) {
    throw new UsageError('run-file', 'the configuration does not match its own hash: it was edited', {
      place: { file: path, line: 1, column: 1 },
    });
  }
  return { config, asked: (parsed.asked as AskedRun | undefined) ?? null };
}
