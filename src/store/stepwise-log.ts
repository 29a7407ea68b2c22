import { join } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { type RunFolder, STEPS_FILE } from './run-folder.ts';
import { appendLine, readLines, type StoredLine, sealedLine } from './run-lines.ts';

export const STEP_VERDICTS = ['exact', 'equivalent', 'harmless', 'fatal'] as const;

export interface StoredCall {
  readonly tool: string;
  readonly arguments?: Json;
  /** Arguments that were not JSON, as they came. */
  readonly malformed?: string;
}

/** One judged step as a run folder keeps it. */
export interface StoredStep {
  readonly scenario: string;
  readonly trial: number;
  /** The number of the reference call, from 0. */
  readonly step: number;
  readonly verdict: (typeof STEP_VERDICTS)[number];
  readonly expected: StoredCall;
  readonly got: StoredCall | null;
  readonly detail: string;
}

const callSchema = z.strictObject({
  tool: z.string(),
  arguments: z.json().optional(),
  malformed: z.string().optional(),
});

const stepSchema = z.looseObject({
  scenario: z.string(),
  trial: z.int().nonnegative(),
  step: z.int().nonnegative(),
  verdict: z.enum(STEP_VERDICTS),
  expected: callSchema,
  got: callSchema.nullable(),
  detail: z.string(),
});

/**
 * The judged steps of a step-wise run: a sealed line each, so that a kill loses at most the one in flight.
 */
export class StepwiseLog {
  readonly #folder: RunFolder;
  readonly #steps = new Map<string, StoredStep>();

  private constructor(folder: RunFolder) {
    this.#folder = folder;
  }

  /**
   * Takes up what a run that this process holds has judged.
   * @throws UsageError with file and line for a line that was edited or is of another run
   */
  static open(folder: RunFolder): StepwiseLog {
    return new StepwiseLog(folder).#load(true);
  }

  /** Reads what a finished run has judged. @throws UsageError as `open` does */
  static read(folder: RunFolder): StepwiseLog {
    return new StepwiseLog(folder).#load(false);
  }

  /** Every judged step, as they were judged. */
  steps(): readonly StoredStep[] {
    return [...this.#steps.values()];
  }

  #load(repair: boolean): this {
    for (const line of readLines(this.#path, stepSchema, { repair, sealed: true })) {
      const step = line.value as unknown as StoredStep;
      this.#assertPlanned(step, line);
      this.#steps.set(keyOf(step), step);
    }
    return this;
  }

  /** What was judged of a reference call before; undefined when it was not. */
  find(scenario: string, trial: number, step: number): StoredStep | undefined {
    return this.#steps.get(keyOf({ scenario, trial, step }));
  }

  add(step: StoredStep): void {
    appendLine(this.#path, sealedLine(step));
    this.#steps.set(keyOf(step), step);
  }

  get #path(): string {
    return join(this.#folder.directory, STEPS_FILE);
  }

  #assertPlanned({ scenario, trial }: StoredStep, { place }: StoredLine<unknown>): void {
    const { scenarios, k } = this.#folder.config;
    if (trial < k && scenarios.some(({ id }) => id === scenario)) return;
    throw new UsageError('run-file', `trial ${trial} of ${scenario} is not part of this run`, { place });
  }
}

function keyOf({ scenario, trial, step }: Pick<StoredStep, 'scenario' | 'trial' | 'step'>): string {
  return `${scenario}#${trial}#${step}`;
}
