export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** The moment that every seed is written for: 2026-03-02T09:00:00Z. */
export const EPOCH_MS = Date.UTC(2026, 2, 2, 9);

const last = { ms: 0, text: new Date(0).toISOString() };

/** A moment as ISO 8601 text in UTC. The last one is kept: an operation writes it into several rows. */
export function momentText(ms: number): string {
  if (ms !== last.ms) {
    last.text = new Date(ms).toISOString();
    last.ms = ms;
  }
  return last.text;
}

/** Whole days that have passed since a moment given as ISO text. */
export function daysSince(moment: string, nowMs: number): number {
  return Math.floor((nowMs - Date.parse(moment)) / DAY_MS);
}
