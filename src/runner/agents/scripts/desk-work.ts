import { isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import { valueAt } from '../../../base/predicate.ts';
import type { ToolResult } from '../../types.ts';
import type { Part } from './replay.ts';

/** How a script works: `careful` has no slips, `flaky` draws some from the trial's seed. */
export interface Habits {
  /** Refunds without running the policy check. */
  readonly skipsCheck: boolean;
  /** Looks every order up twice. */
  readonly readsTwice: boolean;
  /** Pays so many cents too much. */
  readonly overpaysCents: number;
  /** Stops after its first looks. */
  readonly givesUp: boolean;
}

export const CAREFUL: Habits = { skipsCheck: false, readsTwice: false, overpaysCents: 0, givesUp: false };

/** Retries of a call that the service was too busy for, or that got no answer. */
const RETRIES = 3;

/**
 * A read, tried again when it was refused under load or its answer got lost, and when the answer is about
 * something else than was asked for.
 */
export function* read(tool: string, input: JsonObject): Part<ToolResult> {
  let result = (yield { do: 'call', tool, arguments: input }) as ToolResult;
  for (let retry = 0; retry < RETRIES && (passes(result) || isOfAnother(input, result)); retry += 1) {
    result = (yield { do: 'call', tool, arguments: input, waitMs: waitOf(result) }) as ToolResult;
  }
  return result;
}

/** True when the answer names another id than the argument of that name, at its top or one level down. */
function isOfAnother(input: JsonObject, { ok, body }: ToolResult): boolean {
  if (!ok || !isJsonObject(body)) return false;
  const parts = [body, ...Object.values(body).filter(isJsonObject)];
  return Object.entries(input).some(([name, asked]) => {
    if (!name.endsWith('_id')) return false;
    const named = parts.flatMap((part) => part[name] ?? []);
    return named.length > 0 && !named.includes(asked ?? null);
  });
}

/**
 * A write. One that was refused under load did not happen and is tried again; one whose answer got lost may
 * have happened, so `happened` looks before it is tried again.
 */
export function* write(tool: string, input: JsonObject, happened: () => Part<boolean>): Part<ToolResult> {
  let result = (yield { do: 'call', tool, arguments: input }) as ToolResult;
  for (let retry = 0; retry < RETRIES && passes(result); retry += 1) {
    if (result.lost && (yield* happened())) return { ok: true, status: 200, body: null };
    result = (yield { do: 'call', tool, arguments: input, waitMs: waitOf(result) }) as ToolResult;
  }
  return result;
}

/** True for what passes by itself: too many requests, unavailable, no answer. */
function passes(result: ToolResult): boolean {
  return result.lost === true || result.status === 429 || result.status === 503;
}

function waitOf(result: ToolResult): number {
  const seconds = valueAt(result.body, 'error.details.seconds');
  return typeof seconds === 'number' ? seconds * 1000 : 1000;
}

/** The text at a path of a body; empty when there is none. */
export function textAt(body: Json, path: string): string {
  const value = valueAt(body, path);
  return typeof value === 'string' ? value : '';
}

export function numberAt(body: Json, path: string): number {
  const value = valueAt(body, path);
  return typeof value === 'number' ? value : 0;
}

export function listAt(body: Json, path: string): readonly JsonObject[] {
  const value = valueAt(body, path);
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}

/** An amount in currency units as whole cents, and back: sums are made in cents. */
export function centsOf(amount: number): number {
  return Math.round(amount * 100);
}

export function amountOf(cents: number): number {
  return cents / 100;
}

/** An amount as a person writes it: `239.50`. */
export function money(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
