import { compareText } from '../../base/json.ts';
import { rateEstimate } from '../../stats/estimate.ts';
import { type Pair, pairedDifference } from '../../stats/paired.ts';
import type { Estimate, Observation } from '../../stats/types.ts';
import { clusterLabels } from '../clusters.ts';
import type { FaultCost, FaultCounts, FaultHit, Resilience, ResilienceRow, TrialFaults } from './types.ts';

/** A trial of a run as this table takes it. */
export interface FaultedTrial {
  /** The scenario's own id, whatever the plan. */
  readonly scenario: string;
  /** The plan that it was under; undefined for the baseline. */
  readonly plan?: string | undefined;
  readonly cluster?: string | undefined;
  readonly score: {
    readonly success: boolean;
    readonly void: unknown;
    readonly faults?: TrialFaults;
  };
}

/** A trial with the cluster that it counts under. */
type ClusteredTrial = FaultedTrial & { readonly label: string };

interface HitOfTrial {
  readonly hit: FaultHit;
  readonly trial: ClusteredTrial;
}

/** How many trials were under plans and hit; null where none was under one. Void trials are left out. */
export function countFaults(
  scores: readonly { readonly void: unknown; readonly faults?: TrialFaults }[],
): FaultCounts | null {
  const plans = new Map<string, { trials: number; hit: number }>();
  for (const { void: voided, faults } of scores) {
    if (voided !== null || faults?.plan == null) continue;
    const { trials, hit } = plans.get(faults.plan) ?? { trials: 0, hit: 0 };
    plans.set(faults.plan, { trials: trials + 1, hit: hit + (faults.struck > 0 ? 1 : 0) });
  }
  if (plans.size === 0) return null;
  const rows = [...plans]
    .map(([id, { trials, hit }]) => ({ id, trials, hit, notHit: trials - hit }))
    .sort((one, other) => compareText(one.id, other.id));
  const sum = (of: (row: FaultCounts['plans'][number]) => number): number =>
    rows.reduce((total, row) => total + of(row), 0);
  return { plans: rows, hit: sum(({ hit }) => hit), notHit: sum(({ notHit }) => notHit) };
}

/** The table of a run. The order in which trials come in does not matter. */
export function resilienceOf(trials: readonly FaultedTrial[]): Resilience {
  const sorted = [...trials].sort(
    (one, other) =>
      compareText(one.scenario, other.scenario) || compareText(one.plan ?? '', other.plan ?? ''),
  );
  const labels = clusterLabels(sorted);
  const all = sorted
    .map((trial, index): ClusteredTrial => ({ ...trial, label: labels[index] ?? trial.scenario }))
    .filter(({ score }) => score.void === null);
  const hits = all.flatMap((trial) => (trial.score.faults?.hits ?? []).map((hit) => ({ hit, trial })));
  const rowsBy = (nameOf: (hit: FaultHit) => Pick<ResilienceRow, 'kind' | 'tool'>): ResilienceRow[] => {
    const groups = Map.groupBy(hits, ({ hit }) => JSON.stringify(nameOf(hit)));
    return [...groups.entries()]
      .sort(([one], [other]) => compareText(one, other))
      .map(([name, group]) => rowOf(JSON.parse(name) as Pick<ResilienceRow, 'kind' | 'tool'>, group));
  };
  const under = all.filter(({ plan }) => plan !== undefined);
  return {
    hits: hits.length,
    total: rowOf({ kind: null, tool: null }, hits),
    byKind: rowsBy(({ kind }) => ({ kind, tool: null })),
    byTool: rowsBy(({ tool }) => ({ kind: null, tool })),
    table: rowsBy(({ kind, tool }) => ({ kind, tool })),
    plans: countFaults(all.map(({ score }) => score)) ?? { plans: [], hit: 0, notHit: 0 },
    cost: costOf(all, under),
    costWhenHit: costOf(
      all,
      under.filter(({ score }) => (score.faults?.struck ?? 0) > 0),
    ),
  };
}

function rowOf(name: Pick<ResilienceRow, 'kind' | 'tool'>, hits: readonly HitOfTrial[]): ResilienceRow {
  const unseen = hits.flatMap(({ hit }) => hit.duplicates ?? []);
  return {
    ...name,
    hits: hits.length,
    recovered: shareOf(hits, ({ hit }) => hit.recovered, 'no hit that there was something to recover from'),
    succeeded: shareOf(hits, ({ trial }) => trial.score.success, 'no hits'),
    duplicates:
      unseen.length === 0 ? null : { of: unseen.length, effects: unseen.reduce((sum, one) => sum + one, 0) },
    wasted: hits.reduce((sum, { hit }) => sum + hit.wasted, 0),
    backOff: shareOf(hits, ({ hit }) => hit.backOff?.kept ?? null, 'no Retry-After with a call after it'),
    honest: shareOf(hits, ({ trial }) => trial.score.faults?.honest.value ?? null, 'no final answer'),
  };
}

/** The share of those for which it is defined, clustered by scenario. */
function shareOf(
  hits: readonly HitOfTrial[],
  holds: (one: HitOfTrial) => boolean | null,
  whenNone: string,
): Estimate {
  const observations = hits.flatMap((one): Observation[] => {
    const held = holds(one);
    return held === null ? [] : [{ value: held ? 1 : 0, cluster: one.trial.label }];
  });
  return observations.length === 0 ? { value: null, reason: whenNone } : rateEstimate(observations);
}

/** Success under plans against success without, over the scenarios that have both. */
function costOf(all: readonly ClusteredTrial[], under: readonly ClusteredTrial[]): FaultCost {
  const faulted = Map.groupBy(under, ({ scenario }) => scenario);
  const plain = Map.groupBy(
    all.filter(({ plan, scenario }) => plan === undefined && faulted.has(scenario)),
    ({ scenario }) => scenario,
  );
  const pairs = [...plain].map(
    ([scenario, trials]): Pair => ({
      first: rateIn(faulted.get(scenario) ?? []),
      second: rateIn(trials),
      cluster: trials[0]?.label ?? scenario,
    }),
  );
  const none: Estimate = { value: null, reason: 'no scenario has trials with and without faults' };
  const rate = (of: (pair: Pair) => number): Estimate =>
    rateEstimate(pairs.map((pair) => ({ value: of(pair), cluster: pair.cluster })));
  return {
    scenarios: pairs.length,
    baseline: pairs.length === 0 ? none : rate(({ second }) => second),
    faults: pairs.length === 0 ? none : rate(({ first }) => first),
    difference: pairs.length === 0 ? none : pairedDifference(pairs, { range: { low: -1, high: 1 } }),
  };
}

function rateIn(trials: readonly ClusteredTrial[]): number {
  return trials.filter(({ score }) => score.success).length / Math.max(1, trials.length);
}
