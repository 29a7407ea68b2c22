import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { digestText } from '../base/digest.ts';
import { UsageError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import type { TrialScore } from '../scoring/index.ts';

/** What fixes a run: the same configuration is the same folder. */
export interface RunConfig {
  readonly bank: { readonly name: string; readonly version: string; readonly hash: string };
  readonly scenarios: readonly { readonly id: string; readonly hash: string }[];
  readonly behaviour: { readonly engine: string; readonly services: Readonly<Record<string, string>> };
  readonly agent: { readonly name: string; readonly config: Json };
  readonly seed: string;
  readonly k: number;
  readonly mode: 'end-to-end' | 'stepwise';
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
  lock: 'run.lock',
  trajectories: 'trajectories',
} as const;

const configSchema = z.strictObject({
  format: z.literal('groundhog.run'),
  version: z.literal(1),
  hash: z.string(),
  config: z.strictObject({
    bank: z.strictObject({ name: z.string(), version: z.string(), hash: z.string() }),
    scenarios: z.array(z.strictObject({ id: z.string(), hash: z.string() })),
    behaviour: z.strictObject({ engine: z.string(), services: z.record(z.string(), z.string()) }),
    agent: z.strictObject({ name: z.string(), config: z.json() }),
    seed: z.string(),
    k: z.int().positive(),
    mode: z.enum(['end-to-end', 'stepwise']),
  }),
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
  readonly #trials: Map<string, StoredTrial>;
  readonly #wallClocks: Map<string, number>;

  private constructor(directory: string, config: RunConfig) {
    this.directory = directory;
    this.config = config;
    this.#trials = new Map();
    this.#wallClocks = new Map();
  }

  /**
   * Creates the folder of a run, or takes up an unfinished one of the same configuration.
   * @throws UsageError when a finished run, another run, or a running process is there.
   */
  static open(directory: string, config: RunConfig): RunFolder {
    mkdirSync(join(directory, FILES.trajectories), { recursive: true });
    const path = join(directory, FILES.config);
    lockFolder(directory);
    if (!existsSync(path)) {
      writeWhole(
        path,
        `${JSON.stringify({ format: 'groundhog.run', version: 1, hash: configHash(config), config }, null, 2)}\n`,
      );
    }
    try {
      const known = readConfig(directory);
      if (configHash(known) !== configHash(config)) {
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

  /** Opens a run to read it. @throws UsageError when the folder holds none. */
  static read(directory: string): RunFolder {
    const folder = new RunFolder(directory, readConfig(directory));
    folder.#load(false);
    return folder;
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

  /** True once the summary is written. */
  get finished(): boolean {
    return existsSync(join(this.directory, FILES.summary));
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
      appendLine(join(this.directory, FILES.timings), { scenario, trial: number, wallClockMs });
      this.#wallClocks.set(trialKey(scenario, number), wallClockMs);
    }
    appendLine(join(this.directory, FILES.results), stored as unknown as Json);
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

  #load(repair: boolean): void {
    const results = readLines(join(this.directory, FILES.results), resultSchema, repair);
    for (const line of results) {
      const trial = line as unknown as StoredTrial;
      if (this.#intact(trial)) this.#trials.set(trialKey(trial.scenario, trial.trial), trial);
    }
    for (const line of readLines(join(this.directory, FILES.timings), timingSchema, repair)) {
      this.#wallClocks.set(trialKey(line.scenario, line.trial), line.wallClockMs);
    }
  }

  /** A trial whose trajectory is gone or changed is run again. */
  #intact(trial: StoredTrial): boolean {
    if (trial.trajectory === null) return true;
    const path = this.trajectoryPath(trial.scenario, trial.trial);
    return existsSync(path) && digestText(readFileSync(path, 'utf8')) === trial.trajectory;
  }
}

/** SHA-256 of a configuration; its first characters name the run's folder. */
export function configHash(config: RunConfig): string {
  return digestText(JSON.stringify(config));
}

/** Removes a run folder, and nothing that is not one. @throws UsageError when the folder holds other things. */
export function removeRunFolder(directory: string): void {
  if (!existsSync(directory)) return;
  if (!existsSync(join(directory, FILES.config))) {
    throw new UsageError('not-a-run', `${directory} is no run folder, so it is not thrown away`, {
      hint: 'remove it yourself, or give another --out',
    });
  }
  readConfig(directory);
  rmSync(directory, { recursive: true });
}

function trialKey(scenario: string, trial: number): string {
  return `${scenario}#${trial}`;
}

function readConfig(directory: string): RunConfig {
  const path = join(directory, FILES.config);
  if (!existsSync(path)) {
    throw new UsageError('not-a-run', `${directory} is no run folder: it has no ${FILES.config}`);
  }
  const text = readFileSync(path, 'utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError('run-file', 'the file is not JSON', { place: { file: path, line: 1, column: 1 } });
  }
  const parsed = configSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new UsageError(
      'run-file',
      `${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'no run'}`,
      {
        place: { file: path, line: 1, column: 1 },
      },
    );
  }
  const config = parsed.data.config as RunConfig;
  if (configHash(config) !== parsed.data.hash) {
    throw new UsageError('run-file', 'the configuration does not match its own hash: it was edited', {
      place: { file: path, line: 1, column: 1 },
    });
  }
  return config;
}

/** The whole lines of a JSONL file; with `repair` a torn last line is cut off the file. */
function readLines<T>(path: string, schema: z.ZodType<T>, repair: boolean): T[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, 'utf8');
  const wholeLength = text.lastIndexOf('\n') + 1;
  if (repair && wholeLength < text.length) truncateSync(path, Buffer.byteLength(text.slice(0, wholeLength)));
  const lines = text.slice(0, wholeLength).split('\n').slice(0, -1);
  return lines.map((line, index) => {
    const place = { file: path, line: index + 1, column: 1 };
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw new UsageError('run-file', 'the line is not JSON', { place });
    }
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    throw new UsageError(
      'run-file',
      `${issue?.path.join('.') || 'the line'}: ${issue?.message ?? 'unknown'}`,
      { place },
    );
  });
}

/** Writes a file so that it is there whole or not at all. */
export function writeWhole(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}

function appendLine(path: string, value: Json): void {
  appendFileSync(path, `${JSON.stringify(value)}\n`);
}

function lockFolder(directory: string): void {
  const path = join(directory, FILES.lock);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const descriptor = openSync(path, 'wx');
      writeSync(descriptor, String(process.pid));
      closeSync(descriptor);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = Number(readFileSync(path, 'utf8'));
      if (owner !== process.pid && isAlive(owner)) {
        throw new UsageError('busy', `another process (${owner}) is working on ${directory}`, {
          hint: 'wait for it, or give another --out',
        });
      }
      unlinkSync(path);
    }
  }
}

function unlockFolder(directory: string): void {
  rmSync(join(directory, FILES.lock), { force: true });
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
