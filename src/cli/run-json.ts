import type { Json } from '../base/json.ts';
import type { FinishedRun } from '../runner/run.ts';

/** The JSON object of a run (design of the command line: keys only get added). */
export function runJson({ folder, summary }: FinishedRun): { readonly [key: string]: Json } {
  const { config } = folder;
  const { trials, k, ...figures } = summary;
  return {
    run: folder.directory,
    bank: { name: config.bank.name, version: config.bank.version, hash: config.bank.hash },
    behaviour: { engine: config.behaviour.engine, services: config.behaviour.services },
    agent: config.agent.name,
    seed: config.seed,
    k,
    mode: config.mode,
    trials,
    ...(figures as unknown as { readonly [key: string]: Json }),
  };
}
