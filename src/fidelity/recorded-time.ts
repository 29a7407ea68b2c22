import { isJsonObject, type Json } from '../base/json.ts';
import type { CorpusRecord } from './types.ts';

const NOON_MS = 12 * 3_600_000;
const UNDATED_MS = Date.UTC(2024, 0, 1) + NOON_MS;
/** Less than this between two moments shown is as likely the service's own delay as time gone by. */
const GAP_MS = 60_000;

/** Noon of the day on which an exchange was recorded; null where that is not told. */
function dayMs({ recordedAt }: CorpusRecord): number | null {
  const atMs = Date.parse(`${recordedAt ?? ''}T00:00:00Z`);
  return Number.isFinite(atMs) ? atMs + NOON_MS : null;
}

/** Noon of the day on which a scenario's first part was recorded. */
export function epochOf({ records }: { readonly records: readonly CorpusRecord[] }): number {
  const days = records.flatMap((record) => dayMs(record) ?? []);
  return days.length > 0 ? Math.min(...days) : UNDATED_MS;
}

/**
 * The time that went by in a scenario, as far as it is told: some recordings were made in parts, years apart,
 * and within a day the moments in answers show what was waited for.
 */
export class RecordedTime {
  #nowMs: number;
  #shownMs: number | null = null;

  constructor(epochMs: number) {
    this.#nowMs = epochMs;
  }

  /** How long it took until the next exchange, in milliseconds. */
  until(record: CorpusRecord): number {
    const day = dayMs(record);
    const byDayMs = Math.max(0, (day ?? this.#nowMs) - this.#nowMs);
    const shownMs = latestOf(record);
    const gapMs = shownMs !== null && this.#shownMs !== null ? shownMs - this.#shownMs : 0;
    if (shownMs !== null) this.#shownMs = Math.max(shownMs, this.#shownMs ?? shownMs);
    const laterMs = byDayMs > 0 || gapMs < GAP_MS ? byDayMs : gapMs;
    this.#nowMs += laterMs;
    return laterMs;
  }
}

/** The latest moment of its day that an answer shows; null for none. */
function latestOf({ recordedAt, response }: CorpusRecord): number | null {
  let latest: number | null = null;
  const visit = (value: Json | undefined): void => {
    if (Array.isArray(value)) for (const item of value as readonly Json[]) visit(item);
    else if (isJsonObject(value ?? null)) for (const item of Object.values(value as object)) visit(item);
    else if (typeof value === 'string' && recordedAt !== null && value.startsWith(`${recordedAt}T`)) {
      const atMs = Date.parse(value);
      if (Number.isFinite(atMs)) latest = Math.max(latest ?? atMs, atMs);
    }
  };
  visit(response.body);
  return latest;
}
