import { type Json, jsonEqual } from '../base/json.ts';
import type { Service } from '../service/index.ts';
import { openSession } from '../session/index.ts';
import type { SessionPort } from '../session/types.ts';
import { type Estimate, passHatK, rateEstimate } from '../stats/index.ts';
import {
  AIRLINE_LAYOUT,
  type TauAction,
  type TauFolder,
  type TauLayout,
  type TauRun,
  TauStateHasher,
} from '../traces/tau/index.ts';
import type { BehaviourRecord } from '../trajectory/types.ts';
import type { WorldValue } from '../world/types.ts';
import { finished, keptInOrder, loadedWorld, nameOfRun, requestOf } from './tau-calls.ts';

/** How many of so many things came out as recorded. */
export interface Equality {
  readonly equal: number;
  readonly of: number;
}

/**
 * One thing that came out otherwise than recorded. `step` counts tool calls from 0; null for a hash or a
 * reward.
 */
export interface TauDifference {
  readonly check: 'toolOutputs' | 'goldHashes' | 'goldByTask' | 'finalHashes' | 'rewards';
  readonly run: string;
  readonly step: number | null;
  readonly tool: string | null;
  readonly expected: Json;
  readonly got: Json;
}

export interface TauReplayResult {
  readonly runs: number;
  /** Recorded tool answers, byte for byte. */
  readonly toolOutputs: Equality;
  /** Runs that carry the hash of the reference solution. */
  readonly goldHashes: Equality;
  /** Tasks named in a replay file. */
  readonly goldByTask: Equality;
  /** Runs named in a replay file. */
  readonly finalHashes: Equality;
  readonly rewards: Equality;
  /** pass^k of the replayed rewards, clustered by task: as many k as every task has trials. */
  readonly passHat: Readonly<Record<string, Estimate>>;
  /** The first few differences, in the order of the runs. */
  readonly differences: readonly TauDifference[];
}

export interface TauReplayOptions {
  /** The service that plays the domain. */
  readonly service: Service;
  readonly folder: TauFolder;
  readonly layout?: TauLayout;
  /** Identity of the code, for the headers of the sessions. */
  readonly behaviour?: BehaviourRecord;
  /** How many differences to keep; 10 when left out. */
  readonly keep?: number;
}

/**
 * Replays recorded runs of tau-bench, version 1, through the one door and compares what the session
 * delivered with what was recorded: every tool answer, the final and the reference state, and the reward.
 * Recorded answers are only compared with, never used.
 * @throws UsageError when the database does not fit the service.
 */
export function replayTau(options: TauReplayOptions): TauReplayResult {
  const replay = new TauReplay(options);
  const rewards = options.folder.runs.map((run) => replay.run(run));
  replay.tasks();
  return {
    runs: rewards.length,
    toolOutputs: replay.tally('toolOutputs'),
    goldHashes: replay.tally('goldHashes'),
    goldByTask: replay.tally('goldByTask'),
    finalHashes: replay.tally('finalHashes'),
    rewards: replay.tally('rewards'),
    passHat: passHats(rewards),
    differences: replay.differences,
  };
}

/** The reward of one replayed run. */
interface RunReward {
  readonly taskId: number;
  readonly reward: number;
}

class TauReplay {
  readonly differences: TauDifference[] = [];
  readonly #options: TauReplayOptions;
  readonly #layout: TauLayout;
  readonly #world: WorldValue;
  readonly #hasher: TauStateHasher;
  readonly #services: readonly Service[];
  readonly #tallies = new Map<TauDifference['check'], { equal: number; of: number }>();
  /** Hashes of reference solutions by their text: the trials of a task share one. */
  readonly #golds = new Map<string, string>();
  readonly #finalHashes = new Map<string, string>();

  constructor(options: TauReplayOptions) {
    const { service, folder } = options;
    this.#options = options;
    this.#layout = options.layout ?? AIRLINE_LAYOUT;
    this.#world = loadedWorld(service, folder.documents);
    this.#hasher = new TauStateHasher(this.#world, service.name, this.#layout);
    this.#services = [service];
    for (const { runs } of folder.replays) {
      for (const run of runs) this.#finalHashes.set(nameOfRun(run), run.finalHash);
    }
  }

