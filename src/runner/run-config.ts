import { join } from 'node:path';
import { digestText } from '../base/digest.ts';
import { UsageError } from '../base/errors.ts';
import type { NamedPlan } from '../faults/index.ts';
import { ChatError } from '../llm/index.ts';
import {
  type AskedRun,
  configHash,
  type RunConfig,
  RunFolder,
  type RunScenario,
  removeRunFolder,
  type StoredPlan,
} from '../store/run-folder.ts';
import { type AgentOptions, agentNamed } from './agents/index.ts';
import type { LoadedBank } from './bank.ts';
import { type PreparedScenario, trialName } from './prepare.ts';
import type { Agent } from './types.ts';
import { behaviourOf } from './worlds.ts';

/** What a person asks for, of whole trials or step by step. */
export interface RunRequest {
  readonly bank: LoadedBank;
  /** As a person names it, such as `careful` or `command:"python agent.py"`. */
  readonly agent: string;
  readonly agentOptions?: AgentOptions;
  readonly seed: string;
  /** Trials per scenario. */
  readonly k: number;
  /** The run's folder; named by the configuration under `runs/` when left out. */
  readonly out?: string;
  /** Throws a run in that folder away first. */
  readonly fresh?: boolean;
  /** As it was asked for; kept beside the run, so that a comparison can play it again. */
  readonly asked?: AskedRun;
}

/** What fixes a run, and its agent. @throws UsageError when the agent cannot be made. */
export async function configOf(
  request: RunRequest,
  mode: RunConfig['mode'],
): Promise<{ readonly config: RunConfig; readonly agent: Agent }> {
  const { bank, agent: agentSpec, seed, k } = request;
  if (bank.chosen.length === 0) throw new UsageError('empty-run', 'the bank has no scenarios to run');
  const scenarioOf = (id: string): PreparedScenario => {
    const prepared = bank.chosen.find(({ scenario }) => scenario.id === id);
    if (prepared) return prepared;
    throw new UsageError('unknown-scenario', `the scenario ${id} is not part of this run`);
  };
  if (agentSpec.startsWith('chat:')) assertMayLeave(request);
  const agent = await agentNamed(agentSpec, scenarioOf, request.agentOptions);
  const services = new Set(bank.chosen.flatMap(({ services: list }) => list.map(({ name }) => name)));
  const plans = plansOf(bank.chosen);
  const config: RunConfig = {
    bank: { name: bank.name, version: bank.folder.bank.version, hash: bank.hash },
    scenarios: bank.chosen.map((prepared) => runScenario(bank, prepared, plans.length > 0)),
    behaviour: behaviourOf([...services].sort()),
    agent: { name: agent.name, config: agent.config },
    seed,
    k,
    mode,
    ...(plans.length > 0 && { faults: { plans: plans.map(storedPlan) } }),
  };
  return { config, agent };
}

/** In the order of members in which run.json is read back: the configuration's hash is of its text. */
function storedPlan({ id, rules }: NamedPlan): StoredPlan {
  return { id, rules } as unknown as StoredPlan;
}

/** The fault plans among prepared scenarios, each once. */
function plansOf(prepared: readonly PreparedScenario[]): NamedPlan[] {
  return [...new Map(prepared.flatMap(({ plan }) => (plan ? [[plan.id, plan] as const] : []))).values()];
}

/** A scenario as the run's configuration names it. */
function runScenario(bank: LoadedBank, prepared: PreparedScenario, expanded: boolean): RunScenario {
  const { scenario, plan } = prepared;
  const { id, hash, attempts } = scenario;
  return {
    id: trialName(prepared),
    hash: plan ? digestText(JSON.stringify([hash, plan])) : hash,
    // One scenario with and without faults is one piece of evidence.
    cluster: scenario.cluster ?? (expanded ? id : undefined),
    // What is left out means one, so runs of scenarios that say nothing keep their folders.
    ...(attempts === 'many' && { attempts }),
    ...canaryOf(bank, id),
    ...(plan && { scenario: id, plan: plan.id }),
  };
}

/**
 * Works in the folder of a run, new or taken up where it stopped, and lets go of it in the end, also when the
 * process is ended meanwhile. A model that gave nothing at all leaves an empty folder.
 * @throws UsageError when the folder is taken
 */
export async function inRunFolder<T>(
  config: RunConfig,
  { out, fresh, asked }: RunRequest,
  work: (folder: RunFolder) => Promise<T>,
): Promise<T> {
  const directory = out ?? usualFolder(config);
  if (fresh) removeRunFolder(directory);
  const folder = RunFolder.open(directory, config, asked);
  const release = (): void => folder.release();
  process.once('exit', release);
  let isInVain = false;
  try {
    return await work(folder);
  } catch (error) {
    isInVain = error instanceof ChatError && !folder.started;
    throw error;
  } finally {
    process.removeListener('exit', release);
    release();
    // Another model, URL or setting is another run: nothing stands in its way that holds nothing.
    if (isInVain) removeRunFolder(directory);
  }
}

/** @throws UsageError where a model would be sent a sealed scenario and nobody declared that it keeps none */
function assertMayLeave({ bank, agentOptions }: RunRequest): void {
  const { retention, cassetteMode } = agentOptions?.chat ?? {};
  if (retention === 'none' || cassetteMode === 'replay') return;
  const sealed = bank.chosen.find(({ scenario }) => canaryOf(bank, scenario.id).canary !== undefined);
  if (!sealed) return;
  const { id } = sealed.scenario;
  throw new UsageError('sealed', `${id} is sealed; it is not sent to a provider that may keep it`, {
    hint: 'say --retention none where the provider keeps nothing of what it is sent',
  });
}

/** The canary of a sealed scenario, or of the family that an instance is of. */
function canaryOf({ folder }: LoadedBank, id: string): { readonly canary?: string } {
  const canary = folder.scenarios.find(({ file }) => file.id === id.split('~')[0])?.canary;
  return canary === undefined ? {} : { canary };
}

/** Where a run goes that was given no folder: its configuration names it. */
export function usualFolder(config: RunConfig): string {
  const agent = config.agent.name.replace(/[^\p{L}\p{N}._-]+/gu, '-');
  return join('runs', `${config.bank.name}-${agent}-${configHash(config).slice(0, 12)}`);
}
