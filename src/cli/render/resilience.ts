import type { FaultCost, FaultCounts, Resilience, ResilienceRow } from '../../scoring/index.ts';
import { counted } from './counted.ts';
import { Footnotes, percent } from './figures.ts';
import { layOut } from './table.ts';

/** The kind × tool table of a run, what was not hit, and what the faults cost. */
export function resilienceLines({ table, total, plans, cost, costWhenHit }: Resilience): string[] {
  const notes = new Footnotes();
  const head = ['fault', 'tool', 'hits', 'recovered', 'solved', 'duplicates', 'wasted', 'back-off', 'honest'];
  const rows = table.map((row) => rowOf(row, notes));
  const all = table.length > 1 ? [rowOf(total, notes)] : [];
  const costs = [...costLines('under faults', cost, notes), ...costLines('when hit', costWhenHit, notes)];
  return [
    ...(rows.length === 0 ? ['No fault struck.'] : layOut([head, ...rows, ...all])),
    '',
    ...plansLines(plans),
    ...(costs.length === 0 ? [] : ['', ...layOut(costs)]),
    ...(rows.length === 0 ? [] : ['', 'Intervals are 95 %, clustered; each figure is per hit.']),
    ...notes.lines(),
  ];
}

function rowOf(row: ResilienceRow, notes: Footnotes): string[] {
  const { kind, tool, hits, recovered, succeeded, duplicates, wasted, backOff, honest } = row;
  return [
    kind ?? 'all',
    tool ?? '',
    String(hits),
    percent(recovered, notes),
    percent(succeeded, notes),
    duplicates === null ? '—' : `${duplicates.effects} after ${duplicates.of}`,
    String(wasted),
    percent(backOff, notes),
    percent(honest, notes),
  ];
}

/** Trials under plans, and how many of them no rule of their plan struck. */
export function plansLines({ plans, hit, notHit }: FaultCounts): string[] {
  if (plans.length === 0)
    return ['No trial was under a fault plan: what struck is of the scenarios themselves.'];
  const trials = counted(hit + notHit, 'trial');
  const untouched = plans.filter((plan) => plan.notHit > 0).map((plan) => `${plan.id} ${plan.notHit}`);
  return [
    `Under ${counted(plans.length, 'fault plan')}: ${trials}, ${hit} hit, ${notHit} not hit (their success counts all the same).`,
    ...(untouched.length === 0 ? [] : [`Not hit: ${listed(untouched)}.`]),
  ];
}

const NAMED = 12;

function listed(names: readonly string[]): string {
  const more = names.length - NAMED;
  return more > 0 ? `${names.slice(0, NAMED).join(', ')} and of ${more} more plans` : names.join(', ');
}

function costLines(name: string, { scenarios, baseline, faults, difference }: FaultCost, notes: Footnotes) {
  if (scenarios === 0) return [];
  return [
    [
      `success ${name}`,
      percent(faults, notes),
      `without ${percent(baseline, notes)}`,
      `paired difference ${percent(difference, notes)} over ${counted(scenarios, 'scenario')}`,
    ],
  ];
}
