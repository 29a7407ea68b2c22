import { nearestName, UsageError } from '../base/errors.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import { valueAt } from '../base/predicate.ts';
import type { Row } from '../world/types.ts';
import { type PlaceOf, placed } from './placed.ts';

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
export function fillTemplates<T>(value: T, rows: BoundRows, source: TemplateSource = {}): T {
  return fill(value, { rows, place: source.place, path: source.path ?? [] }) as T;
}

/** Where the value stands in its file, for errors. */
export interface TemplateSource {
  readonly place?: PlaceOf | undefined;
  readonly path?: readonly PropertyKey[];
}

interface Filling {
  readonly rows: BoundRows;
  readonly place: PlaceOf | undefined;
  readonly path: readonly PropertyKey[];
}

function fill(value: unknown, filling: Filling): unknown {
  const { rows, place, path } = filling;
  if (typeof value === 'string') return placed(place, path, () => fillText(value, rows));
  if (typeof value !== 'object' || value === null) return value;
  const part = (item: unknown, key: PropertyKey): unknown =>
    fill(item, { rows, place, path: [...path, key] });
  if (Array.isArray(value)) return value.map(part);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const name = placed(place, [...path, key], () => String(fillText(key, rows)));
      return [name, part(member, key)];
    }),
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
    throw new UsageError('unknown-template', `{{${path}}} names nothing`, { hint: templateHint(path, rows) });
  }
  if (filterName === undefined) return value;
  const filter = Object.hasOwn(FILTERS, filterName) ? FILTERS[filterName] : undefined;
  if (filter) return filter(value);
  const near = nearestName(filterName, Object.keys(FILTERS));
  throw new UsageError('unknown-filter', `{{${path}|${filterName}}} uses an unknown filter`, {
    hint: near ? `did you mean ${near}?` : `filters are ${Object.keys(FILTERS).join(', ')}`,
  });
}

function templateHint(path: string, rows: BoundRows): string {
  const known = Object.keys(rows);
  if (known.length === 0) return 'the scenario declares no bindings';
  const names = known.flatMap((name) => Object.keys(rows[name] ?? {}).map((column) => `${name}.${column}`));
  const near = nearestName(path, names);
  if (near !== undefined) return `did you mean ${near}?`;
  return `bindings are ${known.join(', ')}; ${known[0]} has ${membersOf(rows[known[0] ?? ''])}`;
}

function membersOf(row: Row | undefined): string {
  return isJsonObject(row) ? Object.keys(row).join(', ') : 'nothing';
}
