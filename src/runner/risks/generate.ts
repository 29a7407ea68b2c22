import { SeededRandom } from '../../base/random.ts';
import { RISK_NAMES, type RiskName } from '../../scoring/index.ts';
import type { PreparedScenario } from '../prepare.ts';
import { type CleanRun, cleanRun } from '../testbed/index.ts';
import {
  descriptionMismatch,
  missingTypeHint,
  promptInjectionIn,
  promptInjectionOut,
  versionConflict,
} from './interfaces.ts';
import { ambiguousArg, hallucinatedArgValue, hallucinatedTool, redundantArg } from './inventions.ts';
import { apiKeyLeak, dataLeak, userInfoLeak } from './leaks.ts';
import { playRisk, playTwin } from './play.ts';
import type { PlayedRisk, RiskEdit, RiskMutators } from './types.ts';

const MUTATORS: RiskMutators = {
  PromptInjectionIn: promptInjectionIn,
  PromptInjectionOut: promptInjectionOut,
  UserInfoLeak: userInfoLeak,
  ApiKeyLeak: apiKeyLeak,
  DataLeak: dataLeak,
  AmbiguousArg: ambiguousArg,
  HallucinatedTool: hallucinatedTool,
  HallucinatedArgValue: hallucinatedArgValue,
  RedundantArg: redundantArg,
  MissingTypeHint: missingTypeHint,
  VersionConflict: versionConflict,
  DescriptionMismatch: descriptionMismatch,
};

/** So many ways are tried in one clean run before it is passed over. */
const TRIES_MOST = 12;

/** A run of the set: `risk` is null for a benign one, and `twin` itself then. */
export interface RiskRun {
  readonly id: string;
  readonly twin: string;
  readonly risk: RiskName | null;
  readonly edit: RiskEdit | null;
  readonly prepared: PreparedScenario;
  readonly trial: number;
  readonly played: PlayedRisk;
}

export interface RiskSet {
  readonly runs: readonly RiskRun[];
  /** By risk, how many fewer records could be made than were asked for. */
  readonly short: Readonly<Partial<Record<RiskName, number>>>;
}

/** What fixes a set of risks besides its instances. */
interface RisksOptions {
  /** Records of each risk. */
  readonly count: number;
  readonly seed: string;
  readonly bank: string;
  readonly onProgress?: (done: number, of: number) => void;
}

/**
 * Runs with risks in them, as many of each as were asked for, each beside the benign run that differs from it
 * in nothing else, in an order that tells nothing. The same instances and seed give the same runs.
 */
export function generateRisks(
  instances: readonly PreparedScenario[],
  { count, seed, bank, onProgress }: RisksOptions,
): RiskSet {
  const cleans = new CleanRuns(instances, seed);
  const short: Partial<Record<RiskName, number>> = {};
  const open: Omit<RiskRun, 'id' | 'twin'>[] = [];
  const twins: number[] = [];
  const known = new Map<string, number>();
  const benign = (clean: CleanRun, edit: RiskEdit): number => {
    const played = playTwin(clean, edit);
    const place = known.get(played.text) ?? open.length;
    if (place === open.length) {
      known.set(played.text, place);
      twins.push(place);
      open.push({ risk: null, edit: null, prepared: clean.prepared, trial: clean.trial, played });
    }
    return place;
  };
  for (const risk of RISK_NAMES) {
    let found = 0;
    for (const { clean, edit, played } of risksOf(risk, cleans, { count, seed })) {
      twins.push(0);
      const place = open.length;
      open.push({ risk, edit, prepared: clean.prepared, trial: clean.trial, played });
      twins[place] = benign(clean, edit);
      found += 1;
      onProgress?.(open.length - known.size, count * RISK_NAMES.length);
    }
    if (found < count) short[risk] = count - found;
  }
  // With the bank in it: else an id would stand for the same risk in every bank.
  return { runs: shuffled(open, twins, `${bank}/${seed}`), short };
}

function shuffled(
  open: readonly Omit<RiskRun, 'id' | 'twin'>[],
  twins: readonly number[],
  seed: string,
): readonly RiskRun[] {
  const order = SeededRandom.from(`risks/${seed}/order`).shuffle([...open.keys()]);
  const ids = new Map(order.map((from, place) => [from, `r${String(place).padStart(5, '0')}`]));
  return order.flatMap((from): RiskRun[] => {
    const run = open[from];
    return run ? [{ id: ids.get(from) ?? '', twin: ids.get(twins[from] ?? from) ?? '', ...run }] : [];
  });
}

interface FoundRisk {
  readonly clean: CleanRun;
  readonly edit: RiskEdit;
  readonly played: PlayedRisk;
}

/** So many records of a risk, one clean run after the other, then again through all of them. */
function* risksOf(
  risk: RiskName,
  cleans: CleanRuns,
  { count, seed }: { readonly count: number; readonly seed: string },
): Generator<FoundRisk> {
  const order = SeededRandom.from(`risks/${seed}/${risk}`).shuffle([...cleans.numbers(count)]);
  let open = order.map((number) => foundIn(risk, cleans, { number, seed }));
  let left = count;
  while (open.length > 0) {
    const rest: typeof open = [];
    for (const stream of open) {
      if (left === 0) return;
      const next = stream.next();
      if (next.done) continue;
      rest.push(stream);
      left -= 1;
      yield next.value;
    }
    open = rest;
  }
}

function* foundIn(
  risk: RiskName,
  cleans: CleanRuns,
  { number, seed }: { readonly number: number; readonly seed: string },
): Generator<FoundRisk> {
  const clean = cleans.at(number);
  if (!clean) return;
  const seen = new Set<string>();
  let tries = 0;
  for (const edit of MUTATORS[risk](clean, SeededRandom.from(`risks/${seed}/${risk}/${number}`))) {
    if (tries === TRIES_MOST) return;
    tries += 1;
    const played = playRisk(clean, edit);
    if (!played || seen.has(played.text)) continue;
    seen.add(played.text);
    tries = 0;
    yield { clean, edit, played };
  }
}

/** Clean runs by number, made when they are asked for: instances in turn, then further trials of them. */
class CleanRuns {
  readonly #instances: readonly PreparedScenario[];
  readonly #seed: string;
  readonly #made = new Map<number, CleanRun>();

  constructor(instances: readonly PreparedScenario[], seed: string) {
    this.#instances = instances;
    this.#seed = seed;
  }

  /** Enough of them for so many records of one risk. */
  numbers(count: number): readonly number[] {
    return Array.from({ length: Math.max(count, this.#instances.length) }, (_, number) => number);
  }

  at(number: number): CleanRun | undefined {
    const made = this.#made.get(number);
    const prepared = this.#instances[number % this.#instances.length];
    if (made || !prepared) return made;
    const clean = cleanRun(prepared, Math.floor(number / this.#instances.length), this.#seed);
    this.#made.set(number, clean);
    return clean;
  }
}
