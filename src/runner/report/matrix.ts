import { html, Markup } from './markup.ts';
import type { ReportRun } from './read-run.ts';

export interface MatrixRow {
  readonly head: Markup | string;
  /** One per run. */
  readonly cells: readonly (Markup | readonly Markup[])[];
  /** What the filter looks through. */
  readonly text?: string;
}

export interface MatrixGroup {
  /** A row that heads the others; null for none. */
  readonly head: MatrixRow | null;
  readonly rows: readonly MatrixRow[];
}

/**
 * A table with a column a run. On a narrow screen every row becomes a heading with the cells below it, so the
 * roles are written out: a changed `display` would take them away.
 */
export function matrix(options: {
  readonly labelledBy: string;
  /** Heads the first column. */
  readonly corner: string;
  readonly runs: readonly ReportRun[];
  readonly groups: readonly MatrixGroup[];
  readonly kind: string;
}): Markup {
  const { labelledBy, corner, runs, groups, kind } = options;
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="${labelledBy}">
<table class="matrix ${kind}" role="table" aria-labelledby="${labelledBy}" style="--runs:${runs.length}">
<thead role="rowgroup"><tr role="row">
<th scope="col" role="columnheader" class="corner">${corner}</th>${runs.map(
    ({ name, index }) =>
      html`<th scope="col" role="columnheader" data-run="${index}"
class="${seriesOf({ index })}">${marker(index)}${name}</th>`,
  )}</tr></thead>
${groups.map(
  ({ head, rows }) => html`<tbody role="rowgroup">
${head && line(head, runs, 'group')}${rows.map((row) => line(row, runs, ''))}</tbody>
`,
)}</table></div>`;
}

function line(row: MatrixRow, runs: readonly ReportRun[], kind: string): Markup {
  const attributes = row.text === undefined ? '' : html` data-text="${row.text.toLowerCase()}"`;
  return html`<tr role="row" class="${kind}"${attributes}>
<th scope="row" role="rowheader">${row.head}</th>${runs.map(
    ({ index }) =>
      html`<td role="cell" data-run="${index}" class="${seriesOf({ index })}">${row.cells[index]}</td>`,
  )}</tr>
`;
}

/** Heads what the page says of one run. */
export function runHeading(run: Pick<ReportRun, 'index' | 'name'>, more = ''): Markup {
  return html`<h3 class="${seriesOf(run)}">${marker(run.index)}${run.name}${more}</h3>`;
}

/** The class that gives a run its colour. */
export function seriesOf({ index }: Pick<ReportRun, 'index'>): string {
  return `series-${index % MARKERS.length}`;
}

const MARKERS = ['●', '■', '▲', '◆'];

/** The sign of a run in every picture; a colour alone would not do. */
export function marker(index: number): Markup {
  return new Markup(`<span class="marker" aria-hidden="true">${MARKERS[index % MARKERS.length]}</span> `);
}
