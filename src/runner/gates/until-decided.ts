import type { GateProfile } from '../../scoring/index.ts';
import { spendAlpha } from '../../scoring/index.ts';
import { armOf, type RunArm } from '../compare/arms.ts';
import { type FinishedRun, type RunOptions, runBank } from '../run.ts';
import { type GateReport, gateRuns } from './gate-runs.ts';

/** What a run is held against while it grows. */
export interface SequentialGate {
  readonly name: string;
  readonly profile: GateProfile;
  readonly baseline: RunArm;
  /** Trials of each scenario between two looks. */
  readonly every: number;
}

/** A run that was ended as soon as its gate was decided. */
export interface DecidedRun extends FinishedRun {
  readonly report: GateReport;
  readonly looks: number;
}

/**
 * Runs up to `options.k` trials of each scenario and looks at the gate after every `every`. Each look is held
 * at its own part of the error that the profile allows (`spendAlpha`), so that looking often does not make
 * false alarms, or false passes, more likely than one look at the end would. A failure ends the run at any
 * look, a pass only where something was shown for it.
 */
export async function runUntilDecided(
  options: Omit<RunOptions, 'looks'>,
  gate: SequentialGate,
): Promise<DecidedRun> {
  const count = Math.ceil(options.k / gate.every);
  const reports: GateReport[] = [];
  const finished = await runBank({
    ...options,
    looks: {
      every: gate.every,
      enough: (folder, look) => {
        const profile = atLook(gate.profile, { look, count });
        const runs = { candidate: armOf(folder), baseline: gate.baseline };
        const report = gateRuns({ name: gate.name, profile }, runs);
        reports.push(report);
        return report.verdict === 'fail' || (report.verdict === 'pass' && passShows(profile));
      },
    },
  });
  const report = reports.at(-1);
  if (report === undefined) throw new RangeError('a run has at least one look');
  return { ...finished, report, looks: reports.length };
}

/**
 * Whether a pass of this profile says that something was shown, as non-inferiority and floors do. Where it
 * says that no harm was found, an early look finds none because it has few trials and little error to spend.
 */
function passShows({ harm, noninferiority, stepwise, scenarios, floors }: GateProfile): boolean {
  const findsNone = [harm, stepwise?.harm, scenarios].some((rule) => rule !== undefined);
  return !findsNone && [noninferiority, stepwise?.noninferiority, floors].some((rule) => rule !== undefined);
}

/** The profile with the confidences of one look. */
function atLook(
  profile: GateProfile,
  { look, count }: { readonly look: number; readonly count: number },
): GateProfile {
  const spent = (alpha: number): number => spendAlpha(count, alpha)[look] ?? alpha;
  const rules = <T extends { readonly confidence: number }>(rule: T): T => ({
    ...rule,
    confidence: 1 - spent(1 - rule.confidence),
  });
  const { harm, noninferiority, scenarios, floors } = profile;
  return {
    ...profile,
    ...(harm && { harm: rules(harm) }),
    ...(noninferiority && { noninferiority: rules(noninferiority) }),
    ...(scenarios && { scenarios: { alpha: spent(scenarios.alpha) } }),
    ...(floors && { floors: floors.map(rules) }),
  };
}
