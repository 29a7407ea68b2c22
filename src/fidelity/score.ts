import { bootstrapRatio, type Estimate, ratioOfSums, roundFigure, type Share } from '../stats/index.ts';
import type { Era, ExchangeResult } from './types.ts';

/** Figures over a part of the exchanges; each estimate is a share from 0 to 1. */
export interface Figures {
  readonly exchanges: number;
  readonly scenarios: number;
  readonly served: number;
  readonly strict: Estimate;
  readonly pass: Estimate;
  readonly field: Estimate;
  readonly strictServed: Estimate;
  readonly passServed: Estimate;
  readonly fieldServed: Estimate;
}

/** Plain shares of a smaller part, without intervals; null where there is nothing. */
export interface Rates {
  readonly exchanges: number;
  readonly served: number;
  readonly strict: number | null;
  readonly pass: number | null;
  readonly field: number | null;
}

export interface Split extends Figures {
  readonly stateful: Figures;
  readonly seededReads: Figures;
  readonly proofReads: Figures;
}

/** The score of a replay. The eras current, recent and undated count; legacy stands apart. */
export interface Score extends Split {
  /** Mean over endpoints of their pass share. */
  readonly endpointWeighted: Estimate;
  /** Share of scenarios in which every exchange passes, and passes strictly. */
  readonly scenarioPass: Estimate;
  readonly scenarioStrict: Estimate;
  readonly byEra: Readonly<Partial<Record<Era, Split>>>;
  readonly byArea: Readonly<Record<string, Rates>>;
  readonly byEndpoint: Readonly<Record<string, Rates>>;
  readonly byStatus: Readonly<Record<string, Rates>>;
  /** What was recorded, and what is only an example of documentation. */
  readonly byKind: Readonly<Record<string, Rates>>;
  readonly bySource: Readonly<Record<string, Rates>>;
}

const ERAS: readonly Era[] = ['current', 'recent', 'undated', 'legacy'];

/** The exchanges that the headline is about. */
export function counted(results: readonly ExchangeResult[]): readonly ExchangeResult[] {
  return results.filter(({ record }) => record.era !== 'legacy');
}

/** Scores the results of a replay. */
export function scoreOf(results: readonly ExchangeResult[]): Score {
  const main = counted(results);
  const eras = ERAS.map((era) => [era, results.filter(({ record }) => record.era === era)] as const);
  return {
    ...splitOf(main),
    endpointWeighted: endpointWeighted(main),
    scenarioPass: scenarioShare(main, ({ passes }) => passes),
    scenarioStrict: scenarioShare(main, ({ isStrict }) => isStrict),
    byEra: Object.fromEntries(eras.flatMap(([era, part]) => (part.length > 0 ? [[era, splitOf(part)]] : []))),
    byArea: grouped(main, ({ record }) => record.operation?.split('/')[0] ?? '(no operation)'),
    byEndpoint: grouped(main, ({ record }) => record.endpoint ?? '(no endpoint)'),
    byStatus: grouped(main, ({ record }) => `${Math.floor(record.response.status / 100)}xx`),
    byKind: grouped(main, ({ record }) => record.kind),
    bySource: grouped(main, ({ record }) => record.source),
  };
}

function splitOf(results: readonly ExchangeResult[]): Split {
  return {
    ...figuresOf(results),
    stateful: figuresOf(results.filter(({ isStateful }) => isStateful)),
    seededReads: figuresOf(results.filter(({ isStateful }) => !isStateful)),
    proofReads: figuresOf(results.filter(({ isProofRead }) => isProofRead)),
  };
}

function figuresOf(results: readonly ExchangeResult[]): Figures {
  const served = results.filter(({ isServed }) => isServed);
  return {
    exchanges: results.length,
    scenarios: new Set(results.map(({ record }) => record.scenario)).size,
    served: served.length,
    strict: estimate(results, ({ isStrict }) => oneIf(isStrict)),
    pass: estimate(results, ({ passes }) => oneIf(passes)),
    field: estimate(results, fields),
    strictServed: estimate(served, ({ isStrict }) => oneIf(isStrict)),
    passServed: estimate(served, ({ passes }) => oneIf(passes)),
    fieldServed: estimate(served, fields),
  };
}

const SEED = 'fidelity';

function oneIf(holds: boolean): Share {
  return { numerator: holds ? 1 : 0, denominator: 1 };
}

function fields({ comparison }: ExchangeResult): Share {
  return { numerator: comparison.agreeing, denominator: comparison.checks };
}

/** A share over exchanges, its interval by bootstrap over their scenarios. */
function estimate(results: readonly ExchangeResult[], share: (result: ExchangeResult) => Share): Estimate {
  const clusters = [...byScenario(results).values()].map((list): Share => {
    const shares = list.map(share);
    return {
      numerator: shares.reduce((sum, { numerator }) => sum + numerator, 0),
      denominator: shares.reduce((sum, { denominator }) => sum + denominator, 0),
    };
  });
  return bootstrapRatio(clusters, { seed: SEED, n: results.length });
}

function scenarioShare(
  results: readonly ExchangeResult[],
  holds: (result: ExchangeResult) => boolean,
): Estimate {
  const clusters = [...byScenario(results).values()].map((list) => oneIf(list.every(holds)));
  return bootstrapRatio(clusters, { seed: SEED });
}

function endpointWeighted(results: readonly ExchangeResult[]): Estimate {
  const endpoints = [...groupsOf(results, ({ record }) => record.endpoint ?? '').values()];
  if (endpoints.length === 0) return { value: null, reason: 'no observations' };
  const shares = endpoints.map((list) => list.filter(({ passes }) => passes).length / list.length);
  return {
    value: roundFigure(shares.reduce((sum, share) => sum + share, 0) / shares.length),
    low: null,
    high: null,
    se: null,
    n: results.length,
    clusters: endpoints.length,
    method: 'mean over endpoints',
    reason: 'no interval: a draw of scenarios misses the rare endpoints',
  };
}

function byScenario(results: readonly ExchangeResult[]): ReadonlyMap<string, readonly ExchangeResult[]> {
  return groupsOf(results, ({ record }) => record.scenario);
}

function groupsOf(
  results: readonly ExchangeResult[],
  key: (result: ExchangeResult) => string,
): ReadonlyMap<string, readonly ExchangeResult[]> {
  const groups = new Map<string, ExchangeResult[]>();
  for (const result of results) {
    const name = key(result);
    const known = groups.get(name);
    if (known) known.push(result);
    else groups.set(name, [result]);
  }
  return groups;
}

function grouped(
  results: readonly ExchangeResult[],
  key: (result: ExchangeResult) => string,
): Readonly<Record<string, Rates>> {
  const rates = [...groupsOf(results, key)].map(([name, list]) => [name, ratesOf(list)] as const);
  rates.sort(([left, one], [right, other]) => other.exchanges - one.exchanges || (left < right ? -1 : 1));
  return Object.fromEntries(rates);
}

function ratesOf(results: readonly ExchangeResult[]): Rates {
  return {
    exchanges: results.length,
    served: results.filter(({ isServed }) => isServed).length,
    strict: ratioOfSums(results.map(({ isStrict }) => oneIf(isStrict))),
    pass: ratioOfSums(results.map(({ passes }) => oneIf(passes))),
    field: ratioOfSums(results.map(fields)),
  };
}
