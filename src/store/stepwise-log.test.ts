import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { damagedBytes, damagedJson } from '../../test/sim/mutations.ts';
import { UsageError } from '../base/errors.ts';
import { type RunConfig, RunFolder } from './run-folder.ts';
import { sealedLine } from './run-lines.ts';
import { StepwiseLog, type StoredStep } from './stepwise-log.ts';

const CONFIG: RunConfig = {
  bank: { name: 'b', version: '1.0.0', hash: 'h' },
  scenarios: [{ id: 'one', hash: '1', cluster: 'c' }],
  behaviour: { engine: 'e', services: { notes: 'n' } },
  agent: { name: 'a', config: {} },
  seed: '1',
  k: 2,
  mode: 'stepwise',
};

const STEPS: readonly StoredStep[] = [
  {
    scenario: 'one',
    trial: 0,
    step: 0,
    verdict: 'harmless',
    expected: { tool: 'x', arguments: { id: 'ü' } },
    got: { tool: 'y', malformed: '{' },
    detail: 'it failed: nothing changed',
  },
  {
    scenario: 'one',
    trial: 1,
    step: 0,
    verdict: 'fatal',
    expected: { tool: 'x' },
    got: null,
    detail: 'agent-crashed: boom',
  },
];

let root = '';
let file = '';
let folder: RunFolder;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-steps-'));
  folder = RunFolder.open(join(root, 'run'), CONFIG);
  file = join(folder.directory, 'stepwise.jsonl');
});
afterAll(() => {
  folder.release();
  rmSync(root, { recursive: true });
});

const found = (log: StepwiseLog) => STEPS.map(({ scenario, trial, step }) => log.find(scenario, trial, step));

describe('the judged steps of a run', () => {
  it('are found again, and those that were torn are not', () => {
    const log = StepwiseLog.open(folder);
    for (const step of STEPS) log.add(step);
    expect(found(log)).toEqual(STEPS);
    const text = STEPS.map((step) => `${sealedLine(step)}\n`).join('');
    expect(found(StepwiseLog.open(folder)).map((step) => step?.detail)).toEqual(
      STEPS.map((step) => step.detail),
    );
    writeFileSync(file, text.slice(0, -5));
    expect(found(StepwiseLog.open(folder)).map((step) => step?.verdict)).toEqual(['harmless', undefined]);
  });

  it('in whatever file are read, or refused with the place', () => {
    const line = fc.oneof(
      damagedBytes(STEPS.map((step) => sealedLine(step))),
      fc.constantFrom(...STEPS).chain((step) =>
        damagedJson({ ...step }).map((value) => {
          const sealed = typeof value === 'object' && value !== null ? sealedLine(value) : String(value);
          return Buffer.from(sealed);
        }),
      ),
    );
    const outcomes = { read: 0, refused: 0 };
    fc.assert(
      fc.property(line, (bytes) => {
        writeFileSync(file, Buffer.concat([bytes, Buffer.from('\n')]));
        try {
          StepwiseLog.open(folder);
          outcomes.read += 1;
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
          expect((error as UsageError).place?.file).toBe(file);
          outcomes.refused += 1;
        }
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 2_000) },
    );
    // Both happen, or the mutations were of no use.
    expect(Math.min(outcomes.read, outcomes.refused)).toBeGreaterThan(0);
  });
});
