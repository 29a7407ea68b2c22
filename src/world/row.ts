import { InvariantError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import type { CompiledIndex, CompiledTable } from './compile.ts';
import { encodeMany, encodePart, encodeSingle, type IndexPart } from './keys.ts';
import type { Key, KeyPart, Row } from './types.ts';

const DEEPEST = 200;

/**
 * A checked, frozen copy of a row as a caller gives it: own members in their order, those that are
 * `undefined` left out, `-0` as `0`.
 * @throws InvariantError for unknown or missing columns, values that are not JSON or don't fit.
 */
export function checkedRow(table: CompiledTable, given: Readonly<Record<string, unknown>>): Row {
  const names = Object.keys(given);
  if (names.some((name) => given[name] === undefined)) return checkedRow(table, withoutAbsent(given));
  const row = blankRow(table, names);
  let required = table.required.length;
  for (const name of names) {
    row[name] = checkedCell(table, name, given[name]);
    if (table.columns.get(name)?.optional === false) required -= 1;
  }
  if (required > 0) {
    const missing = table.required.filter((name) => !Object.hasOwn(row, name));
    throw badRow(table, `column ${missing.join(', ')} is missing`);
  }
  return Object.freeze(row);
}

/** A row without the members that are undefined. */
export function withoutAbsent<T>(row: Readonly<Record<string, T>>): Record<string, T & {}> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Record<
    string,
    T & {}
  >;
}

/**
 * The last shape of rows that each table was given: most rows of a table have the same columns in the same
 * order.
 */
const shapes = new WeakMap<
  CompiledTable,
  { readonly names: readonly string[]; readonly row: Record<string, Json> }
>();

/**
 * A row to fill in. It is a copy of one that the JSON parser made, which sizes objects exactly: rows that
 * grow member by member take a fifth more memory, and so do all their later versions.
 */
function blankRow(table: CompiledTable, names: readonly string[]): Record<string, Json> {
  let shape = shapes.get(table);
  if (shape === undefined || !sameNames(shape.names, names)) {
    for (const name of names)
      if (!table.columns.has(name)) throw badRow(table, `there is no column "${name}"`);
    const row = JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:""`).join()}}`) as Record<
      string,
      Json
    >;
    shape = { names, row };
    shapes.set(table, shape);
  }
  return { ...shape.row };
}

function sameNames(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index += 1) if (left[index] !== right[index]) return false;
  return true;
}

/** A checked, frozen copy of one value. */
export function checkedCell(table: CompiledTable, name: string, value: unknown): Json {
  const column = table.columns.get(name);
  if (column === undefined) throw badRow(table, `there is no column "${name}"`);
  let cell: Json;
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) {
    cell = value;
  } else {
    const problem: { text?: string } = {};
    const copied = frozenCopy(value, problem, 0);
    if (copied === undefined) throw badRow(table, `column ${name} ${problem.text ?? 'is not JSON'}`);
    cell = copied;
  }
  if (!column.fits(cell)) throw badRow(table, `column ${name}: ${column.explain(cell)}`);
  return cell;
}

/** A frozen deep copy of plain JSON; undefined, with the problem said, when the value is something else. */
function frozenCopy(value: unknown, problem: { text?: string }, depth: number): Json | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value + 0;
    problem.text = `holds ${value}, which JSON has not`;
    return undefined;
  }
  if (typeof value !== 'object') {
    problem.text = `holds a ${typeof value}, which JSON has not`;
    return undefined;
  }
  if (depth >= DEEPEST) {
    problem.text = `is nested deeper than ${DEEPEST} levels`;
    return undefined;
  }
  if (Array.isArray(value)) return frozenList(value, problem, depth);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    problem.text = 'holds an object that is not plain JSON';
    return undefined;
  }
  const names = Object.keys(value).filter((name) => (value as Record<string, unknown>)[name] !== undefined);
  const copied = blankObject(names);
  for (const name of names) {
    const given = (value as Record<string, unknown>)[name];
    const member = frozenCopy(given, problem, depth + 1);
    if (member === undefined) return undefined;
    copied[name] = member;
  }
  return Object.freeze(copied);
}

/** So many shapes of objects are remembered; the worlds of all services have fewer. */
const SHAPES_MOST = 1_000;
const objectShapes = new Map<string, Record<string, Json>>();

/** An object with these members to fill in, sized exactly; see `blankRow`. */
function blankObject(names: readonly string[]): Record<string, Json> {
  const spelt = JSON.stringify(names);
  let shape = objectShapes.get(spelt);
  if (shape === undefined) {
    shape = JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:""`).join()}}`) as Record<
      string,
      Json
    >;
    if (objectShapes.size < SHAPES_MOST) objectShapes.set(spelt, shape);
  }
  return { ...shape };
}

function frozenList(value: readonly unknown[], problem: { text?: string }, depth: number): Json | undefined {
  const copied: Json[] = [];
  for (const item of value) {
    const member = frozenCopy(item, problem, depth + 1);
    if (member === undefined) {
      problem.text ??= 'holds a list with undefined items, which JSON has not';
      return undefined;
    }
    copied.push(member);
  }
  return Object.freeze(copied);
}

/** The encoded primary key of a row. */
export function primaryOf(table: CompiledTable, row: Row): string {
  const primary = table.primary;
  if (primary.length === 1) return encodeSingle(row[primary[0] as string] as KeyPart);
  return encodeMany(primary.map((column) => row[column] as KeyPart));
}

/** The primary key of a row as callers know it: a scalar or a list. */
export function keyOf(table: CompiledTable, row: Row): Key {
  const primary = table.primary;
  if (primary.length === 1) return row[primary[0] as string] as KeyPart;
  return Object.freeze(primary.map((column) => row[column] as KeyPart));
}

/** The encoded parts of an index for a row, without the primary key. */
export function indexPrefix(index: CompiledIndex, row: Row): string {
  let text = '';
  for (const column of index.columns) text += encodePart(row[column]);
  return text;
}

/** True when the row has an entry in the index. */
export function isListed(index: CompiledIndex, row: Row): boolean {
  return !index.sparse || !hasNullPart(index, row);
}

/** Encoded parts that a caller asks for. @throws InvariantError when there are more than the index has. */
export function partsPrefix(index: CompiledIndex, parts: readonly IndexPart[]): string {
  if (parts.length > index.columns.length) {
    throw new InvariantError(`index ${index.name} has ${index.columns.length} columns, not ${parts.length}`);
  }
  let text = '';
  for (const part of parts) text += encodePart(part);
  return text;
}

/** True when a part of the index is null or absent, so that uniqueness does not bind the row. */
export function hasNullPart(index: CompiledIndex, row: Row): boolean {
  return index.columns.some((column) => row[column] === undefined || row[column] === null);
}

/** An error about a row of this table. */
export function badRow(table: CompiledTable, problem: string): InvariantError {
  return new InvariantError(`table ${table.name}: ${problem}`);
}
