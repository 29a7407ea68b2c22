import type { Json, JsonObject } from '../../base/json.ts';
import type { ChangeRecord } from '../../trajectory/index.ts';
import { html, type Markup } from './markup.ts';

const OPEN_CHANGES = 6;
const SHOWN_CHANGES = 40;
const CELL_CHARACTERS = 160;

/** Rows that a step changed, cell by cell: before → after. Many of them are folded. */
export function changesMarkup(diff: readonly ChangeRecord[]): Markup | null {
  if (diff.length === 0) return null;
  const label = `${diff.length} ${diff.length === 1 ? 'row' : 'rows'} changed`;
  const more = diff.length - SHOWN_CHANGES;
  const list = html`<ul class="changes">${diff.slice(0, SHOWN_CHANGES).map(changeMarkup)}</ul>
${more > 0 && html`<p class="soft">and ${more} more</p>`}`;
  if (diff.length <= OPEN_CHANGES)
    return html`<div class="changed"><span class="label">${label}</span>${list}</div>`;
  return html`<details class="changed"><summary class="label">${label}</summary>${list}</details>`;
}

function changeMarkup(change: ChangeRecord): Markup {
  const row = html`<code>${change.table}</code> <strong>${valueText(change.key)}</strong>`;
  switch (change.op) {
    case 'insert':
      return html`<li><span class="op insert">+ inserted</span> ${row} ${cells(change.row)}</li>`;
    case 'delete':
      return html`<li><span class="op delete">− deleted</span> ${row} ${cells(change.row)}</li>`;
    case 'update':
      return html`<li><span class="op update">~ updated</span> ${row}
${Object.entries(change.cells).map(
  ([column, { from, to }]) => html`<div class="cell-change"><i>${column}</i>
<del>${cellText(from)}</del> → <ins>${cellText(to)}</ins></div>`,
)}</li>`;
    default:
      return html``;
  }
}

function cells(row: JsonObject): Markup {
  return html`<span class="cells">${Object.entries(row).map(
    ([column, value]) => html`<span><i>${column}</i> ${cellText(value)}</span> `,
  )}</span>`;
}

function cellText(value: Json | undefined): string {
  const text = value === undefined ? 'absent' : valueText(value);
  return text.length > CELL_CHARACTERS ? `${text.slice(0, CELL_CHARACTERS)}…` : text;
}

/** A value on one line; a text keeps its quotes, so that "1" and 1 differ. */
export function valueText(value: Json): string {
  return JSON.stringify(value);
}
