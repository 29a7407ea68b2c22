export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** The moment that every seed is written for: 2026-03-02T09:00:00Z. */
export const EPOCH_MS = Date.UTC(2026, 2, 2, 9);

/** A moment as ISO 8601 text in UTC. */
export function momentText(ms: number): string {
  return new Date(ms).toISOString();
}

/** Whole days that have passed since a moment given as ISO text. */
export function daysSince(moment: string, nowMs: number): number {
  return Math.floor((nowMs - Date.parse(moment)) / DAY_MS);
}