  /** Replays one run and compares everything that is recorded of it. */
  run(run: TauRun): RunReward {
    const name = nameOfRun(run);
    const session = this.#open(`tau/${run.taskId}/${run.trial}`);
    for (const [step, call] of run.calls.entries()) {
      const { body } = session.call(requestOf(call.name, call.argumentsText, this.#layout));
      if (call.output === undefined) continue;
      this.#compare(
        'toolOutputs',
        { run: name, step, tool: call.name },
        { expected: call.output, got: body },
      );
    }
    const gold = this.#goldHash(run.actions);
    const final = this.#hasher.hash(session.world);
    if (run.goldHash !== null) {
      this.#compare('goldHashes', { run: name }, { expected: run.goldHash, got: gold });
    }
    const recorded = this.#finalHashes.get(name);
    if (recorded !== undefined)
      this.#compare('finalHashes', { run: name }, { expected: recorded, got: final });
    const reward = finished(run, this.#layout) && final === gold && saidAll(run) ? 1 : 0;
    this.#compare('rewards', { run: name }, { expected: run.reward, got: reward });
    return { taskId: run.taskId, reward };
  }

  /** Compares the reference solution of each task that a replay file has a hash of. */
  tasks(): void {
    const actions = new Map(this.#options.folder.runs.map((run) => [String(run.taskId), run.actions]));
    const wanted = new Map<string, readonly [task: string, hash: string]>();
    for (const { goldHashes } of this.#options.folder.replays) {
      for (const [task, hash] of Object.entries(goldHashes)) wanted.set(`${task} ${hash}`, [task, hash]);
    }
    for (const [task, expected] of wanted.values()) {
      const known = actions.get(task);
      if (!known) continue;
      this.#compare('goldByTask', { run: `task ${task}` }, { expected, got: this.#goldHash(known) });
    }
  }

  tally(check: TauDifference['check']): Equality {
    return this.#tallies.get(check) ?? { equal: 0, of: 0 };
  }

  #open(streamSeed: string): SessionPort {
    const { service, behaviour } = this.#options;
    return openSession({
      services: this.#services,
      world: this.#world,
      seeds: { [service.name]: 'loaded' },
      streamSeed,
      epochMs: service.epochMs,
      behaviour: behaviour ?? { engine: 'unrecorded', services: {} },
    });
  }

  #goldHash(actions: readonly TauAction[]): string {
    const key = JSON.stringify(actions);
    const known = this.#golds.get(key);
    if (known !== undefined) return known;
    const session = this.#open('tau/gold');
    for (const { name, kwargs } of actions) {
      if (this.#layout.terminating.includes(name)) continue;
      session.call({ tool: name, input: keptInOrder(kwargs, this.#layout), transport: 'inprocess' });
    }
    const hash = this.#hasher.hash(session.world);
    this.#golds.set(key, hash);
    return hash;
  }

  #compare(
    check: TauDifference['check'],
    at: { readonly run: string; readonly step?: number; readonly tool?: string },
    { expected, got }: { readonly expected: Json; readonly got: Json },
  ): void {
    const tally = this.#tallies.get(check) ?? { equal: 0, of: 0 };
    this.#tallies.set(check, tally);
    tally.of += 1;
    if (jsonEqual(expected, got)) {
      tally.equal += 1;
      return;
    }
    if (this.differences.length >= (this.#options.keep ?? 10)) return;
    this.differences.push({
      check,
      run: at.run,
      step: at.step ?? null,
      tool: at.tool ?? null,
      expected,
      got,
    });
  }
}

function saidAll(run: TauRun): boolean {
  const said = run.said.map((text) => text.toLowerCase().replaceAll(',', ''));
  return run.outputs.every((output) => said.some((text) => text.includes(output.toLowerCase())));
}

function passHats(rewards: readonly RunReward[]): Record<string, Estimate> {
  const tasks = new Map<number, { n: number; c: number }>();
  for (const { taskId, reward } of rewards) {
    const count = tasks.get(taskId) ?? { n: 0, c: 0 };
    tasks.set(taskId, { n: count.n + 1, c: count.c + reward });
  }
  const counts = [...tasks.values()];
  const most = Math.max(2, Math.min(...counts.map(({ n }) => n)));
  const estimates: Record<string, Estimate> = {};
  for (let k = 1; k <= most; k += 1) estimates[String(k)] = passHat([...tasks], k);
  return estimates;
}

function passHat(
  tasks: readonly (readonly [task: number, count: { n: number; c: number }])[],
  k: number,
): Estimate {
  const observations = [];
  for (const [task, count] of tasks) {
    const value = passHatK(count, k);
    if (value === null)
      return { value: null, reason: `task ${task} has ${count.n} trials, pass^${k} needs ${k}` };
    observations.push({ value, cluster: String(task) });
  }
  return rateEstimate(observations);
}
