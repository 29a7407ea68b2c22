import { basename, join } from 'node:path';
import { digestText } from '../base/digest.ts';
import { UsageError } from '../base/errors.ts';
import { type Json, jsonEqual } from '../base/json.ts';
import { bankHash } from '../scenarios/index.ts';
import type { RunSummary } from '../scoring/index.ts';
import type { Service } from '../service/index.ts';
import { openSession, type Session } from '../session/index.ts';
import { type RunConfig, RunFolder, removeRunFolder } from '../store/run-folder.ts';
import { AIRLINE_LAYOUT, type TauFolder, type TauLayout, type TauRun } from '../traces/tau/index.ts';
import { optionsFor } from './prepare.ts';
import { summaryOf } from './run.ts';
import { scoreOf } from './score.ts';
import {
  bankFile,
  scenarioIdOf,
  type TauRules,
  type TauScenario,
  tauScenarios,
  writeTauBank,
} from './tau-bank.ts';
import { finished, handedOver, loadedWorld, nameOfRun, requestOf } from './tau-calls.ts';
import type { Equality } from './tau-replay.ts';
import { WorldCache } from './worlds.ts';

export interface TauImportOptions {
  /** The service that plays the domain; one that ships. */
  readonly service: Service;
  readonly folder: TauFolder;
  readonly layout?: TauLayout;
  /** The run's folder. */
  readonly out: string;
  /** Throws a run in that folder away first. */
  readonly fresh?: boolean;
  /** Recorded trials to take, all when left out. They are counted from 0 in the run, in ascending order. */
  readonly trials?: readonly number[];
  /** What the agent is called; files do not say. */
  readonly agent?: string;
  /** Invariants that every task is held to; success does not hang on them. */
  readonly rules?: TauRules;
  /** How many differences to keep; 10 when left out. */
  readonly keep?: number;
}

/** A tool answer, or a reward, that came out otherwise than recorded. `step` is null for a reward. */
export interface TauImportDifference {
  readonly check: 'toolOutputs' | 'rewards';
  readonly run: string;
  readonly step: number | null;
  readonly tool: string | null;
  readonly expected: Json;
  readonly got: Json;
}

export interface TauImport {
  readonly folder: RunFolder;
  readonly summary: RunSummary;
  /** The tasks as a bank, beside the run. */
  readonly bank: string;
  readonly runs: number;
  readonly tasks: number;
  /** Recorded trial numbers, by their number in the run. */
  readonly trials: readonly number[];
  readonly toolOutputs: Equality;
  /** Runs whose success by our scorers is the recorded reward. */
  readonly rewards: Equality;
  /** Scenarios that ask for no change and no words: an agent that only talks passes them. */
  readonly demandNothing: readonly string[];
  readonly differences: readonly TauImportDifference[];
}

/**
 * Makes a run folder of recorded runs: the calls are made anew through the one door, on the world loaded from
 * the files, and scored as any other run. Recorded answers and rewards are only compared with.
 * @throws UsageError when the folder is taken, no run is of these trials, or the database does not fit.
 */
export function importTau(options: TauImportOptions): TauImport {
  const { service, folder, out } = options;
  const layout = options.layout ?? AIRLINE_LAYOUT;
  const { runs, trials } = chosenRuns(folder.runs, options.trials);
  const worlds = new WorldCache();
  const recipe = [{ name: service.name, seed: 'loaded' }];
  worlds.put(recipe, loadedWorld(service, folder.documents));
  const { rules } = options;
  const scenarios = tauScenarios(runs, { seeded: worlds.get(recipe), layout, ...(rules && { rules }) });
  const config = configOf(scenarios, { options, layout, trials, runs });
  if (options.fresh) removeRunFolder(out);
  const written = RunFolder.open(out, config);
  try {
    const bank = join(out, 'bank');
    writeTauBank(bank, layout, scenarios);
    const tally = new ImportTally(options.keep ?? 10);
    const importer = new RunImporter(scenarios, { layout, config, trials, tally });
    for (const run of runs) importer.add(run, written);
    const summary = summaryOf(written);
    written.finish(summary as unknown as Json);
    return {
      folder: written,
      summary,
      bank,
      runs: runs.length,
      tasks: scenarios.length,
      trials,
      toolOutputs: tally.toolOutputs,
      rewards: tally.rewards,
      demandNothing: scenarios.filter(({ demandsNothing }) => demandsNothing).map(({ file }) => file.id),
      differences: tally.differences,
    };
  } finally {
    written.release();
  }
}

function chosenRuns(
  all: readonly TauRun[],
  wanted: readonly number[] | undefined,
): { readonly runs: readonly TauRun[]; readonly trials: readonly number[] } {
  const known = [...new Set(all.map(({ trial }) => trial))].sort((left, right) => left - right);
  const missing = wanted?.find((trial) => !known.includes(trial));
  if (missing !== undefined) {
    throw new UsageError('no-trial', `no recorded run is of trial ${missing}`, {
      hint: `the recorded trials are ${known.join(', ')}`,
    });
  }
  const trials = known.filter((trial) => wanted === undefined || wanted.includes(trial));
  return { runs: all.filter(({ trial }) => trials.includes(trial)), trials };
}

