import { z } from 'zod';
import { compareText, isJsonObject, type Json } from '../base/json.ts';
import type { HttpBinding, Operation, Service } from '../service/types.ts';
import type { DescribedOperation } from './description.ts';

/** How an API description differs from what a service knows of its vendor. */
export interface Drift {
  /** Described, and in nobody's coverage. */
  readonly added: readonly Place[];
  /** In the coverage, and described no more; what an older description never had is not gone. */
  readonly gone: readonly Place[];
  /** Described at another method or path. */
  readonly moved: readonly { readonly operation: string; readonly from: string; readonly to: string }[];
  /** Gone under one id, and there at the same place under another. */
  readonly renamed: readonly { readonly from: string; readonly to: string; readonly at: string }[];
  /** Parameters that a supported operation must be given now, and that nothing here asks for. */
  readonly required: readonly { readonly operation: string; readonly parameter: string }[];
}

export interface Place {
  readonly operation: string;
  /** `METHOD /path`. */
  readonly at: string;
  readonly status: 'supported' | 'partial' | 'absent' | 'new';
}

/**
 * Compares an API description with a service's coverage. What was described and required before is read from
 * `before`, an older description, where there is one; from the service's operations otherwise.
 */
export function driftOf(
  service: Service,
  described: readonly DescribedOperation[],
  before?: readonly DescribedOperation[],
): Drift {
  const there = new Map(described.map((operation) => [operation.id, operation]));
  const here = knownPlaces(service);
  const older = before && new Set(before.map(({ id }) => id));
  const missing = [...here].filter(([id]) => !there.has(id) && (older?.has(id) ?? true));
  const unknown = described.filter(({ id }) => !here.has(id));
  const renamed = missing.flatMap(([from, { places }]) => {
    const match = unknown.find((operation) => places.includes(placeOf(operation)));
    return match ? [{ from, to: match.id, at: textOf(match) }] : [];
  });
  const oldNames = new Set(renamed.map(({ from }) => from));
  const newNames = new Set(renamed.map(({ to }) => to));
  return {
    added: unknown
      .filter(({ id }) => !newNames.has(id))
      .map((one) => ({ operation: one.id, at: textOf(one), status: 'new' as const }))
      .toSorted(byOperation),
    gone: missing
      .filter(([id]) => !oldNames.has(id))
      .map(([operation, { shown, status }]) => ({ operation, at: shown, status }))
      .toSorted(byOperation),
    moved: movedOf(here, there).toSorted(byOperation),
    renamed,
    required: requiredOf(service, there, before).toSorted(byOperation),
  };
}

/** Whether anything differs. */
export function hasDrifted(drift: Drift): boolean {
  return Object.values(drift).some((list: readonly unknown[]) => list.length > 0);
}

interface Known {
  readonly status: 'supported' | 'partial' | 'absent';
  readonly places: readonly string[];
  readonly shown: string;
}

function knownPlaces({ coverage, operations }: Service): ReadonlyMap<string, Known> {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  return new Map(
    coverage.map(({ operation, status, http = byId.get(operation)?.http }) => [
      operation,
      { status, places: placesOf(http), shown: http ? textOf(http) : '' },
    ]),
  );
}

function placesOf(http: (Pick<HttpBinding, 'method' | 'path'> & Partial<HttpBinding>) | undefined): string[] {
  if (!http) return [];
  const { method, path, aliases = [] } = http;
  return [path, ...aliases.map((alias) => alias.path)].map((one) => placeOf({ method, path: one }));
}

function movedOf(
  here: ReadonlyMap<string, Known>,
  there: ReadonlyMap<string, DescribedOperation>,
): { readonly operation: string; readonly from: string; readonly to: string }[] {
  return [...here].flatMap(([operation, { places, shown }]) => {
    const described = there.get(operation);
    if (!described || places.length === 0 || places.includes(placeOf(described))) return [];
    return [{ operation, from: shown, to: textOf(described) }];
  });
}

function requiredOf(
  { operations }: Service,
  there: ReadonlyMap<string, DescribedOperation>,
  before: readonly DescribedOperation[] | undefined,
): { readonly operation: string; readonly parameter: string }[] {
  const older = before && new Map(before.map((one) => [one.id, new Set(one.required)]));
  return operations.flatMap((operation) => {
    const described = there.get(operation.id);
    if (!described) return [];
    const known = older?.get(operation.id) ?? inputNames(operation);
    if (known === null) return [];
    return [...new Set(described.required)]
      .filter((parameter) => !known.has(parameter))
      .map((parameter) => ({ operation: operation.id, parameter }));
  });
}

/** The names that an operation takes; null for one whose input is no plain object. */
function inputNames({ input }: Operation): ReadonlySet<string> | null {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Json;
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return null;
  return new Set(Object.keys(schema.properties));
}

/** Where an operation stands, whatever its parameters are called. */
function placeOf({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path.replaceAll(/\{[^}]*\}/gu, '{}')}`;
}

function textOf({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path}`;
}

function byOperation(one: { readonly operation: string }, other: { readonly operation: string }): number {
  return compareText(one.operation, other.operation);
}
