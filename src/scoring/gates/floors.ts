import { clopperPearsonInterval } from '../../stats/index.ts';
import type { SummaryTrial } from '../summary-types.ts';
import type { Floor, GateCheck } from './types.ts';

/**
 * A floor holds where the whole interval of the scenario's success rate (Clopper–Pearson: its trials are
 * independent) is not below it, falls where the whole interval is, and is open otherwise. A floor that a
 * perfect score of so many trials could not show is open with that reason.
 */
export function floorChecks(floors: readonly Floor[], trials: readonly SummaryTrial[]): GateCheck[] {
  if (floors.length === 0) return [];
  const scenarios = Map.groupBy(trials, ({ scenario }) => scenario);
  const own = new Set(floors.map(({ scenario }) => scenario));
  const checks: GateCheck[] = [];
  for (const floor of floors) {
    const names =
      floor.scenario === '*' ? [...scenarios.keys()].filter((name) => !own.has(name)) : [floor.scenario];
    const found = names.map((scenario) => checkOf(floor, scenario, scenarios.get(scenario) ?? []));
    const notable = found.filter(({ verdict }) => verdict !== 'pass');
    checks.push(...notable);
    if (found.length > notable.length) {
      const reason = `at or above ${floor.rate}: ${counted(found.length - notable.length, found.length)}`;
      checks.push({ check: `floor ${floor.scenario}`, verdict: 'pass', reason });
    }
  }
  return checks;
}

const counted = (kept: number, of: number): string => `${kept} of ${of} scenario${of === 1 ? '' : 's'}`;

function checkOf({ rate, confidence }: Floor, scenario: string, trials: readonly SummaryTrial[]): GateCheck {
  const counted = trials.filter(({ score }) => score.void === null);
  const [passed, of] = [counted.filter(({ score }) => score.success).length, counted.length];
  const check = { check: `floor ${scenario}`, scenario };
  if (of === 0) {
    const reason = trials.length === 0 ? 'the run has no such scenario' : 'every trial of it is void';
    return { ...check, verdict: 'inconclusive', reason };
  }
  const { low, high } = clopperPearsonInterval(passed, of, confidence);
  const reason = `solved ${passed} of ${of}, a rate of ${low.toFixed(3)} to ${high.toFixed(3)}`;
  if (high < rate) return { ...check, verdict: 'fail', reason: `${reason}, below ${rate}` };
  if (low >= rate) return { ...check, verdict: 'pass', reason };
  const best = clopperPearsonInterval(of, of, confidence).low;
  const more = best < rate ? `: ${of} trials cannot show ${rate}` : `, with ${rate} inside`;
  return { ...check, verdict: 'inconclusive', reason: `${reason}${more}` };
}
