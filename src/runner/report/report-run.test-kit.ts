/** Runs as a report takes them, made of outcomes. */
import { type SummaryTrial, summarise, type TrialScore, voidScore } from '../../scoring/index.ts';
import type { RunScenario, StoredTrial } from '../../store/run-folder.ts';
import type { RunArm } from '../compare/index.ts';
import type { ReportRun } from './read-run.ts';

const VOID = voidScore('infrastructure', 'gone');

export interface RunOfOptions {
  readonly index?: number;
  readonly name?: string;
  /** Of every scenario. */
  readonly attempts?: RunScenario['attempts'];
  /** Digest of the engine: another one is another world. */
  readonly engine?: string;
  readonly gate?: ReportRun['gate'];
}

/** Trials by scenario as texts: `1` succeeded, `0` failed, `v` void. Every scenario is a cluster. */
export function reportRun(
  outcomes: Readonly<Record<string, string>>,
  { index = 0, name = 'mine', attempts, engine = 'e', gate = null }: RunOfOptions = {},
): ReportRun {
  const trials = Object.entries(outcomes).flatMap(([scenario, text]) =>
    [...text].map(
      (sign, trial): StoredTrial => ({ scenario, trial, trajectory: null, score: scoreOfSign(sign) }),
    ),
  );
  const k = Math.max(...Object.values(outcomes).map((text) => text.length));
  const scenarios = Object.keys(outcomes).map((id): RunScenario => {
    return { id, hash: `hash of ${id}`, cluster: id, ...(attempts && { attempts }) };
  });
  const directory = `runs/${name}`;
  const config: ReportRun['config'] = {
    bank: { name: 'desk', version: '1.0.0', hash: 'a'.repeat(64) },
    scenarios,
    behaviour: { engine, services: {} },
    agent: { name, config: {} },
    seed: 's',
    k,
    mode: 'end-to-end',
  };
  const arm: RunArm = { directory, config, trials, trajectoryOf: () => null, wallClockMs: () => undefined };
  const counted = trials.map((trial): SummaryTrial => ({ ...trial, cluster: trial.scenario }));
  const summary = summarise({ trials: counted, k });
  const blameOf = (): null => null;
  return { index, name, directory, config, summary, trials, trajectoryOf: () => null, blameOf, arm, gate };
}

function scoreOfSign(sign: string): TrialScore {
  return sign === 'v' ? VOID : { ...VOID, void: null, success: sign === '1' };
}

/** What a reader sees: markup without its tags, white space in one. */
export function wordsOf(markup: { readonly text: string } | null): string {
  return (markup?.text ?? '').replace(/<[^>]*>/gu, ' ').replace(/\s+/gu, ' ');
}
