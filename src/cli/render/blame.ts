import type { Blame, ContinuedPoint, DecisiveStep } from '../../runner/blame/index.ts';
import type { Estimate } from '../../stats/index.ts';

/** Steps around a change that are shown; the rest is counted. */
const MOST_SHOWN = 60;

/** A blame in lines for people: success before and after each step that changed it, then the verdict. */
export function blameLines(blame: Blame): string[] {
  const { steps, decisive, reason, points, credit } = blame;
  const lines = [`${blame.scenario}: the run ${blame.succeeded ? 'succeeded' : 'failed'}.`];
  const [start] = points;
  if (start) lines.push(`Going on from the start: ${shareText(start)}`);
  const changed = steps.filter(({ drop }) => drop !== 0).slice(0, MOST_SHOWN);
  for (const { step, tool, before } of changed) {
    const mark = decisive?.step === step ? ' ◄ decisive' : '';
    lines.push(`  step ${step} (${tool}): ${percent(before)} → ${shareText(points[step + 1])}${mark}`);
  }
  const same = steps.length - changed.length;
  if (same > 0) lines.push(`  ${same} ${same === 1 ? 'step' : 'steps'} changed nothing`);
  if (credit.end !== null && credit.end !== 0) lines.push(`  the end of the run: ${signed(credit.end)}`);
  lines.push(decisive ? decisiveLine(decisive) : `Decisive: none, as ${reason}`);
  return lines;
}

function decisiveLine({ step, tool, drop, estimate, reason }: DecisiveStep): string {
  const interval = estimate === null ? '' : intervalText(estimate);
  return `Decisive: step ${step} (${tool}), a drop of ${percent(drop)}${interval}: ${reason}`;
}

function shareText(point: ContinuedPoint | undefined): string {
  if (!point) return '?';
  return `${percent(point.value)}${point.success === null ? '' : intervalText(point.success)}`;
}

function intervalText(estimate: Estimate): string {
  if (estimate.value === null || estimate.low === null || estimate.high === null) return '';
  return ` [${percent(estimate.low)}, ${percent(estimate.high)}]`;
}

function percent(share: number | null): string {
  return share === null ? 'void' : `${Math.round(share * 100)} %`;
}

function signed(credit: number): string {
  return `${credit > 0 ? '+' : '−'}${percent(Math.abs(credit))}`;
}