function configOf(
  scenarios: readonly TauScenario[],
  about: {
    readonly options: TauImportOptions;
    readonly layout: TauLayout;
    readonly trials: readonly number[];
    readonly runs: readonly TauRun[];
  },
): RunConfig {
  const { layout, trials, runs, options } = about;
  const prepared = scenarios.map((one) => one.prepared);
  const { name, version } = bankFile(layout);
  const files = [...new Set(runs.map(({ file }) => basename(file)))].sort();
  return {
    bank: { name, version, hash: bankHash(prepared.map(({ scenario }) => scenario)) },
    scenarios: prepared.map(({ scenario: { id, hash, cluster } }) => ({ id, hash, cluster })),
    behaviour: prepared[0]?.behaviour ?? { engine: 'unknown', services: {} },
    agent: { name: options.agent ?? 'recorded', config: { files, trials: [...trials] } },
    seed: 'recorded',
    k: trials.length,
    mode: 'end-to-end',
  };
}

/** Counts what came out as recorded, and keeps the first few things that did not. */
class ImportTally {
  readonly toolOutputs = { equal: 0, of: 0 };
  readonly rewards = { equal: 0, of: 0 };
  readonly differences: TauImportDifference[] = [];
  readonly #keep: number;

  constructor(keep: number) {
    this.#keep = keep;
  }

  compare(found: TauImportDifference): void {
    const count = this[found.check];
    count.of += 1;
    if (jsonEqual(found.expected, found.got)) count.equal += 1;
    else if (this.differences.length < this.#keep) this.differences.push(found);
  }
}

class RunImporter {
  readonly #scenarios: ReadonlyMap<string, TauScenario>;
  readonly #about: {
    readonly layout: TauLayout;
    readonly config: RunConfig;
    readonly trials: readonly number[];
    readonly tally: ImportTally;
  };

  constructor(
    scenarios: readonly TauScenario[],
    about: {
      readonly layout: TauLayout;
      readonly config: RunConfig;
      readonly trials: readonly number[];
      readonly tally: ImportTally;
    },
  ) {
    this.#scenarios = new Map(scenarios.map((one) => [one.file.id, one]));
    this.#about = about;
  }

  /** Plays one run, scores it and puts it into the folder. */
  add(run: TauRun, folder: RunFolder): void {
    const { layout, config, trials, tally } = this.#about;
    const id = scenarioIdOf(run.taskId, layout);
    const prepared = this.#scenarios.get(id)?.prepared;
    if (!prepared) return;
    const trial = trials.indexOf(run.trial);
    const streamSeed = `tau/${run.taskId}/${run.trial}`;
    // No budget: the run is over, and had its own.
    const session = openSession(
      optionsFor(prepared, { streamSeed, trial, agent: config.agent, asAgent: false }),
    );
    this.#play(run, session);
    const trajectory = session.finish(endingOf(run, layout));
    const score = scoreOf(prepared, trajectory, streamSeed);
    const name = nameOfRun(run);
    tally.compare({
      check: 'rewards',
      run: name,
      step: null,
      tool: null,
      expected: run.reward,
      got: score.void === null ? Number(score.success) : `void: ${score.void.detail}`,
    });
    if (folder.has(id, trial)) return;
    const text = session.text();
    folder.add({ scenario: id, trial, trajectory: digestText(text), score, text, wallClockMs: null });
  }

  #play(run: TauRun, session: Session): void {
    const { layout, tally } = this.#about;
    for (const turn of run.turns) {
      if (turn.kind === 'say') {
        session.say({ role: turn.role, text: turn.text });
        continue;
      }
      const call = run.calls[turn.call];
      if (!call) continue;
      const { body } = session.call(requestOf(call.name, call.argumentsText, layout));
      if (call.output === undefined) continue;
      const at = { run: nameOfRun(run), step: turn.call, tool: call.name };
      tally.compare({ check: 'toolOutputs', ...at, expected: call.output, got: body });
    }
  }
}

/** The user's stop and a hand-over are proper ends; a recording that just stops is the agent's failure. */
function endingOf(run: TauRun, layout: TauLayout): Parameters<Session['finish']>[0] {
  const answer = run.said.at(-1) ?? null;
  if (finished(run, layout)) {
    return handedOver(run, layout) ? { reason: 'answer', answer } : { reason: 'user-ended', answer };
  }
  const actions = run.calls.length + run.said.length;
  return {
    reason: 'agent-stopped',
    answer,
    detail: `the recording ends after ${actions} actions, before the user stopped or was handed over`,
  };
}
