import { finderOf, learnHabits } from './learned/model.ts';
import type { Finding } from './types.ts';
import type { RunView } from './view.ts';

/** Which rules may speak: those that keep quiet on clean runs that they were not learned from. */
export interface Calibration {
  /** Rules muted wherever they were not tried. */
  readonly rules: readonly string[];
  /** What is muted, up to which strength: a `rule subject`, or a rule as a whole. */
  readonly muted: Readonly<Record<string, number>>;
  /** Clean runs that would have been flagged, each by what was muted for the others' sake alone. */
  readonly flagged: number;
  readonly runs: number;
}

export interface CalibrationOptions {
  readonly folds: number;
  /** Share of the clean runs that may be flagged. */
  readonly allowed: number;
}

/** A finding on a clean run that was held out. */
interface Alarm {
  readonly view: RunView;
  readonly fold: number;
  readonly rule: string;
  readonly subject: string;
  readonly strength: number;
}

/** A rule whose alarms on clean runs are of more subjects than this is no rule for a new one. */
const MAX_NOISY_SUBJECTS = 1;

/** How far an alarm on a clean run mutes its rule. */
type Way = (alarm: Alarm) => readonly [key: string, strength: number];

/**
 * The laxest first: for the subject it spoke of; for all subjects up to its strength; for all up to half way
 * from there to certainty; wholly.
 */
const WAYS: readonly Way[] = [
  ({ rule, subject, strength }) => [`${rule} ${subject}`, strength],
  ({ rule, strength }) => [rule, strength],
  ({ rule, strength }) => [rule, strength + (1 - strength) / 2],
];
const WHOLLY: Way = ({ rule }) => [rule, 1];

/** A rule with the ways of muting it that are left, the one in use first, and the runs it still flags. */
interface RuleState {
  readonly rule: string;
  readonly own: readonly Alarm[];
  readonly ways: readonly Way[];
  readonly flagged: ReadonlySet<RunView>;
}

/**
 * Learns from all clean runs but a fold, looks at the fold, and so for each fold, clusters never torn apart.
 * Each rule is muted in the laxest of the ways that would have kept most quiet: judged on each fold by what
 * the other folds would have muted. As long as more than `allowed` (a share) of the clean runs are flagged
 * even so, the loudest rule is muted further.
 */
export function calibrate(views: readonly RunView[], options: CalibrationOptions): Calibration {
  const alarms = alarmsOf(views, options.folds);
  let states = [...new Set(alarms.map(({ rule }) => rule))].map((rule) =>
    settled(
      rule,
      alarms.filter((alarm) => alarm.rule === rule),
    ),
  );
  const flagged = (): Set<RunView> => new Set(states.flatMap((state) => [...state.flagged]));
  while (flagged().size > options.allowed * views.length) {
    const loudest = states.reduce((one, other) => (other.flagged.size > one.flagged.size ? other : one));
    states = states.map((state) => (state === loudest ? mutedFurther(state) : state));
  }
  const muted = Object.assign({}, ...states.map(({ own, ways }) => mutes(own, ways[0] ?? WHOLLY)));
  const rules = states
    .filter(({ own }) => new Set(own.map(({ subject }) => subject)).size > MAX_NOISY_SUBJECTS)
    .map(({ rule }) => rule);
  return { rules, muted, flagged: flagged().size, runs: views.length };
}

/** The laxest way that leaves fewest runs flagged. */
function settled(rule: string, own: readonly Alarm[]): RuleState {
  const left = WAYS.map((way) => unmuted(own, way));
  const fewest = Math.min(...left.map(({ size }) => size));
  const best = left.findIndex(({ size }) => size === fewest);
  return { rule, own, ways: WAYS.slice(best), flagged: left[best] ?? new Set() };
}

function mutedFurther(state: RuleState): RuleState {
  const ways = state.ways.slice(1);
  const [way] = ways;
  return { ...state, ways, flagged: way === undefined ? new Set() : unmuted(state.own, way) };
}

/** Runs that are still flagged when each fold is muted by the alarms of the others. */
function unmuted(alarms: readonly Alarm[], way: Way): Set<RunView> {
  const flagged = new Set<RunView>();
  for (const fold of new Set(alarms.map((alarm) => alarm.fold))) {
    const others = mutes(
      alarms.filter((alarm) => alarm.fold !== fold),
      way,
    );
    for (const alarm of alarms) {
      if (alarm.fold !== fold || isMuted(alarm, others)) continue;
      flagged.add(alarm.view);
    }
  }
  return flagged;
}

function mutes(alarms: readonly Alarm[], way: Way): Record<string, number> {
  const found: Record<string, number> = {};
  for (const alarm of alarms) {
    const [key, strength] = way(alarm);
    found[key] = Math.max(strength, found[key] ?? 0);
  }
  return found;
}

function isMuted(
  { rule, subject, strength }: Pick<Alarm, 'rule' | 'subject' | 'strength'>,
  muted: Readonly<Record<string, number>>,
): boolean {
  return strength <= Math.max(muted[rule] ?? 0, muted[`${rule} ${subject}`] ?? 0);
}

/** What is said of clean runs when they are held out. */
function alarmsOf(views: readonly RunView[], folds: number): Alarm[] {
  return foldsOf(views, folds).flatMap(([held, rest], fold) => {
    const find = finderOf(rest.length === 0 ? null : learnHabits(rest));
    return held.flatMap((view) =>
      find(view).map(({ rule, subject, strength = 1 }) => ({ view, fold, rule, subject, strength })),
    );
  });
}

/** Each fold with the rest; clusters go round the folds in the order of their first run. */
function foldsOf(
  views: readonly RunView[],
  folds: number,
): (readonly [held: readonly RunView[], rest: readonly RunView[]])[] {
  const clusters = [...new Set(views.map(({ run }) => run.cluster))];
  const count = Math.min(folds, clusters.length);
  const foldOf = new Map(clusters.map((cluster, index) => [cluster, index % Math.max(count, 1)]));
  return Array.from({ length: count }, (_, fold) => [
    views.filter(({ run }) => foldOf.get(run.cluster) === fold),
    views.filter(({ run }) => foldOf.get(run.cluster) !== fold),
  ]);
}

/** True when a finding may speak. `tried` holds the operations that clean runs made. */
export function mayTell(
  { rule, subject, strength = 1 }: Finding,
  calibration: Pick<Calibration, 'rules' | 'muted'>,
  tried: ReadonlySet<string>,
): boolean {
  if (isMuted({ rule, subject, strength }, calibration.muted)) return false;
  const [operation = subject] = subject.split(' ');
  return tried.has(operation) || strength < 1 || !calibration.rules.includes(rule);
}
