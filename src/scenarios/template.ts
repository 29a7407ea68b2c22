import { UsageError } from '../base/errors.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import { valueAt } from '../base/predicate.ts';
import type { Row } from '../world/types.ts';

/** The rows that a family's bindings picked, by name. */
export type BoundRows = Readonly<Record<string, Row>>;

const TEMPLATE = /\{\{\s*([A-Za-z][\w.]*)\s*(?:\|\s*(\w+)\s*)?\}\}/gu;
const WHOLE = /^\{\{\s*([A-Za-z][\w.]*)\s*(?:\|\s*(\w+)\s*)?\}\}$/u;

/** The filters of templates: what they take and give is said in `docs/scenarios.md`. */
const FILTERS: Readonly<Record<string, (value: Json) => Json>> = {
  dollars: (value) => (typeof value === 'number' ? value / 100 : value),
  money: (value) => (typeof value === 'number' ? (value / 100).toFixed(2) : value),
  text: (value) => (typeof value === 'string' ? value : JSON.stringify(value)),
  date: (value) => (typeof value === 'string' ? value.slice(0, 10) : value),
};

/**
 * Fills `{{name.column}}` and `{{name.column|filter}}` in every text of a value, member names included. A
 * text that is exactly one template takes the value's own type.
 * @throws UsageError for a name, column or filter that is not there.
 */
export function fillTemplates<T>(value: T, rows: BoundRows): T {
  return fill(value, rows) as T;
}

function fill(value: unknown, rows: BoundRows): unknown {
  if (typeof value === 'string') return fillText(value, rows);
  if (Array.isArray(value)) return value.map((item) => fill(item, rows));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [String(fillText(key, rows)), fill(member, rows)]),
  );
}

function fillText(text: string, rows: BoundRows): Json {
  if (!text.includes('{{')) return text;
  const whole = WHOLE.exec(text);
  if (whole) return lookUp(rows, whole[1] ?? '', whole[2]);
  return text.replace(TEMPLATE, (_all, path: string, filter: string | undefined) => {
    const value = lookUp(rows, path, filter);
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function lookUp(rows: BoundRows, path: string, filterName: string | undefined): Json {
  const value = valueAt(rows as Json, path);
  if (value === undefined) {
    const known = Object.keys(rows);
    throw new UsageError('unknown-template', `{{${path}}} names nothing`, {
      hint:
        known.length === 0
          ? 'the scenario declares no bindings'
          : `bindings are ${known.join(', ')}; ${known[0]} has ${membersOf(rows[known[0] ?? ''])}`,
    });
  }
  if (filterName === undefined) return value;
  const filter = FILTERS[filterName];
  if (filter) return filter(value);
  throw new UsageError('unknown-filter', `{{${path}|${filterName}}} uses an unknown filter`, {
    hint: `filters are ${Object.keys(FILTERS).join(', ')}`,
  });
}

function membersOf(row: Row | undefined): string {
  return isJsonObject(row) ? Object.keys(row).join(', ') : 'nothing';
}
