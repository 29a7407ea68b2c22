import { join } from 'node:path';
import { UsageError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { readArm } from '../runner/compare/index.ts';
import { type DecidedRun, gateRuns, readGate, runUntilDecided } from '../runner/gates/index.ts';
import { type RunOptions, runBank } from '../runner/run.ts';
import type { GateProfile } from '../scoring/index.ts';
import { writeWhole } from '../store/run-folder.ts';
import type { Invocation, OptionSpec } from './command.ts';
import { GATE_OPTIONS, gateFiles, gateJson } from './gate-output.ts';
import { countOption, textOption } from './options.ts';

/** The options with which a run ends in a gate's verdict. */
export const RUN_GATE_OPTIONS: readonly OptionSpec[] = [
  { name: 'gate', value: 'file', description: 'hold the run against a gate; its verdict is the exit code' },
  { name: 'baseline', value: 'run', description: 'the run that the gate compares with' },
  {
    name: 'until-decided',
    value: 'n',
    description: 'look after every --k trials of each scenario, at most n, and stop when the gate is decided',
  },
  ...GATE_OPTIONS,
];

/** A gate that a run is to end in. */
export interface AskedGate {
  readonly file: string;
  readonly name: string;
  readonly profile: GateProfile;
  readonly baseline: string | undefined;
  /** The most trials of each scenario, where the run goes on until it is decided. */
  readonly most: number | undefined;
}

/** The gate of a command line, read and checked before anything runs; null when none was asked for. */
export function askedGate({ options }: Invocation): AskedGate | null {
  const file = textOption(options, 'gate');
  const baseline = textOption(options, 'baseline');
  const most = countOption(options, 'until-decided', 1);
  if (file === undefined) {
    const stray = baseline !== undefined ? 'baseline' : most !== undefined ? 'until-decided' : null;
    if (stray === null) return null;
    throw new UsageError('bad-option', `--${stray} needs --gate FILE`, {
      hint: 'a gate is what a run is held against',
    });
  }
  const name = textOption(options, 'profile') ?? 'pre-merge';
  const profile = readGate(file, name);
  if (baseline !== undefined) readArm(baseline);
  if (most !== undefined && baseline === undefined) {
    throw new UsageError('bad-option', '--until-decided needs --baseline RUN', {
      hint: 'what is decided is a comparison',
    });
  }
  const every = countOption(options, 'k', 1);
  if (most !== undefined && every !== undefined && every > most) {
    throw new UsageError(
      'bad-option',
      `--until-decided ${most} is less than one look at --k ${every} trials`,
      {
        hint: 'it is the most trials of each scenario',
      },
    );
  }
  if (profile.stepwise !== undefined) {
    throw new UsageError('bad-option', `the profile ${name} asks for step-wise runs, which --gate has not`, {
      hint: 'run without --gate, and give all runs to `groundhog gate`',
    });
  }
  if (profile.judge !== undefined) {
    throw new UsageError('bad-option', `the profile ${name} asks a judge, who has not seen this run yet`, {
      hint: 'run without --gate, then `groundhog judge ask`, then `groundhog gate`',
    });
  }
  gateFiles(options);
  return { file, name, profile, baseline, most };
}

/** Runs, and holds what came out against the gate. */
export async function runGated(
  options: RunOptions,
  { name, profile, baseline, most }: AskedGate,
): Promise<DecidedRun> {
  if (most !== undefined && baseline !== undefined) {
    const every = options.k;
    const gate = { name, profile, baseline: readArm(baseline), every };
    return await runUntilDecided({ ...options, k: most }, gate);
  }
  const finished = await runBank(options);
  const runs = { candidate: finished.folder.directory, baseline };
  return { ...finished, report: gateRuns({ name, profile }, runs), looks: 1 };
}

/** The `gate` of a run's JSON. */
export function gateKey({ report, looks }: DecidedRun): Json {
  return { ...gateJson(report), looks };
}

/** Keeps the verdict beside the run, where its report finds it. */
export function keepVerdict(gated: DecidedRun, { baseline }: AskedGate): void {
  const verdict = { run: gated.folder.directory, baseline: baseline ?? null, ...gateJson(gated.report) };
  writeWhole(join(gated.folder.directory, 'gate.json'), `${JSON.stringify(verdict, null, 2)}\n`);
}
