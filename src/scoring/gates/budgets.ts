import type { Estimate, Quantile } from '../../stats/types.ts';
import type { RunSummary } from '../summary-types.ts';
import type { Budgets, GateCheck, GateVerdict } from './types.ts';

/** Checks of what the candidate spends. Quantiles are taken as they are, the cost with its interval. */
export function budgetChecks(budgets: Budgets, summary: RunSummary): GateCheck[] {
  const { metrics } = summary;
  const checks: GateCheck[] = [];
  for (const figure of ['steps', 'wallClockMs'] as const) {
    for (const rank of ['p50', 'p99'] as const) {
      const most = budgets[figure]?.[rank];
      if (most !== undefined) checks.push(quantileCheck(`${figure}.${rank}`, metrics[figure][rank], most));
    }
  }
  if (budgets.costPerSuccess !== undefined) {
    checks.push(costCheck(metrics.costPerSuccess, budgets.costPerSuccess));
  }
  if (budgets.voidShare !== undefined) checks.push(voidCheck(summary, budgets.voidShare));
  return checks;
}

function quantileCheck(name: string, figure: Quantile, most: number): GateCheck {
  const check = `budget ${name}`;
  if (figure.value === null) return { check, verdict: 'inconclusive', reason: figure.reason };
  const reason = `${figure.value} (${figure.method}) of at most ${most}`;
  return { check, verdict: figure.value <= most ? 'pass' : 'fail', reason };
}

function costCheck(cost: Estimate, most: number): GateCheck {
  const check = 'budget costPerSuccess';
  if (cost.value === null) return { check, verdict: 'inconclusive', reason: cost.reason };
  const [low, high] = [cost.low ?? cost.value, cost.high ?? cost.value];
  const reason = `${cost.value} (${low} to ${high}) of at most ${most}`;
  const verdict: GateVerdict = high <= most ? 'pass' : low > most ? 'fail' : 'inconclusive';
  return { check, verdict, reason };
}

function voidCheck({ void: voids, trials }: RunSummary, most: number): GateCheck {
  const check = 'budget voidShare';
  if (trials === 0) return { check, verdict: 'inconclusive', reason: 'no trials' };
  const reason = `${voids.count} of ${trials} trials are void, of at most ${100 * most} %`;
  return { check, verdict: voids.count / trials <= most ? 'pass' : 'fail', reason };
}
