import { InvariantError } from '../base/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { SeededRandom } from '../base/random.ts';
import type { RecordedExchange } from '../service/evidence.ts';
import type { Actor, Seeding, Service } from '../service/types.ts';
import { createWorld, typedTables } from '../world/index.ts';
import type { Schema, WorldValue } from '../world/types.ts';
import { pathParameters } from './corpus.ts';
import type { CorpusRecord, CorpusScenario } from './types.ts';

/** The world that a recording began in, and who acts in it. */
export interface Seeded {
  readonly world: WorldValue;
  readonly actor: Actor;
}

/** Builds the worlds of scenarios with the service's own observer, each from an empty one. */
export class ScenarioSeeder {
  readonly #service: Service;
  #empty: WorldValue | null = null;

  constructor(service: Service) {
    this.#service = service;
  }

  /** @throws what the observer throws: its mistake, not the run's. */
  seed(scenario: CorpusScenario): Seeded {
    const { observe, name, schema } = this.#service;
    if (!observe) throw new InvariantError(`${name} has no observer`);
    this.#empty ??= createWorld({ [name]: schema }, 'seed');
    let actor: Actor | null = null;
    const result = this.#empty.transact((tx) => {
      const seeding: Seeding<Schema> = {
        tx: typedTables(tx, name, schema),
        random: SeededRandom.from(`${name}/recorded/${scenario.name}`),
        nextId: (table) => tx.nextId(`${name}.${table}`),
      };
      actor = observe(seeding, scenario.records.map(exchangeOf)).actor;
    });
    if (!result.ok) throw result.error;
    if (!actor) throw new InvariantError('the observer named no actor');
    return { world: result.world, actor };
  }
}

/** A line of a corpus as observers read it. */
export function exchangeOf({ operation, endpoint, request, response }: CorpusRecord): RecordedExchange {
  const cut = response.cuts.flatMap(({ at, of, why }) => (why === 'array' ? [{ at, of }] : []));
  return {
    operation,
    input: inputOf(endpoint, request.path, request),
    status: response.status,
    response: response.body,
    request,
    headers: response.headers,
    ...(cut.length > 0 && { cut }),
  };
}

function inputOf(
  endpoint: string | null,
  path: string,
  { query, body }: { readonly query: JsonObject; readonly body: Json },
): Json {
  const template = endpoint?.split(' ')[1];
  const params = (template && pathParameters(template, path)) || {};
  if (body !== null && !isJsonObject(body)) return Array.isArray(body) ? body : { ...query, ...params };
  return { ...query, ...body, ...params };
}
