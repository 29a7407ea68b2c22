import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import {
  type ComparedTrial,
  evaluateGate,
  type GateProfile,
  type GateResult,
  type JudgedRuns,
  type JudgeRule,
} from '../../scoring/index.ts';
import { areAligned, type RunArm, readArm, summaryTrials } from '../compare/arms.ts';
import { assertCommon, assertSameWorld, commonGround } from '../compare/same-world.ts';
import { readJudgeLabels, readJudgeVerdicts } from '../judge/label-files.ts';
import { readStepwiseArm } from './stepwise-arm.ts';

/** The runs that a gate looks at: folders, or runs that were read already. */
export interface GatedRuns {
  readonly candidate: string | RunArm;
  readonly baseline?: string | RunArm | undefined;
  /** Step-wise runs of the same two agents. */
  readonly stepwise?: { readonly candidate: string; readonly baseline: string } | undefined;
  /** Leave out what is not the same world, in place of refusing. */
  readonly intersect?: boolean;
}

/** A gate's result with what it was of. */
export interface GateReport extends GateResult {
  readonly profile: string;
  readonly candidate: { readonly run: string; readonly agent: string };
  readonly baseline: { readonly run: string; readonly agent: string } | null;
  readonly leftOut: readonly { readonly scenario: string; readonly reason: string }[];
  /** True when every trial of the candidate is void by infrastructure: nothing was measured at all. */
  readonly nothingRan: boolean;
}

/**
 * Holds finished runs against a profile.
 * @throws UsageError for folders that hold no finished run, and runs that are not of the same world.
 */
export function gateRuns(
  { name, profile }: { readonly name: string; readonly profile: GateProfile },
  runs: GatedRuns,
): GateReport {
  if (profile.stepwise !== undefined && runs.stepwise === undefined) {
    throw new UsageError('no-stepwise', `the profile ${name} asks for step-wise runs`, {
      hint: 'give --stepwise RUN and --stepwise-baseline RUN',
    });
  }
  const candidate = armFrom(runs.candidate);
  const baseline = runs.baseline === undefined ? null : armFrom(runs.baseline);
  const { kept, leftOut } = groundOf(candidate, baseline, runs.intersect ?? false);
  const result = evaluateGate(profile, {
    candidate: summaryTrials(candidate, kept),
    baseline: baseline === null ? null : summaryTrials(baseline, kept),
    aligned: baseline !== null && areAligned(baseline, candidate),
    ...(runs.stepwise !== undefined && { stepwise: stepwiseOf(runs.stepwise) }),
    ...(profile.judge && { judged: judgedOf(profile.judge, candidate) }),
  });
  const { trials } = candidate;
  return {
    ...result,
    profile: name,
    candidate: { run: candidate.directory, agent: candidate.config.agent.name },
    baseline: baseline && { run: baseline.directory, agent: baseline.config.agent.name },
    leftOut,
    nothingRan: trials.length > 0 && trials.every(({ score }) => score.void?.reason === 'infrastructure'),
  };
}

const armFrom = (run: string | RunArm): RunArm => (typeof run === 'string' ? readArm(run) : run);

function groundOf(
  candidate: RunArm,
  baseline: RunArm | null,
  intersect: boolean,
): ReturnType<typeof commonGround> {
  if (baseline === null)
    return { kept: new Set(candidate.config.scenarios.map(({ id }) => id)), leftOut: [] };
  const ground = commonGround(baseline, candidate);
  if (!intersect) assertSameWorld(ground);
  assertCommon(ground);
  return ground;
}

/** Where a run has the verdicts of judges on its trials, each named by its trajectory. */
const SAID = 'verdicts.jsonl';

function judgedOf(files: JudgeRule, { directory, config, trials }: RunArm): JudgedRuns {
  const clusters = new Map(config.scenarios.map(({ id, cluster }) => [id, cluster]));
  const said = join(directory, SAID);
  return {
    labels: readJudgeLabels(files.labels),
    verdicts: readJudgeVerdicts(files.verdicts),
    trials: trials
      .filter(({ score }) => score.void === null)
      .map(({ scenario, trial }) => ({
        id: `${scenario}.${trial}`,
        cluster: clusters.get(scenario) ?? scenario,
      })),
    said: existsSync(said) ? readJudgeVerdicts(said) : [],
  };
}

function stepwiseOf(runs: NonNullable<GatedRuns['stepwise']>): {
  readonly candidate: readonly ComparedTrial[];
  readonly baseline: readonly ComparedTrial[];
  readonly aligned: boolean;
} {
  const [candidate, baseline] = [readStepwiseArm(runs.candidate), readStepwiseArm(runs.baseline)];
  const known = new Map(baseline.config.scenarios.map(({ id, hash }) => [id, hash]));
  const other = candidate.config.scenarios.find(({ id, hash }) => known.get(id) !== hash);
  if (other !== undefined || known.size !== candidate.config.scenarios.length) {
    throw new UsageError(
      'other-world',
      `the step-wise runs are not of the same scenarios: ${other?.id ?? 'some'}`,
    );
  }
  return {
    candidate: candidate.trials,
    baseline: baseline.trials,
    aligned: candidate.config.seed === baseline.config.seed && candidate.config.k === baseline.config.k,
  };
}
