import { nearestName, UsageError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Environment, EnvironmentSource, OpenRequest, Verdict } from '../gateway/host/types.ts';
import type { TrialScore } from '../scoring/index.ts';
import type { Service } from '../service/types.ts';
import type { SessionOptions } from '../session/index.ts';
import { loadBank, type VariantOptions } from './bank.ts';
import { trialSeed } from './execute.ts';
import { optionsFor, type PreparedScenario } from './prepare.ts';
import { scoreOf } from './score.ts';
import { recipeKey, recipeOf, servicesOf, WorldCache } from './worlds.ts';

/** What a server is started on: banks or scenarios as a person names them, or services for free play. */
export interface ServedTarget {
  /** `BANK`, `BANK/SCENARIO`: of one bank. */
  readonly scenarios?: readonly string[];
  readonly variants?: VariantOptions;
  /** `NAME` or `NAME/SIZE`. */
  readonly services?: readonly string[];
}

/** What the trajectories of a server name as their agent: nobody here knows who calls. */
const CLIENT = { name: 'client', config: null } as const;

/**
 * Builds the environments of a server.
 * @throws UsageError when a name is unknown, a file is not as it should be, or there is nothing to serve.
 */
export async function servedSource(target: ServedTarget): Promise<EnvironmentSource> {
  const worlds = new WorldCache();
  const { scenarios = [], services = [] } = target;
  if (scenarios.length === 0 && services.length === 0) {
    throw new UsageError('nothing-to-serve', 'name what to serve', {
      hint: '--scenario helpdesk/refund-88213, or --services notes,helpdesk',
    });
  }
  const chosen = scenarios.length === 0 ? [] : (await loadBank(scenarios, worlds, target.variants)).chosen;
  const byId = new Map(chosen.map((prepared) => [prepared.scenario.id, prepared]));
  const [first] = byId.keys();
  const served = distinct([
    ...chosen.flatMap((prepared) => prepared.services),
    ...servicesOf(recipeOf(services)),
  ]);
  return {
    choices: [...byId.keys()],
    defaults: first === undefined ? { services } : { scenario: first },
    services: served,
    open(request) {
      const { scenario } = request;
      if (scenario === undefined) return playground(request, worlds, served);
      // As the command line writes it: the bank's name before it.
      const prepared = byId.get(scenario) ?? byId.get(scenario.slice(scenario.lastIndexOf('/') + 1));
      if (prepared) return onScenario(prepared, request);
      const near = nearestName(scenario, byId.keys());
      throw new UsageError('unknown-scenario', `no scenario named ${scenario} is served here`, {
        ...(near !== undefined && { hint: `did you mean ${near}?` }),
      });
    },
  };
}

function onScenario(original: PreparedScenario, request: OpenRequest): Environment {
  const prepared = request.epochMs === undefined ? original : startingAt(original, request.epochMs);
  const { scenario } = prepared;
  const trial = request.trial ?? 0;
  const streamSeed = trialSeed(request.seed ?? '1', scenario.id, trial);
  const options = optionsFor(prepared, { streamSeed, trial, agent: CLIENT, asAgent: true });
  return {
    name: scenario.id,
    services: prepared.services,
    options: withWishes(options, request),
    task: scenario.task,
    policy: prepared.policy,
    user: scenario.user ?? null,
    score: (trajectory) => verdictOf(scoreOf(prepared, trajectory, streamSeed)),
  };
}

/** The same scenario at another moment, for its reference too. */
function startingAt(prepared: PreparedScenario, epochMs: number): PreparedScenario {
  const { scenario } = prepared;
  return { ...prepared, scenario: { ...scenario, world: { ...scenario.world, epochMs } } };
}

function playground(request: OpenRequest, worlds: WorldCache, served: readonly Service[]): Environment {
  const recipe = recipeOf(request.services ?? []);
  const names = served.map((service) => service.name);
  for (const { name } of recipe) {
    if (names.includes(name)) continue;
    throw new UsageError('not-served', `no service named ${name} is served here`, {
      hint: `served are ${names.join(', ')}`,
    });
  }
  if (recipe.length === 0) {
    throw new UsageError('nothing-to-open', 'name a scenario or services to open a session on');
  }
  const { services, world, behaviour } = worlds.get(recipe);
  const name = recipeKey(recipe);
  const trial = request.trial ?? 0;
  const options: SessionOptions = {
    services,
    world,
    behaviour,
    seeds: Object.fromEntries(recipe.map((part) => [part.name, part.seed])),
    streamSeed: trialSeed(request.seed ?? '1', name, trial),
    epochMs: request.epochMs ?? services[0]?.epochMs ?? 0,
    agent: CLIENT,
    trial,
  };
  return {
    name,
    services,
    options: withWishes(options, request),
    task: null,
    policy: services.flatMap((service) => service.policy ?? []).join('\n\n'),
    user: null,
    score: null,
  };
}

function withWishes(options: SessionOptions, { actors, faults, budgets }: OpenRequest): SessionOptions {
  return {
    ...options,
    ...(actors && { actors }),
    ...(faults && { faults: { rules: [...(options.faults?.rules ?? []), ...faults.rules] } }),
    ...(budgets && { budgets: { ...options.budgets, ...budgets } }),
  };
}

function verdictOf(score: TrialScore): Verdict {
  return { success: score.success, void: score.void, report: score as unknown as JsonObject };
}

function distinct(services: readonly Service[]): readonly Service[] {
  return [...new Set(services)];
}
