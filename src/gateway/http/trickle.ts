import type { ServerResponse } from 'node:http';
import type { Delivery } from '../../session/index.ts';
import type { Pacing } from './pacing.ts';

/** A body that comes in slowly: over so much real time, in pieces. */
export interface Trickle {
  readonly durationMs: number;
  pause(durationMs: number): Promise<void>;
}

/** Pieces that a slow body comes in, where it has as many bytes. */
const PIECES = 20;

/** How slowly a delivery's body goes out at this door; null where it goes out at once. */
export function trickleOf({ trickleMs = 0 }: Pick<Delivery, 'trickleMs'>, pacing: Pacing): Trickle | null {
  if (!pacing.isReal || trickleMs <= 0) return null;
  return { durationMs: trickleMs, pause: (durationMs) => pacing.pause(durationMs) };
}

/** Sends the headers at once and the body piece by piece; ends early where the client has gone. */
export async function trickled(
  response: ServerResponse,
  bytes: Buffer,
  { durationMs, pause }: Trickle,
): Promise<void> {
  response.flushHeaders();
  const count = Math.max(1, Math.min(PIECES, bytes.length));
  const size = Math.ceil(bytes.length / count);
  for (let at = 0; at < bytes.length || at === 0; at += Math.max(1, size)) {
    await pause(durationMs / count);
    if (response.destroyed) return;
    response.write(bytes.subarray(at, at + size));
  }
  response.end();
}
