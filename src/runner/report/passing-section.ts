import { type Lead, leadName, leadsOf } from '../attempts.ts';
import { term } from './definitions-section.ts';
import { intervalText, percentText, undefinedCell } from './figure-text.ts';
import { html, type Markup } from './markup.ts';
import { matrix, seriesOf } from './matrix.ts';
import { type PassingPoint, passingCurve } from './passing-curve.ts';
import type { ReportRun } from './read-run.ts';

interface Curve {
  readonly run: ReportRun;
  readonly points: readonly PassingPoint[];
}

/** The figure of k attempts against k: how much of a success rate is luck of the single attempt. */
export function passingSection(runs: readonly ReportRun[]): Markup {
  const k = Math.max(...runs.map(({ summary }) => summary.k));
  const { figures } = leadsOf(runs.flatMap(({ config }) => config.scenarios));
  const heading = html`<h2 id="passing">Every time, or only sometimes?</h2>`;
  if (k === 1) {
    return html`<section>${heading}
<p class="soft">There was one trial per scenario, which does not say. More trials: <code>--k 4</code>.</p></section>`;
  }
  return html`<section>${heading}${figures.map((lead) => curvesOf(runs, lead, k))}</section>`;
}

function curvesOf(runs: readonly ReportRun[], lead: Lead, k: number): Markup {
  const curves = runs.map((run): Curve => ({ run, points: passingCurve(run, lead) }));
  const name = leadName(lead, 'k');
  const words =
    lead === 'passHat'
      ? html`is the chance that <em>k attempts at the same scenario all succeed</em>. An agent that solves the
same scenarios every time stays level; one that solves them now and then falls. It is the figure to look at
where an attempt cannot be taken back.`
      : html`is the chance that <em>one of k attempts at the same scenario succeeds</em>. What rises with k is
luck that more attempts buy. It is the figure to look at where the user sees k attempts and takes the best.`;
  return html`<p>${term(lead, name)} ${words}</p>
<div class="beside">${picture(curves, { k, name })}${table(curves, { k, lead })}</div>`;
}

/** All k up to eight; beyond that powers of two and the last. */
function shownKs(k: number): number[] {
  const all = Array.from({ length: k }, (_, index) => index + 1);
  return k <= 8 ? all : all.filter((one) => one === k || Number.isInteger(Math.log2(one)));
}

function table(curves: readonly Curve[], { k, lead }: { readonly k: number; readonly lead: Lead }): Markup {
  const rows = shownKs(k).map((one) => ({
    head: leadName(lead, one),
    cells: curves.map(({ points }) => {
      const estimate = points.find((point) => point.k === one)?.estimate;
      if (!estimate) return undefinedCell('not asked for in this run');
      if (estimate.value === null) return undefinedCell(estimate.reason);
      return html`<span class="value">${percentText(estimate.value)}</span>
<span class="low">${intervalText(estimate)}</span>
${estimate.note && html`<span class="low">${estimate.note}</span>`}`;
    }),
  }));
  const runs = curves.map(({ run }) => run);
  return matrix({ labelledBy: 'passing', corner: 'k', runs, groups: [{ head: null, rows }], kind: 'small' });
}

const FRAME = { left: 48, right: 110, top: 14, bottom: 28, width: 440, height: 250 } as const;

function picture(
  curves: readonly Curve[],
  { k, name }: { readonly k: number; readonly name: string },
): Markup {
  const { left, right, top, bottom, width, height } = FRAME;
  const x = (one: number): number => round(left + ((one - 1) / (k - 1)) * (width - left - right));
  const y = (share: number): number => round(top + (1 - share) * (height - top - bottom));
  const labels = spread(
    curves.flatMap(({ run, points }) => {
      const last = points.findLast(({ estimate }) => estimate.value !== null);
      return last?.estimate.value == null ? [] : [{ run, k: last.k, y: y(last.estimate.value) }];
    }),
  );
  return html`<svg class="curve" viewBox="0 0 ${width} ${height}" role="img"
aria-label="${name} against k, a line per run; the table holds the same figures">
${[0, 0.25, 0.5, 0.75, 1].map(
  (share) => html`<line class="axis" x1="${left}" x2="${width - right}" y1="${y(share)}" y2="${y(share)}" />
<text class="soft" x="${left - 8}" y="${y(share) + 4}" text-anchor="end">${share * 100} %</text>`,
)}
${shownKs(k).map(
  (one) =>
    html`<text class="soft" x="${x(one)}" y="${height - 8}"
text-anchor="middle">${one === 1 ? 'k = 1' : one}</text>`,
)}
${curves.map((curve) => line(curve, x, y))}
${labels.map(
  (label) =>
    html`<text class="${seriesOf(label.run)}" x="${x(label.k) + 12}" y="${label.at + 4}"
>${cut(label.run.name)}</text>`,
)}</svg>`;
}

const DASHES = ['', '7 3', '2 3', '9 3 2 3'];

function line({ run, points }: Curve, x: (k: number) => number, y: (share: number) => number): Markup {
  const known = points.flatMap(({ k, estimate }) =>
    estimate.value === null ? [] : [{ x: x(k), y: y(estimate.value) }],
  );
  const path = known.map((point) => `${point.x},${point.y}`).join(' ');
  return html`<g class="${seriesOf(run)}"><polyline points="${path}"
stroke-dasharray="${DASHES[run.index % 4]}" />
${known.map((point) => shape(run.index, point))}</g>`;
}

/** The same four shapes as the markers in words. */
function shape(index: number, { x, y }: { readonly x: number; readonly y: number }): Markup {
  switch (index % 4) {
    case 0:
      return html`<circle cx="${x}" cy="${y}" r="5" />`;
    case 1:
      return html`<rect x="${x - 5}" y="${y - 5}" width="10" height="10" />`;
    case 2:
      return html`<polygon points="${x},${y - 6} ${x + 6},${y + 5} ${x - 6},${y + 5}" />`;
    default:
      return html`<polygon points="${x},${y - 7} ${x + 6},${y} ${x},${y + 7} ${x - 6},${y}" />`;
  }
}

const LABEL_GAP = 15;

/** Moves labels apart that would stand on each other. */
function spread<T extends { readonly y: number }>(labels: readonly T[]): (T & { readonly at: number })[] {
  const upwards = [...labels].sort((one, other) => other.y - one.y);
  let ceiling = FRAME.height - FRAME.bottom + 4;
  return upwards.map((label) => {
    const at = Math.min(label.y, ceiling);
    ceiling = at - LABEL_GAP;
    return { ...label, at };
  });
}

function cut(name: string): string {
  return name.length > 14 ? `${name.slice(0, 13)}…` : name;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
