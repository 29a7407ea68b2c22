import { type Lead, leadName, leadsOf } from '../../runner/attempts.ts';
import { describeFirstFailures, firstFailuresByCheck } from '../../runner/first-failures.ts';
import type { IfVoid, InvariantSummary, RunSummary } from '../../scoring/index.ts';
import type { RunScenario } from '../../store/run-folder.ts';
import { counted } from './counted.ts';
import { amount, Footnotes, percent, quantile, ratioPercent } from './figures.ts';
import { layOut } from './table.ts';

/** A run with the name that heads its column. */
export interface NamedRun {
  readonly name: string;
  readonly summary: RunSummary;
  /** What its scenarios say of their users' attempts; one each when left out. */
  readonly scenarios?: readonly RunScenario[];
}

/** The table of one or more runs: a row a figure, a column a run, reasons below. */
export function runTable(runs: readonly NamedRun[]): string[] {
  const notes = new Footnotes();
  const k = String(Math.max(...runs.map(({ summary }) => summary.k)));
  const row = (label: string, cell: (summary: RunSummary) => string): string[] => [
    label,
    ...runs.map(({ summary }) => cell(summary)),
  ];
  const missing = { value: null, reason: 'not asked for in this run' } as const;
  const anyVoid = runs.some(({ summary }) => summary.void.count > 0);
  const ifVoid = (of: (summary: RunSummary) => IfVoid | undefined): string[][] =>
    anyVoid ? [row(IF_VOID, (summary) => boundsCell(summary, of(summary)))] : [];
  const leads = leadsOf(runs.flatMap(({ scenarios = [] }) => scenarios));
  const leadRows = (lead: Lead): string[][] => [
    row(leadName(lead, k), (summary) => percent(summary[lead][k] ?? missing, notes)),
    ...ifVoid((summary) => summary[`${lead}IfVoid`]?.[k]),
  ];
  const rows = [
    ['', ...runs.map(({ name }) => name)],
    row('trials', trialsCell),
    ...(k === '1' ? [] : leads.figures.flatMap(leadRows)),
    row('success', (summary) => percent(summary.success, notes)),
    ...ifVoid(({ successIfVoid }) => successIfVoid),
    row('pass@1', (summary) => percent(summary.passAt['1'] ?? missing, notes)),
    ...ifVoid(({ passAtIfVoid }) => passAtIfVoid?.['1']),
    row('tool precision', (summary) => ratioPercent(summary.metrics.precision, notes)),
    row('tool recall', (summary) => ratioPercent(summary.metrics.recall, notes)),
    row('redundant steps', (summary) => ratioPercent(summary.metrics.redundant, notes)),
    row('recovery', (summary) => ratioPercent(summary.metrics.recovery, notes)),
    row('steps p50 / p99', ({ metrics }) => pair(metrics.steps, notes, '')),
    row('cost per success', (summary) => amount(summary.metrics.costPerSuccess, notes)),
    row('wall clock p50 / p99', ({ metrics }) => pair(metrics.wallClockMs, notes, ' ms')),
    row('invariants broken', ({ invariants }) => brokenCell(invariants)),
  ];
  const first = runs[0]?.summary.success;
  const clusters = first && first.value !== null ? ` over ${counted(first.clusters, 'cluster')}` : '';
  return [
    ...layOut(rows),
    '',
    `Intervals are 95 %${clusters}; rates leave void trials out.`,
    ...(leads.note === null || k === '1' ? [] : [`Attempts: ${leads.note}.`]),
    ...notes.lines(),
  ];
}

/** The row below a rate, where some trial is void. */
const IF_VOID = '  if voids failed / passed';

function boundsCell({ void: voids }: RunSummary, bounds: IfVoid | undefined): string {
  if (voids.count === 0) return 'no voids';
  const share = ({ value }: IfVoid['fail']): string =>
    value === null ? '—' : `${(value * 100).toFixed(1)} %`;
  return bounds ? `${share(bounds.fail)} / ${share(bounds.pass)}` : '—';
}

function trialsCell({ trials, void: voids }: RunSummary): string {
  if (voids.count === 0) return String(trials);
  const reasons = Object.entries(voids.byReason).map(([reason, count]) => `${count} ${reason}`);
  return `${trials}, ${voids.count} void (${reasons.join(', ')})`;
}

function pair(figure: RunSummary['metrics']['steps'], notes: Footnotes, unit: string): string {
  return `${quantile(figure.p50, notes, unit)} / ${quantile(figure.p99, notes, unit)}`;
}

function brokenCell(invariants: readonly InvariantSummary[]): string {
  const broken = invariants.filter((invariant) => invariant.broken > 0).length;
  const trials = invariants.reduce((total, invariant) => total + invariant.broken, 0);
  return broken === 0
    ? `0 of ${invariants.length}`
    : `${broken} of ${invariants.length}, ${counted(trials, 'time')}`;
}

/** What broke first and where: a line a check, the most frequent first. */
export function firstFailures(summary: RunSummary, limit: number): string[] {
  const groups = firstFailuresByCheck(summary.failures);
  const lines = groups.slice(0, limit).map(describeFirstFailures);
  return groups.length > limit ? [...lines, `… and ${counted(groups.length - limit, 'more check')}`] : lines;
}
