import { performance } from 'node:perf_hooks';
import { InvariantError } from '../base/errors.ts';
import type { AgentFailure } from './agent-failure.ts';
import { cutShort } from './agents/cut-short.ts';
import { type AgentOptions, agentNamed } from './agents/index.ts';
import { type AgentObserver, observedAgent } from './agents/observed.ts';
import { runTrial } from './execute.ts';
import { type PreparedScenario, trialName } from './prepare.ts';
import type { Agent, AgentAction } from './types.ts';
import type { TrialOrder, TrialReport } from './worker-protocol.ts';

/** Runs trials one after the other: the same in the main thread and in a worker. */
export class TrialBench {
  readonly #prepared: ReadonlyMap<string, PreparedScenario>;
  readonly #agent: Agent;
  readonly #seed: string;

  /** @param agent made already; `create` makes one */
  constructor(prepared: readonly PreparedScenario[], agent: Agent, seed: string) {
    this.#prepared = new Map(prepared.map((one) => [trialName(one), one]));
    this.#agent = agent;
    this.#seed = seed;
  }

  /** @throws UsageError when the agent cannot be made. */
  static async create(options: {
    readonly prepared: readonly PreparedScenario[];
    readonly agent: string;
    readonly agentOptions?: AgentOptions;
    readonly seed: string;
    /** Hears every action of the agent. */
    readonly observer?: AgentObserver;
  }): Promise<TrialBench> {
    const byName = new Map(options.prepared.map((prepared) => [trialName(prepared), prepared]));
    const scenarioOf = (id: string): PreparedScenario => {
      const prepared = byName.get(id);
      if (prepared) return prepared;
      throw new InvariantError(`the scenario ${id} is not part of this run`);
    };
    const agent = await agentNamed(options.agent, scenarioOf, options.agentOptions);
    const { observer, seed } = options;
    return new TrialBench(options.prepared, observer ? observedAgent(agent, observer) : agent, seed);
  }

  get agent(): Agent {
    return this.#agent;
  }

  /** Runs one trial. Real time is measured here and kept outside the trajectory. */
  async run(order: TrialOrder): Promise<TrialReport> {
    return await this.#runWith(this.#agent, order);
  }

  /** The trial of a script that did these things and then had to be ended. How long it took is not known. */
  async runCut(
    order: TrialOrder,
    actions: readonly AgentAction[],
    failure: AgentFailure,
  ): Promise<TrialReport> {
    const report = await this.#runWith(cutShort(this.#agent, actions, failure), order);
    return { ...report, wallClockMs: null };
  }

  async #runWith(agent: Agent, { scenario, trial }: TrialOrder): Promise<TrialReport> {
    const prepared = this.#prepared.get(scenario);
    if (!prepared) throw new InvariantError(`the scenario ${scenario} is not part of this run`);
    const stopwatch = (): number => performance.now();
    const result = await runTrial(prepared, agent, { seed: this.#seed, trial, stopwatch });
    const { text, score, wallClockMs } = result;
    return {
      scenario,
      trial,
      text,
      score,
      wallClockMs: wallClockMs && Math.round(wallClockMs * 1000) / 1000,
    };
  }
}
