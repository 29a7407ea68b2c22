import type { StoredTrial } from '../../store/run-folder.ts';
import { episodeMarkup } from './episode.ts';
import { findingsOf } from './findings.ts';
import type { Markup } from './markup.ts';
import { anchorOf, trialKey } from './outcome.ts';
import type { ReportRun } from './read-run.ts';
import { stepAnchor } from './step.ts';

/** Where trials of a run stand on the page. */
export interface AnchoredTrials {
  /** The anchor that a trial leads to: its own episode, or that of a trial which failed in the same way. */
  readonly anchors: ReadonlyMap<string, string>;
  /** The anchors of single steps. */
  readonly steps: ReadonlySet<string>;
}

/** Which failed and void trials of a run stand on the page step by step. */
export interface ChosenEpisodes extends AnchoredTrials {
  readonly episodes: readonly { readonly trial: StoredTrial; readonly markup: Markup }[];
  /** Trials that lead nowhere, to keep the page small. */
  readonly leftOut: readonly StoredTrial[];
}

/**
 * Chooses failed trials to show, one of every scenario before any second one, as many as fit. Trials of a
 * scenario that broke the same checks at the same steps are shown once.
 * @param characters how much of the page this run may fill
 */
export function chooseEpisodes(run: ReportRun, characters: number): ChosenEpisodes {
  const failed = run.trials.filter(({ score, trajectory }) => !score.success && trajectory !== null);
  const groups = [...Map.groupBy(failed, wayOfFailing).values()];
  const shown: { readonly trial: StoredTrial; readonly markup: Markup }[] = [];
  const anchors = new Map<string, string>();
  const steps = new Set<string>();
  const leftOut: StoredTrial[] = [];
  let room = characters;
  for (const group of oneOfEachFirst(groups)) {
    const [trial, ...alike] = group;
    const trajectory = trial && room > 0 ? run.trajectoryOf(trial) : null;
    const episode = trial && trajectory && episodeMarkup({ run, trial, trajectory, alike });
    if (!trial || !episode || episode.markup.text.length > room) {
      leftOut.push(...group);
      continue;
    }
    room -= episode.markup.text.length;
    shown.push({ trial, markup: episode.markup });
    const anchor = anchorOf(run, trial);
    for (const one of group) anchors.set(trialKey(one), anchor);
    for (const step of episode.steps) steps.add(stepAnchor(anchor, step));
  }
  const order = new Map(run.trials.map((trial, index) => [trial, index]));
  const placeOf = (trial: StoredTrial): number => order.get(trial) ?? 0;
  return {
    episodes: shown.sort((one, other) => placeOf(one.trial) - placeOf(other.trial)),
    anchors,
    steps,
    leftOut: leftOut.sort((one, other) => placeOf(one) - placeOf(other)),
  };
}

/** Trials are alike when the same checks broke at the same steps of the same scenario. */
function wayOfFailing({ scenario, score }: StoredTrial): string {
  const findings = findingsOf(score).map(({ check, steps }) => [check, steps]);
  return JSON.stringify([scenario, score.void?.reason ?? null, score.steps, findings]);
}

/** The first way in which every scenario failed before any second one. */
function oneOfEachFirst(groups: readonly StoredTrial[][]): StoredTrial[][] {
  const seen = new Map<string, number>();
  const ranked = groups.map((group) => {
    const scenario = group[0]?.scenario ?? '';
    const rank = seen.get(scenario) ?? 0;
    seen.set(scenario, rank + 1);
    return { group, rank };
  });
  return ranked.sort((left, right) => left.rank - right.rank).map(({ group }) => group);
}

/** The anchor of a step of a trial, or that of the trial where the step is not shown; null for neither. */
export function anchorOfStep(
  { anchors, steps }: AnchoredTrials,
  trial: { readonly scenario: string; readonly trial: number },
  step: number | null,
): string | null {
  const episode = anchors.get(trialKey(trial));
  if (episode === undefined) return null;
  const anchor = step === null ? episode : stepAnchor(episode, step);
  return steps.has(anchor) ? anchor : episode;
}

/** The anchor of the first failed trial of a scenario that has one. */
export function anchorOfFailed(
  run: ReportRun,
  scenario: string,
  chosen: AnchoredTrials | undefined,
): string | null {
  for (const trial of run.trials) {
    if (trial.scenario !== scenario || trial.score.success || trial.score.void) continue;
    const anchor = chosen?.anchors.get(trialKey(trial));
    if (anchor !== undefined) return anchor;
  }
  return null;
}
