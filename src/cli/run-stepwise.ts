import { UsageError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { type AgentOptions, agentNamed } from '../runner/agents/index.ts';
import type { LoadedBank } from '../runner/bank.ts';
import { trialSeed } from '../runner/execute.ts';
import type { PreparedScenario } from '../runner/prepare.ts';
import { runStepwiseTrial, type StepwiseTrial, summariseStepwise } from '../runner/stepwise.ts';
import type { ExitCode, Invocation } from './command.ts';
import { shown } from './render/divergence.ts';
import { Footnotes, percent } from './render/figures.ts';
import { layOut } from './render/table.ts';

const FATALS_SHOWN = 10;

/**
 * `run --mode stepwise`: teacher-forced, a verdict by continuation at every reference call. Keeps no run
 * folder.
 */
export async function runStepwise(
  { output }: Invocation,
  run: {
    readonly bank: LoadedBank;
    readonly agent: string;
    readonly agentOptions?: AgentOptions;
    readonly seed: string;
    readonly k: number;
  },
): Promise<ExitCode> {
  const { bank, seed, k } = run;
  const scenarioOf = (id: string): PreparedScenario => {
    const prepared = bank.chosen.find(({ scenario }) => scenario.id === id);
    if (prepared) return prepared;
    throw new UsageError('unknown-scenario', `the scenario ${id} is not part of this run`);
  };
  const agent = await agentNamed(run.agent, scenarioOf, run.agentOptions);
  const trials: StepwiseTrial[] = [];
  for (const [index, prepared] of bank.chosen.entries()) {
    for (let trial = 0; trial < k; trial += 1) {
      const { id } = prepared.scenario;
      trials.push(await runStepwiseTrial(prepared, agent, { trial, seed: trialSeed(seed, id, trial) }));
    }
    output.progress(`${index + 1}/${bank.chosen.length} scenarios`, index + 1 === bank.chosen.length);
  }
  const summary = summariseStepwise(trials);
  const notes = new Footnotes();
  const rows = Object.entries(summary.shares).map(([verdict, share]) => [
    verdict,
    percent(share, notes),
    `${summary.counts[verdict as keyof typeof summary.counts]} of ${summary.steps} steps`,
  ]);
  for (const line of layOut([['exact or equivalent', percent(summary.good, notes), ''], ...rows]))
    output.line(line);
  for (const line of notes.lines()) output.line(line);
  const fatal = trials.flatMap(({ scenario, trial, steps }) =>
    steps.filter(({ verdict }) => verdict === 'fatal').map((step) => ({ scenario, trial, ...step })),
  );
  for (const { scenario, trial, step, got, detail } of fatal.slice(0, FATALS_SHOWN)) {
    output.line(`${scenario} trial ${trial}, step ${step}: ${shown(got as unknown as Json)}: ${detail}`);
  }
  if (fatal.length > FATALS_SHOWN) output.line(`… and ${fatal.length - FATALS_SHOWN} more fatal steps`);
  output.json({
    run: null,
    mode: 'stepwise',
    bank: { name: bank.name, version: bank.folder.bank.version, hash: bank.hash },
    agent: agent.name,
    seed,
    k,
    ...(summary as unknown as { readonly [key: string]: Json }),
    fatal: fatal as unknown as Json,
  });
  return fatal.length === 0 ? 0 : 1;
}
